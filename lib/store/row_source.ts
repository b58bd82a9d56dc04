/** Hands the rows of a table to the engine as it asks for them, chunk by chunk. @module */

import duckdb from "@duckdb/node-bindings";
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBTableFunction,
  type DuckDBType,
  DuckDBVarCharType,
} from "@duckdb/node-api";
import type { Table, TableColumn } from "../dataset.ts";
import { messageOf } from "../errors.ts";
import { APPENDED_ROWS_MAX, CHUNK_ROWS } from "./limits.ts";
import { quoteIdentifier } from "./sql.ts";
import { vectorType, VectorWriter } from "./vectors.ts";

/** The function of FROM that gives the rows; the gate lets no query name it. */
const ROWS_FUNCTION = "loom_rows";

/** Text that is JSON already, so that the engine neither casts nor checks it. */
const JSON_TYPE = new DuckDBVarCharType("JSON");

/**
 * The rows that go into one connection. A few are appended; of many the engine calls for a chunk when it has room for one
 * and writes it while the next is made, which takes two thirds of the time of an appender; one thread asks, so the rows
 * keep their order.
 */
export class RowSource {
  readonly #writer = new VectorWriter();
  #table: Table = { rowCount: 0, columns: [] };
  #at = 0;
  #error: unknown;

  constructor(connection: DuckDBConnection) {
    connection.registerTableFunction(DuckDBTableFunction.create({
      name: ROWS_FUNCTION,
      bindFunction: (bind) => {
        this.#table.columns.forEach((column, i) => bind.addResultColumn(`c${i}`, resultType(column)));
        bind.setCardinality(this.#table.rowCount, true);
      },
      initFunction: (init) => {
        init.setMaxThreads(1);
        this.#at = 0;
      },
      mainFunction: (info, chunk) => {
        try {
          const count = Math.min(CHUNK_ROWS, this.#table.rowCount - this.#at);
          chunk.rowCount = count;
          if (count > 0) this.#write(chunk.chunk, this.#table, this.#at, count);
          this.#at += count;
        } catch (error) {
          this.#error = error;
          info.setError(messageOf(error));
        }
      },
    }));
  }

  /**
   * Inserts every row into the table of `ref`. One table at a time: the write lane sees to that.
   * @throws what writing a cell throws, or the engine's own error
   */
  async insert(connection: DuckDBConnection, ref: string, table: Table): Promise<void> {
    if (table.rowCount === 0) return;
    if (table.rowCount <= APPENDED_ROWS_MAX) return await this.#append(connection, ref, table);
    this.#table = table;
    this.#error = undefined;
    try {
      await connection.run(`INSERT INTO ${quoteIdentifier(ref)} SELECT * FROM ${ROWS_FUNCTION}()`);
    } catch (error) {
      throw this.#error ?? error;
    } finally {
      this.#table = { rowCount: 0, columns: [] };
    }
  }

  /** A few chunks, each written before the next: together they might end in any order. */
  async #append(connection: DuckDBConnection, ref: string, table: Table): Promise<void> {
    const appender = await connection.createAppender(ref, "main");
    try {
      const types = table.columns.map(({ type }) => vectorType(type));
      for (let at = 0; at < table.rowCount; at += CHUNK_ROWS) {
        const count = Math.min(CHUNK_ROWS, table.rowCount - at);
        const chunk = DuckDBDataChunk.create(types, count);
        this.#write(chunk.chunk, table, at, count);
        appender.appendDataChunk(chunk);
        appender.flushSync();
        // The chunk itself waits for the garbage collector; its strings need not.
        chunk.reset();
      }
    } finally {
      appender.closeSync();
    }
  }

  #write(chunk: duckdb.DataChunk, { columns }: Table, at: number, count: number): void {
    columns.forEach((column, i) => {
      this.#writer.write(duckdb.data_chunk_get_vector(chunk, i), column, at, count);
    });
  }
}

function resultType({ type }: TableColumn): DuckDBType {
  return type === "JSON" ? JSON_TYPE : vectorType(type);
}
