/** JSON values one after another, one row each: lines of a text, or the content blocks of a result. @module */

import { chooseCandidate } from "./candidates.ts";
import { OPEN_BRACE, skipBlank } from "./chars.ts";
import { CellKind } from "./column_store.ts";
import { readTable } from "./document.ts";
import { finishTable } from "./finish.ts";
import { keysAt, sortedKeys } from "./inspect.ts";
import { JsonFault } from "./json_check.ts";
import { readObject, readObjectLines, type RowsAhead } from "./json_rows.ts";
import { MIN_ROWS } from "./limits.ts";
import { type Outline, outlineValue } from "./outline.ts";
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

/** Fewer values than this have no last one that sums them up. */
const MIN_SUMMED_UP = 5;

/** `run` without a first or last object that has no key of any other: it speaks about the records, and is none. */
export function recordsIn(text: string, run: readonly Outline[]): readonly Outline[] {
  if (run.length < MIN_SUMMED_UP || run.some((value) => value.kind !== "object")) return run;
  const from = isApart(text, run, 0) ? 1 : 0;
  return run.slice(from, isApart(text, run, run.length - 1) ? -1 : run.length);
}

function isApart(text: string, run: readonly Outline[], place: number): boolean {
  const keys = new Set(keysAt(text, run[place]?.start ?? 0));
  return !run.some((value, index) => index !== place && keysAt(text, value.start).some((key) => keys.has(key)));
}

/** The values in `run` as the rows of one table; undefined when they are not records of one kind. */
export function prospectOfSequence(text: string, run: readonly Outline[]): Prospect | undefined {
  if (run.length < MIN_ROWS) return undefined;
  const size = run.reduce((sum, value) => sum + value.end - value.start, 0);
  if (run.every((value) => value.kind === "object")) {
    if (!areAlike(text, run)) return undefined;
    refusePages(text, run.slice(0, MAX_SEARCHED), run.length);
    return {
      rows: run.length,
      size,
      source: "text",
      recordKeys: sortedKeys(text, run[0]?.start ?? 0),
      read: () => ({ table: readObjects(text, run), context: [] }),
    };
  }
  if (!run.every((value) => value.kind === "array")) return undefined;
  const headed = arrayLines(text, run);
  if (!headed) return undefined;
  const { rows, fill } = headed;
  return {
    rows,
    size,
    source: "text",
    recordKeys: "",
    read: () => ({ table: readTable(text, rows, fill), context: [] }),
  };
}

/**
 * The rows of a text that is JSON objects of one kind line by line, read in one pass; undefined for any other text, which
 * then takes the general way. Lines are many, so that outlining each would cost more than reading it.
 */
export function prospectOfLines(text: string): Prospect | undefined {
  const start = skipBlank(text, text.charCodeAt(0) === 0xFEFF ? 1 : 0);
  if (!startsWithLines(text, start)) return undefined;
  const read = attempted(() => withoutFault(() => readObjectLines(text, start)), { alsoFinal: true });
  if (read instanceof Refusal && read.final) throw read;
  if (!read || read instanceof Refusal || read.rows < MIN_ROWS || !columnsAreShared(read)) return undefined;
  if (rowIsApart(read, 0) || rowIsApart(read, read.rows - 1)) return undefined;
  refusePages(text, firstValues(text, start), read.rows);
  const { group, rows } = read;
  return {
    rows,
    size: read.end - start,
    source: "text",
    recordKeys: sortedKeys(text, start),
    read: () => ({ table: finishTable(text, group, rows), context: [] }),
  };
}

/** Whether the first line is an object, at a glance, and another begins after it. */
function startsWithLines(text: string, start: number): boolean {
  const lineEnd = text.indexOf("\n", start);
  if (lineEnd < 0 || text.charCodeAt(start) !== OPEN_BRACE) return false;
  return text.slice(start, lineEnd).trimEnd().endsWith("}") && text.charCodeAt(skipBlank(text, lineEnd)) === OPEN_BRACE;
}

function withoutFault<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

function columnsAreShared({ group, rows }: RowsAhead): boolean {
  let filled = 0;
  for (const { kinds } of group.columns) for (const kind of kinds) if (kind !== CellKind.MISSING) filled++;
  return filled >= minShared(rows) * group.columns.length * rows;
}

/** Whether no other row has a key of row `place`: see `recordsIn`. */
function rowIsApart({ group, rows }: RowsAhead, place: number): boolean {
  if (rows < MIN_SUMMED_UP) return false;
  return group.columns.every(({ kinds }) =>
    kinds[place] === CellKind.MISSING || kinds.every((kind, row) => row === place || kind === CellKind.MISSING)
  );
}

function minShared(rows: number): number {
  return rows < FEW_VALUES ? MIN_SHARED_BY_FEW : MIN_SHARED;
}

function firstValues(text: string, at: number): Outline[] {
  const values: Outline[] = [];
  while (values.length < MAX_SEARCHED && at < text.length) {
    const value = outlineValue(text, at);
    values.push(value);
    at = skipBlank(text, value.end);
  }
  return values;
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
  return filled >= minShared(run.length) * keys.size * looked.length;
}

/** Values of one kind that hold more rows each than they are many are pages of a table: one would hide the others. */
function refusePages(text: string, first: readonly Outline[], rows: number): void {
  for (const value of first) {
    const inner = attempted(() => chooseCandidate(text, value));
    if (!(inner instanceof Refusal) && inner.rows > rows) {
      throw new Refusal("split-rows: several values hold lists of records");
    }
  }
}
