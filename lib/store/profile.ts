/** Statistics of every column, in one pass over the table. @module */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { ColumnProfile } from "../dataset.ts";
import { ChunkReader } from "./cells.ts";
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
    const selected = some.flatMap((column) => aggregatesOf(column));
    const result = await connection.run(`SELECT ${selected.join(", ")} FROM ${quoteIdentifier(ref)}`);
    const chunk = await result.fetchChunk();
    if (!chunk) throw new Error("unreachable: an aggregate without a row");
    const reader = new ChunkReader(chunk, result.columnTypes());
    some.forEach((column, index) => {
      const [count, distinct, min, max] = reader.cells.slice(4 * index, 4 * index + 4).map((cell) => cell(0));
      const filled = Number(count);
      profiles.push({
        ...column,
        nullCount: rowCount - filled,
        approxDistinct: Math.max(filled > 0 ? 1 : 0, Math.min(Number(distinct), filled)),
        min: shown(min),
        max: shown(max),
      });
    });
  }
  return await withValues(connection, ref, profiles);
}

/** Adds the values of columns that hold few texts: a model that sees them need not ask what to filter by. */
async function withValues(
  connection: DuckDBConnection,
  ref: string,
  profiles: ColumnProfile[],
): Promise<ColumnProfile[]> {
  const few = profiles.filter(mayBeListed).slice(0, LISTED_COLUMNS_MAX);
  if (few.length === 0) return profiles;
  const lists = few.map(({ name }) => `list(DISTINCT ${quoteIdentifier(name)})`).join(", ");
  const result = await connection.run(`SELECT ${lists} FROM ${quoteIdentifier(ref)}`);
  const chunk = await result.fetchChunk();
  if (!chunk) throw new Error("unreachable: an aggregate without a row");
  const { cells } = new ChunkReader(chunk, result.columnTypes());
  const listed = new Map(few.map((profile, at) => [profile, listedValues(cells[at]?.(0))]));
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

function aggregatesOf({ name, type }: ProfiledColumn): string[] {
  const column = quoteIdentifier(name);
  const ordered = ORDERED_REGEXP.test(type) && !type.endsWith("]");
  return [
    `count(${column})`,
    `approx_count_distinct(${column})`,
    ordered ? `min(${column})` : "NULL",
    ordered ? `max(${column})` : "NULL",
  ];
}

function shown(json: string | undefined): string | undefined {
  return json === undefined || json === "null" || json.length > EXTREME_CHARS_MAX ? undefined : json;
}
