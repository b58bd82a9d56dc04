/** Rows of a JSON text into column stores, checked as they are read: the inner loop of every JSON shape. @module */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  DOT,
  isDigit,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipBlank,
  SPACE,
  UPPER_E,
  UPPER_I,
  ZERO,
} from "./chars.ts";
import { CellKind, ColumnGroup, type ColumnStore, RowSpace } from "./column_store.ts";
import { doubleKeeps } from "./decimal.ts";
import { cellEnd, type CellTraits, decodeString, repeatedKey, unescapeString } from "./json_cell.ts";
import { afterMember, checkNumber, checkString, checkValue, checkWord, JsonFault } from "./json_check.ts";
import { MAX_ROWS } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/**
 * Reads the object at `at` into row `row` of `group`; nested objects flatten when `flatten`; `depth` containers lie around
 * it. Gives the position after it.
 * Throws a JsonFault where the text is no JSON, and a Refusal when a key repeats.
 */
export function readObject(
  text: string,
  at: number,
  row: number,
  group: ColumnGroup,
  flatten: boolean,
  depth: number = 0,
): number {
  let expected = 0;
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    // Rows of one list nearly always repeat the key order of the row before: compare in place before decoding.
    let column = group.columns[expected];
    if (column !== undefined && standsAt(text, at, column.token)) {
      at += column.token.length;
    } else {
      if (text.charCodeAt(at) !== QUOTE) throw new JsonFault(at);
      const end = checkString(text, at);
      column = group.column(decodeString(text, at, end - 1), text.slice(at, end));
      at = end;
    }
    if (text.charCodeAt(at) !== COLON) at = skipBlank(text, at);
    if (text.charCodeAt(at) !== COLON) throw new JsonFault(at);
    if (column.kinds[row] !== CellKind.MISSING) throw repeatedKey(column.key);
    expected = column.index + 1;
    at = readCell(text, skipBlank(text, at + 1), row, group, column, flatten, depth + 1);
    at = afterMember(text, at, CLOSE_BRACE);
  }
  return at + 1;
}

function standsAt(text: string, at: number, token: string): boolean {
  for (let k = 0; k < token.length; k++) if (text.charCodeAt(at + k) !== token.charCodeAt(k)) return false;
  return true;
}

/** Reads the value at `at` into `column`, a column of `group`. Gives the position after it; throws as `readObject`. */
export function readCell(
  text: string,
  at: number,
  row: number,
  group: ColumnGroup,
  column: ColumnStore,
  flatten: boolean,
  depth: number = 0,
): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return readString(text, at, row, column);
  if (isDigit(c) || c === MINUS) return readNumber(text, at, row, column);
  if (c === LOWER_N) {
    column.mark(row, CellKind.NULL);
    return checkWord(text, at, "null");
  }
  if (c === LOWER_T || c === LOWER_F) {
    column.setBoolean(row, c === LOWER_T);
    return checkWord(text, at, c === LOWER_T ? "true" : "false");
  }
  if (c === OPEN_BRACE && flatten && text.charCodeAt(skipBlank(text, at + 1)) !== CLOSE_BRACE) {
    column.mark(row, CellKind.FLATTENED);
    return readObject(text, at, row, group.belowOf(column), false, depth);
  }
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return readJson(text, at, row, column, depth);
  return readNonfinite(text, at, row, column);
}

function readString(text: string, at: number, row: number, column: ColumnStore): number {
  let close = at + 1;
  let c = text.charCodeAt(close);
  while (c !== QUOTE) {
    if (c === BACKSLASH) return readEscaped(text, at, row, column);
    if (!(c >= SPACE)) throw new JsonFault(close);
    c = text.charCodeAt(++close);
  }
  column.setString(row, text.slice(at + 1, close));
  return close + 1;
}

function readEscaped(text: string, at: number, row: number, column: ColumnStore): number {
  const end = checkString(text, at);
  column.setDecoded(row, unescapeString(text.slice(at, end)));
  return end;
}

function readJson(text: string, at: number, row: number, column: ColumnStore, depth: number): number {
  const end = checkValue(text, at, depth);
  const traits: CellTraits = { loose: false };
  cellEnd(text, at, traits);
  if (traits.loose) column.loose = true;
  column.setJson(row, text.slice(at, end));
  return end;
}

function readNonfinite(text: string, at: number, row: number, column: ColumnStore): number {
  const c = text.charCodeAt(at);
  const negative = c === MINUS;
  const infinite = negative || c === UPPER_I;
  const end = checkWord(text, negative ? at + 1 : at, infinite ? "Infinity" : "NaN");
  column.setNumber(row, CellKind.NONFINITE, infinite ? (negative ? -Infinity : Infinity) : NaN, at);
  return end;
}

/** So many decimal digits every double keeps, and so large a power of ten is exact: dividing rounds once, correctly. */
const KEPT_DIGITS = 15;
const TENS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

function readNumber(text: string, start: number, row: number, column: ColumnStore): number {
  let at = start;
  let c = text.charCodeAt(at);
  const negative = c === MINUS;
  if (negative) c = text.charCodeAt(++at);
  if (negative && c === UPPER_I) return readNonfinite(text, start, row, column);
  const digitsAt = at;
  let value = 0;
  while (isDigit(c)) {
    value = value * 10 + (c - ZERO);
    c = text.charCodeAt(++at);
  }
  const whole = at - digitsAt;
  const plain = whole === 1 || (whole > 1 && text.charCodeAt(digitsAt) !== ZERO);
  if (!plain) throw new JsonFault(whole === 0 ? at : digitsAt + 1);
  if (c !== DOT && c !== LOWER_E && c !== UPPER_E) {
    // Beyond 2^53 the sum may be rounded, but never back below it.
    const kind = value > Number.MAX_SAFE_INTEGER
      ? CellKind.BIG
      : negative && value === 0
      ? CellKind.MINUS_ZERO
      : CellKind.SAFE;
    column.setNumber(row, kind, negative ? -value : value, start);
    return at;
  }
  if (c === DOT) {
    c = text.charCodeAt(++at);
    while (isDigit(c)) {
      value = value * 10 + (c - ZERO);
      c = text.charCodeAt(++at);
    }
  }
  const digits = at - digitsAt - 1;
  if (c === LOWER_E || c === UPPER_E || digits > KEPT_DIGITS || digits === whole) {
    return readOddNumber(text, start, row, column);
  }
  value /= TENS[digits - whole] ?? 1;
  const kind = value === 0 && negative ? CellKind.MINUS_ZERO : CellKind.FRACTION;
  column.setNumber(row, kind, negative ? -value : value, start);
  return at;
}

function readOddNumber(text: string, start: number, row: number, column: ColumnStore): number {
  const end = checkNumber(text, start, text.charCodeAt(start));
  const token = text.slice(start, end);
  const value = Number(token);
  const kind = !doubleKeeps(token) ? CellKind.LOSSY : Object.is(value, -0) ? CellKind.MINUS_ZERO : CellKind.FRACTION;
  column.setNumber(row, kind, value, start);
  return end;
}

/** Rows that were read while it was not yet known whether they are the table. */
export interface RowsAhead {
  readonly group: ColumnGroup;
  readonly rows: number;
  /** The position after the array. */
  readonly end: number;
}

/** Rows that an array is expected to have before it has been read. */
const FIRST_CAPACITY = 64;

/**
 * Reads the array of objects at `at`, each member a row; undefined at the first member that is no object, or beyond
 * MAX_ROWS. Throws a JsonFault where the text is no JSON, and a Refusal when a key repeats or the cells are too many.
 */
export function readObjectRows(text: string, at: number, depth: number): RowsAhead | undefined {
  const space = new RowSpace(FIRST_CAPACITY);
  const group = new ColumnGroup(space);
  let rows = 0;
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    if (text.charCodeAt(at) !== OPEN_BRACE || rows === MAX_ROWS) return undefined;
    space.ensure(rows);
    at = readObject(text, at, rows++, group, true, depth + 1);
    at = afterMember(text, at, CLOSE_BRACKET);
  }
  space.trim(rows);
  return { group, rows, end: at + 1 };
}

/** As `readObjectRows`, for objects that follow one another, parted by blanks, up to the end; too many rows are refused. */
export function readObjectLines(text: string, at: number): RowsAhead | undefined {
  const space = new RowSpace(FIRST_CAPACITY);
  const group = new ColumnGroup(space);
  let rows = 0;
  while (at < text.length) {
    if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
    if (rows === MAX_ROWS) throw new Refusal(`too-many-rows: more than ${MAX_ROWS}`, { final: true });
    space.ensure(rows);
    at = skipBlank(text, readObject(text, at, rows++, group, true));
  }
  space.trim(rows);
  return { group, rows, end: at };
}
