/** Delimited records by way of a CSV library, with every irregularity reported. @module */

// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { QUOTE } from "./chars.ts";

/** How records and fields are told apart. */
export interface CsvFormat {
  readonly delimiter: string;
  /** `\n` or `\r\n`; one text keeps to one. */
  readonly newline: "\n" | "\r\n";
  /** False when quotes are ordinary characters. */
  readonly quoted: boolean;
}

/** The records of a text; `broken` when a quoted field doesn't end or something follows its end. */
export interface CsvRecords {
  readonly records: string[][];
  readonly broken: boolean;
}

/** Splits a text into records. At most `recordsMax` of them when that is given. */
export function splitCsv(text: string, format: CsvFormat, recordsMax = 0): CsvRecords {
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter: format.delimiter,
    newline: format.newline,
    header: false,
    skipEmptyLines: false,
    preview: recordsMax,
    ...(format.quoted ? {} : { fastMode: true }),
  });
  return { records: data, broken: errors.length > 0 };
}

/** The line end of a text: CRLF when its first line ends so. */
export function newlineOf(text: string): "\n" | "\r\n" {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** Whether every line of `text` ends as `format` says, line ends in quotes aside. Linear in the text. */
export function endsLinesAlike(text: string, { newline, quoted }: CsvFormat): boolean {
  if (newline === "\n" && !text.includes("\r\n")) return true;
  let quotes = 0;
  let from = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (quoted) { for (let q = from; q < at; q++) if (text.charCodeAt(q) === QUOTE) quotes++; }
    from = at;
    if ((text[at - 1] === "\r") !== (newline === "\r\n") && quotes % 2 === 0) return false;
  }
  return true;
}
