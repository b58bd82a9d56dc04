/** Markdown tables: a header, a line of dashes, and rows of the same width. @module */

import { hasBrokenRow } from "./box.ts";
import { judge, nonBlankChars, refused } from "./coverage.ts";
import { lastRowKind } from "./header.ts";
import { isBlank, isRemark, linesOf, piece } from "./lines.ts";
import { type PipeStyle, splitAroundCode, splitCells, styleOf } from "./pipe_cells.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Non-blank characters of further tables that may stay beside the largest one, since they are shown whole. */
export const OTHER_TABLES_CHARS_MAX = 600;

/** Rows of the largest table for each row of a further one: below that, which of them is the table is open. */
export const OTHER_TABLE_ROWS_FACTOR = 4;

const DASH_REGEXP = /^:?-+:?$/;

/** Where one table stands, as line numbers. */
interface Place {
  readonly headerAt: number;
  /** The line after the last row. */
  readonly end: number;
}

/** Pipe tables of GitHub's markdown. */
export const markdownTier: Tier = { source: "text:markdown-table", plausible, read };

// One line of dashes and pipes is enough to look closer.
function plausible(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    if (startsLikeSeparator(text, start, stop) && isSeparator(text.slice(start, stop))) return true;
    start = stop + 1;
  }
  return false;
}

function startsLikeSeparator(text: string, start: number, stop: number): boolean {
  let at = start;
  while (at < stop && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at++;
  const char = text[at];
  return char === "|" || char === "-" || char === ":";
}

function read(text: string): TierOutcome {
  const lines = linesOf(text);
  const places = findTables(lines);
  let largest: Place | undefined;
  for (const place of places) {
    if (largest === undefined || place.end - place.headerAt > largest.end - largest.headerAt) largest = place;
  }
  if (largest === undefined) return refused("no-header-above-dashes");
  let others = 0;
  for (const place of places) {
    if (place === largest) continue;
    if (rowsIn(place) * OTHER_TABLE_ROWS_FACTOR > rowsIn(largest)) return refused("several-tables");
    others += nonBlankChars(piece(lines, place.headerAt, place.end));
  }
  if (others > OTHER_TABLES_CHARS_MAX) return refused("several-tables");
  if (hasStrayRow(lines, places, largest)) return refused("rows-elsewhere");
  return readTable(text, lines, largest);
}

// A line outside all tables that is written as the rows of this one: something stands between it and them.
function hasStrayRow(lines: readonly string[], places: readonly Place[], { headerAt }: Place): boolean {
  const style = styleOf(lines[headerAt] ?? "");
  const width = splitCells(lines[headerAt] ?? "", style)?.length;
  const isStray = (line: string) => {
    if (!line.includes("|")) return false;
    const own = styleOf(line);
    if (own.leading !== style.leading || own.trailing !== style.trailing) return false;
    return splitCells(line, own)?.length === width || splitAroundCode(line, own)?.length === width;
  };
  let from = 0;
  for (const place of [...places, { headerAt: lines.length, end: lines.length }]) {
    if (lines.slice(from, place.headerAt).some(isStray)) return true;
    from = place.end;
  }
  return false;
}

function rowsIn({ headerAt, end }: Place): number {
  return end - headerAt - 2;
}

function findTables(lines: readonly string[]): Place[] {
  const places: Place[] = [];
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (!startsLikeSeparator(line, 0, line.length) || !isSeparator(line)) continue;
    const header = lines[i - 1] ?? "";
    const style = styleOf(header);
    const cells = splitCells(header, style);
    if (cells === undefined || cells.length !== splitCells(line, styleOf(line))?.length) continue;
    let end = i + 1;
    while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
    places.push({ headerAt: i - 1, end });
    i = end;
  }
  return places;
}

function readTable(text: string, lines: readonly string[], { headerAt, end }: Place): TierOutcome {
  const headerLine = lines[headerAt] ?? "";
  const style = styleOf(headerLine);
  const header = splitCells(headerLine, style);
  if (header === undefined) return refused("ambiguous-escape");
  if (header.every((cell) => cell === "")) return refused("header-empty");
  let rows = rowsOf(lines.slice(headerAt + 2, end), header.length, style, splitCells);
  // Pipes inside code: renderers split there, and drop what is too much. When every row fits once code is kept whole,
  // that is what was meant.
  if (rows === "row-width") rows = rowsOf(lines.slice(headerAt + 2, end), header.length, style, splitAroundCode);
  if (typeof rows === "string") return refused(rows);
  const below = lines[end];
  if (!isBlank(below) && !(style.leading && style.trailing) && !isRemark(below ?? "")) {
    return refused("row-without-pipe");
  }
  if (arePadded(lines, headerAt, end) && hasBrokenRow(rows, header.length)) return refused("continued-row");
  const left = [piece(lines, 0, headerAt), piece(lines, end, lines.length)];
  const last = lastRowKind(rows);
  if (last === "unsure") return refused("total-unsure");
  if (last === "total") {
    rows.pop();
    left.splice(1, 0, lines[end - 1] ?? "");
  }
  return judge(text, { header, rows, left });
}

function rowsOf(
  lines: readonly string[],
  width: number,
  style: PipeStyle,
  split: typeof splitCells,
): string[][] | string {
  const rows: string[][] = [];
  for (const line of lines) {
    const own = styleOf(line);
    // A row without the pipe at the end that all others have is a row that was cut off.
    if (style.trailing && !own.trailing) return "row-cut";
    if (style.leading && !own.leading) return "row-without-pipe";
    const cells = split(line, style);
    if (cells === undefined) return "ambiguous-escape";
    if (cells.length !== width) return "row-width";
    if (DASH_REGEXP.test(cells[0] ?? "") && cells.every((cell) => DASH_REGEXP.test(cell))) return "dashes-inside";
    rows.push(cells);
  }
  return rows;
}

function isSeparator(line: string): boolean {
  const text = line.trim();
  if (!text.includes("-") || !text.includes("|") || text.length > 100_000) return false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char !== "|" && char !== "-" && char !== ":" && char !== " " && char !== "\t") return false;
  }
  const cells = splitCells(text, styleOf(text)) ?? [];
  return cells.length > 0 && cells.every((cell) => DASH_REGEXP.test(cell));
}

// Writers that pad their cells to one width also spread a cell of several lines over several rows.
function arePadded(lines: readonly string[], from: number, to: number): boolean {
  const length = lines[from]?.length;
  for (let i = from + 1; i < to; i++) if (lines[i]?.length !== length) return false;
  return true;
}
