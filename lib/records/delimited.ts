/** Delimited lines: a header that is one, and records of its width, apart by tab, semicolon or comma. @module */

import { cellKind } from "./cell_kinds.ts";
import { judge, refused } from "./coverage.ts";
import { type CsvFormat, endsLinesAlike, newlineOf, splitCsv } from "./csv.ts";
import { columnKind, couldBeHeader, lastRowKind, proveHeader } from "./header.ts";
import { isBlank, isRemark, trimSpaces } from "./lines.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Lines at the top among which the header must be. */
export const PREAMBLE_LINES_MAX = 60;

/** Lines at the foot that may speak about the table. */
export const FOOTER_LINES_MAX = 40;

/** Rows from which a table without a number in every row may count. */
export const ROWS_WITHOUT_NUMBER_MIN = 8;

/** Rows from which two columns may count; one of them must be a number in every row. */
export const TWO_COLUMN_ROWS_MIN = 20;

/** Columns from which records without a header may count, under the names `column_1`, `column_2`, … */
export const HEADERLESS_COLUMNS_MIN = 4;

/** Rows from which records without a header may count. */
export const HEADERLESS_ROWS_MIN = 20;

// Enough for the header and the first records, without touching the rest of a large text.
const GLANCE_CHARS = 65_536;
const GLANCE_RECORDS = 4;

const BYTE_ORDER_MARK = 0xfeff;

const DELIMITERS = ["\t", ";", ", ", ","] as const;

/** Where a header was found and how the records beneath it are written. */
interface Start {
  readonly offset: number;
  readonly header: readonly string[];
  readonly format: CsvFormat;
}

/** CSV, TSV and their semicolon relative. */
export const delimitedTier: Tier = { source: "text:delimited", plausible, read };

function plausible(text: string): boolean {
  return DELIMITERS.some((delimiter) => findStart(text, delimiter) !== undefined) || headerless(text) !== undefined;
}

// Tabs or semicolons, so many on the first line and on the next ones, and a number in the first: no header.
function headerless(text: string): CsvFormat | undefined {
  const glance = text.slice(0, GLANCE_CHARS);
  for (const delimiter of ["\t", ";"]) {
    const format: CsvFormat = { delimiter, newline: newlineOf(glance), quoted: false };
    const { records } = splitCsv(glance, format, GLANCE_RECORDS);
    const [first, ...more] = records;
    if (first === undefined || first.length < HEADERLESS_COLUMNS_MIN || more.length < GLANCE_RECORDS - 1) continue;
    if (couldBeHeader(first) || glance.slice(0, 4_000).includes('"')) continue;
    if (more.every((record) => record.length === first.length)) return format;
  }
  return undefined;
}

// Without names nothing else may be in doubt: every line is a record, and a column is a number in every row.
function readHeaderless(text: string, format: CsvFormat): TierOutcome {
  if (text.includes('"')) return refused("no-header");
  const { records } = splitCsv(text, format);
  while (isBlank(records.at(-1)?.join(""))) if (records.pop() === undefined) break;
  const width = records[0]?.length ?? 0;
  if (records.length < HEADERLESS_ROWS_MIN || records.some((record) => record.length !== width)) {
    return refused("no-header");
  }
  const header = Array.from({ length: width }, (_, i) => `column_${i + 1}`);
  if (!header.some((_, i) => isNumberInEveryRow(records, i)) || looksLikeCode(header, records)) {
    return refused("no-header");
  }
  if (header.some((_, i) => isLogColumn(records, i))) return refused("log-or-listing");
  if (countsLines(records)) return refused("line-marks");
  return judge(text, { header, rows: records, left: [] });
}

// `     1` and on by one before every line, and what follows the first is a header or the numbers are set flush right.
function countsLines(records: readonly (readonly string[])[]): boolean {
  const [first = ""] = records[0] ?? [];
  const counts = records.every((record, i) => Number(record[0]?.trim() || NaN) === Number(first.trim()) + i);
  return counts && (first.startsWith(" ") || couldBeHeader((records[0] ?? []).slice(1)));
}

// Times, addresses, hashes and paths throughout: lines of a log or a listing.
function isLogColumn(rows: readonly (readonly string[])[], column: number): boolean {
  const kind = columnKind(rows, column);
  if (kind !== undefined && kind !== "number" && kind !== "boolean") return true;
  return rows.every((row) => /[/\\]/.test(row[column] ?? ""));
}

function isNumberInEveryRow(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.every((row) => cellKind(row[column] ?? "") === "number");
}

function read(text: string): TierOutcome {
  const bare = headerless(text);
  if (bare !== undefined) return readHeaderless(text, bare);
  let best: TierOutcome = refused("no-header");
  for (const delimiter of DELIMITERS) {
    const start = findStart(text, delimiter);
    if (start === undefined) continue;
    const outcome = readFrom(text, start);
    if (outcome.kind === "refused") {
      if (best.kind === "refused") best = outcome;
    } else if (best.kind === "records") {
      // `a, b` is also found apart by the comma alone; the first reading is the closer one.
      if (best.records.rows.length !== outcome.records.rows.length) return refused("two-delimiters");
    } else best = outcome;
  }
  return best;
}

// The first line that could be a header and has two records of its width beneath it.
function findStart(text: string, delimiter: string): Start | undefined {
  let offset = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let above = "";
  for (let line = 0; line < PREAMBLE_LINES_MAX && offset < text.length; line++) {
    const end = text.indexOf("\n", offset);
    const stop = end === -1 ? text.length : end;
    const content = text.slice(offset, stop);
    if (
      stop - offset < GLANCE_CHARS && content.includes(delimiter) &&
      mayStandAbove(above, delimiter)
    ) {
      const start = startAt(text, offset, delimiter);
      if (start !== undefined) return start;
    }
    above = content;
    offset = stop + 1;
  }
  return undefined;
}

// A line right above a header is a remark or a title; with the delimiter in it, it could be the header itself.
function mayStandAbove(line: string, delimiter: string): boolean {
  if (/^\s*(?:```|~~~)/.test(line)) return false;
  return isBlank(line) || isRemark(line) || !line.includes(delimiter.trim() || delimiter);
}

function startAt(text: string, offset: number, delimiter: string): Start | undefined {
  const glance = text.slice(offset, offset + GLANCE_CHARS);
  const newline = newlineOf(glance);
  for (const quoted of delimiter === "\t" ? [true, false] : [true]) {
    const format: CsvFormat = { delimiter, newline, quoted };
    const { records, broken } = splitCsv(glance, format, GLANCE_RECORDS);
    const [header, first, second] = records;
    if (broken || header === undefined || first === undefined || second === undefined) continue;
    const width = header.length;
    if (width < leastColumns(text, offset, delimiter) || first.length !== width || second.length !== width) continue;
    if (!couldBeHeader(withoutLastEmpty(header)) || header[0]?.startsWith("#")) continue;
    return { offset, header, format };
  }
  return undefined;
}

// Two columns are told from sentences by a tab, or by being all there is.
function leastColumns(text: string, offset: number, delimiter: string): number {
  const isWhole = offset === 0 || (offset === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK);
  return delimiter === "\t" || (isWhole && delimiter !== ", ") ? 2 : 3;
}

// Some writers end every line with delimiters; the columns behind them are no columns.
function withoutLastEmpty(header: readonly string[]): readonly string[] {
  let width = header.length;
  while (width > 3 && header[width - 1] === "") width--;
  return header.slice(0, width);
}

function readFrom(text: string, { offset, header: first, format }: Start): TierOutcome {
  if (text.includes("\r\r\n")) return refused("line-ends-mixed");
  const { records, broken } = splitCsv(text.slice(offset), format);
  if (broken) return refused("quotes-broken");
  const width = first.length;
  let end = 1;
  while (end < records.length && records[end]?.length === width) end++;
  const tail = tailOf(text, offset, records, end);
  if (typeof tail === "string") return refused(tail);
  if (!endsLinesAlike(text.slice(offset, text.length - tail.text.length), format)) return refused("line-ends-mixed");
  const rows = records.slice(1, end);
  const header = withoutLastEmpty(first);
  if (header.length < width) {
    for (const row of rows) if (row.splice(header.length).some((cell) => cell !== "")) return refused("row-width");
  }
  if (isIndented(first, rows)) return refused("indented");
  const left = [text.slice(0, offset).replace("\ufeff", ""), tail.text];
  if (format.delimiter === "\t" && format.quoted && quotesAreContent(text.slice(offset), rows)) {
    return refused("quotes-ambiguous");
  }
  if (format.quoted && text.includes('"') && rows.some(hasStrayQuote)) return refused("quotes-stray");
  const last = lastRowKind(rows);
  if (last === "unsure") return refused("total-unsure");
  if (last === "total") left.splice(1, 0, (rows.pop() ?? []).join(format.delimiter));
  if (width === 2 && format.delimiter !== "\t" && (left.some((piece) => !isBlank(piece)) || rows.some(blankFollows))) {
    return refused("too-few-columns");
  }
  const doubt = doubtOf(text.slice(offset), header, rows, format);
  if (doubt !== undefined) return refused(doubt);
  return judge(text, { header: header.map(trimSpaces), rows, left });
}

// Blanks before every line, or an empty field, are none of the first column's.
function isIndented([name = ""]: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (name === "") return rows.every(([cell]) => cell === "");
  return name.startsWith(" ") && rows.every(([cell]) => cell?.startsWith(" "));
}

/** What follows the last full record, or why it can't be a remark. */
function tailOf(
  text: string,
  offset: number,
  records: readonly (readonly string[])[],
  end: number,
): { readonly text: string } | string {
  const tail = records.slice(end);
  const width = records[0]?.length ?? 0;
  const first = tail.findIndex((record) => record.length > 1 || !isBlank(record[0]));
  if (first === -1) return { text: "" };
  if (tail.length > FOOTER_LINES_MAX) return "row-width";
  if (tail.some((record) => record.some((field) => field.includes("\n")))) return "row-width";
  if (first === 0 && !isRemark((tail[0] ?? []).join(","))) return "row-width";
  const rows = records.slice(1, end);
  const wide = tail.filter((record) => record.length === width);
  if (wide.length > 1 || wide.some((record) => isLikeRows(record, rows))) return "rows-elsewhere";
  // Each record of the tail is one line, so the tail is that many lines from the end.
  let at = text.length;
  for (let line = 0; line < tail.length; line++) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < offset) return "row-width";
  }
  return { text: text.slice(at + 1) };
}

// A record with a number in every column where the rows have one is a row, whatever stands between.
function isLikeRows(record: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const numbers = record.flatMap((_cell, column) => columnKind(rows, column) === "number" ? [column] : []);
  return numbers.length > 0 && numbers.every((column) => cellKind(record[column] ?? "") === "number");
}

// A field that begins with blanks and a quote was quoted by other rules than the ones it was read by.
function hasStrayQuote(row: readonly string[]): boolean {
  for (const field of row) {
    if (field.charCodeAt(0) === 32 && field.includes('"') && trimSpaces(field).startsWith('"')) return true;
  }
  return false;
}

// Many writers of tabs don't quote at all, so that quotes around a cell may be its own. Those that do quote what needs
// it (a tab, a line end, a quote), or every text.
function quotesAreContent(source: string, rows: readonly (readonly string[])[]): boolean {
  let quoted = 0;
  let needless = 0;
  for (let at = source.indexOf('"'); at !== -1; at = source.indexOf('"', at)) {
    const before = source[at - 1];
    if (before !== undefined && before !== "\t" && before !== "\n") {
      at++;
      continue;
    }
    let end = source.indexOf('"', at + 1);
    let needed = false;
    while (end !== -1 && source[end + 1] === '"') {
      needed = true;
      end = source.indexOf('"', end + 2);
    }
    if (end === -1) return true;
    const inside = source.slice(at, end);
    // Two quotes of two cells, with the rows between them taken for one.
    if (inside.includes("\n") && inside.includes("\t")) return true;
    quoted++;
    if (!needed && !inside.includes("\n") && !inside.includes("\t")) needless++;
    at = end + 1;
  }
  if (needless === 0) return false;
  let texts = 0;
  for (const row of rows) for (const cell of row) if (cell !== "" && cellKind(cell) !== "number") texts++;
  return quoted < texts;
}

// Reasons to take the lines for something else than a table.
function doubtOf(
  source: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  format: CsvFormat,
): string | undefined {
  if (looksLikeCode(header, rows)) return "code";
  if (quotedByApostrophes(header, rows)) return "apostrophes";
  const proof = proveHeader(header, rows);
  if (header.length === 2) {
    return proof === "number" && rows.length >= TWO_COLUMN_ROWS_MIN ? undefined : "too-few-columns";
  }
  if (proof === "number") return namesAreCells(header, rows) ? "names-among-cells" : undefined;
  if (rows.length < ROWS_WITHOUT_NUMBER_MIN) return "no-number-column";
  if (format.quoted && everyFieldQuoted(source, header, rows)) return undefined;
  if (proof === "form" && format.delimiter !== ", " && !(format.delimiter === "," && blanksFollow(rows))) {
    return undefined;
  }
  return "no-number-column";
}

// When the name of every column of words is one of its words, two columns at least, the first line is a row like them.
function namesAreCells(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const glance = rows.slice(0, TELLING_ROWS);
  let columns = 0;
  for (const [column, name] of header.entries()) {
    if (columnKind(glance, column) !== undefined) continue;
    if (!rows.some((row) => row[column] === name)) return false;
    columns++;
  }
  return columns > 1;
}

// So many rows tell words from numbers and dates.
const TELLING_ROWS = 20;

// Statements and literals have brackets, semicolons and commas at the ends of their lines; records do not.
function looksLikeCode(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (header.at(-1)?.trim() === "") return true;
  let ends = 0;
  for (let i = 0; i < rows.length && i < 200; i++) {
    const last = trimSpaces(rows[i]?.at(-1) ?? "");
    const first = trimSpaces(rows[i]?.[0] ?? "");
    if (/[;{(\\]$/.test(last) || /^[[({]/.test(first) && /[\])},]$/.test(last)) ends++;
  }
  return ends * 2 > Math.min(rows.length, 200);
}

// Texts that all stand between apostrophes are literals of SQL: their signs, and the doubled ones inside, are not undone.
function quotedByApostrophes(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const isLiteral = (cell: string) => /^ ?'[^]*'$/.test(cell);
  if (header.every(isLiteral)) return true;
  let literals = 0;
  for (const row of rows) {
    for (const cell of row) {
      if (isLiteral(cell)) literals++;
      else if (cell !== "" && cell !== "NULL" && cellKind(cell) !== "number") return false;
    }
  }
  return literals > 0;
}

// A blank behind every comma, as in sentences.
function blanksFollow(rows: readonly (readonly string[])[]): boolean {
  return rows.every((row) => row.every((cell, i) => i === 0 || cell === "" || cell.startsWith(" ")));
}

function blankFollows([, cell = ""]: readonly string[]): boolean {
  return cell.startsWith(" ");
}

// Rows whose text fields all stand in quotes, as spreadsheets and `QUOTE_NONNUMERIC` write them: no prose looks so.
function everyFieldQuoted(
  source: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): boolean {
  const newline = source.indexOf("\n");
  const headerQuoted = source.startsWith('"');
  if (headerQuoted && !namesDiffer(header, rows)) return false;
  let fields = 0;
  for (const row of rows) {
    for (const cell of row) if (cell !== "" && cellKind(cell) !== "number") fields++;
  }
  let quotes = 0;
  for (let at = source.indexOf('"', newline); at !== -1; at = source.indexOf('"', at + 1)) quotes++;
  return quotes >= fields * 2 && fields > 0;
}

// Names written as identifiers over cells that are not: `full_name`, `createdAt`.
function namesDiffer(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (!header.every((name) => /^[A-Za-z_][\w.]*$/.test(name))) return false;
  return header.some((_, column) =>
    columnKind(rows, column) !== undefined || rows.every((row) => !/^[a-z_][\w.]*$/.test(row[column] ?? ""))
  );
}
