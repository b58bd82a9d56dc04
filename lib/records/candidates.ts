/** Which parts of an outlined document could be the table, and which of them is. @module */

import { arrayTable, boxedTable } from "./array_table.ts";
import type { Candidate } from "./candidate.ts";
import { OPEN_BRACKET, skipBlank } from "./chars.ts";
import type { ColumnGroup } from "./column_store.ts";
import { eachElement, eachMember, firstKeys, keyOf } from "./inspect.ts";
import { stepMember } from "./json_cell.ts";
import { readObject } from "./json_rows.ts";
import { holdsRows, nameListRank, standsBesideData } from "./keys.ts";
import { MIN_ROWS } from "./limits.ts";
import { mapTable } from "./map_table.ts";
import type { Outline } from "./outline.ts";
import { bestOf } from "./prospect.ts";
import { Refusal } from "./refusal.ts";

/** What a document offers: candidates, and lists of rows that nothing names the columns of. */
interface Offer {
  readonly candidates: Candidate[];
  readonly unnamed: Outline[];
}

/** The candidate that is the table. Throws a Refusal when there is none, or when taking it would hide another. */
export function chooseCandidate(text: string, root: Outline): Candidate {
  const offer: Offer = { candidates: [], unnamed: [] };
  gather(text, root, root, offer);
  const real = offer.candidates.filter((candidate) => !isBeside(text, candidate, offer.candidates));
  const best = bestOf(real);
  if (!best) throw new Refusal("no-rows: nothing in the document is a list of records");
  refuseUnnamed(best, offer.unnamed);
  refuseSplit(text, best, real);
  refuseMinor(best, offer.candidates, root);
  refuseParallel(text, best);
  refuseColumns(text, best);
  refuseEmpty(text, best, root);
  return best;
}

function gather(text: string, root: Outline, node: Outline, offer: Offer): void {
  const candidate = boxedTable(text, node) ?? objectArray(text, node) ?? arrayTable(text, root, node) ??
    mapTable(text, root, node);
  if (candidate === "opaque") return;
  if (candidate) offer.candidates.push(candidate);
  else if (node.kind === "array" && node.arrays === node.members && node.members >= MIN_ROWS) offer.unnamed.push(node);
  if (candidate && node.kind === "object") return;
  for (const child of node.inner) gather(text, root, child, offer);
}

function objectArray(text: string, node: Outline): Candidate | undefined {
  if (node.kind !== "array" || node.objects !== node.members || node.members < MIN_ROWS) return undefined;
  return {
    rows: node.members,
    consumed: [node],
    node,
    size: node.end - node.start,
    fill: (group) => fillObjects(text, node, group),
    ...(node.ahead ? { ahead: node.ahead } : {}),
  };
}

function fillObjects(text: string, node: Outline, group: ColumnGroup): void {
  let at = skipBlank(text, node.start + 1);
  for (let row = 0; row < node.members; row++) at = stepMember(text, readObject(text, at, row, group, true));
}

/** So much larger must the other list be before one with more rows counts as a side list of it. */
const SIDE_LIST_SIZE = 10;
const SIDE_LIST_ROWS = 4;

/** Whether a list stands beside the data: column descriptions, page links, warnings, or little beside much. */
function isBeside(text: string, candidate: Candidate, all: readonly Candidate[]): boolean {
  const key = keyOf(text, candidate.node);
  const labelled = key !== undefined && standsBesideData(key);
  return all.some((other) => {
    if (other === candidate || other.size <= candidate.size) return false;
    if (other.consumed.includes(candidate.node) || labelled) return true;
    return other.size > SIDE_LIST_SIZE * candidate.size && candidate.rows < SIDE_LIST_ROWS * other.rows;
  });
}

/** Rows without column names that outnumber the best list are the data, and the list only describes them. */
function refuseUnnamed(best: Candidate, unnamed: readonly Outline[]): void {
  const hidden = unnamed.some((node) => node.members > best.rows || node.end - node.start > best.size);
  if (hidden) throw new Refusal("unnamed-rows: larger lists of plain arrays stand beside the records");
}

/** Lists of the same kind as the best one are parts of one table; taking one would hide the rest. */
function refuseSplit(text: string, best: Candidate, all: readonly Candidate[]): void {
  const keys = firstKeys(text, best.node);
  let rows = 0;
  for (const other of all) if (other !== best && firstKeys(text, other.node) === keys) rows += other.rows;
  if (2 * rows >= best.rows) throw new Refusal("split-rows: several lists hold records of one kind");
}

/** More lists than this, of which the best is less than half of its document: no envelope could name them. */
export const MAX_LISTS = 50;

/** A list that is a small part of its document is a detail of one entity, unless the rest are lists as well, and few. */
function refuseMinor(best: Candidate, all: readonly Candidate[], root: Outline): void {
  const size = root.end - root.start;
  const own = best.consumed.reduce((sum, { start, end }) => sum + end - start, 0);
  const others = all.reduce((sum, candidate) => sum + (candidate === best ? 0 : candidate.size), 0);
  const isOutermost = ({ node: { parent } }: Candidate) => !isInArray(parent);
  const strewn = 2 * own < size && all.filter(isOutermost).length > MAX_LISTS;
  if (strewn || 4 * own < size || 2 * (own + others) < size) {
    throw new Refusal("minor-rows: the records are a small part of the document");
  }
}

function isInArray(node: Outline | undefined): boolean {
  return node !== undefined && (node.kind === "array" || isInArray(node.parent));
}

/** Fewer records than this stand beside lists as long as theirs by chance. */
const MIN_PARALLEL_ROWS = 5;

/** A list of plain values as long as the list of records beside it is a column that the records lack. */
function refuseParallel(text: string, { node, rows, consumed }: Candidate): void {
  if (node.kind !== "array" || rows < MIN_PARALLEL_ROWS) return;
  let holder = node;
  while (holder.parent?.kind === "array") holder = holder.parent;
  for (const beside of holder.parent?.inner ?? []) {
    const list = innermost(beside);
    if (beside === holder || list.kind !== "array" || list.members !== rows || list.objects > 0) continue;
    if (consumed.includes(beside) || standsBesideData(keyOf(text, beside) ?? "")) continue;
    throw new Refusal("parallel-lists: other lists go along with the records");
  }
}

/** Under `columns` and its like, records that hold longer lists than they are many are columns with their cells. */
function refuseColumns(text: string, { node, rows }: Candidate): void {
  if (node.kind !== "array" || node.objects !== node.members) return;
  if (nameListRank(keyOf(text, node) ?? "") === undefined) return;
  eachMember(text, skipBlank(text, node.start + 1), (_key, at) => {
    if (text.charCodeAt(at) !== OPEN_BRACKET) return;
    let cells = 0;
    eachElement(text, at, () => cells++);
    if (cells > rows) throw new Refusal("columns: the records are columns with their cells");
  });
}

/** Descriptions of columns are no rows because the list of rows is empty. */
function refuseEmpty(text: string, { node }: Candidate, root: Outline): void {
  if (nameListRank(keyOf(text, node) ?? "") === undefined) return;
  if (holdsEmptyRows(text, root)) throw new Refusal("empty: the list of rows has none");
}

function holdsEmptyRows(text: string, node: Outline): boolean {
  if (node.kind === "array" && node.members === 0) return holdsRows(keyOf(text, node) ?? "");
  return node.inner.some((inner) => holdsEmptyRows(text, inner));
}

/** The list in lists of one member each. */
function innermost(node: Outline): Outline {
  const [only] = node.inner;
  return node.kind === "array" && node.members === 1 && only ? innermost(only) : node;
}
