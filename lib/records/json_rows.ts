/** Rows of a checked JSON text into column stores: the inner loop of every JSON shape. @module */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
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
  UPPER_E,
  ZERO,
} from "./chars.ts";
import { CellKind, type ColumnGroup, type ColumnStore } from "./column_store.ts";
import { doubleKeeps } from "./decimal.ts";
import {
  cellEnd,
  type CellTraits,
  closingQuote,
  decodeString,
  repeatedKey,
  stepColon,
  unescapeString,
} from "./json_cell.ts";
import { stepMember } from "./json_cell.ts";

/** Reads the object at `at` into row `row` of `group`; nested objects flatten when `flatten`. Gives the position after it. */
export function readObject(text: string, at: number, row: number, group: ColumnGroup, flatten: boolean): number {
  let expected = 0;
  at = skipBlank(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    // Rows of one list nearly always repeat the key order of the row before: compare in place before decoding.
    let column = group.columns[expected];
    if (column !== undefined && standsAt(text, at, column.token)) {
      at = stepColon(text, at + column.token.length - 1);
    } else {
      const close = closingQuote(text, at);
      column = group.column(decodeString(text, at, close), text.slice(at, close + 1));
      at = stepColon(text, close);
    }
    if (column.kinds[row] !== CellKind.MISSING) throw repeatedKey(column.key);
    expected = column.index + 1;
    at = stepMember(text, readCell(text, at, row, group, column, flatten));
  }
  return at + 1;
}

function standsAt(text: string, at: number, token: string): boolean {
  for (let k = 0; k < token.length; k++) if (text.charCodeAt(at + k) !== token.charCodeAt(k)) return false;
  return true;
}

/** Reads the value at `at` into `column`, a column of `group`. Gives the position after it. */
export function readCell(
  text: string,
  at: number,
  row: number,
  group: ColumnGroup,
  column: ColumnStore,
  flatten: boolean,
): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return readString(text, at, row, column);
  if (isDigit(c) || c === MINUS) return readNumber(text, at, row, column);
  if (c === LOWER_N) {
    column.mark(row, CellKind.NULL);
    return at + 4;
  }
  if (c === LOWER_T) {
    column.setBoolean(row, true);
    return at + 4;
  }
  if (c === LOWER_F) {
    column.setBoolean(row, false);
    return at + 5;
  }
  if (c === OPEN_BRACE && flatten && text.charCodeAt(skipBlank(text, at + 1)) !== CLOSE_BRACE) {
    column.mark(row, CellKind.FLATTENED);
    return readObject(text, at, row, group.belowOf(column), false);
  }
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return readJson(text, at, row, column);
  return readNonfinite(text, at, row, column);
}

function readString(text: string, at: number, row: number, column: ColumnStore): number {
  let close = at + 1;
  let c = text.charCodeAt(close);
  while (c !== QUOTE && c !== BACKSLASH) c = text.charCodeAt(++close);
  if (c === QUOTE) {
    column.setString(row, text.slice(at + 1, close));
    return close + 1;
  }
  close = closingQuote(text, at);
  column.setDecoded(row, unescapeString(text.slice(at, close + 1)));
  return close + 1;
}

function readJson(text: string, at: number, row: number, column: ColumnStore): number {
  const traits: CellTraits = { loose: false };
  const end = cellEnd(text, at, traits);
  if (traits.loose) column.loose = true;
  column.setJson(row, text.slice(at, end));
  return end;
}

function readNonfinite(text: string, at: number, row: number, column: ColumnStore): number {
  if (text.charCodeAt(at) === 78) {
    column.setNumber(row, CellKind.NONFINITE, NaN, at);
    return at + 3;
  }
  const negative = text.charCodeAt(at) === MINUS;
  column.setNumber(row, CellKind.NONFINITE, negative ? -Infinity : Infinity, at);
  return at + (negative ? 9 : 8);
}

/** So many decimal digits every double keeps, and so large a power of ten is exact: dividing rounds once, correctly. */
const KEPT_DIGITS = 15;
const TENS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

function readNumber(text: string, start: number, row: number, column: ColumnStore): number {
  let at = start;
  let c = text.charCodeAt(at);
  const negative = c === MINUS;
  if (negative) c = text.charCodeAt(++at);
  if (!isDigit(c)) return readNonfinite(text, start, row, column);
  const digitsAt = at;
  let value = 0;
  while (isDigit(c)) {
    value = value * 10 + (c - ZERO);
    c = text.charCodeAt(++at);
  }
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
  const whole = at - digitsAt;
  if (c === DOT) {
    c = text.charCodeAt(++at);
    while (isDigit(c)) {
      value = value * 10 + (c - ZERO);
      c = text.charCodeAt(++at);
    }
  }
  const digits = at - digitsAt - 1;
  if (c !== LOWER_E && c !== UPPER_E && digits <= KEPT_DIGITS) {
    value /= TENS[digits - whole] ?? 1;
    const kind = value === 0 && negative ? CellKind.MINUS_ZERO : CellKind.FRACTION;
    column.setNumber(row, kind, negative ? -value : value, start);
    return at;
  }
  while (isDigit(c) || c === LOWER_E || c === UPPER_E || c === 43 || c === MINUS) c = text.charCodeAt(++at);
  readOddNumber(text.slice(start, at), start, row, column);
  return at;
}

function readOddNumber(token: string, start: number, row: number, column: ColumnStore): void {
  const value = Number(token);
  const kind = !doubleKeeps(token) ? CellKind.LOSSY : Object.is(value, -0) ? CellKind.MINUS_ZERO : CellKind.FRACTION;
  column.setNumber(row, kind, value, start);
}

/** Reads the members of the array of objects that opens at `at`, one row each. */
export function readObjectRows(text: string, at: number, group: ColumnGroup): void {
  at = skipBlank(text, at + 1);
  for (let row = 0; text.charCodeAt(at) !== CLOSE_BRACKET; row++) {
    at = stepMember(text, readObject(text, at, row, group, true));
  }
}
