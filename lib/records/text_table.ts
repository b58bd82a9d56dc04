/** Cells of formatted text as a table: a number only where the number says exactly what the text said. @module */

import type { Cells, ColumnType, Table, TableColumn } from "../dataset.ts";
import { DOT, isDigit, MINUS, ZERO } from "./chars.ts";
import { readTable } from "./document.ts";
import { formatOf } from "./formats.ts";
import { INT128_MAX, INT64_MAX, MAX_DECIMAL_DIGITS } from "./infer.ts";
import { readObject } from "./json_rows.ts";
import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS } from "./limits.ts";
import { NameBook } from "./names.ts";
import { Refusal } from "./refusal.ts";
import type { TextRecords } from "./tier.ts";

/**
 * Types the cells of `records`. A column is numeric when every cell that is not empty is the very text the engine prints
 * for that number, and then an empty cell is NULL; otherwise it is VARCHAR and an empty cell is the empty string.
 * Throws a Refusal beyond the caps.
 */
export function tableFromText(records: TextRecords): Table {
  const rowCount = records.rows.length;
  if (rowCount > MAX_ROWS) throw new Refusal(`too-many-rows: ${rowCount}, at most ${MAX_ROWS}`);
  const width = records.header.length;
  if (width > MAX_COLUMNS) throw new Refusal(`too-many-columns: ${width}, at most ${MAX_COLUMNS}`);
  if (width * rowCount > MAX_CELLS) throw new Refusal(`too-many-cells: ${width} columns of ${rowCount} rows`);
  if (records.jsonCells) return tableOfJsonCells(records);
  const names = new NameBook();
  return {
    rowCount,
    columns: records.header.map((path, index) => textColumn(path, names.claim(path), records.rows, index)),
  };
}

/** Cells that are JSON texts already take the way of JSON records. */
function tableOfJsonCells(records: TextRecords): Table {
  const keys = records.header.map((key) => JSON.stringify(key));
  const lines = records.rows.map((row) => {
    const members = row.flatMap((cell, index) => cell === undefined ? [] : [`${keys[index]}:${cell}`]);
    return `{${members.join(",")}}`;
  });
  const text = lines.join("\n");
  return readTable(text, lines.length, (group) => {
    let at = 0;
    lines.forEach((line, row) => {
      readObject(text, at, row, group, true);
      at += line.length + 1;
    });
  });
}

type Row = readonly (string | undefined)[];

function textColumn(path: string, name: string, rows: readonly Row[], index: number): TableColumn {
  const values = rows.map((row) => row[index] ?? null);
  const number = numberColumn(values);
  const format = number ? undefined : formatOf(values);
  return {
    name,
    ...(path === name ? {} : { path }),
    type: number?.type ?? "VARCHAR",
    ...(format === undefined ? {} : { format }),
    cells: number?.cells ?? { kind: "text", values },
  };
}

interface NumberColumn {
  readonly type: ColumnType;
  readonly cells: Cells;
}

type Values = readonly (string | null)[];

/** The numbers of a column; undefined when it is text, or holds nothing. */
function numberColumn(values: Values): NumberColumn | undefined {
  const first = values.find((value) => value !== null && value !== "");
  if (first === undefined || first === null) return undefined;
  const digits = fractionDigits(first);
  if (digits < 0) return undefined;
  return digits === 0 ? wholeColumn(values) : decimalColumn(values) ?? doubleColumn(values);
}

/** Longer texts are no numbers that an engine holds. */
const MAX_NUMBER_CHARS = MAX_DECIMAL_DIGITS + 3;

/** Digits after the point of a number in its plain form, 0 for a whole one; -1 for any other text, and for minus zero. */
function fractionDigits(text: string): number {
  if (text.length > MAX_NUMBER_CHARS) return -1;
  const negative = text.charCodeAt(0) === MINUS;
  let at = negative ? 1 : 0;
  const first = text.charCodeAt(at);
  if (!isDigit(first)) return -1;
  at++;
  if (first !== ZERO) { while (isDigit(text.charCodeAt(at))) at++; }
  if (at === text.length) return negative && first === ZERO ? -1 : 0;
  if (text.charCodeAt(at) !== DOT) return -1;
  const from = ++at;
  let isZero = first === ZERO;
  for (let c = text.charCodeAt(at); isDigit(c); c = text.charCodeAt(++at)) if (c !== ZERO) isZero = false;
  return at < text.length || at === from || (negative && isZero) ? -1 : at - from;
}

/** So many digits always fit a safe integer. */
const SAFE_DIGITS = 15;

function wholeColumn(values: Values): NumberColumn | undefined {
  let longest = 0;
  for (const value of values) {
    if (value === null || value === "") continue;
    if (fractionDigits(value) !== 0) return undefined;
    longest = Math.max(longest, value.length);
  }
  if (longest <= SAFE_DIGITS) return { type: "BIGINT", cells: numberCells(values) };
  const numbers = values.map((value) => value === null || value === "" ? null : BigInt(value));
  const type = rangeType(numbers);
  return type === undefined ? undefined : { type, cells: { kind: "bigint", values: numbers } };
}

function rangeType(numbers: readonly (bigint | null)[]): "BIGINT" | "HUGEINT" | undefined {
  const within = (max: bigint) => numbers.every((value) => value === null || (value <= max && value >= -max - 1n));
  return within(INT64_MAX) ? "BIGINT" : within(INT128_MAX) ? "HUGEINT" : undefined;
}

function numberCells(values: Values): Cells {
  const numbers = new Float64Array(values.length);
  const valid = new Uint8Array(values.length);
  let full = true;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined || value === "") full = false;
    else {
      numbers[row] = Number(value);
      valid[row] = 1;
    }
  }
  return { kind: "number", values: numbers, valid: full ? undefined : valid };
}

/** A DECIMAL prints what was written when all cells have as many digits after the point. */
function decimalColumn(values: Values): NumberColumn | undefined {
  let scale: number | undefined;
  let width = 1;
  for (const value of values) {
    if (value === null || value === "") continue;
    const digits = fractionDigits(value);
    if (digits <= 0 || digits !== (scale ??= digits)) return undefined;
    // The digit before the point counts even when it is 0: a DECIMAL without room for it prints `.5`.
    width = Math.max(width, value.length - (value.charCodeAt(0) === MINUS ? 2 : 1));
  }
  if (scale === undefined || width > MAX_DECIMAL_DIGITS) return undefined;
  const numbers = values.map((value) => value === null || value === "" ? null : unscaledOf(value));
  return { type: `DECIMAL(${width},${scale})`, cells: { kind: "bigint", values: numbers } };
}

/** The number without its point. A BigInt is made faster from a number than from a text. */
function unscaledOf(value: string): bigint {
  const digits = value.replace(".", "");
  return BigInt(digits.length <= SAFE_DIGITS ? Number(digits) : digits);
}

/** Between these sizes the engine prints a double without an exponent. */
const MIN_PRINTED = 1e-4;
const MAX_PRINTED = 1e15;

/** A DOUBLE prints what was written when every cell is the shortest text of its double, with a point. */
function doubleColumn(values: Values): NumberColumn | undefined {
  for (const value of values) {
    if (value === null || value === "") continue;
    if (fractionDigits(value) <= 0) return undefined;
    const number = Number(value);
    const size = Math.abs(number);
    const printed = Number.isInteger(number) ? `${number}.0` : String(number);
    if (printed !== value || (size !== 0 && size < MIN_PRINTED) || size >= MAX_PRINTED) return undefined;
  }
  return { type: "DOUBLE", cells: numberCells(values) };
}
