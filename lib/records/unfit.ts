/** Lists of objects that rows and columns would show badly: nearly empty ones, documents, trees. @module */

import type { TableColumn } from "../dataset.ts";
import { OPEN_BRACE, OPEN_BRACKET } from "./chars.ts";
import { CellKind, type ColumnGroup, type ColumnStore } from "./column_store.ts";
import { eachElement } from "./inspect.ts";
import {
  DOCUMENT_CHARS,
  DOCUMENT_SHARE,
  FEW_RECORDS,
  HELD_ROWS,
  MIN_FILL,
  SPARSE_COLUMNS,
  TREE_SHARE,
} from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** Refuses many columns of which nearly all cells are missing: each record brings keys of its own. */
export function refuseSparse(stores: readonly ColumnStore[], rowCount: number): void {
  if (stores.length <= SPARSE_COLUMNS) return;
  let filled = 0;
  for (const { kinds } of stores) for (const kind of kinds) if (kind !== CellKind.MISSING) filled++;
  if (filled < MIN_FILL * stores.length * rowCount) {
    throw new Refusal(`sparse: ${stores.length} columns, nearly all of them empty`);
  }
}

/** Refuses a few pages of text: all that there is to read would lie in one column. */
export function refuseDocuments(columns: readonly TableColumn[], rowCount: number): void {
  if (rowCount >= FEW_RECORDS) return;
  const lengths = columns.flatMap(({ cells }) => cells.kind === "text" ? [cells.values.map(lengthOf)] : []);
  const total = sumOf(lengths.map(sumOf));
  const isDocument = lengths.some((column) =>
    sumOf(column) >= DOCUMENT_SHARE * total && column.every((chars) => chars >= DOCUMENT_CHARS)
  );
  if (isDocument) throw new Refusal(`documents: nearly all of ${rowCount} records stands in one column`);
}

/** Refuses a few records around the rows of a table each: results of several queries, sheets of a workbook. */
export function refuseHolders(columns: readonly TableColumn[], rowCount: number): void {
  if (rowCount >= FEW_RECORDS) return;
  const lengths = columns.map(({ cells }) => cells.kind === "text" ? sumOf(cells.values.map(lengthOf)) : 0);
  const total = sumOf(lengths);
  columns.forEach(({ type, cells }, column) => {
    if (type !== "JSON" || cells.kind !== "text" || (lengths[column] ?? 0) < DOCUMENT_SHARE * total) return;
    const held = Math.max(...cells.values.map(containersIn));
    if (held >= HELD_ROWS && held > 2 * rowCount) {
      throw new Refusal(`holders: one of ${rowCount} records holds a list of ${held}`);
    }
  });
}

/** The objects and arrays in a list; 0 for any other value. */
function containersIn(json: string | null): number {
  if (json === null || json.charCodeAt(0) !== OPEN_BRACKET) return 0;
  let containers = 0;
  eachElement(json, 0, (at) => {
    const open = json.charCodeAt(at);
    if (open === OPEN_BRACE || open === OPEN_BRACKET) containers++;
  });
  return containers;
}

/** So many cells of a column are searched for a tree; its top does not go on for longer without branches. */
const MAX_SEARCHED_CELLS = 1_000;

/** Refuses a tree of which only the top would be rows: a key holds objects that have the same key, and most of the text. */
export function refuseTree(group: ColumnGroup): void {
  const branching = group.columns.filter((column) => (column.seen & 1 << CellKind.JSON) !== 0 && holdsItself(column));
  if (branching.length === 0) return;
  const total = sumOf(group.columns.map(textOf));
  if (branching.some((column) => textOf(column) >= TREE_SHARE * total)) {
    throw new Refusal("tree: the records are the top of a tree");
  }
}

function holdsItself({ kinds, strings, token }: ColumnStore): boolean {
  let searched = 0;
  for (let row = 0; row < kinds.length && searched < MAX_SEARCHED_CELLS; row++) {
    if (kinds[row] !== CellKind.JSON) continue;
    searched++;
    if (holdsKey(strings?.[row] ?? "", token)) return true;
  }
  return false;
}

/** Whether a JSON text holds the key with this token: the token may stand in it as a value, so a colon must follow. */
function holdsKey(json: string, token: string): boolean {
  for (let at = json.indexOf(token); at >= 0; at = json.indexOf(token, at + token.length)) {
    let after = at + token.length;
    while (json.charCodeAt(after) <= 32) after++;
    if (json[after] === ":") return true;
  }
  return false;
}

/** Characters of text in a column and the columns below it. */
function textOf(column: ColumnStore): number {
  let chars = sumOf(column.below?.columns.map(textOf) ?? []);
  for (const value of column.strings ?? []) chars += lengthOf(value);
  return chars;
}

function lengthOf(value: string | null): number {
  return value?.length ?? 0;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
