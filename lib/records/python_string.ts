/** Python string literals as `repr` prints them. @module */

import { BACKSLASH } from "./chars.ts";
import { JsonFault } from "./json_check.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
};

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The string whose quote opens at `at`, and the position after it. Throws a JsonFault where it is none. */
export function pythonString(text: string, at: number): { readonly value: string; readonly end: number } {
  const quote = text.charCodeAt(at);
  const parts: string[] = [];
  let from = at + 1;
  let end = from;
  for (let c = text.charCodeAt(end); c !== quote; c = text.charCodeAt(end)) {
    // repr escapes line ends, so a bare one means that this quote was an apostrophe.
    if (!(c >= 32)) throw new JsonFault(end);
    if (c !== BACKSLASH) {
      end++;
      continue;
    }
    const escape = escapeAt(text, end);
    parts.push(text.slice(from, end), escape.value);
    from = end = escape.end;
  }
  parts.push(text.slice(from, end));
  return { value: parts.join(""), end: end + 1 };
}

function escapeAt(text: string, at: number): { readonly value: string; readonly end: number } {
  const char = text.charAt(at + 1);
  const simple = SIMPLE[char];
  if (simple !== undefined) return { value: simple, end: at + 2 };
  const digits = HEX_DIGITS[char];
  const hex = digits === undefined ? "" : text.slice(at + 2, at + 2 + digits);
  if (hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) throw new JsonFault(Math.min(at + 1, text.length));
  const code = parseInt(hex, 16);
  if (code > 0x10FFFF) throw new JsonFault(at + 1);
  return { value: String.fromCodePoint(code), end: at + 2 + hex.length };
}
