/** The type of a column, decided by which kinds of value stand in it, and its cells in the carrier of that type. @module */

import type { Cells, ColumnType } from "../dataset.ts";
import { CellKind, type ColumnStore } from "./column_store.ts";
import { type Decimal, parseDecimal, shapeOf, unscaled } from "./decimal.ts";
import { escapeSurrogates, scalarEnd } from "./json_cell.ts";

/** A type with cells that fit it. */
export interface Typed {
  readonly type: ColumnType;
  readonly cells: Cells;
}

/** Digits of the widest DECIMAL. */
export const MAX_DECIMAL_DIGITS = 38;

const INT64_MIN = -(2n ** 63n);
/** The greatest BIGINT. */
export const INT64_MAX = 2n ** 63n - 1n;
const INT128_MIN = -(2n ** 127n);
/** The greatest HUGEINT. */
export const INT128_MAX = 2n ** 127n - 1n;

const bits = (...kinds: readonly CellKind[]): number => kinds.reduce<number>((mask, kind) => mask | 1 << kind, 0);

const WHOLE = bits(CellKind.SAFE, CellKind.BIG);
const NUMERIC = WHOLE | bits(CellKind.FRACTION, CellKind.LOSSY, CellKind.MINUS_ZERO, CellKind.NONFINITE);
/** Kinds that leave a place empty in a column of values. */
const EMPTY = bits(CellKind.NULL, CellKind.FLATTENED);

/** Types `column`, whose numbers start in `text` where the store says. */
export function typeColumn(text: string, column: ColumnStore): Typed {
  const seen = column.seen & ~EMPTY;
  if (column.broken) return jsonTextCells(text, column);
  if (seen === 0) return textCells(column, "VARCHAR");
  if (seen === bits(CellKind.STRING)) return textCells(column, "VARCHAR");
  if (seen === bits(CellKind.JSON)) return textCells(column, column.loose ? "VARCHAR" : "JSON");
  if (seen === bits(CellKind.BOOLEAN)) return booleanCells(column);
  if (seen === bits(CellKind.SAFE)) return numberCells(column, "BIGINT");
  if ((seen & ~WHOLE) === 0) return wholeCells(text, column);
  if ((seen & ~NUMERIC) === 0) return fractionCells(text, column, seen);
  return writtenCells(text, column);
}

function textCells(column: ColumnStore, type: "VARCHAR" | "JSON"): Typed {
  return { type, cells: { kind: "text", values: column.strings ?? column.makeStrings() } };
}

function booleanCells(column: ColumnStore): Typed {
  const values = Uint8Array.from(column.numbers ?? column.makeNumbers());
  return { type: "BOOLEAN", cells: { kind: "boolean", values, valid: validity(column) } };
}

function numberCells(column: ColumnStore, type: "BIGINT" | "DOUBLE"): Typed {
  return { type, cells: { kind: "number", values: column.numbers ?? column.makeNumbers(), valid: validity(column) } };
}

/** One byte per row, 0 where nothing stands; undefined when every row holds a value. */
function validity(column: ColumnStore): Uint8Array | undefined {
  const valid = new Uint8Array(column.rowCount);
  let full = true;
  for (let row = 0; row < column.rowCount; row++) {
    if (holdsValue(column, row)) valid[row] = 1;
    else full = false;
  }
  return full ? undefined : valid;
}

function holdsValue(column: ColumnStore, row: number): boolean {
  const kind = column.kinds[row] ?? CellKind.MISSING;
  return kind !== CellKind.MISSING && (EMPTY >> kind & 1) === 0;
}

/** Whole numbers of any length: 64 bits, else 128, else the text. */
function wholeCells(text: string, column: ColumnStore): Typed {
  const values: (bigint | null)[] = new Array(column.rowCount).fill(null);
  let least = 0n;
  let greatest = 0n;
  for (let row = 0; row < values.length; row++) {
    if (!holdsValue(column, row)) continue;
    const written = tokenAt(text, column, row);
    // 128 bits have 39 digits; more would make the conversion itself slow.
    if (written.length > 40) return writtenCells(text, column);
    const value = BigInt(written);
    values[row] = value;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const fits = (min: bigint, max: bigint) => least >= min && greatest <= max;
  if (fits(INT64_MIN, INT64_MAX)) return { type: "BIGINT", cells: { kind: "bigint", values } };
  if (fits(INT128_MIN, INT128_MAX)) return { type: "HUGEINT", cells: { kind: "bigint", values } };
  return writtenCells(text, column);
}

/** Numbers of which some are no whole ones: doubles if each survives, else one DECIMAL for all, else the text. */
function fractionCells(text: string, column: ColumnStore, seen: number): Typed {
  const onlyDouble = bits(CellKind.MINUS_ZERO, CellKind.NONFINITE);
  if ((seen & bits(CellKind.LOSSY, CellKind.BIG)) === 0) return numberCells(column, "DOUBLE");
  if ((seen & onlyDouble) !== 0) return writtenCells(text, column);
  return decimalCells(text, column) ?? writtenCells(text, column);
}

function decimalCells(text: string, column: ColumnStore): Typed | undefined {
  const parsed: (Decimal | undefined)[] = [];
  let whole = 0;
  let scale = 0;
  for (let row = 0; row < column.rowCount; row++) {
    if (!holdsValue(column, row)) continue;
    const value = parseDecimal(tokenAt(text, column, row));
    if (!value) return undefined;
    const shape = shapeOf(value);
    whole = Math.max(whole, shape.whole);
    scale = Math.max(scale, shape.scale);
    if (whole + scale > MAX_DECIMAL_DIGITS) return undefined;
    parsed[row] = value;
  }
  const values = Array.from({ length: column.rowCount }, (_, row) => {
    const value = parsed[row];
    return value ? unscaled(value, scale) : null;
  });
  // Without a digit before the point the engine prints `.5`, so one is added where there is room for it.
  const width = Math.min(Math.max(1, whole) + scale, MAX_DECIMAL_DIGITS);
  return { type: `DECIMAL(${width},${scale})`, cells: { kind: "bigint", values } };
}

/** Every value as the text that stood there; strings as the strings they are. */
function writtenCells(text: string, column: ColumnStore): Typed {
  const values: (string | null)[] = new Array(column.rowCount).fill(null);
  for (let row = 0; row < values.length; row++) {
    if (!holdsValue(column, row)) continue;
    const kind = column.kinds[row];
    if (kind === CellKind.STRING || kind === CellKind.JSON) values[row] = column.strings?.[row] ?? null;
    else if (kind === CellKind.BOOLEAN) values[row] = column.numbers?.[row] === 1 ? "true" : "false";
    else values[row] = tokenAt(text, column, row);
  }
  return { type: "VARCHAR", cells: { kind: "text", values } };
}

/** Every value as JSON text: where a string has no form in UTF-8, its escapes have. */
function jsonTextCells(text: string, column: ColumnStore): Typed {
  const { cells } = writtenCells(text, column);
  if (cells.kind !== "text") throw new Error("unreachable: written cells are text");
  const values = cells.values.map((value, row) => {
    if (value === null) return null;
    return column.kinds[row] === CellKind.STRING ? JSON.stringify(value) : escapeSurrogates(value);
  });
  return { type: column.loose ? "VARCHAR" : "JSON", cells: { kind: "text", values } };
}

function tokenAt(text: string, column: ColumnStore, row: number): string {
  const start = column.starts?.[row] ?? 0;
  return text.slice(start, scalarEnd(text, start));
}
