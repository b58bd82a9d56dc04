/** Turns a table into an engine table: all of it, or no trace. @module */

import duckdb from "@duckdb/node-bindings";
import { type DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import type { Table } from "../dataset.ts";
import { LoomError } from "../errors.ts";
import { CHUNK_ROWS, COLUMNS_MAX, ROWS_MAX } from "./limits.ts";
import { quoteIdentifier } from "./sql.ts";
import { vectorType, VectorWriter } from "./vectors.ts";

/** Chunks that are appended before other work of the process gets its turn. */
const CHUNKS_PER_TURN = 32;

const writer = new VectorWriter();

/**
 * The statement that creates the table of `ref`.
 * @throws LoomError `LIMIT_EXCEEDED` for more columns or rows than a dataset may have.
 */
export function createTableSql(ref: string, table: Table): string {
  assertWithinCaps(table);
  const columns = table.columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  return `CREATE TABLE ${quoteIdentifier(ref)} (${columns.join(", ")})`;
}

/** Appends every row to the table of `ref`, inside the caller's transaction, which undoes it when it throws. */
export async function appendTable(connection: DuckDBConnection, ref: string, table: Table): Promise<void> {
  const types = table.columns.map((column) => vectorType(column.type));
  const appender = await connection.createAppender(ref, "main");
  try {
    for (let from = 0, chunks = 1; from < table.rowCount; from += CHUNK_ROWS, chunks++) {
      const count = Math.min(CHUNK_ROWS, table.rowCount - from);
      const chunk = DuckDBDataChunk.create(types, count);
      table.columns.forEach((column, index) => {
        writer.write(duckdb.data_chunk_get_vector(chunk.chunk, index), column, from, count);
      });
      appender.appendDataChunk(chunk);
      // Several chunks at once would be written side by side, in any order: the server's order would be lost.
      appender.flushSync();
      if (chunks % CHUNKS_PER_TURN === 0) await turn();
    }
  } finally {
    appender.closeSync();
  }
}

function assertWithinCaps(table: Table): void {
  if (table.columns.length === 0 || table.columns.length > COLUMNS_MAX) {
    throw new LoomError(
      "LIMIT_EXCEEDED",
      `Cannot store ${table.columns.length} columns: 1 to ${COLUMNS_MAX} are possible`,
    );
  }
  if (table.rowCount > ROWS_MAX) {
    throw new LoomError("LIMIT_EXCEEDED", `Cannot store ${table.rowCount} rows: ${ROWS_MAX} at most are possible`);
  }
}

/** Lets timers and messages have their turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
