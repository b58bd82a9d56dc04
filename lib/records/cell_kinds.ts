/** What a cell of text looks like: a number, a date, a name for a column. @module */

/** Characters beyond which a cell is not looked at closely: it is plain text. */
export const CLOSE_LOOK_CHARS_MAX = 80;

/** Characters of a column's name; longer first lines are data. */
export const NAME_CHARS_MAX = 80;

/** Words of a column's name; longer ones are sentences. */
export const NAME_WORDS_MAX = 8;

/** Kinds of cell that can be told by their form alone. */
export type CellKind = "number" | "date" | "uuid" | "hash" | "url" | "email" | "boolean" | "address" | "version";

// Each expression is anchored and has no two neighbouring parts that can match the same character, so that none can
// backtrack; cells are bounded by CLOSE_LOOK_CHARS_MAX besides.
const NUMBER_REGEXP =
  /^[-+(]?(?:[$€£¥₹]|USD |EUR |GBP )?[-+]?(?:\d+(?:[.,' \u00a0\u202f]\d+)*[.,]?|[.,]\d+)(?:[eE][-+]?\d+)?(?: ?%|‰|\)| ?[$€£¥]| ?[kKMGT]i?B?| ?B)?$/;
const DATE_REGEXP =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}-?W\d{2}|\d{4}-\d{2})(?:[T ,]\S.*)?$|^\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?[AaPp][Mm])?$/;
const MONTH_DATE_REGEXP =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}[ -]\d{1,4}(?:\D.*)?$/;
const UUID_REGEXP = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const HASH_REGEXP = /^(?:0x)?[0-9a-fA-F]{7,}$/;
const URL_REGEXP = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/;
const EMAIL_REGEXP = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const BOOLEAN_REGEXP = /^(?:true|false|yes|no|null|none|nan|n\/a)$/i;
const ADDRESS_REGEXP = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+|\/\d+)?$/;
const VERSION_REGEXP = /^v?\d+(?:\.\d+)+(?:[-+~][\w.+~-]+)?$/;
const LETTER_REGEXP = /\p{L}/u;
const LEADING_DIGIT_REGEXP = /\d/;

/** The kind of a cell, or `undefined` for plain text and for nothing. */
export function cellKind(cell: string): CellKind | undefined {
  const text = cell.trim();
  if (text === "" || text.length > CLOSE_LOOK_CHARS_MAX) return undefined;
  if (NUMBER_REGEXP.test(text)) return text.indexOf(".") === text.lastIndexOf(".") ? "number" : dottedKind(text);
  if (BOOLEAN_REGEXP.test(text)) return "boolean";
  if (MONTH_DATE_REGEXP.test(text)) return "date";
  if (URL_REGEXP.test(text)) return "url";
  if (EMAIL_REGEXP.test(text)) return "email";
  if (!LEADING_DIGIT_REGEXP.test(text)) return undefined;
  if (DATE_REGEXP.test(text)) return "date";
  if (UUID_REGEXP.test(text)) return "uuid";
  if (ADDRESS_REGEXP.test(text)) return "address";
  if (VERSION_REGEXP.test(text)) return "version";
  if (HASH_REGEXP.test(text)) return "hash";
  return undefined;
}

// `10.0.0.1` and `31.12.2025` are no numbers, `1.234.567` may be one.
function dottedKind(text: string): CellKind {
  if (ADDRESS_REGEXP.test(text)) return "address";
  return DATE_REGEXP.test(text) ? "date" : "number";
}

/** True when a cell could be the name of a column: short, wordy, and not itself a value or a piece of code. */
export function looksLikeName(cell: string): boolean {
  const name = cell.trim();
  if (name === "#" || name === "%" || name === "№") return true;
  if (name === "" || name.length > NAME_CHARS_MAX) return false;
  if (!LETTER_REGEXP.test(name)) return false;
  if (/[\n\r\t{}=;<>|\\`"]|:[\s\d]/.test(name)) return false;
  if (cellKind(name) !== undefined) return false;
  if (unbalanced(name)) return false;
  const words = name.split(/\s+/);
  if (words.length > NAME_WORDS_MAX) return false;
  // A full stop or a colon ends a sentence or opens a block; `No.` and `Qty.` are names.
  if (/[.!,]$/.test(name) && words.length > 2) return false;
  return !/[:({[]$/.test(name);
}

// A piece of a call or a list, cut at its commas, has a bracket without its partner.
function unbalanced(name: string): boolean {
  let open = 0;
  for (const char of name) {
    if (char === "(" || char === "[") open++;
    else if (char === ")" || char === "]") {
      open--;
      if (open < 0) return true;
    }
  }
  return open !== 0;
}
