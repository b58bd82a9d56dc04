/** Whether the last record of a text looks as if the text ended within it. @module */

import { cellKind } from "./cell_kinds.ts";

/** Records from which what all others have in common says something about the last. */
export const CUT_ROWS_MIN = 5;

/** Characters of cells of one length below which a shorter one is no sign: `open` and `new`. */
const SAME_LENGTH_MIN = 4;

type Row = readonly (string | undefined)[];

/** Signs that close a cell, or a row between sides, so that the text cannot have ended within it. */
const CLOSED_REGEXP = /[>"'`*_)\]}]$|^\s*([|│┃║]).*\1$/;

/**
 * True when the last record lacks its last cell and all others have one; or when nothing follows it, not so much as a
 * line end, and its last cell is empty, shorter or of another form than that of all others. `after` is what follows.
 */
export function endsWithinRow(text: string, rows: readonly Row[], after: string): boolean {
  const last = rows.at(-1);
  if (last === undefined || rows.length < CUT_ROWS_MIN || after.trim() !== "") return false;
  const others = rows.slice(0, -1).map((row) => row.at(-1));
  const end = last.at(-1);
  if (end === undefined) return others.every((cell) => cell !== undefined);
  const line = text.slice(text.lastIndexOf("\n") + 1);
  // Half of a CRLF.
  if (line.endsWith("\r")) return true;
  if (line === "" || CLOSED_REGEXP.test(line.trimEnd())) return false;
  const full = others.filter((cell) => cell !== undefined && cell.trim() !== "");
  if (full.length < others.length) return false;
  return end.trim() === "" || SAME.some((trait) => differs(full, end, trait));
}

/** What cells may have in common, as one text for each; empty when it says nothing. */
const SAME: readonly ((cell: string) => string)[] = [
  (cell) => cellKind(cell) ?? "",
  (cell) => cell.length < SAME_LENGTH_MIN ? "" : String(cell.length),
  (cell) => String(/\.(\d+)$/.exec(cell)?.[1]?.length ?? ""),
];

function differs(cells: readonly (string | undefined)[], end: string, trait: (cell: string) => string): boolean {
  const common = trait(cells[0] ?? "");
  if (common === "" || trait(end) === common) return false;
  return cells.every((cell) => trait(cell ?? "") === common) && end.length <= (cells[0]?.length ?? 0);
}
