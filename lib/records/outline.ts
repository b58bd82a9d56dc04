/** The containers of a JSON text that could hold the rows, as a tree of spans, from one checking pass. @module */

import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, skipBlank } from "./chars.ts";
import { afterMember, checkKey, checkString, checkValue, JsonFault } from "./json_check.ts";
import { MAX_SEARCH_DEPTH } from "./limits.ts";

/** An array or object in the text. Its inner containers are listed as long as they could be the table. */
export interface Outline {
  readonly kind: "array" | "object";
  /** Where the bracket opens, and the position after the one that closes. */
  readonly start: number;
  readonly end: number;
  readonly parent: Outline | undefined;
  /** Where the key's opening quote stands, for a member of an object. */
  readonly keyAt: number | undefined;
  /** Members, and how many of them are objects, arrays and strings. */
  readonly members: number;
  readonly objects: number;
  readonly arrays: number;
  readonly strings: number;
  /** Containers directly inside, in order; empty for an array with two members or more, whose members are rows. */
  readonly inner: readonly Outline[];
}

type Draft = { -readonly [K in keyof Outline]: K extends "inner" ? Draft[] : Outline[K] };

/**
 * Outlines the container that starts at `at`. Throws JsonFault when it is not whole JSON.
 * Linear in its length; containers deeper than `MAX_SEARCH_DEPTH` and those inside rows are checked, not listed.
 */
export function outlineValue(text: string, at: number): Outline {
  const c = text.charCodeAt(at);
  if (c !== OPEN_BRACE && c !== OPEN_BRACKET) throw new JsonFault(at);
  return outline(text, at, 0, undefined, undefined);
}

function outline(text: string, at: number, depth: number, parent: Draft | undefined, keyAt: number | undefined): Draft {
  const isObject = text.charCodeAt(at) === OPEN_BRACE;
  const node: Draft = {
    kind: isObject ? "object" : "array",
    start: at,
    end: at,
    parent,
    keyAt,
    members: 0,
    objects: 0,
    arrays: 0,
    strings: 0,
    inner: [],
  };
  node.end = isObject ? objectMembers(text, node, depth) : arrayMembers(text, node, depth);
  return node;
}

function objectMembers(text: string, node: Draft, depth: number): number {
  let at = skipBlank(text, node.start + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyAt = at;
    at = skipBlank(text, checkKey(text, at));
    at = listed(text, at, depth + 1, node, keyAt);
    at = afterMember(text, at, CLOSE_BRACE);
  }
  return at + 1;
}

function arrayMembers(text: string, node: Draft, depth: number): number {
  let at = skipBlank(text, node.start + 1);
  if (text.charCodeAt(at) !== CLOSE_BRACKET) {
    at = afterMember(text, listed(text, at, depth + 1, node, undefined), CLOSE_BRACKET);
    if (text.charCodeAt(at) !== CLOSE_BRACKET) node.inner = [];
  }
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    count(node, text.charCodeAt(at));
    at = afterMember(text, checkValue(text, at, depth + 1), CLOSE_BRACKET);
  }
  return at + 1;
}

/** Checks the member at `at`, counts it, and lists it when it is a container that may still be searched. */
function listed(text: string, at: number, depth: number, node: Draft, keyAt: number | undefined): number {
  const c = text.charCodeAt(at);
  count(node, c);
  if (c === QUOTE) return checkString(text, at);
  if ((c !== OPEN_BRACE && c !== OPEN_BRACKET) || depth > MAX_SEARCH_DEPTH) return checkValue(text, at, depth);
  const child = outline(text, at, depth, node, keyAt);
  node.inner.push(child);
  return child.end;
}

function count(node: Draft, c: number): void {
  node.members++;
  if (c === OPEN_BRACE) node.objects++;
  else if (c === OPEN_BRACKET) node.arrays++;
  else if (c === QUOTE) node.strings++;
}
