/** The bar that every tier must pass before its records count. @module */

import { endsWithinRow, saysCutWithinRow } from "./cut_end.ts";
import { MAX_PROSE_CHARS } from "./limits.ts";
import { hasCutLines, hasHeadings, hasLineMarks, hasSecondHeader } from "./odd_rows.ts";
import type { TextRecords, TierOutcome } from "./tier.ts";

/** Rows below which a text is not worth the name of a table. */
export const ROWS_MIN = 2;

/** Part of the non-blank text that must have become header or rows. */
export const CONSUMED_SHARE_MIN = 0.5;

/** Non-blank characters that may stand around the records: so much is shown whole; more is a document with a table. */
export const RESIDUE_CHARS_MAX = MAX_PROSE_CHARS;

/** Part of the records that must have one and the same set of keys. */
export const SAME_KEYS_SHARE_MIN = 0.9;

const SPACE = 32;
const FIRST_WIDE_BLANK = 0xa0;
const WIDE_BLANK_REGEXP = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/g;

/** Characters of a text that are no blank (UTF-16 units; controls and every Unicode space are blank). */
export function nonBlankChars(text: string): number {
  let count = 0;
  let wide = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > SPACE) count++;
    if (code >= FIRST_WIDE_BLANK) wide = true;
  }
  return wide ? count - (text.match(WIDE_BLANK_REGEXP)?.length ?? 0) : count;
}

/** What a tier read, before the bar: header, rows, and the pieces of source that it left. */
export interface Reading {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
  /** Pieces of source text around the records, in order; blank ones are dropped here. */
  readonly left: readonly string[];
  readonly jsonCells?: boolean | undefined;
}

/** A refusal with its code. */
export function refused(reason: string): TierOutcome {
  return { kind: "refused", reason };
}

/** Holds a reading against the bar: enough rows, half of the text, one key set. */
export function judge(text: string, reading: Reading): TierOutcome {
  const { header, rows } = reading;
  if (rows.length < ROWS_MIN) return refused("too-few-rows");
  // Printers that leave out rows or columns put dots in their place.
  if (header.some(isElision)) return refused("columns-elided");
  if (rows.some((row) => isElision(row[0]) && row.every(isElision))) return refused("rows-elided");
  // A page's header among the rows would be one of them.
  if (rows.some((row) => row[0] === header[0] && row.every((cell, i) => cell === header[i]))) {
    return refused("header-repeated");
  }
  if (hasLineMarks(header, rows)) return refused("line-marks");
  if (hasCutLines(header, rows)) return refused("cut-off");
  if (hasSecondHeader(rows)) return refused("second-header");
  if (hasHeadings(rows)) return refused("headings-among-rows");
  const residue = reading.left.map((piece) => piece.trim()).filter((piece) => piece !== "");
  const total = nonBlankChars(text);
  const residueChars = residue.reduce((sum, piece) => sum + nonBlankChars(piece), 0);
  const consumedChars = total - residueChars;
  if (consumedChars < total * CONSUMED_SHARE_MIN) return refused("covers-too-little");
  if (residueChars > RESIDUE_CHARS_MAX) return refused("much-around");
  if (!shareKeys(header.length, rows)) return refused("keys-differ");
  const after = reading.left.at(-1) ?? "";
  if (endsWithinRow(text, rows, after) || isCut(text, residue, after)) return refused("cut-off");
  if (rows.some(isElided)) return refused("rows-elided");
  const records: TextRecords = {
    header,
    rows,
    consumedChars,
    residue,
    ...(reading.jsonCells ? { jsonCells: true } : {}),
  };
  return { kind: "records", records };
}

const CUT_REGEXP =
  /\b(?:truncated|omitted|clipped|cut)\b[^\n]*\b(?:char(?:acter)?s?|bytes?|[KM]i?B|tokens?)\b|\d[\d,._]* ?(?:more )?(?:char(?:acter)?s?|bytes?|[KM]i?B|tokens?)\b[^\n]*\b(?:truncated|omitted|clipped|cut|more)\b|\d more (?:char(?:acter)?s|bytes|tokens)\b/i;

/** True when `remarks` around the records say that the text was cut by its length. `after` is what follows the records. */
export function isCut(text: string, remarks: readonly string[], after: string): boolean {
  return remarks.some(saysCut) || DOTS_WITHIN_REGEXP.test(text) || saysCutWithinRow(text, remarks, after);
}

// A text that was cut by its length ends somewhere in a row, and the last cell may be half of one; a line of dots stands
// for rows that nobody counted.
function saysCut(residue: string): boolean {
  return CUT_REGEXP.test(residue) || residue.split("\n").some((line) => ELLIPSIS_REGEXP.test(line.trim()));
}

const ELLIPSIS_REGEXP = /^(?:\.{2,}|…|⋮|⋯|\[(?:\.{3}|…)\])$/;

// A line of dots with something behind it: between quotes or tags it would count as part of a cell.
const DOTS_WITHIN_REGEXP = /\n[ \t]*(?:\.{2,}|…|⋮|⋯|\[(?:\.{3}|…)\])[ \t]*\r?\n\s*\S/;

// A row of nothing but dots stands for rows that were left out.
function isElided(row: readonly (string | undefined)[]): boolean {
  let dots = 0;
  for (const cell of row) {
    if (cell === undefined || cell === "") continue;
    if (cell.length > 8 || !ELLIPSIS_REGEXP.test(cell.trim())) return false;
    dots++;
  }
  return dots > 0;
}

function isElision(cell: string | undefined): boolean {
  return cell === "..." || cell === "…" || cell === ".." || cell === "·" || cell === "⋮";
}

// The most common set of present keys must hold for 90 % of the records.
function shareKeys(width: number, rows: Reading["rows"]): boolean {
  const counts = new Map<string, number>();
  let complete = 0;
  for (const row of rows) {
    if (!row.includes(undefined) && row.length === width) {
      complete++;
      continue;
    }
    let key = "";
    for (const cell of row) key += cell === undefined ? "0" : "1";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let most = complete;
  for (const count of counts.values()) if (count > most) most = count;
  return most >= rows.length * SAME_KEYS_SHARE_MIN;
}
