/** Rows that are plain arrays: under names that stand apart, under a header row, or as pairs of name and value. @module */

import type { Candidate } from "./candidate.ts";
import { cellKind, looksLikeName } from "./cell_kinds.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, skipBlank } from "./chars.ts";
import { CellKind, type ColumnGroup, type ColumnStore } from "./column_store.ts";
import { type ColumnNames, columnNamesFor } from "./column_names.ts";
import { eachElement, eachMember, keyOf, keysAt, readElements, stringAt } from "./inspect.ts";
import { cellEnd, repeatedKey, stepMember } from "./json_cell.ts";
import { readCell } from "./json_rows.ts";
import { PAIR_KEYS } from "./keys.ts";
import { MIN_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import { Refusal } from "./refusal.ts";

/** The table in the array `node`, when its members are rows that are arrays (or BigQuery's boxes of cells). */
export function arrayTable(text: string, root: Outline, node: Outline): Candidate | undefined {
  if (node.kind !== "array" || node.members < MIN_ROWS) return undefined;
  if (node.arrays !== node.members) return undefined;
  const width = widthAt(text, skipBlank(text, node.start + 1));
  const named = columnNamesFor(text, node, width);
  // As many values as names, each as long: these could be the columns as well as the rows.
  if (named && width === node.members && keyOf(text, node) === "values") return undefined;
  if (named) return namedTable(text, node, named);
  return pairTable(text, node) ?? headerTable(text, root, node);
}

function candidate(
  node: Outline,
  rows: number,
  consumed: readonly Outline[],
  fill: (group: ColumnGroup) => void,
): Candidate {
  return { rows, consumed, node, size: node.end - node.start, fill };
}

function widthAt(text: string, at: number): number {
  let width = 0;
  eachElement(text, at, () => width++);
  return width;
}

/** Columns under `names`; a name that repeats, as in a join, keeps a column of its own. */
export function namedColumns(names: readonly string[], group: ColumnGroup): ColumnStore[] {
  return names.map((name) => group.append(name));
}

function namedTable(text: string, node: Outline, { names, consumed }: ColumnNames): Candidate {
  const index = indexOf(text, node);
  return candidate(node, node.members, index ? [node, ...consumed, index] : [node, ...consumed], (group) => {
    if (index) fillIndex(text, index, group);
    const columns = namedColumns(names, group);
    readElements(text, node.start, (at, row) => {
      if (row === 0) refuseNames(text, at, names);
      return fillArrayRow(text, at, row, columns, group);
    });
  });
}

/** A first row that says the names once more is a header, and names of its own stand beside it. */
function refuseNames(text: string, at: number, names: readonly string[]): void {
  let same = true;
  eachElement(text, at, (cell, index) => {
    if (stringAt(text, cell) !== names[index]) same = false;
  });
  if (same) throw new Refusal("header-repeated: the first row is the names of the columns");
}

/** The labels of the rows, as pandas writes them beside columns and data: one scalar for each. */
function indexOf(text: string, node: Outline): Outline | undefined {
  return node.parent?.inner.find((near) =>
    near.kind === "array" && near.members === node.members && near.objects + near.arrays === 0 &&
    keyOf(text, near) === "index"
  );
}

function fillIndex(text: string, index: Outline, group: ColumnGroup): void {
  const column = group.append("index");
  readElements(text, index.start, (at, row) => readCell(text, at, row, group, column, false));
}

/** Reads the array at `at` into `row`. Refuses one that is shorter or longer than the columns. */
export function fillArrayRow(
  text: string,
  at: number,
  row: number,
  columns: readonly ColumnStore[],
  group: ColumnGroup,
): number {
  let index = 0;
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    const column = columns[index++];
    if (!column) throw new Refusal(`ragged: row ${row} has more than ${columns.length} cells`);
    at = stepMember(text, readCell(text, at, row, group, column, true));
  }
  if (index < columns.length) throw new Refusal(`ragged: row ${row} has ${index} of ${columns.length} cells`);
  return at + 1;
}

/** `[["id", "city"], [1, "Oslo"], …]`: a first row of names over rows of which at least one column is no text. */
function headerTable(text: string, root: Outline, node: Outline): Candidate | undefined {
  if (node.members < MIN_ROWS + 1) return undefined;
  const first = skipBlank(text, node.start + 1);
  const names = headerAt(text, first);
  // A list this weakly marked is the table only when it is most of what was said.
  if (!names || 2 * (node.end - node.start) < root.end - root.start) return undefined;
  return candidate(node, node.members - 1, [node], (group) => {
    const columns = namedColumns(names, group);
    readElements(text, node.start, (at, index) => {
      return index === 0 ? cellEnd(text, at, { loose: false }) : fillArrayRow(text, at, index - 1, columns, group);
    });
    refuseUntyped(columns);
  });
}

/** The strings of the array at `at` when each could name a column and none repeats. */
export function headerAt(text: string, at: number): string[] | undefined {
  const names: string[] = [];
  let plain = true;
  eachElement(text, at, (cellAt) => {
    const name = stringAt(text, cellAt);
    if (name === undefined || !looksLikeName(name)) plain = false;
    else names.push(name);
  });
  return plain && names.length > 0 && new Set(names).size === names.length ? names : undefined;
}

const TEXT_KIND = 1 << CellKind.STRING;
const TYPED_KINDS = [CellKind.SAFE, CellKind.BIG, CellKind.FRACTION, CellKind.LOSSY, CellKind.BOOLEAN]
  .reduce<number>((mask, kind) => mask | 1 << kind, 0);

/** Unless some column holds numbers, be it as text, nothing tells a row of names from the rows under it. */
export function refuseUntyped(columns: readonly ColumnStore[]): void {
  const typed = columns.some((column) =>
    (column.seen & TEXT_KIND) === 0 ? (column.seen & TYPED_KINDS) !== 0 : holdsNumbersAsText(column)
  );
  if (!typed) throw new Refusal("no-header: nothing tells the first array from the others");
}

function holdsNumbersAsText({ seen, strings }: ColumnStore): boolean {
  if (seen !== TEXT_KIND || !strings) return false;
  return strings.every((value) => value !== null && cellKind(value) === "number");
}

/** `[[{"field": "a", "value": 1}, …], …]`: each row a list of pairs, as log queries answer. */
function pairTable(text: string, node: Outline): Candidate | undefined {
  const row = skipBlank(text, node.start + 1);
  const first = skipBlank(text, row + 1);
  if (text.charCodeAt(first) !== OPEN_BRACE) return undefined;
  const keys = keysAt(text, first);
  const pair = PAIR_KEYS.find(([name, value]) => keys.length === 2 && keys.includes(name) && keys.includes(value));
  if (!pair) return undefined;
  return candidate(node, node.members, [node], (group) => {
    readElements(text, node.start, (at, index) => fillPairs(text, at, index, pair, group));
  });
}

function fillPairs(text: string, at: number, row: number, pair: readonly [string, string], group: ColumnGroup): number {
  return eachElement(text, at, (pairAt) => {
    if (text.charCodeAt(pairAt) !== OPEN_BRACE) throw new Refusal("mixed-rows: a cell is no pair");
    let name: string | undefined;
    let valueAt: number | undefined;
    eachMember(text, pairAt, (key, keyAt) => {
      if (key === pair[0]) name = stringAt(text, keyAt);
      else if (key === pair[1]) valueAt = keyAt;
      else throw new Refusal(`mixed-rows: a pair has the key ${JSON.stringify(key.slice(0, 80))}`);
    });
    if (name === undefined || valueAt === undefined) {
      throw new Refusal("mixed-rows: a pair lacks its name or its value");
    }
    const column = group.column(name, JSON.stringify(name));
    if (column.kinds[row] !== CellKind.MISSING) throw repeatedKey(name);
    readCell(text, valueAt, row, group, column, true);
  });
}

/** BigQuery's `{"f": [{"v": 1}, …]}` rows under `schema.fields`. */
export function boxedTable(text: string, node: Outline): Candidate | undefined {
  if (node.kind !== "array" || node.objects !== node.members || node.members < MIN_ROWS) return undefined;
  const first = boxAt(text, skipBlank(text, node.start + 1), "f");
  if (first === undefined || text.charCodeAt(first) !== OPEN_BRACKET) return undefined;
  const cell = skipBlank(text, first + 1);
  if (text.charCodeAt(cell) !== OPEN_BRACE || boxAt(text, cell, "v") === undefined) return undefined;
  const named = columnNamesFor(text, node, widthAt(text, first));
  if (!named) return undefined;
  return candidate(node, node.members, [node, ...named.consumed], (group) => {
    const columns = namedColumns(named.names, group);
    eachElement(text, node.start, (at, row) => fillBoxes(text, at, row, columns, group));
  });
}

function fillBoxes(text: string, at: number, row: number, columns: readonly ColumnStore[], group: ColumnGroup): void {
  const list = boxAt(text, at, "f");
  if (list === undefined || text.charCodeAt(list) !== OPEN_BRACKET) throw new Refusal("mixed-rows: a row is no box");
  let width = 0;
  eachElement(text, list, (cellAt, index) => {
    width++;
    const value = text.charCodeAt(cellAt) === OPEN_BRACE ? boxAt(text, cellAt, "v") : undefined;
    const column = columns[index];
    if (value === undefined || !column) throw new Refusal(`ragged: row ${row} does not fit the columns`);
    readCell(text, value, row, group, column, true);
  });
  if (width !== columns.length) throw new Refusal(`ragged: row ${row} has ${width} of ${columns.length} cells`);
}

/** Where the value of an object stands whose only key is `key`; undefined for any other object. */
function boxAt(text: string, at: number, key: string): number | undefined {
  const open = skipBlank(text, at + 1);
  const token = JSON.stringify(key);
  if (!text.startsWith(token, open)) return undefined;
  const value = skipBlank(text, skipBlank(text, open + token.length) + 1);
  return text.charCodeAt(stepMember(text, cellEnd(text, value, { loose: false }))) === CLOSE_BRACE ? value : undefined;
}
