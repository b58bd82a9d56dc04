/** Schema, sample and join hints of an envelope, each fitted into its share of the bytes. @module */

import type { ColumnProfile, JoinHint } from "../dataset.ts";
import type { Fitted } from "./context.ts";
import { cutText, safeJson, wireBytes } from "./text.ts";

/** Characters of one sample cell. */
export const SAMPLE_CELL_CHARS_MAX = 200;
/** Characters of a sample cell, tried one after the other until the sample fits. */
const SAMPLE_CELL_CHARS = [SAMPLE_CELL_CHARS_MAX, 80, 32] as const;
/** Characters of a column's path, or of its least or greatest value. */
const DETAIL_CHARS_MAX = 80;

/** A row of a sample: JSON text per column, in the order of the columns. */
export type SampleRow = readonly string[];

/** How much of each column is told. */
type Detail = "full" | "compact";

/** As many columns as `bytesMax` holds: with statistics if all fit so, else by name and type alone. */
export function fitSchema(
  columns: readonly ColumnProfile[],
  rowCount: number,
  bytesMax: number,
): Fitted & { detail: Detail } {
  const full = columns.map((column) => columnJson(column, rowCount, "full"));
  if (listBytes(full) <= bytesMax) return { json: `[${full.join(",")}]`, omitted: 0, detail: "full" };
  const compact = take(columns.map((column) => columnJson(column, rowCount, "compact")), bytesMax);
  return { json: `[${compact.join(",")}]`, omitted: columns.length - compact.length, detail: "compact" };
}

/** Bytes that the whole schema would take. */
export function schemaBytes(columns: readonly ColumnProfile[], rowCount: number): number {
  return listBytes(columns.map((column) => columnJson(column, rowCount, "full")));
}

/** One column as the envelope and `loom_describe` show it. */
export function columnJson(column: ColumnProfile, rowCount: number, detail: Detail): string {
  const { name, type, path, format, nullCount, approxDistinct, min, max, values } = column;
  const present = rowCount - nullCount;
  const identity = { name, type, ...(path === undefined ? {} : { path: cutText(path, DETAIL_CHARS_MAX) }) };
  if (detail === "compact") return JSON.stringify(identity);
  const statistics = JSON.stringify({
    ...identity,
    ...(format === undefined ? {} : { format }),
    nullFraction: share(nullCount, rowCount),
    approxDistinct,
    uniqueness: share(approxDistinct, present),
  });
  const shown = values === undefined ? [...extreme("min", min), ...extreme("max", max)] : [`"values":${values}`];
  return `{${[statistics.slice(1, -1), ...shown].join(",")}}`;
}

/** A member as text: a decimal keeps the digits of its scale, which a number of the language would lose. */
function extreme(name: string, json: string | undefined): string[] {
  return json === undefined ? [] : [`"${name}":${cutJson(json, DETAIL_CHARS_MAX)}`];
}

/** Rows as objects over the first `columnCount` columns; cells are cut shorter, then rows and columns left out, until they fit. */
export function fitSample(
  columns: readonly ColumnProfile[],
  rows: readonly SampleRow[],
  options: { readonly columnCount: number; readonly bytesMax: number },
): Fitted {
  const names = columns.slice(0, options.columnCount).map(({ name }) => JSON.stringify(name));
  const build = (chars: number, width: number) =>
    rows.map((row) =>
      `{${names.slice(0, width).map((name, at) => `${name}:${cutJson(row[at] ?? "null", chars)}`).join(",")}}`
    );
  for (const chars of SAMPLE_CELL_CHARS) {
    const objects = build(chars, names.length);
    if (listBytes(objects) <= options.bytesMax) return { json: `[${objects.join(",")}]`, omitted: 0 };
  }
  for (let width = names.length; width > 0; width = Math.floor(width / 2)) {
    const objects = take(build(SAMPLE_CELL_CHARS[2], width), options.bytesMax);
    if (objects.length > 0) return { json: `[${objects.join(",")}]`, omitted: rows.length - objects.length };
  }
  return { json: "[]", omitted: rows.length };
}

/** Bytes that the whole sample would take. */
export function sampleBytes(columns: readonly ColumnProfile[], rows: readonly SampleRow[]): number {
  const names = columns.reduce((sum, { name }) => sum + wireBytes(JSON.stringify(name)) + 2, 0);
  return rows.reduce(
    (sum, row) => row.reduce((bytes, cell) => bytes + wireBytes(cutJson(cell, SAMPLE_CELL_CHARS_MAX)), sum + names + 2),
    2,
  );
}

/** The best join hints that `bytesMax` holds. */
export function fitHints(hints: readonly JoinHint[], bytesMax: number): Fitted {
  const shown = take(hints.map(hintJson), bytesMax);
  return { json: `[${shown.join(",")}]`, omitted: hints.length - shown.length };
}

/** Bytes that all join hints would take. */
export function hintsBytes(hints: readonly JoinHint[]): number {
  return listBytes(hints.map(hintJson));
}

/** One join hint as the envelope and `loom_describe` show it. */
export function hintJson(hint: JoinHint): string {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return JSON.stringify({
    ...hint,
    containment: round(hint.containment),
    reverseContainment: round(hint.reverseContainment),
  });
}

/** A JSON value as the envelope shows it: strings and nested values cut, numbers that no client rounds. */
export function cutJson(json: string, maxChars: number): string {
  if (json.startsWith('"')) {
    // An escape takes at most six characters, so a longer literal surely has to be cut.
    const literal = json.length > maxChars * 6 + 2
      ? `${json.slice(0, maxChars * 6 + 1).replace(/\\[^\\]{0,5}$/, "")}"`
      : json;
    return JSON.stringify(cutText(parseString(literal), maxChars));
  }
  if (json.length <= maxChars) return safeJson(json);
  return JSON.stringify(cutText(json, maxChars));
}

function parseString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1, -1);
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, Math.round((part / whole) * 1000) / 1000);
}

function listBytes(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + wireBytes(part) + 1, 2);
}

function take(parts: readonly string[], bytesMax: number): string[] {
  const taken: string[] = [];
  let left = bytesMax - 2;
  for (const part of parts) {
    left -= wireBytes(part) + 1;
    if (left < 0) break;
    taken.push(part);
  }
  return taken;
}
