/** Lines that say `Key: value`, in the ways that tools print them. @module */

import { trimSpaces } from "./lines.ts";

/** Characters of a key; longer beginnings of a line are prose. */
export const KEY_CHARS_MAX = 48;

/** Words of a key. */
export const KEY_WORDS_MAX = 5;

/** One key with its value, as they stood. */
export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** How keys are parted from values: `Key: value`, `key = value` (sqlite), `key | value` (psql). */
export type PairMark = ":" | "=" | "|";

const KEY_REGEXP = /^(?:\p{Extended_Pictographic}\ufe0f? *)?[\p{L}_#@][\p{L}\p{N}\p{M} _./()#&'%$@\-]*$/u;

/** The pairs of a line, or `undefined` when it is anything else. `k: v | k2: v2` gives two when every part is one. */
export function pairsOf(line: string, mark: PairMark): Pair[] | undefined {
  if (mark === "=") return single(line, line.indexOf(" = "), 3);
  if (mark === "|") return single(line, line.indexOf("|"), 1);
  const whole = colonPair(line);
  if (whole === undefined || !whole.value.includes(" | ")) return whole && [whole];
  const pairs: Pair[] = [];
  for (const part of line.split(" | ")) {
    const pair = colonPair(part);
    if (pair === undefined) return [whole];
    pairs.push(pair);
  }
  return pairs;
}

function single(line: string, at: number, markChars: number): Pair[] | undefined {
  if (at === -1) return undefined;
  const key = trimSpaces(line.slice(0, at));
  return isKey(key) ? [{ key, value: trimSpaces(line.slice(at + markChars)) }] : undefined;
}

// `Key: value`, `- Key: value`, `**Key**: value`, `- **Key:** value`.
function colonPair(line: string): Pair | undefined {
  let text = trimSpaces(line);
  if (/^[-*•] /.test(text)) text = trimSpaces(text.slice(2));
  if (text.startsWith("**")) return boldPair(text);
  const at = text.indexOf(":");
  if (at < 1 || at > KEY_CHARS_MAX) return undefined;
  const next = text[at + 1];
  if (next !== undefined && next !== " " && next !== "\t") return undefined;
  const key = trimSpaces(text.slice(0, at));
  return isKey(key) ? { key, value: trimSpaces(text.slice(at + 1)) } : undefined;
}

function boldPair(text: string): Pair | undefined {
  const close = text.indexOf("**", 2);
  if (close < 3 || close > KEY_CHARS_MAX + 4) return undefined;
  const inside = text.slice(2, close);
  const after = text.slice(close + 2);
  const colonInside = inside.endsWith(":");
  if (!colonInside && !after.startsWith(":")) return undefined;
  const key = trimSpaces(colonInside ? inside.slice(0, -1) : inside);
  return isKey(key) ? { key, value: trimSpaces(colonInside ? after : after.slice(1)) } : undefined;
}

function isKey(key: string): boolean {
  return key.length > 0 && key.length <= KEY_CHARS_MAX && KEY_REGEXP.test(key) &&
    key.split(" ").length <= KEY_WORDS_MAX;
}
