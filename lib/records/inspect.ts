/** Looking at single containers of a document: their key, the keys of their first record, the strings in them. @module */

import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, QUOTE, skipBlank } from "./chars.ts";
import { cellEnd, closingQuote, decodeString, stepColon, stepMember } from "./json_cell.ts";
import type { Outline } from "./outline.ts";

/** The key under which a container stands; undefined for the root and in arrays. */
export function keyOf(text: string, node: Outline): string | undefined {
  return node.keyAt === undefined ? undefined : decodeString(text, node.keyAt, closingQuote(text, node.keyAt));
}

/** Calls `each` with key and value position for every member of the object at `at`. Gives the position after it. */
export function eachMember(text: string, at: number, each: (key: string, at: number) => void): number {
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const close = closingQuote(text, at);
    const value = stepColon(text, close);
    each(decodeString(text, at, close), value);
    at = stepMember(text, cellEnd(text, value, { loose: false }));
  }
  return at + 1;
}

/** Calls `each` with the position of every element of the array at `at`. Gives the position after it. */
export function eachElement(text: string, at: number, each: (at: number, index: number) => void): number {
  at = skipBlank(text, at + 1);
  for (let index = 0; text.charCodeAt(at) !== CLOSE_BRACKET; index++) {
    each(at, index);
    at = stepMember(text, cellEnd(text, at, { loose: false }));
  }
  return at + 1;
}

/** As `eachMember`, for a `read` that gives the position after the value, which spares stepping over it once more. */
export function readMembers(text: string, at: number, read: (key: string, at: number) => number): number {
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const close = closingQuote(text, at);
    at = stepMember(text, read(decodeString(text, at, close), stepColon(text, close)));
  }
  return at + 1;
}

/** As `eachElement`, for a `read` that gives the position after the element. */
export function readElements(text: string, at: number, read: (at: number, index: number) => number): number {
  at = skipBlank(text, at + 1);
  for (let index = 0; text.charCodeAt(at) !== CLOSE_BRACKET; index++) at = stepMember(text, read(at, index));
  return at + 1;
}

/** The keys of the object at `at`. */
export function keysAt(text: string, at: number): string[] {
  const keys: string[] = [];
  eachMember(text, at, (key) => keys.push(key));
  return keys;
}

/** One text for the keys of the object at `at`, whatever their order. */
export function sortedKeys(text: string, at: number): string {
  return JSON.stringify(keysAt(text, at).sort());
}

/** The same for a list's first record; empty when it is no object. */
export function firstKeys(text: string, node: Outline): string {
  const first = skipBlank(text, node.start + 1);
  return text.charCodeAt(first) === OPEN_BRACE ? sortedKeys(text, first) : "";
}

/** The string at `at`, decoded; undefined when something else stands there. */
export function stringAt(text: string, at: number): string | undefined {
  return text.charCodeAt(at) === QUOTE ? decodeString(text, at, closingQuote(text, at)) : undefined;
}
