/** Whether two texts are the same JSON, whatever blanks and escapes they use. @module */

import { BACKSLASH, QUOTE, skipBlank } from "./chars.ts";
import { closingQuote } from "./json_cell.ts";

/**
 * Whether `a` from `aFrom` to `aTo` and all of `b` are the same JSON tokens: numbers to the digit, keys in one order.
 * Strings that are spelled differently are compared decoded. Linear; the texts need not be valid, but then only equal
 * texts are the same.
 */
export function sameJson(a: string, aFrom: number, aTo: number, b: string): boolean {
  let i = skipBlank(a, aFrom);
  let k = skipBlank(b, b.charCodeAt(0) === 0xFEFF ? 1 : 0);
  while (i < aTo && k < b.length) {
    if (a.charCodeAt(i) !== b.charCodeAt(k)) return false;
    if (a.charCodeAt(i) === QUOTE) {
      const token = sameString(a, i, b, k);
      if (!token) return false;
      [i, k] = token;
    } else {
      i++;
      k++;
    }
    // Blanks are free between tokens only; two digits with a blank between them would not have passed as JSON.
    i = skipBlank(a, i);
    k = skipBlank(b, k);
  }
  return i >= aTo && k >= b.length;
}

/** The positions after two equal strings that open at `i` and `k`; undefined when they differ or do not end. */
function sameString(a: string, i: number, b: string, k: number): [number, number] | undefined {
  let at = 1;
  let c = a.charCodeAt(i + at);
  while (c === b.charCodeAt(k + at) && c !== QUOTE && c !== BACKSLASH && c >= 32) c = a.charCodeAt(i + ++at);
  if (c === QUOTE && b.charCodeAt(k + at) === QUOTE) return [i + at + 1, k + at + 1];
  if (c !== BACKSLASH && b.charCodeAt(k + at) !== BACKSLASH) return undefined;
  if (!endsString(a, i) || !endsString(b, k)) return undefined;
  const aEnd = closingQuote(a, i) + 1;
  const bEnd = closingQuote(b, k) + 1;
  return decoded(a.slice(i, aEnd)) === decoded(b.slice(k, bEnd)) ? [aEnd, bEnd] : undefined;
}

function endsString(text: string, at: number): boolean {
  let c = text.charCodeAt(++at);
  while (c !== QUOTE) {
    if (at >= text.length) return false;
    at += c === BACKSLASH ? 2 : 1;
    c = text.charCodeAt(at);
  }
  return true;
}

/** The string a token stands for; the token itself when it is none. */
function decoded(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
