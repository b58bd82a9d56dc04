/** Keeps the result of a query as a new table, type for type, without a detour through text. @module */

import duckdb, { type Vector } from "@duckdb/node-bindings";
import {
  DuckDBArrayType,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionType,
  VARCHAR,
} from "@duckdb/node-api";
import { LoomError } from "../errors.ts";
import { COLUMNS_MAX, PAYLOAD_BYTES_MAX, ROWS_MAX } from "./limits.ts";
import type { Reading, ResultShape } from "./read.ts";
import { quoteIdentifier } from "./sql.ts";
import { typeSql } from "./types.ts";

/** A result that has been drained: nothing of it is left in the engine's hands. */
export interface Drained extends ResultShape {
  readonly chunks: readonly DuckDBDataChunk[];
  readonly rowCount: number;
  /** Payload bytes: text lengths and widths of numbers. */
  readonly bytes: number;
}

/** Collects the chunks of a result, within what a dataset may hold. */
export class Drain {
  readonly #shape: ResultShape;
  readonly #chunks: DuckDBDataChunk[] = [];
  #rowCount = 0;
  #bytes = 0;

  /** Throws `LIMIT_EXCEEDED` when a dataset cannot have so many columns. */
  constructor(shape: ResultShape) {
    if (shape.names.length > COLUMNS_MAX) throw tooMuch(`${shape.names.length} columns`, `${COLUMNS_MAX} columns`);
    this.#shape = shape;
  }

  /** Takes one more chunk. Throws `LIMIT_EXCEEDED` when that is more than a dataset may hold. */
  add(chunk: DuckDBDataChunk): void {
    this.#rowCount += chunk.rowCount;
    this.#bytes += chunkBytes(chunk, this.#shape.types);
    if (this.#rowCount > ROWS_MAX) throw tooMuch(`more than ${ROWS_MAX} rows`, `${ROWS_MAX} rows`);
    if (this.#bytes > PAYLOAD_BYTES_MAX) {
      throw tooMuch(`more than ${PAYLOAD_BYTES_MAX} bytes`, `${PAYLOAD_BYTES_MAX} bytes`);
    }
    this.#chunks.push(chunk);
  }

  /** What has been collected. */
  get drained(): Drained {
    return { ...this.#shape, chunks: this.#chunks, rowCount: this.#rowCount, bytes: this.#bytes };
  }
}

/** Drains a whole result. Throws `LIMIT_EXCEEDED` when it is more than a dataset may hold. */
export const drainAll: Reading<Drained> = async (shape, next) => {
  const drain = new Drain(shape);
  for (let chunk = await next(); chunk; chunk = await next()) drain.add(chunk);
  return drain.drained;
};

function tooMuch(has: string, limit: string): LoomError {
  return new LoomError(
    "LIMIT_EXCEEDED",
    `Cannot keep this result: it has ${has} and a dataset holds ${limit}; aggregate or filter it`,
  );
}

/** The statement that creates the table of `ref` for a result. */
export function createTableSqlFor(ref: string, { names, types }: ResultShape): string {
  const columns = names.map((name, i) => `${quoteIdentifier(name)} ${types[i] ? typeSql(types[i]) : ""}`);
  return `CREATE TABLE ${quoteIdentifier(ref)} (${columns.join(", ")})`;
}

/** Appends a drained result to the table of `ref`, inside the caller's transaction. */
export async function appendResult(connection: DuckDBConnection, ref: string, result: Drained): Promise<void> {
  const appender = await connection.createAppender(ref, "main");
  try {
    for (const chunk of result.chunks) {
      appender.appendDataChunk(appendable(chunk, result.types));
      // Several chunks at once would be written side by side, in any order: that of the SELECT would be lost.
      appender.flushSync();
    }
  } finally {
    appender.closeSync();
  }
}

/** A column of nothing but NULL has a type that no table knows: such a chunk is copied with text in its place. */
function appendable(chunk: DuckDBDataChunk, types: readonly DuckDBType[]): DuckDBDataChunk {
  if (!types.some((type) => type.typeId === DuckDBTypeId.SQLNULL)) return chunk;
  const copy = DuckDBDataChunk.create(
    types.map((type) => type.typeId === DuckDBTypeId.SQLNULL ? VARCHAR : type),
    chunk.rowCount,
  );
  types.forEach((type, index) => {
    const values = type.typeId === DuckDBTypeId.SQLNULL
      ? new Array(chunk.rowCount).fill(null)
      : chunk.getColumnValues(index);
    copy.setColumnValues(index, values);
  });
  return copy;
}

function chunkBytes(chunk: DuckDBDataChunk, types: readonly DuckDBType[]): number {
  return types.reduce(
    (sum, type, index) => sum + vectorBytes(duckdb.data_chunk_get_vector(chunk.chunk, index), type, chunk.rowCount),
    0,
  );
}

const FIXED_BYTES = 8;

/** Payload bytes of `size` cells of a vector, whatever they are nested in. */
function vectorBytes(vector: Vector, type: DuckDBType, size: number): number {
  if (type instanceof DuckDBListType || type instanceof DuckDBMapType) {
    const count = duckdb.list_vector_get_size(vector), child = duckdb.list_vector_get_child(vector);
    if (type instanceof DuckDBListType) return vectorBytes(child, type.valueType, count);
    return vectorBytes(duckdb.struct_vector_get_child(child, 0), type.keyType, count) +
      vectorBytes(duckdb.struct_vector_get_child(child, 1), type.valueType, count);
  }
  if (type instanceof DuckDBArrayType) {
    return vectorBytes(duckdb.array_vector_get_child(vector), type.valueType, size * type.length);
  }
  if (type instanceof DuckDBStructType) {
    return type.entryTypes.reduce(
      (sum, entry, i) => sum + vectorBytes(duckdb.struct_vector_get_child(vector, i), entry, size),
      0,
    );
  }
  if (type instanceof DuckDBUnionType) return size * FIXED_BYTES;
  if (type.typeId === DuckDBTypeId.VARCHAR || type.typeId === DuckDBTypeId.BLOB || type.typeId === DuckDBTypeId.BIT) {
    return textBytes(vector, size);
  }
  return size * FIXED_BYTES;
}

/** The slots of NULL cells hold whatever was there, so validity counts. */
function textBytes(vector: Vector, size: number): number {
  if (size === 0) return 0;
  const data = duckdb.vector_get_data(vector, size * 16);
  const slots = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(size / 64) * 8);
  let bytes = 0;
  for (let i = 0; i < size; i++) {
    if (validity && ((validity[i >> 3] ?? 0) >> (i & 7) & 1) === 0) continue;
    bytes += slots.getUint32(i * 16, true);
  }
  return bytes;
}
