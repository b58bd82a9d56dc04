/** Delimited records by way of a CSV library, with every irregularity reported. @module */

// @ts-types="@types/papaparse"
import Papa from "papaparse";

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
