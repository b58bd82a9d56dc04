/** Markdown tables: a header, a line of dashes, and rows of the same width. @module */

import { hasBrokenRow } from "./box.ts";
import { judge, nonBlankChars, refused } from "./coverage.ts";
import { lastRowKind } from "./header.ts";
import { isBlank, isRemark, linesOf, piece, trimSpaces } from "./lines.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Non-blank characters of further tables that may stay beside the largest one, since they are shown whole. */
export const OTHER_TABLES_CHARS_MAX = 600;

/** Rows of the largest table for each row of a further one: below that, which of them is the table is open. */
export const OTHER_TABLE_ROWS_FACTOR = 4;

/** Where one table stands, as line numbers. */
interface Place {
  readonly headerAt: number;
  /** The line after the last row. */
  readonly end: number;
}

/** Which edges of a line carry a pipe. A table keeps one style throughout. */
interface Style {
  readonly leading: boolean;
  readonly trailing: boolean;
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
  return readTable(text, lines, largest);
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

function rowsOf(lines: readonly string[], width: number, style: Style, split: typeof splitCells): string[][] | string {
  const rows: string[][] = [];
  for (const line of lines) {
    const own = styleOf(line);
    // A row without the pipe at the end that all others have is a row that was cut off.
    if (style.trailing && !own.trailing) return "row-cut";
    if (style.leading && !own.leading) return "row-without-pipe";
    const cells = split(line, style);
    if (cells === undefined) return "ambiguous-escape";
    if (cells.length !== width) return "row-width";
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return "dashes-inside";
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
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell));
}

function styleOf(line: string): Style {
  const text = trimSpaces(line);
  return { leading: text.startsWith("|"), trailing: text.endsWith("|") && !text.endsWith("\\|") && text.length > 1 };
}

/**
 * The cells of a line, trimmed, with `\|` as a pipe; `undefined` when two backslashes stand before a pipe, which
 * renderers read in different ways.
 */
function splitCells(line: string, style: Style): string[] | undefined {
  let text = trimSpaces(line);
  if (style.leading && text.startsWith("|")) text = text.slice(1);
  if (style.trailing && text.endsWith("|") && !text.endsWith("\\|")) text = text.slice(0, -1);
  if (!text.includes("\\|")) {
    const cells = text.split("|");
    for (let i = 0; i < cells.length; i++) cells[i] = trimSpaces(cells[i] ?? "");
    return cells;
  }
  if (text.includes("\\\\|")) return undefined;
  const cells: string[] = [];
  let cell = "";
  for (let at = 0; at < text.length;) {
    const pipe = text.indexOf("|", at);
    if (pipe === -1) {
      cell += text.slice(at);
      break;
    }
    if (text[pipe - 1] === "\\") {
      cell += `${text.slice(at, pipe - 1)}|`;
    } else {
      cells.push(trimSpaces(cell + text.slice(at, pipe)));
      cell = "";
    }
    at = pipe + 1;
  }
  cells.push(trimSpaces(cell));
  return cells;
}

// As splitCells, but a pipe between two backticks belongs to its cell.
function splitAroundCode(line: string, style: Style): string[] | undefined {
  const whole = splitCells(line, style);
  if (whole === undefined) return undefined;
  const cells: string[] = [];
  let open = false;
  let at = 0;
  let text = trimSpaces(line);
  if (style.leading) text = text.slice(1);
  if (style.trailing) text = text.slice(0, -1);
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "`") open = !open;
    else if (text[i] === "|" && !open && text[i - 1] !== "\\") {
      cells.push(trimSpaces(text.slice(at, i)).replaceAll("\\|", "|"));
      at = i + 1;
    }
  }
  cells.push(trimSpaces(text.slice(at)).replaceAll("\\|", "|"));
  return open ? undefined : cells;
}

// Writers that pad their cells to one width also spread a cell of several lines over several rows.
function arePadded(lines: readonly string[], from: number, to: number): boolean {
  const length = lines[from]?.length;
  for (let i = from + 1; i < to; i++) if (lines[i]?.length !== length) return false;
  return true;
}
