/** The containers of a JSON text that could hold the rows, as a tree of spans, from one checking pass. @module */

import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, skipBlank } from "./chars.ts";
import { afterMember, checkKey, checkString, checkValue, JsonFault } from "./json_check.ts";
import { readObjectRows, type RowsAhead } from "./json_rows.ts";
import { MAX_SEARCH_DEPTH } from "./limits.ts";
import { attempted, Refusal } from "./refusal.ts";

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
  /** The rows of an array of objects, when they were read in the same pass. */
  readonly ahead: RowsAhead | undefined;
}

type Draft = { -readonly [K in keyof Outline]: K extends "inner" ? Draft[] : Outline[K] };

/**
 * Outlines the container that starts at `at`. Throws JsonFault when it is not whole JSON.
 * Linear in its length; containers deeper than `MAX_SEARCH_DEPTH` and those inside rows are checked, not listed.
 */
export function outlineValue(text: string, at: number): Outline {
  const c = text.charCodeAt(at);
  if (c !== OPEN_BRACE && c !== OPEN_BRACKET) throw new JsonFault(at);
  return outline(text, at, 0, undefined, undefined, { left: MAX_READ_AHEAD });
}

/** So many arrays of objects are read while they are checked; those after them only if they are the table. */
const MAX_READ_AHEAD = 4;

/** How many arrays may still be read ahead in this document. */
interface Allowance {
  left: number;
}

function outline(
  text: string,
  at: number,
  depth: number,
  parent: Draft | undefined,
  keyAt: number | undefined,
  allowance: Allowance,
): Draft {
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
    ahead: undefined,
  };
  node.end = isObject
    ? objectMembers(text, node, depth, allowance)
    : rowsAhead(text, node, depth, allowance) ?? arrayMembers(text, node, depth, allowance);
  return node;
}

/** Reads an array of two objects or more into columns at once and gives its end; undefined for any other array. */
function rowsAhead(text: string, node: Draft, depth: number, allowance: Allowance): number | undefined {
  if (allowance.left === 0 || text.charCodeAt(skipBlank(text, node.start + 1)) !== OPEN_BRACE) return undefined;
  allowance.left--;
  // A Refusal counts only if this array is the table; reading it again will say so.
  const read = attempted(() => readObjectRows(text, node.start, depth), { alsoFinal: true });
  if (read === undefined || read instanceof Refusal || read.rows < 2) return undefined;
  node.members = node.objects = read.rows;
  node.ahead = read;
  return read.end;
}

function objectMembers(text: string, node: Draft, depth: number, allowance: Allowance): number {
  let at = skipBlank(text, node.start + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyAt = at;
    at = skipBlank(text, checkKey(text, at));
    at = listed(text, at, depth + 1, node, keyAt, allowance);
    at = afterMember(text, at, CLOSE_BRACE);
  }
  return at + 1;
}

function arrayMembers(text: string, node: Draft, depth: number, allowance: Allowance): number {
  let at = skipBlank(text, node.start + 1);
  if (text.charCodeAt(at) !== CLOSE_BRACKET) {
    at = afterMember(text, listed(text, at, depth + 1, node, undefined, allowance), CLOSE_BRACKET);
    if (text.charCodeAt(at) !== CLOSE_BRACKET) node.inner = [];
  }
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    count(node, text.charCodeAt(at));
    at = afterMember(text, checkValue(text, at, depth + 1), CLOSE_BRACKET);
  }
  return at + 1;
}

/** Checks the member at `at`, counts it, and lists it when it is a container that may still be searched. */
function listed(
  text: string,
  at: number,
  depth: number,
  node: Draft,
  keyAt: number | undefined,
  allowance: Allowance,
): number {
  const c = text.charCodeAt(at);
  count(node, c);
  if (c === QUOTE) return checkString(text, at);
  if ((c !== OPEN_BRACE && c !== OPEN_BRACKET) || depth > MAX_SEARCH_DEPTH) return checkValue(text, at, depth);
  const child = outline(text, at, depth, node, keyAt, allowance);
  node.inner.push(child);
  return child.end;
}

function count(node: Draft, c: number): void {
  node.members++;
  if (c === OPEN_BRACE) node.objects++;
  else if (c === OPEN_BRACKET) node.arrays++;
  else if (c === QUOTE) node.strings++;
}
