/** Words and lines of which made-up documents are written. @module */

/** A document and what it is. */
export interface Document {
  readonly name: string;
  readonly text: string;
}

/** `count` lines or paragraphs from a number. */
export function many(count: number, line: (i: number) => string, between = "\n"): string {
  return Array.from({ length: count }, (_, i) => line(i)).join(between);
}

const WORDS = "harbor lantern meadow copper signal garden needle bucket ledger window valve orchard".split(" ");
/** A word for a number. */
export const word = (i: number) => WORDS[(i * 7 + (i >> 2)) % WORDS.length] ?? "word";
/** The same with a capital. */
export const upper = (i: number) => word(i).charAt(0).toUpperCase() + word(i).slice(1);
/** A number set to the right. */
export const pad = (value: number, width: number) => String(value).padStart(width);
/** A number of two digits, up to 59. */
export const two = (value: number) => String(value % 60).padStart(2, "0");
