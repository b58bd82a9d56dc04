/** One pass over a JSON value that says where it ends, or where and why it is not JSON. @module */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  isDigit,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  LOWER_U,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  skipBlank,
  SPACE,
  UPPER_E,
  UPPER_I,
  UPPER_N,
  ZERO,
} from "./chars.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";

/**
 * Where a text stops being JSON. `at` equal to the text's length means that it was cut off. It is no Error, since it may
 * be thrown for every bracket of a long text, and taking a stack each time would cost more than all the reading.
 */
export class JsonFault {
  /** @param at Position of the first character that does not fit. */
  constructor(readonly at: number) {}

  /** Says where, for a log. */
  toString(): string {
    return `Not JSON at ${this.at}`;
  }
}

/**
 * The position after the JSON value that starts at `at` (no blank before it). Beyond the grammar it takes a comma before
 * a closing bracket and the tokens `NaN`, `Infinity` and `-Infinity`, which servers print and nobody misreads.
 * Throws {@link JsonFault}. Linear; the recursion is bounded by `MAX_JSON_DEPTH`.
 */
export function checkValue(text: string, at: number, depth: number): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return checkString(text, at);
  if (c === OPEN_BRACE) return checkObject(text, at, depth);
  if (c === OPEN_BRACKET) return checkArray(text, at, depth);
  return checkScalar(text, at, c);
}

function checkObject(text: string, at: number, depth: number): number {
  if (depth >= MAX_JSON_DEPTH) throw new JsonFault(at);
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    at = skipBlank(text, checkKey(text, at));
    const c = text.charCodeAt(at);
    if (c === QUOTE) at = checkString(text, at);
    else if (c === OPEN_BRACE) at = checkObject(text, at, depth + 1);
    else if (c === OPEN_BRACKET) at = checkArray(text, at, depth + 1);
    else at = checkScalar(text, at, c);
    at = afterMember(text, at, CLOSE_BRACE);
  }
  return at + 1;
}

function checkArray(text: string, at: number, depth: number): number {
  if (depth >= MAX_JSON_DEPTH) throw new JsonFault(at);
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    at = afterMember(text, checkValue(text, at, depth + 1), CLOSE_BRACKET);
  }
  return at + 1;
}

/** Steps over the key at `at` and its colon. */
export function checkKey(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw new JsonFault(at);
  at = skipBlank(text, checkString(text, at));
  if (text.charCodeAt(at) !== COLON) throw new JsonFault(at);
  return at + 1;
}

/** From the end of a member to the start of the next one, or to the closing bracket `close`. */
export function afterMember(text: string, at: number, close: number): number {
  at = skipBlank(text, at);
  const c = text.charCodeAt(at);
  if (c === COMMA) return skipBlank(text, at + 1);
  if (c === close) return at;
  throw new JsonFault(at);
}

/** The position after the string whose opening quote stands at `at`. */
export function checkString(text: string, at: number): number {
  let c = text.charCodeAt(++at);
  while (c !== QUOTE) {
    if (c === BACKSLASH) at = checkEscape(text, at);
    else if (!(c >= SPACE)) throw new JsonFault(at);
    else at++;
    c = text.charCodeAt(at);
  }
  return at + 1;
}

function checkEscape(text: string, at: number): number {
  const c = text.charCodeAt(at + 1);
  if (c === LOWER_U) {
    for (let k = at + 2; k < at + 6; k++) if (!isHexDigit(text.charCodeAt(k))) throw new JsonFault(k);
    return at + 6;
  }
  if ('"\\/bfnrt'.indexOf(text.charAt(at + 1)) < 0 || at + 1 >= text.length) throw new JsonFault(at + 1);
  return at + 2;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

function checkScalar(text: string, at: number, c: number): number {
  if (c === MINUS || isDigit(c)) return checkNumber(text, at, c);
  if (c === LOWER_T) return checkWord(text, at, "true");
  if (c === LOWER_F) return checkWord(text, at, "false");
  if (c === LOWER_N) return checkWord(text, at, "null");
  if (c === UPPER_N) return checkWord(text, at, "NaN");
  if (c === UPPER_I) return checkWord(text, at, "Infinity");
  throw new JsonFault(at);
}

/** Steps over `word` at `at`. */
export function checkWord(text: string, at: number, word: string): number {
  if (text.startsWith(word, at)) return at + word.length;
  // A prefix at the very end is a text that was cut off.
  throw new JsonFault(word.startsWith(text.slice(at)) ? text.length : at);
}

/** Steps over the number at `at`, whose first character is `c`. */
export function checkNumber(text: string, at: number, c: number): number {
  if (c === MINUS) {
    c = text.charCodeAt(++at);
    if (c === UPPER_I) return checkWord(text, at, "Infinity");
    if (!isDigit(c)) throw new JsonFault(at);
  }
  at = c === ZERO ? at + 1 : checkDigits(text, at);
  c = text.charCodeAt(at);
  if (c === DOT) {
    at = checkDigits(text, at + 1);
    c = text.charCodeAt(at);
  }
  if (c === UPPER_E || c === LOWER_E) {
    c = text.charCodeAt(++at);
    at = checkDigits(text, c === PLUS || c === MINUS ? at + 1 : at);
  }
  return at;
}

function checkDigits(text: string, at: number): number {
  if (!isDigit(text.charCodeAt(at))) throw new JsonFault(at);
  do at++; while (isDigit(text.charCodeAt(at)));
  return at;
}
