/** Whether the last record of a text looks as if the text ended within it. @module */

import { cellKind } from "./cell_kinds.ts";

/** Records from which what all others have in common says something about the last. */
export const CUT_ROWS_MIN = 5;

/** Characters of cells of one length below which a shorter one is no sign: `open` and `new`. */
const SAME_LENGTH_MIN = 4;

type Row = readonly (string | undefined)[];

/** Signs that close a cell, or a row between sides, so that the text cannot have ended within it. */
const CLOSED_REGEXP = /[>"'`*_)\]}]$|^\s*([|│┃║]).*\1$/;

/** Dots behind the last cell, where no other has any. */
const DOTS_REGEXP = /[^\s.…](?:\.{3}|…)$/;

/** The same for a row whose last cell is empty: the sign must be one of the row's own. */
const CLOSED_ROW_REGEXP = /<\/\w+ *>$|\/>$|^\s*([|│┃║]).*\1$/;

/**
 * True when the last record lacks a cell behind its others that all others have; or when nothing follows it, not so much
 * as a line end, and its last cell is empty, shorter or of another form than that of all others. `after` is what follows.
 */
export function endsWithinRow(text: string, rows: readonly Row[], after: string): boolean {
  const last = rows.at(-1);
  if (last === undefined || rows.length < CUT_ROWS_MIN || after.trim() !== "") return false;
  if (last.includes(undefined) && last[lastCommon(rows)] === undefined) return true;
  const others = rows.slice(0, -1).map((row) => row.at(-1));
  const end = last.at(-1);
  if (end === undefined) return false;
  if (DOTS_REGEXP.test(end) && !others.some((cell) => cell !== undefined && DOTS_REGEXP.test(cell))) return true;
  const line = text.slice(text.lastIndexOf("\n") + 1);
  // Half of a CRLF.
  if (line.endsWith("\r")) return true;
  if (line === "") return false;
  if ((end.trim() === "" ? CLOSED_ROW_REGEXP : CLOSED_REGEXP).test(line.trimEnd())) return false;
  const full = others.filter((cell) => cell !== undefined && cell.trim() !== "");
  if (full.length < others.length) return false;
  return end.trim() === "" || SAME.some((trait) => differs(full, end, trait));
}

// The last column in which all rows but the last have a cell.
function lastCommon(rows: readonly Row[]): number {
  const width = rows[0]?.length ?? 0;
  for (let column = width - 1; column >= 0; column--) {
    if (rows.every((row, i) => i === rows.length - 1 || row[column] !== undefined)) return column;
  }
  return -1;
}

/**
 * True when `remarks` say that the text was cut, and not how many rows are left out, and the row before `after` has no
 * end of its own.
 */
export function saysCutWithinRow(text: string, remarks: readonly string[], after: string): boolean {
  if (!remarks.some((remark) => remark.split("\n").some(speaksOfCut))) return false;
  const end = after.trim() === "" ? text.length : text.lastIndexOf(after.trim());
  const body = text.slice(0, end).trimEnd();
  return !CLOSED_ROW_REGEXP.test(body.slice(body.lastIndexOf("\n") + 1));
}

function speaksOfCut(line: string): boolean {
  return /\b(?:truncated|cut off|clipped)\b/i.test(line) &&
    !/\b(?:rows?|records?|results?|items?|entries|lines|matches|values|cells|columns)\b|\bnot truncated\b|truncated["']?[:=] *["']?(?:false|no|0)\b/i
      .test(line);
}

/** What cells may have in common, as one text for each; empty when it says nothing. */
const SAME: readonly ((cell: string) => string)[] = [
  (cell) => cellKind(cell) ?? "",
  (cell) => cell.length < SAME_LENGTH_MIN ? "" : String(cell.length),
  (cell) => /[}\])]$/.exec(cell)?.[0] ?? "",
  (cell) => String(/\.(\d+)$/.exec(cell)?.[1]?.length ?? ""),
];

function differs(cells: readonly (string | undefined)[], end: string, trait: (cell: string) => string): boolean {
  const common = trait(cells[0] ?? "");
  if (common === "" || trait(end) === common) return false;
  return cells.every((cell) => trait(cell ?? "") === common) && end.length <= (cells[0]?.length ?? 0);
}
