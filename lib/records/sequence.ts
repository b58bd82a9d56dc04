/** JSON values one after another, one row each: lines of a text, or the content blocks of a result. @module */

import { readTable } from "./document.ts";
import { keysAt } from "./inspect.ts";
import { readObject } from "./json_rows.ts";
import { MIN_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import type { Prospect } from "./prospect.ts";
import { arraySequence } from "./array_table.ts";

/** The least share of the keys of all values that each has on average, for them to be records of one kind. */
const MIN_SHARED = 0.5;

/** How many values are looked at to tell whether they are of one kind. */
const MAX_LOOKED_AT = 1_000;

/** The values in `run` as the rows of one table; undefined when they are not records of one kind. */
export function prospectOfSequence(text: string, run: readonly Outline[]): Prospect | undefined {
  if (run.length < MIN_ROWS) return undefined;
  const size = run.reduce((sum, value) => sum + value.end - value.start, 0);
  if (run.every((value) => value.kind === "object")) {
    if (!areAlike(text, run)) return undefined;
    return { rows: run.length, size, source: "text", read: () => ({ table: readObjects(text, run), context: [] }) };
  }
  if (!run.every((value) => value.kind === "array")) return undefined;
  const headed = arraySequence(text, run);
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
  return filled >= MIN_SHARED * keys.size * looked.length;
}
