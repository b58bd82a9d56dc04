/** Whether a first line is a header, and whether a last one is a total: the two ends of a table. @module */

import { type CellKind, cellKind, looksLikeName } from "./cell_kinds.ts";

type Row = readonly string[];
type LooseRow = readonly (string | undefined)[];

/** Rows from which a column of one fixed length or one writing counts as telling. */
export const TELLING_ROWS_MIN = 5;

/**
 * How well a first line is proved to be a header by the rows beneath it.
 *
 * - `number`: a column is a number in every row, and its name is none.
 * - `form`: a column has another form in every row (dates, URLs, codes of one length), and its name has not.
 * - `none`: nothing tells the first line from the rows.
 */
export type HeaderProof = "number" | "form" | "none";

/** True when every cell could be a column's name (years and the like in a row of names included; the first may be empty). */
export function couldBeHeader(cells: Row): boolean {
  let names = 0;
  const others: string[] = [];
  for (const [index, cell] of cells.entries()) {
    if (looksLikeName(cell)) names++;
    else if (!(index === 0 && cell.trim() === "")) others.push(cell.trim());
  }
  return names > 0 && (others.length === 0 || evenSteps(others));
}

// `country, 1990, 1995, 2000`: names that are numbers go on in even steps, which values do not.
function evenSteps(cells: Row): boolean {
  if (cells.length < 3 || !cells.every((cell) => /^\d{1,4}$/.test(cell))) return false;
  const numbers = cells.map(Number);
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return step !== 0 && numbers.every((value, i) => i === 0 || value - (numbers[i - 1] ?? 0) === step);
}

function hasSteps(cells: Row): boolean {
  return evenSteps(cells.filter((cell) => !looksLikeName(cell) && cell.trim() !== "").map((cell) => cell.trim()));
}

/** Looks for a column whose cells differ in form from their name, in every row. */
export function proveHeader(header: Row, rows: readonly Row[]): HeaderProof {
  let proof: HeaderProof = "none";
  const stepped = hasSteps(header) && !rows.slice(0, 3).some(hasSteps);
  for (let column = 0; column < header.length; column++) {
    const kind = columnKind(rows, column);
    if (kind === undefined || (cellKind(header[column] ?? "") === kind && !(stepped && kind === "number"))) continue;
    if (kind === "number") return "number";
    proof = "form";
  }
  if (proof === "none" && rows.length >= TELLING_ROWS_MIN) {
    for (let column = 0; column < header.length; column++) {
      if (holdsCodes(rows, column, header[column] ?? "")) return "form";
    }
  }
  return proof;
}

/** The kind that every non-empty cell of a column has; at least half of its cells must be non-empty. */
export function columnKind(rows: readonly LooseRow[], column: number): CellKind | undefined {
  let kind: CellKind | undefined;
  let filled = 0;
  for (const row of rows) {
    const cell = row[column] ?? "";
    if (cell.trim() === "") continue;
    const own = cellKind(cell);
    if (own === undefined || (kind !== undefined && own !== kind)) return undefined;
    kind = own;
    filled++;
  }
  return filled * 2 >= rows.length && filled > 0 ? kind : undefined;
}

const CODE_REGEXP = /^(?=.*[A-Z])[A-Z0-9_-]{1,16}$/;

// Codes such as `DE` under `country`: capitals of one length throughout, and the name is none.
function holdsCodes(rows: readonly Row[], column: number, name: string): boolean {
  const length = rows[0]?.[column]?.length ?? 0;
  if (length === 0 || CODE_REGEXP.test(name.trim())) return false;
  return rows.every((row) => row[column]?.length === length && CODE_REGEXP.test(row[column] ?? ""));
}

const TOTAL_REGEXP = /^\W{0,4}(?:grand |sub|overall |column )?-?(?:totals?|sums?|summe|gesamt|insgesamt|somme|suma)\b/i;
const BARE_TOTAL_REGEXP = /^\W{0,4}(?:grand |overall )?(?:totals?|sums?|gesamt|insgesamt)\W{0,4}$/i;
const AVERAGE_REGEXP = /^\W{0,4}(?:averages?|avg|mean)\W{0,4}$/i;

/**
 * What the last row is: `row` like the others; a `total` beneath them, proved by its sums; or `unsure`, when it calls
 * itself a total but its numbers do not say so.
 */
export function lastRowKind(rows: readonly (readonly (string | undefined)[])[]): "row" | "total" | "unsure" {
  const last = rows.at(-1);
  if (last === undefined || rows.length < 3) return "row";
  const labelAt = last.findIndex((cell) => cell !== undefined && cell.trim() !== "");
  const label = last[labelAt]?.trim() ?? "";
  const average = AVERAGE_REGEXP.test(label);
  if (label.length > 40 || (!average && !TOTAL_REGEXP.test(label))) return "row";
  if (rows.some((row, i) => i < rows.length - 1 && row[labelAt]?.trim() === label)) return "row";
  for (let column = 0; column < last.length; column++) {
    if (column === labelAt) continue;
    const claimed = plainNumber(last[column]);
    if (claimed === undefined) continue;
    let sum = 0;
    let count = 0;
    for (let i = 0; i < rows.length - 1; i++) {
      const value = plainNumber(rows[i]?.[column]);
      if (value === undefined) continue;
      sum += value;
      count++;
    }
    const wanted = average ? sum / Math.max(count, 1) : sum;
    if (count > 0 && Math.abs(wanted - claimed) <= 0.006 + Math.abs(wanted) * 1e-6) return "total";
    if (!average && claimed === rows.length - 1) return "total";
  }
  // `Total Energies` may well be the last of a list of firms; a bare `Total` is none of its rows.
  return average || BARE_TOTAL_REGEXP.test(label) ? "unsure" : "row";
}

function plainNumber(cell: string | undefined): number | undefined {
  if (cell === undefined || cell.length > 40) return undefined;
  const text = cell.replace(/^[\s*_$€£]+|[\s*_%]+$/g, "").replaceAll(",", "");
  return /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : undefined;
}
