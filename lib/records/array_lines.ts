/** Arrays one after another: rows under a first array of names, or rows that only their places tell apart. @module */

import { fillArrayRow, headerAt, namedColumns, refuseUntyped } from "./array_table.ts";
import { CellKind, type ColumnGroup, type ColumnStore } from "./column_store.ts";
import { eachElement } from "./inspect.ts";
import { MIN_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import { Refusal } from "./refusal.ts";

/** Rows in a run of arrays. */
export interface ArrayLines {
  readonly rows: number;
  readonly fill: (group: ColumnGroup) => void;
}

/** Fewer arrays without names than this could be anything. */
const MIN_UNNAMED_ROWS = 10;

/** The rows in `run`; undefined when the arrays are too few, or too narrow to be records. */
export function arrayLines(text: string, run: readonly Outline[]): ArrayLines | undefined {
  const [first, ...rest] = run;
  if (!first) return undefined;
  const names = headerAt(text, first.start);
  if (names) {
    return rest.length < MIN_ROWS ? undefined : {
      rows: rest.length,
      fill: (group) => refuseUntyped(fillLines(text, rest, names, group)),
    };
  }
  const width = first.members;
  if (run.length < MIN_UNNAMED_ROWS || width < 2 || run.some(({ members }) => members !== width)) return undefined;
  return { rows: run.length, fill: (group) => refuseLoose(fillLines(text, run, placesOf(text, first), group)) };
}

/** Columns that have no name are called by their place, so that nothing is made up about them. */
function placesOf(text: string, first: Outline): string[] {
  const places: string[] = [];
  eachElement(text, first.start, (_at, index) => places.push(`column_${index + 1}`));
  return places;
}

function fillLines(
  text: string,
  rows: readonly Outline[],
  names: readonly string[],
  group: ColumnGroup,
): readonly ColumnStore[] {
  const columns = namedColumns(names, group);
  rows.forEach((value, row) => fillArrayRow(text, value.start, row, columns, group));
  return columns;
}

const TEXT = 1 << CellKind.STRING;
const NUMBERS = [CellKind.SAFE, CellKind.BIG, CellKind.FRACTION, CellKind.LOSSY, CellKind.MINUS_ZERO]
  .reduce<number>((mask, kind) => mask | 1 << kind, 0);

/** Records without names show as such by columns that keep to one kind, text in some and numbers in others. */
function refuseLoose(columns: readonly ColumnStore[]): void {
  const kinds = columns.map(({ seen }) => seen & ~(1 << CellKind.NULL));
  const texts = kinds.filter((seen) => seen === TEXT).length;
  const numbers = kinds.filter((seen) => seen !== 0 && (seen & ~NUMBERS) === 0).length;
  const mixed = kinds.some((seen) => (seen & TEXT) !== 0 && seen !== TEXT);
  if (texts === 0 || numbers === 0 || mixed) throw new Refusal("no-header: nothing tells that the arrays are records");
}
