/** JSON values one after another, one row each: lines of a text, or the content blocks of a result. @module */

import { readTable } from "./document.ts";
import { keysAt } from "./inspect.ts";
import { readObject } from "./json_rows.ts";
import { chooseCandidate } from "./candidates.ts";
import { MIN_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import type { Prospect } from "./prospect.ts";
import { attempted, Refusal } from "./refusal.ts";
import { arrayLines } from "./array_lines.ts";

/** The least share of the keys of all values that each has on average, for them to be records of one kind. */
const MIN_SHARED = 0.5;

/** The same for so few values that each could be a document of its own. */
const FEW_VALUES = 5;
const MIN_SHARED_BY_FEW = 0.75;

/** How many values are searched for lists that outnumber them. */
const MAX_SEARCHED = 10;

/** How many values are looked at to tell whether they are of one kind. */
const MAX_LOOKED_AT = 1_000;

/** The values in `run` as the rows of one table; undefined when they are not records of one kind. */
export function prospectOfSequence(text: string, run: readonly Outline[]): Prospect | undefined {
  if (run.length < MIN_ROWS) return undefined;
  const size = run.reduce((sum, value) => sum + value.end - value.start, 0);
  if (run.every((value) => value.kind === "object")) {
    if (!areAlike(text, run)) return undefined;
    refusePages(text, run);
    return { rows: run.length, size, source: "text", read: () => ({ table: readObjects(text, run), context: [] }) };
  }
  if (!run.every((value) => value.kind === "array")) return undefined;
  const headed = arrayLines(text, run);
  if (!headed) return undefined;
  const { rows, fill } = headed;
  return { rows, size, source: "text", read: () => ({ table: readTable(text, rows, fill), context: [] }) };
}

function readObjects(text: string, run: readonly Outline[]) {
  return readTable(text, run.length, (group) => {
    run.forEach((value, row) => readObject(text, value.start, row, group, true));
  });
}

function areAlike(text: string, run: readonly Outline[]): boolean {
  const keys = new Set<string>();
  let filled = 0;
  const looked = run.slice(0, MAX_LOOKED_AT);
  for (const value of looked) {
    for (const key of keysAt(text, value.start)) {
      keys.add(key);
      filled++;
    }
  }
  const share = run.length < FEW_VALUES ? MIN_SHARED_BY_FEW : MIN_SHARED;
  return filled >= share * keys.size * looked.length;
}

/** Values of one kind that hold more rows each than they are many are pages of a table: one would hide the others. */
function refusePages(text: string, run: readonly Outline[]): void {
  for (const value of run.slice(0, MAX_SEARCHED)) {
    const inner = attempted(() => chooseCandidate(text, value));
    if (!(inner instanceof Refusal) && inner.rows > run.length) {
      throw new Refusal("split-rows: several values hold lists of records");
    }
  }
}
