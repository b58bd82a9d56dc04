/** Which parts of an outlined document could be the table, and which of them is. @module */

import { OPEN_BRACKET } from "./chars.ts";
import { CellBudget, ColumnGroup } from "./column_store.ts";
import { finishTable } from "./finish.ts";
import { readObjectRows } from "./json_rows.ts";
import type { Table } from "../dataset.ts";
import { MAX_ROWS, MIN_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import { Refusal } from "./refusal.ts";

/** A part of a document that could be the table. */
export interface Candidate {
  readonly rows: number;
  /** Containers that the rows use up: the rows themselves, and their column names where those stand apart. */
  readonly consumed: readonly Outline[];
  /** Characters of the rows. */
  readonly size: number;
  /** Reads the rows into `group`. */
  readonly fill: (text: string, group: ColumnGroup) => void;
}

/** Every candidate in the document, in order. */
export function candidatesIn(text: string, root: Outline): Candidate[] {
  const found: Candidate[] = [];
  const visit = (node: Outline): void => {
    const candidate = objectArray(text, node);
    if (candidate) found.push(candidate);
    node.inner.forEach(visit);
  };
  visit(root);
  return found;
}

function objectArray(text: string, node: Outline): Candidate | undefined {
  if (text.charCodeAt(node.start) !== OPEN_BRACKET || node.objects !== node.members || node.members < MIN_ROWS) {
    return undefined;
  }
  return {
    rows: node.members,
    consumed: [node],
    size: node.end - node.start,
    fill: (from, group) => readObjectRows(from, node.start, group),
  };
}

/** The candidate with the most rows; of equals, the longer one. Refuses when there is none. */
export function chooseCandidate(candidates: readonly Candidate[]): Candidate {
  const best = candidates.reduce<Candidate | undefined>((a, b) => a && !outranks(b, a) ? a : b, undefined);
  if (!best) throw new Refusal("no-rows: nothing in the document is a list of records");
  return best;
}

function outranks(a: Candidate, b: Candidate): boolean {
  return a.rows > b.rows || (a.rows === b.rows && a.size > b.size);
}

/** Reads the rows of `candidate` into a table. */
export function tableOf(text: string, candidate: Candidate): Table {
  if (candidate.rows > MAX_ROWS) throw new Refusal(`too-many-rows: ${candidate.rows}, at most ${MAX_ROWS}`);
  const group = new ColumnGroup(new CellBudget(candidate.rows));
  candidate.fill(text, group);
  return finishTable(text, group, candidate.rows);
}
