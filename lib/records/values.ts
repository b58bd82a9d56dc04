/** The JSON values that stand in a text, alone, in sequence, or among sentences. @module */

import { CLOSE_BRACE, CLOSE_BRACKET, isDigit, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE, skipBlank } from "./chars.ts";
import { JsonFault } from "./json_check.ts";
import { MAX_BROKEN_CHARS, MAX_SCATTERED_VALUES, MAX_VAIN_BRACKETS } from "./limits.ts";
import { leavesBracketOpen } from "./prose.ts";
import { Refusal } from "./refusal.ts";

/** One value in the text, as its reader gives it. */
export interface Spanned {
  readonly start: number;
  readonly end: number;
}

/** How one kind of value is read. `read` throws a JsonFault where the text stops being one. */
export interface ValueReader<T extends Spanned> {
  /** Whether the bracket at `at` could open a value, at a glance. */
  readonly plausible: (text: string, at: number) => boolean;
  readonly read: (text: string, at: number) => T;
  /** Whether a value among sentences is part of them rather than data. */
  readonly isProse: (value: T) => boolean;
}

/**
 * The values of `text` in order. Never looks at a character twice: what looked like a value up to some point and is none
 * is given up to that point, and refuses the text when it is long. A value that the end of the text cuts off always does.
 */
export function valuesIn<T extends Spanned>(text: string, reader: ValueReader<T>): T[] {
  const values: T[] = [];
  let at = 0;
  let proseFrom = 0;
  let scattered = 0;
  let vain = 0;
  while ((at = nextBracket(text, at)) >= 0) {
    if (!opensValue(text, proseFrom, at) || !reader.plausible(text, at)) {
      at++;
      continue;
    }
    const value = attempt(text, at, reader);
    if (typeof value === "number") {
      if (++vain > MAX_VAIN_BRACKETS) throw new Refusal("no-json: too many brackets that open nothing");
      at = Math.max(value, at + 1);
      continue;
    }
    const apart = skipBlank(text, proseFrom) < at;
    if (apart && reader.isProse(value)) {
      if (++vain > MAX_VAIN_BRACKETS) throw new Refusal("no-json: too many brackets that open nothing");
      at = value.end;
      continue;
    }
    if (apart && values.length > 0 && ++scattered > MAX_SCATTERED_VALUES) throw new Refusal("scattered: many values");
    if (apart && leavesBracketOpen(text.slice(proseFrom, at))) throw new Refusal("enclosed: the value is part of code");
    values.push(value);
    at = proseFrom = value.end;
  }
  return values;
}

function attempt<T extends Spanned>(text: string, at: number, reader: ValueReader<T>): T | number {
  try {
    return reader.read(text, at);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const broken = error.at - at;
    // Half a text of broken JSON is no text of another format.
    const final = 2 * broken > text.length;
    if (error.at >= text.length) throw new Refusal("cut-off: a value is open where the text ends", { final });
    if (broken > MAX_BROKEN_CHARS) throw new Refusal(`not-json: at ${error.at} of ${text.length}`, { final });
    return error.at;
  }
}

const BRACKET_REGEXP = /[[{]/g;

function nextBracket(text: string, from: number): number {
  BRACKET_REGEXP.lastIndex = from;
  return BRACKET_REGEXP.exec(text)?.index ?? -1;
}

/** Characters before a bracket on its line that make it part of code: an assignment, an argument, an index. */
const CODE_BEFORE = new Set([..."=(,[{+?&|\\/@$#%^*!~"]);

/** Whether a value may open at `at`: at the start of a line, after a sentence or a label, not inside an expression. */
function opensValue(text: string, from: number, at: number): boolean {
  let before = at - 1;
  while (before >= from && (text.charCodeAt(before) === 32 || text.charCodeAt(before) === 9)) before--;
  if (before < from) return true;
  const char = text.charAt(before);
  if (char === "\n" || char === "\r" || char === "\uFEFF") return true;
  if (CODE_BEFORE.has(char)) return false;
  // `name[` and `name{` are an index or a block; a label or a sentence leaves a space.
  return before < at - 1 || !/[\p{L}\p{N}_)]/u.test(char);
}

/** Whether JSON could open at `at`: what follows the bracket is a key, a value or the closing bracket. */
export function plausibleJson(text: string, at: number): boolean {
  const open = text.charCodeAt(at);
  const c = text.charCodeAt(skipBlank(text, at + 1));
  if (open === OPEN_BRACE) return c === QUOTE || c === CLOSE_BRACE;
  return c === OPEN_BRACE || c === OPEN_BRACKET || c === QUOTE || c === CLOSE_BRACKET || c === MINUS || isDigit(c) ||
    text.startsWith("null", skipBlank(text, at + 1));
}

/** Values that only blanks part, as one run. */
export function runsOf<T extends Spanned>(text: string, values: readonly T[]): T[][] {
  const runs: T[][] = [];
  let end = -1;
  for (const value of values) {
    const run = runs.at(-1);
    if (run && skipBlank(text, end) === value.start) run.push(value);
    else runs.push([value]);
    end = value.end;
  }
  return runs;
}
