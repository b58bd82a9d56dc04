/** Statistics of every column, in one pass over the table. @module */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { ColumnProfile } from "../dataset.ts";
import { type CellReader, ChunkReader } from "./cells.ts";
import {
  EXTREME_CHARS_MAX,
  LISTED_CHARS_MAX,
  LISTED_COLUMNS_MAX,
  LISTED_VALUES_MAX,
  PROFILED_COLUMNS_MAX,
} from "./limits.ts";
import { quoteIdentifier } from "./sql.ts";

/** A column as its maker knows it. */
export interface ProfiledColumn {
  readonly name: string;
  /** The engine's type name. */
  readonly type: string;
  readonly path?: string | undefined;
  readonly format?: string | undefined;
}

const ORDERED_REGEXP =
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL|FLOAT|DOUBLE|VARCHAR|DATE|TIME|BOOLEAN|ENUM)/;

/**
 * Nulls counted exactly, distinct values approximately and never above the non-null rows, least and greatest value where
 * the type has an order worth showing and the value is short enough to show.
 */
export async function profileTable(
  connection: DuckDBConnection,
  ref: string,
  columns: readonly ProfiledColumn[],
  rowCount: number,
): Promise<ColumnProfile[]> {
  const profiles: ColumnProfile[] = [];
  for (let from = 0; from < columns.length; from += PROFILED_COLUMNS_MAX) {
    const some = columns.slice(from, from + PROFILED_COLUMNS_MAX);
    const names = some.map(({ name }) => quoteIdentifier(name));
    const ordered = Map.groupBy(some.filter(isOrdered), ({ type }) => type);
    const [counts, distincts, ...extremes] = await readListed(connection, ref, [
      names.map((name) => `count(${name})`),
      names.map((name) => `approx_count_distinct(${name})`),
      ...[...ordered.values()].map((alike) => alike.flatMap(extremesOf)),
    ]);
    const extremesByColumn = new Map(
      [...ordered.values()].flatMap((alike, type) =>
        alike.map((column, i) => [column, [extremes[type]?.(2 * i), extremes[type]?.(2 * i + 1)]] as const)
      ),
    );
    some.forEach((column, i) => {
      const [min, max] = extremesByColumn.get(column) ?? [];
      const filled = Number(counts?.(i));
      profiles.push({
        ...column,
        nullCount: rowCount - filled,
        approxDistinct: Math.max(filled > 0 ? 1 : 0, Math.min(Number(distincts?.(i)), filled)),
        min: shown(min),
        max: shown(max),
      });
    });
  }
  return await withValues(connection, ref, profiles);
}

/**
 * Reads aggregates over a table, of one type in each list: a list becomes one column of the result, and its items the
 * rows. A column of a result takes a vector of two thousand cells and some handles, which all wait for the garbage
 * collector: with one for each aggregate, a wide table would leave a hundred megabytes behind.
 */
async function readListed(
  connection: DuckDBConnection,
  ref: string,
  lists: readonly (readonly string[])[],
): Promise<readonly CellReader[]> {
  const selected = lists.map((aggregates) => `unnest([${aggregates.join(", ")}])`);
  const result = await connection.run(`SELECT ${selected.join(", ")} FROM ${quoteIdentifier(ref)}`);
  const chunk = await result.fetchChunk();
  if (!chunk) throw new Error("unreachable: an aggregate without a row");
  return new ChunkReader(chunk, result.columnTypes()).cells;
}

/** Adds the values of columns that hold few texts: a model that sees them need not ask what to filter by. */
async function withValues(
  connection: DuckDBConnection,
  ref: string,
  profiles: ColumnProfile[],
): Promise<ColumnProfile[]> {
  const few = profiles.filter(mayBeListed).slice(0, LISTED_COLUMNS_MAX);
  if (few.length === 0) return profiles;
  const [lists] = await readListed(connection, ref, [
    few.map(({ name }) => `list(DISTINCT ${quoteIdentifier(name)})`),
  ]);
  const listed = new Map(few.map((profile, at) => [profile, listedValues(lists?.(at))]));
  return profiles.map((profile) => {
    const values = listed.get(profile);
    return values === undefined ? profile : { ...profile, values };
  });
}

function mayBeListed({ type, approxDistinct, min, max }: ColumnProfile): boolean {
  // The count is approximate: the list itself says how many there are.
  return type === "VARCHAR" && approxDistinct <= 1.5 * LISTED_VALUES_MAX && min !== undefined && max !== undefined;
}

function listedValues(json: string | undefined): string | undefined {
  const values: unknown = JSON.parse(json ?? "null");
  if (!Array.isArray(values)) return undefined;
  // NULL stands in the list as well.
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length > LISTED_VALUES_MAX || texts.some((text) => text.length > LISTED_CHARS_MAX)) return undefined;
  return JSON.stringify(texts.toSorted());
}

function isOrdered({ type }: ProfiledColumn): boolean {
  return ORDERED_REGEXP.test(type) && !type.endsWith("]");
}

function extremesOf({ name }: ProfiledColumn): [string, string] {
  const column = quoteIdentifier(name);
  return [`min(${column})`, `max(${column})`];
}

function shown(json: string | undefined): string | undefined {
  return json === undefined || json === "null" || json.length > EXTREME_CHARS_MAX ? undefined : json;
}
