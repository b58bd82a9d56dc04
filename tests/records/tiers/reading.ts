/** Made-up rows and short ways to ask what a text is read as. @module */

import { deepEqual, equal } from "node:assert/strict";
import { readText } from "../../../lib/records/tiers.ts";
import type { TextRecords } from "../../../lib/records/tier.ts";

/** The names over {@link ROWS}. */
export const NAMES = ["id", "name", "qty"] as const;

const WORDS = ["harbor", "lantern", "meadow", "copper", "signal", "garden", "needle"];

/** Thirty rows: a number, a word, a number. */
export const ROWS: readonly (readonly string[])[] = Array.from(
  { length: 30 },
  (_, i) => [String(i), WORDS[i % WORDS.length] ?? "", String(i * 3)],
);

/** The records of a text from one kind of source; fails when there are none. */
export function recordsOf(text: string, source: string): TextRecords {
  const reading = readText(text);
  equal(reading.kind === "records" ? reading.source : reading.reason, source);
  if (reading.kind !== "records") throw new Error("unreachable: the line above fails");
  return reading.records;
}

/** Fails unless a text is read as {@link ROWS} under {@link NAMES}, with nothing around them but `residue`. */
export function isMadeTable(text: string, source: string, residue: readonly string[] = []): void {
  const records = recordsOf(text, source);
  deepEqual(records.header, NAMES);
  deepEqual(records.rows, ROWS);
  deepEqual(records.residue, residue);
}

/** Fails unless a text is refused for `reason`, a code or part of one. */
export function isRefused(text: string, reason: string): void {
  const reading = readText(text);
  equal(reading.kind === "none" && reading.reason.includes(reason) ? reason : JSON.stringify(reading), reason);
}

/** Lines of {@link ROWS}, each written by `line`. */
export function lines(line: (row: readonly string[], index: number) => string): string {
  return ROWS.map(line).join("\n");
}
