/** Fixed-width columns: names over cells that keep to their places, as kubectl, docker, sqlite and pandas print. @module */

import { contradictsCount, hasBrokenRow } from "./box.ts";
import { judge, refused } from "./coverage.ts";
import { couldBeHeader, lastRowKind, proveHeader } from "./header.ts";
import { isBlank, linesOf, piece, trimSpaces } from "./lines.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Blank places that part two columns, on every line. */
export const GUTTER_CHARS_MIN = 2;

/** Part of the cells under a name with a blank that may hold a blank themselves. */
export const SPACED_CELLS_SHARE_MAX = 0.1;

/** Characters of a line; longer ones are no terminal output. */
export const LINE_CHARS_MAX = 20_000;

const GLANCE_LINES = 100;

// Lines without columns among them stay without columns, however many follow.
const HEAD_LINES = 500;

// Characters that a terminal draws two places wide or none: places can't be counted by characters.
const UNEVEN_REGEXP =
  /[\t\p{M}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u200b-\u200f\ud800-\udfff]/u;

/** A column's places: from its first to the one after its last. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Columns that are told apart by their places alone. */
export const fixedWidthTier: Tier = { source: "text:fixed-width", plausible, read };

// Most of the first lines must have a gap between words.
function plausible(text: string): boolean {
  let seen = 0;
  let gapped = 0;
  for (let start = 0, line = 0; start < text.length && line < GLANCE_LINES; line++) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    const content = text.slice(start, Math.min(stop, start + 2_000)).trim();
    if (content !== "") {
      seen++;
      if (content.includes("  ")) gapped++;
    }
    start = stop + 1;
  }
  return gapped >= 3 && gapped * 2 > seen;
}

function read(text: string): TierOutcome {
  const lines = linesOf(text);
  const paragraph = longestParagraph(lines);
  let { from } = paragraph;
  let { end } = paragraph;
  if (isRule(lines[from] ?? "")) from++;
  if (isRule(lines[end - 1] ?? "")) end--;
  if (end - from < 3) return refused("too-few-rows");
  const body = lines.slice(from, end);
  const head = body.slice(0, HEAD_LINES);
  if (!isRule(body[1] ?? "") && gutterPlaces(head).length < 2 && edgeGrid(head) === undefined) {
    return refused("one-column");
  }
  if (body.some((line) => line.length > LINE_CHARS_MAX || UNEVEN_REGEXP.test(line))) return refused("places-uneven");
  const grid = gridOf(body);
  if (typeof grid === "string") return refused(grid);
  const { header, rows } = grid;
  if (!couldBeHeader(header)) return refused("no-header");
  if (rows.some((row) => row.every((cell) => /^(?:\.{2,}|…|-+|=+)?$/.test(cell)))) return refused("rows-elided");
  if (hasBrokenRow(rows, header.length)) return refused("cells-wrapped");
  if (mergesColumns(header, rows)) return refused("two-columns-in-one");
  const shouted = header.length > 2 && header.every((name) => name === name.toUpperCase()) && speaksLower(rows);
  if (grid.by !== "rule" && !shouted && proveHeader(header, rows) !== "number") return refused("no-number-column");
  const left = [piece(lines, 0, from), piece(lines, end, lines.length)];
  if (left.some((around) => hasStrayRow(around, grid))) return refused("rows-elsewhere");
  if (contradictsCount(left.join("\n"), rows.length)) return refused("rows-elided");
  if (lastRowKind(rows) !== "row") return refused("total-row");
  return judge(text, { header, rows, left: left.map(withoutRules) });
}

// A line around the columns that falls into as many parts, or into most of their places: a blank line may stand between
// two of the rows.
function hasStrayRow(around: string, { header, places }: Grid): boolean {
  return around.split("\n").some((line) => {
    if (isBlank(line) || isRule(line)) return false;
    if (line.trim().split(/ {2,}/).length === header.length) return true;
    const filled = cut(line, places)?.filter((cell) => cell !== "").length ?? 0;
    return filled >= 2 && filled * 2 > header.length;
  });
}

// Capitals tell a header only where the cells beneath it are none: one column has small letters or digits throughout.
function speaksLower(rows: readonly (readonly string[])[]): boolean {
  return rows[0]?.some((_, column) =>
    rows.every((row) => row[column] === "" || /[\p{Ll}\d]/u.test(row[column] ?? ""))
  ) ??
    false;
}

/** Header and rows, and by what the columns were told apart. */
interface Grid {
  readonly by: "rule" | "gutters" | "edges";
  readonly places: readonly Place[];
  readonly header: string[];
  readonly rows: string[][];
}

// Columns by a line of dashes, by gaps two places wide, or by the right edges of names and cells.
function gridOf(body: readonly string[]): Grid | string {
  if (isRule(body[1] ?? "")) return cutAll("rule", [body[0] ?? "", ...body.slice(2)], rulePlaces(body[1] ?? ""));
  const places = gutterPlaces(body);
  const grid = places.length < 2 ? "one-column" : cutAll("gutters", body, places);
  if (typeof grid !== "string" && !mergesColumns(grid.header, grid.rows)) {
    if (!headerFits(body[0] ?? "", grid.header)) return edgeGrid(body) ?? "header-differs";
    return places.every((place) => keepsEdge(body, place)) ? grid : "edges-ragged";
  }
  return edgeGrid(body) ?? grid;
}

function cutAll(by: Grid["by"], lines: readonly string[], places: readonly Place[]): Grid | string {
  const grid: string[][] = [];
  for (const line of lines) {
    const cells = cut(line, places);
    if (cells === undefined) return "column-overflow";
    grid.push(cells);
  }
  const [header, ...rows] = grid;
  if (header === undefined || header.length < 2) return "one-column";
  // The last column may hold commands and sentences, except under dashes as wide as its cells.
  const checked = by === "rule" ? header.length : header.length - 1;
  const gap = by !== "edges" && rows.some((row) => row.some((cell, i) => i < checked && cell.includes("  ")));
  return gap ? "gap-inside-cell" : { by, places, header, rows };
}

function longestParagraph(lines: readonly string[]): { readonly from: number; readonly end: number } {
  let best = { from: 0, end: 0 };
  for (let i = 0; i < lines.length; i++) {
    if (isBlank(lines[i])) continue;
    const from = i;
    while (i < lines.length && !isBlank(lines[i])) i++;
    if (i - from > best.end - best.from) best = { from, end: i };
  }
  return best;
}

// `----  -----`: dashes under each name. A single run is a line under a heading.
function isRule(line: string): boolean {
  return /^ *(?:-{1,}|={1,})(?: +(?:-{1,}|={1,}))+ *$/.test(line) && line.length <= LINE_CHARS_MAX;
}

function withoutRules(text: string): string {
  return text.split("\n").filter((line) => !isRule(line)).join("\n");
}

function rulePlaces(rule: string): Place[] {
  const places: Place[] = [];
  for (const { index, 0: dashes } of rule.matchAll(/[-=]+/g)) places.push({ from: index, to: index + dashes.length });
  const last = places.at(-1);
  if (last !== undefined) places[places.length - 1] = { from: last.from, to: LINE_CHARS_MAX };
  return places;
}

// Columns lie between places that are blank on every line.
function gutterPlaces(lines: readonly string[]): Place[] {
  const used = new Uint8Array(lines.reduce((most, line) => Math.max(most, line.length), 0));
  for (const line of lines) {
    for (let i = 0; i < line.length; i++) if (line.charCodeAt(i) !== 32) used[i] = 1;
  }
  const places: Place[] = [];
  let from = -1;
  let blanks = 0;
  for (let i = 0; i < used.length; i++) {
    if (used[i] === 1) {
      if (from === -1) from = i;
      blanks = 0;
    } else if (from !== -1 && ++blanks === GUTTER_CHARS_MIN) {
      places.push({ from, to: i - GUTTER_CHARS_MIN + 1 });
      from = -1;
    }
  }
  if (from !== -1) places.push({ from, to: used.length });
  return places;
}

// The cells at the places, or `undefined` when something stands between them.
function cut(line: string, places: readonly Place[]): string[] | undefined {
  const cells: string[] = [];
  let at = 0;
  for (const { from, to } of places) {
    if (trimSpaces(line.slice(at, from)) !== "") return undefined;
    cells.push(trimSpaces(line.slice(from, to)));
    at = to;
  }
  return trimSpaces(line.slice(at)) === "" ? cells : undefined;
}

// The names, read as words apart by gaps, must be the names that stand at the places (the first may be missing).
function headerFits(line: string, header: readonly string[]): boolean {
  const words = line.trim().split(/ {2,}/);
  const names = header[0] === "" ? header.slice(1) : header;
  return words.length === names.length && words.every((word, i) => word === names[i]);
}

// Every cell of a column begins at its first place, or every cell ends at its last.
function keepsEdge(lines: readonly string[], { from, to }: Place): boolean {
  let left = true;
  let right = true;
  for (const line of lines) {
    const cell = line.slice(from, to);
    if (trimSpaces(cell) === "") continue;
    if (cell.charCodeAt(0) === 32) left = false;
    if (line.length < to || cell.charCodeAt(cell.length - 1) === 32) right = false;
  }
  return left || right;
}

// `Use% Mounted on` over `43% /`: a name with a blank over cells with blanks may be two columns.
function mergesColumns(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  return header.some((name, column) =>
    name.includes(" ") && rows.filter((row) => row[column]?.includes(" ")).length > rows.length * SPACED_CELLS_SHARE_MAX
  );
}

// Pandas sets every name and cell flush right with one blank between, and counts its rows at the left.
function edgeGrid(body: readonly string[]): Grid | undefined {
  const [names = "", ...lines] = body;
  const counted = names.startsWith(" ") && lines.every((line, i) => line.startsWith(`${i} `));
  const indexTo = counted ? String(lines.length - 1).length : 0;
  const places: Place[] = counted ? [{ from: 0, to: indexTo }] : [];
  let at = indexTo;
  for (const { index, 0: name } of names.matchAll(/\S+/g)) {
    if (index < indexTo) return undefined;
    places.push({ from: at, to: index + name.length });
    at = index + name.length;
  }
  if (places.length < 3) return undefined;
  for (const [column, { from, to }] of places.entries()) {
    if (column === 0 && counted) continue;
    let single = names[from] === " " && names[from + 1] !== " ";
    for (const line of lines) {
      // Each cell ends where its name ends, and a blank stands before the longest of them.
      if (line[to - 1] === undefined || line[to - 1] === " " || (from > 0 && line[from] !== " ")) return undefined;
      if (line[from + 1] === " ") single = false;
    }
    // `End Stamp` over `2024-01-01 10:00`: one blank everywhere may lie inside one column.
    if (single && column > 0) return undefined;
  }
  const last = places.at(-1)?.to ?? 0;
  if (lines.some((line) => line.trimEnd().length !== last)) return undefined;
  const grid = cutAll("edges", body, places);
  return typeof grid === "string" ? undefined : grid;
}
