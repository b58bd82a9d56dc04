/** Stepping over and decoding values of a JSON text that has already been checked. @module */

import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, skipBlank } from "./chars.ts";
import { Refusal } from "./refusal.ts";

/** The position of the closing quote of the string that opens at `at`. */
export function closingQuote(text: string, at: number): number {
  let c = text.charCodeAt(++at);
  while (c !== QUOTE) {
    at += c === BACKSLASH ? 2 : 1;
    c = text.charCodeAt(at);
  }
  return at;
}

/** The string between the quotes at `open` and `close`, escapes resolved. */
export function decodeString(text: string, open: number, close: number): string {
  const raw = text.slice(open + 1, close);
  return raw.includes("\\") ? unescapeString(text.slice(open, close + 1)) : raw;
}

/** Decodes a JSON string token with escapes. */
export function unescapeString(token: string): string {
  const value: unknown = JSON.parse(token);
  if (typeof value !== "string") throw new Error("unreachable: a string token is a string");
  return value;
}

/** The position after the scalar other than a string that starts at `at`. */
export function scalarEnd(text: string, at: number): number {
  let c = text.charCodeAt(at);
  while (c > 32 && c !== COMMA && c !== CLOSE_BRACE && c !== CLOSE_BRACKET) c = text.charCodeAt(++at);
  return at;
}

/** What {@link cellEnd} saw on its way. */
export interface CellTraits {
  /** `NaN`, `Infinity` or a comma before a closing bracket: exact, but not JSON to an engine. */
  loose: boolean;
}

/** The position after any value; refuses an object in it that has one key twice. */
export function cellEnd(text: string, at: number, traits: CellTraits): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return closingQuote(text, at) + 1;
  if (c === OPEN_BRACKET) return arrayEnd(text, at, traits);
  if (c === OPEN_BRACE) return objectEnd(text, at, traits);
  const end = scalarEnd(text, at);
  if (c === 78 || c === 73 || (c === 45 && text.charCodeAt(at + 1) === 73)) traits.loose = true;
  return end;
}

function arrayEnd(text: string, at: number, traits: CellTraits): number {
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACKET) at = nextMember(text, cellEnd(text, at, traits), traits);
  return at + 1;
}

function objectEnd(text: string, at: number, traits: CellTraits): number {
  const keys = new KeySet();
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const close = closingQuote(text, at);
    keys.add(decodeString(text, at, close));
    at = skipBlank(text, skipBlank(text, close + 1) + 1);
    at = nextMember(text, cellEnd(text, at, traits), traits);
  }
  return at + 1;
}

function nextMember(text: string, at: number, traits: CellTraits): number {
  at = skipBlank(text, at);
  if (text.charCodeAt(at) !== COMMA) return at;
  at = skipBlank(text, at + 1);
  const c = text.charCodeAt(at);
  if (c === CLOSE_BRACE || c === CLOSE_BRACKET) traits.loose = true;
  return at;
}

/** From the end of a member to the start of the next, or to the closing bracket. */
export function stepMember(text: string, at: number): number {
  at = skipBlank(text, at);
  return text.charCodeAt(at) === COMMA ? skipBlank(text, at + 1) : at;
}

/** From a key's closing quote to the start of its value. */
export function stepColon(text: string, close: number): number {
  return skipBlank(text, skipBlank(text, close + 1) + 1);
}

const LONE_SURROGATE_REGEXP = /\p{Surrogate}/gu;

/** JSON text in which every lone surrogate is escaped, so that UTF-8 can hold it; it says the same as before. */
export function escapeSurrogates(json: string): string {
  if (json.isWellFormed()) return json;
  return json.replace(LONE_SURROGATE_REGEXP, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

const FEW_KEYS = 12;

/** The keys of one object; a short list is compared, a long one hashed. */
export class KeySet {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** Adds `key`; throws a Refusal when it is there already. */
  add(key: string): void {
    if (this.#many ? this.#many.has(key) : this.#few.includes(key)) throw repeatedKey(key);
    if (this.#many) this.#many.add(key);
    else if (this.#few.push(key) > FEW_KEYS) this.#many = new Set(this.#few);
  }
}

/** The refusal of an object that has one key twice: a table would drop one of the values. */
export function repeatedKey(key: string): Refusal {
  return new Refusal(`repeated-key: an object has the key ${JSON.stringify(key.slice(0, 80))} twice`, { final: true });
}
