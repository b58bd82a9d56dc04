/** Box tables: cells between drawn lines, as MySQL, sqlite, DuckDB, rich and tabulate print them. @module */

import { type CellKind, cellKind } from "./cell_kinds.ts";
import { judge, refused } from "./coverage.ts";
import { columnKind, lastRowKind } from "./header.ts";
import { linesOf, piece, trimSpaces } from "./lines.ts";
import type { Tier, TierOutcome } from "./tier.ts";
import { isTypeName } from "./type_names.ts";

/** Part of a column's cells that are filled, from which an empty one is remarkable. */
export const USUALLY_FILLED_SHARE = 0.8;

/** Rows without gaps from which the forms of their cells say something about the others. */
export const FULL_ROWS_MIN = 5;

const SIDES = ["|", "│", "┃", "║"] as const;
const BORDER_FIRST = "+|┌├└┏┣┡┠┗╔╠╚╒╞╘╭╰╟╙╓┝┕╪│┃║";
const BORDER_REGEXP = /^[+|\-=:─━═┄┈┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╒╕╘╛╞╡╤╧╪╟╢╥╨╫╓╖╙╜╭╮╰╯┡┩╇┠┨┯┷┿╂╈╄╃┝┥┕┙╶╴╼╾│┃║]+$/;
const BORDER_BODY_REGEXP = /[-=─━═┄┈]/;
const CROSS_REGEXP = /[+┌├└┏┣┡┠┗╔╠╚╒╞╘╭╰╟╙╓┝┕┼┬┴]/;
/** Tables drawn with lines around them. */
export const boxTier: Tier = { source: "text:box-table", plausible, read };

// A line that is drawn from side to side.
function plausible(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    let at = start;
    while (at < stop && text.charCodeAt(at) === 32) at++;
    // No drawn line has a blank in it, which most lines of cells have at their second place.
    if (at + 1 < stop && text.charCodeAt(at + 1) !== 32 && BORDER_FIRST.includes(text.charAt(at))) {
      if (isBorder(text.slice(at, stop))) return true;
    }
    start = stop + 1;
  }
  return false;
}

function isBorder(line: string): boolean {
  const text = line.trim();
  return text.length >= 3 && BORDER_FIRST.includes(text.charAt(0)) && BORDER_BODY_REGEXP.test(text) &&
    CROSS_REGEXP.test(text) && BORDER_REGEXP.test(text);
}

/** Lines of cells between two drawn lines. */
type Group = string[][];

function read(text: string): TierOutcome {
  const lines = linesOf(text);
  const runs = findRuns(lines);
  const [run] = runs;
  if (run === undefined) return refused("no-box");
  if (runs.length > 1) return refused("several-tables");
  const groups = groupsOf(lines.slice(run.from, run.end));
  if (typeof groups === "string") return refused(groups);
  const left = [piece(lines, 0, run.from)];
  const width = widthOf(groups);
  if (width < 2) return refused("one-column");
  // Titles above and counts below span the whole box.
  while (groups[0]?.[0]?.length === 1) left.push(groups.shift()?.flat().join("\n") ?? "");
  const foot: string[] = [];
  while (groups.at(-1)?.[0]?.length === 1) foot.unshift(...(groups.pop()?.flat() ?? []));
  const [head, ...body] = groups;
  if (head === undefined || body.length === 0) return refused("no-rows");
  const header = headerOf(head, left);
  if (header === undefined) return refused("header-wrapped");
  const rows = rowsOf(body, header.length);
  if (typeof rows === "string") return refused(rows);
  if (isBorder(lines[run.from] ?? "") && !isBorder(lines[run.end - 1] ?? "")) return refused("box-open");
  const after = piece(lines, run.end, lines.length);
  const isStray = (line: string) =>
    sideOf(line) !== undefined && cellsOf(line.trim(), sideOf(line) ?? "")?.length === width;
  if (lines.slice(0, run.from).some(isStray) || lines.slice(run.end).some(isStray)) return refused("rows-elsewhere");
  if (contradictsCount([...foot, after].join("\n"), rows.length)) return refused("rows-elided");
  const last = lastRowKind(rows);
  if (last === "unsure") return refused("total-unsure");
  if (last === "total") foot.unshift((rows.pop() ?? []).join(" | "));
  return judge(text, { header, rows, left: [...left, foot.join("\n"), after] });
}

// Runs of neighbouring lines that are drawn or stand between sides.
function findRuns(lines: readonly string[]): { readonly from: number; readonly end: number }[] {
  const runs: { readonly from: number; readonly end: number }[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!isBorder(lines[i] ?? "") && sideOf(lines[i] ?? "") === undefined) continue;
    const from = i;
    let borders = 0;
    while (i < lines.length && (isBorder(lines[i] ?? "") || sideOf(lines[i] ?? "") !== undefined)) {
      if (isBorder(lines[i] ?? "")) borders++;
      i++;
    }
    // The AWS tool draws its first line without corners.
    const above = /^-{3,}$/.test((lines[from - 1] ?? "").trim()) ? 1 : 0;
    if (borders > 0) runs.push({ from: from - above, end: i });
  }
  return runs;
}

function sideOf(line: string): string | undefined {
  const text = line.trim();
  if (text.length < 3) return undefined;
  return SIDES.find((side) => text.startsWith(side) && text.endsWith(side));
}

function groupsOf(lines: readonly string[]): Group[] | string {
  const groups: Group[] = [];
  let group: Group = [];
  const side = lines.map((line) => isBorder(line) ? undefined : sideOf(line)).find((found) => found !== undefined);
  if (side === undefined) return "no-rows";
  for (const line of lines) {
    if (isBorder(line) || /^-+$/.test(line.trim())) {
      if (group.length > 0) groups.push(group);
      group = [];
      continue;
    }
    const text = line.trim();
    const cells = cellsOf(text, side);
    if (cells === undefined) return "sides-differ";
    if (group[0] !== undefined && group[0].length !== cells.length) return "row-width";
    group.push(cells);
  }
  if (group.length > 0) groups.push(group);
  const width = widthOf(groups);
  if (groups.some((each) => each[0]?.length !== width && each[0]?.length !== 1)) return "row-width";
  return groups;
}

function widthOf(groups: readonly Group[]): number {
  return groups.reduce((most, group) => Math.max(most, group[0]?.length ?? 0), 0);
}

// Rich draws the header with heavy sides and the rows with light ones.
function cellsOf(text: string, side: string): string[] | undefined {
  const own = text.startsWith(side) ? side : sideOf(text);
  if (own === undefined || !text.endsWith(own)) return undefined;
  return text.slice(1, -1).split(own).map(trimSpaces);
}

// One line of names; a second one may tell DuckDB's types, which stay visible.
function headerOf(head: Group, left: string[]): string[] | undefined {
  const [names, types] = head;
  if (names === undefined || head.length > 2 || names.every((name) => name === "")) return undefined;
  if (types === undefined) return names;
  if (!types.every((type) => isTypeName(type))) return undefined;
  left.push(types.join(" | "));
  return names;
}

function rowsOf(body: readonly Group[], width: number): string[][] | string {
  // Lines between all rows: a cell of several lines is joined by them, but where it broke is lost.
  if (body.length > 1 && body.some((group) => group.length > 1)) return "cells-wrapped";
  const rows = body.flat();
  for (const row of rows) {
    if (row.length !== width) return "row-width";
    let dots = 0;
    for (const cell of row) {
      if (cell === "·" || cell === ":" || cell === "…" || cell === "...") dots++;
      else if (cell.endsWith("…")) return "cells-cut";
    }
    if (dots === width) return "rows-elided";
  }
  return body.length === 1 && hasBrokenRow(rows, width) ? "cells-wrapped" : rows;
}

/**
 * True when a row looks like the second line of the row above: nothing where nearly every other row has something.
 * Such output can't be told from a row of empty cells, so the table isn't read. A row with a cell in every column of
 * one form (numbers, dates) is a row of its own.
 */
export function hasBrokenRow(rows: readonly (readonly string[])[], width: number): boolean {
  const thin = rows.filter((row) => gapsOf(row) > 0);
  if (thin.length === 0) return false;
  const columns = Array.from({ length: width }, (_, column) => column);
  const formed = columns.filter((column) => columnKind(rows, column) !== undefined);
  if (breaksForms(rows, columns) || breaksCell(rows, width, thin.length)) return true;
  const thick = rows.filter((row) => gapsOf(row) * 2 < width);
  const usual = columns.filter((column) =>
    thick.filter((row) => row[column] !== "").length >= thick.length * USUALLY_FILLED_SHARE
  );
  return thin.some((row) => {
    if (formed.length > 0 && formed.every((column) => row[column] !== "")) return false;
    const gaps = usual.filter((column) => row[column] === "").length;
    return row[0] === "" || gaps >= Math.max(1, Math.ceil(usual.length / 2));
  });
}

// A row with gaps that has a word where all rows without gaps have numbers, dates or the like. The last may be a total.
function breaksForms(rows: readonly (readonly string[])[], columns: readonly number[]): boolean {
  const full = rows.filter((row) => gapsOf(row) === 0);
  if (full.length < FULL_ROWS_MIN) return false;
  const formed = columns.filter((column) => isForm(columnKind(full, column)));
  return rows.slice(0, -1).some((row) =>
    gapsOf(row) > 0 &&
    formed.some((column) => /\p{L}/u.test(row[column] ?? "") && cellKind(row[column] ?? "") === undefined)
  );
}

// One row without its last cells and one with the rest of it, where nearly all rows have no gaps: together they hold one
// cell more than a row, the one that was broken.
function breaksCell(rows: readonly (readonly string[])[], width: number, thin: number): boolean {
  if (thin > rows.length * (1 - USUALLY_FILLED_SHARE)) return false;
  return rows.some((row, i) => {
    const gaps = gapsOf(row);
    const rest = rows[i + 1];
    if (gaps === 0 || rest === undefined || gaps + gapsOf(rest) !== width - 1) return false;
    return row.slice(-gaps).every((cell) => cell === "");
  });
}

function isForm(kind: CellKind | undefined): boolean {
  return kind !== undefined && kind !== "boolean";
}

function gapsOf(row: readonly string[]): number {
  let gaps = 0;
  for (const cell of row) if (cell === "") gaps++;
  return gaps;
}

/** True when a remark beside the table counts its rows, and not so many were read. */
export function contradictsCount(remarks: string, rows: number): boolean {
  for (const found of remarks.slice(0, 4_000).matchAll(/(?:^|[\s([])(\d{1,9}) rows?\b/g)) {
    if (Number(found[1]) !== rows) return true;
  }
  return false;
}
