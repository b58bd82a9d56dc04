/** Lines among the rows of a table that are none of them: a second line of the header, headings, remarks. @module */

import { cellKind } from "./cell_kinds.ts";
import { columnKind } from "./header.ts";
import { isTypeName } from "./type_names.ts";

/** Rows beneath the first from which what they have in common says something about it. */
export const ROWS_BENEATH_MIN = 5;

/** Part of the rows that may fill one cell only and still be headings between the others. */
export const HEADINGS_SHARE_MAX = 0.2;

// So many rows are looked at before all of them are.
const GLANCE_ROWS = 20;

type Row = readonly (string | undefined)[];

const PLACEHOLDER_REGEXP = /^(?:\W*|n\/?a|nan|null|none|nil|unknown|missing|inf(?:inity)?)$/i;

/**
 * True when the first row goes on with the header: types under the names, or words in two columns or more that hold
 * numbers, dates or the like from there on; in one column when a unit stands there in brackets. A word that says that a
 * value is missing is a cell.
 */
export function hasSecondHeader(rows: readonly Row[]): boolean {
  const [first, ...more] = rows.slice(0, GLANCE_ROWS + 1);
  if (first === undefined || more.length < ROWS_BENEATH_MIN) return false;
  const named = first.filter((cell) => cell !== undefined && cell.trim() !== "");
  if (named.length > 2 && named.every((cell) => isTypeName(cell ?? ""))) return true;
  const odd: number[] = [];
  for (const [column, cell = ""] of first.entries()) {
    const kind = formOf(more, column);
    if (kind === undefined || cell.trim() === "") continue;
    if (cellKind(cell) === kind) return false;
    if (!PLACEHOLDER_REGEXP.test(cell.trim())) odd.push(column);
  }
  if (odd.length === 0 || (odd.length === 1 && !isUnit(first[odd[0] ?? 0] ?? ""))) return false;
  const beneath = rows.slice(1);
  return odd.every((column) => formOf(beneath, column) !== undefined);
}

// Words such as `none` are no form: they stand in columns of any.
function formOf(rows: readonly Row[], column: number): string | undefined {
  const kind = columnKind(rows, column);
  return kind === "boolean" ? undefined : kind;
}

function isUnit(cell: string): boolean {
  return /^(?:\(.*\)|\[.*\])$/.test(cell.trim());
}

const MORE_REGEXP =
  /^\W*(?:(?:and|plus) )?\d[\d,._]* (?:more|others?|additional|remaining|further)\b|^\W*(?:\.{3}|…) ?\w|\b(?:rows?|records?|results?|lines?|items?|entries)\b.*\b(?:truncated|omitted|not shown|hidden)\b/i;
const MORE_ROWS_REGEXP =
  /\b\d[\d,._]* more (?:rows?|records?|results?|items?|entries|lines)\b|\bmore rows not shown\b/i;

/** Characters of a cell in which a remark is looked for. */
const REMARK_CHARS_MAX = 80;

const EMPHASIS_REGEXP = /^(?:\*{1,3}[^*].*\*|_{1,3}[^_].*_|.*:)$/;

/**
 * True when rows fill one cell only and are none: the last of them says that there are more, or each is a heading, set
 * off by its form from the cells that the other rows have in that place.
 */
export function hasHeadings(rows: readonly Row[]): boolean {
  const width = rows[0]?.length ?? 0;
  const last = rows.at(-1);
  if (last === undefined || width < 2) return false;
  const place = onlyCell(last);
  if (place !== undefined && MORE_REGEXP.test(last[place] ?? "")) return true;
  if (MORE_ROWS_REGEXP.test(last.find((cell) => !isEmpty(cell))?.slice(0, REMARK_CHARS_MAX) ?? "")) return true;
  if (width < 3) return false;
  const headings: Row[] = [];
  let column: number | undefined;
  for (const row of rows) {
    const at = onlyCell(row);
    if (at === undefined) continue;
    if (at !== (column ??= at)) return false;
    headings.push(row);
  }
  if (column === undefined || headings.length > rows.length * HEADINGS_SHARE_MAX) return false;
  const others = rows.filter((row) => onlyCell(row) === undefined);
  if (others.length < ROWS_BENEATH_MIN || others.some((row) => isEmpty(row[column]))) return false;
  const kind = formOf(others, column);
  if (kind !== undefined) return headings.every((row) => cellKind(row[column] ?? "") !== kind);
  const isSetOff = (row: Row) => EMPHASIS_REGEXP.test((row[column] ?? "").trim());
  return headings.every(isSetOff) && !others.some(isSetOff);
}

/** Characters of a cell of nothing but dots and blanks. */
const DOTS_CHARS_MAX = 8;

/** Signs that stand before every line of a diff, a quotation, a comment or a list. */
const SIGN_REGEXP = /^\s*(?:\/\/|--(?!-)|[#>%;+]|[*•-](?= )|-(?=[^\s\d-]))\s*(?=\S)/;
/** Signs that show where a line ends. */
const END_SIGN_REGEXP = /[^\s$][$¶↵⏎¬]$/;
const LINE_NUMBER_REGEXP = /^\s*\[?(\d{1,9})(?:[\]).:→│|]\s*|\s+)(?=\S)/;

/**
 * True when a sign or a number that counts the lines stands before the names and before every row, or the sign of a line
 * end behind them: it is none of theirs.
 */
export function hasLineMarks(header: readonly string[], rows: readonly Row[]): boolean {
  const [name = ""] = header;
  if (name !== "" && header.length > 1 && rows.every((row) => row[0] === name)) return true;
  const endSign = END_SIGN_REGEXP.exec(header.at(-1) ?? "")?.[0].at(-1);
  if (endSign !== undefined && rows.every((row) => row.at(-1)?.endsWith(endSign))) return true;
  const sign = SIGN_REGEXP.exec(name)?.[0].trim();
  if (sign !== undefined) return rows.every((row) => row[0]?.trimStart().startsWith(sign));
  let line = numberOf(name);
  return line !== undefined && rows.every((row) => {
    const next = numberOf(row[0] ?? "");
    const counts = next !== undefined && line !== undefined && next > line;
    line = next;
    return counts;
  });
}

function numberOf(cell: string): number | undefined {
  const found = LINE_NUMBER_REGEXP.exec(cell);
  return found === null ? undefined : Number(found[1]);
}

/** True when the last name and most of the cells under it end in dots: every line was cut at one width. */
export function hasCutLines(header: readonly string[], rows: readonly Row[]): boolean {
  const isCut = (cell: string | undefined) => cell?.endsWith("...") === true || cell?.endsWith("…") === true;
  return isCut(header.at(-1)) && rows.filter((row) => isCut(row.at(-1))).length * 2 > rows.length;
}

// The only cell of a row that holds something besides dots; undefined when there is none or more than one.
function onlyCell(row: Row): number | undefined {
  let only: number | undefined;
  for (let at = 0; at < row.length; at++) {
    if (isEmpty(row[at])) continue;
    if (only !== undefined) return undefined;
    only = at;
  }
  return only;
}

function isEmpty(cell: string | undefined): boolean {
  if (cell === undefined || cell === "") return true;
  const first = cell.charCodeAt(0);
  // Most cells begin with a letter or a digit, which no empty one does.
  if (first > SPACE && first !== DOT && first < FIRST_WIDE_BLANK) return false;
  return cell.trim() === "" || (cell.length <= DOTS_CHARS_MAX && /^\s*(?:\.{2,}|…)\s*$/.test(cell));
}

const SPACE = 32;
const DOT = 46;
const FIRST_WIDE_BLANK = 0xa0;
