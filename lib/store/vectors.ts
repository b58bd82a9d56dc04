/** Writes the cells of a column into the vectors of the engine's data chunks, exactly or not at all. @module */

import duckdb, { type Vector } from "@duckdb/node-bindings";
import { BIGINT, BOOLEAN, DECIMAL, DOUBLE, type DuckDBType, HUGEINT, VARCHAR } from "@duckdb/node-api";
import type { Cells, ColumnType, TableColumn } from "../dataset.ts";
import { LoomError } from "../errors.ts";
import { CHUNK_ROWS } from "./limits.ts";

const VALIDITY_BYTES = CHUNK_ROWS / 8;
/** A string of up to so many bytes lies inside its 16-byte slot; a longer one is pointed to. */
const INLINE_BYTES = 12;
const SLOT_BYTES = 16;
const TWO_POW_32 = 4_294_967_296;

const DECIMAL_REGEXP = /^DECIMAL\((\d+),(\d+)\)$/;

/** The engine's type of a column; JSON is text to the engine's vectors. */
export function vectorType(type: ColumnType): DuckDBType {
  switch (type) {
    case "BOOLEAN":
      return BOOLEAN;
    case "BIGINT":
      return BIGINT;
    case "HUGEINT":
      return HUGEINT;
    case "DOUBLE":
      return DOUBLE;
    case "VARCHAR":
    case "JSON":
      return VARCHAR;
    default: {
      const match = DECIMAL_REGEXP.exec(type);
      if (!match) throw new Error(`unreachable: column type ${type}`);
      return DECIMAL(Number(match[1]), Number(match[2]));
    }
  }
}

/** Writes cells into vectors. It owns the buffers it needs, so that a million strings allocate next to nothing. */
export class VectorWriter {
  readonly #slots = new Uint8Array(CHUNK_ROWS * SLOT_BYTES);
  readonly #words = new Uint32Array(this.#slots.buffer);
  readonly #int64 = new BigInt64Array(CHUNK_ROWS * 2);
  readonly #signedWords = new Int32Array(this.#int64.buffer);
  readonly #validity = new Uint8Array(VALIDITY_BYTES);
  readonly #encoder = new TextEncoder();
  #scratch = new Uint8Array(1024 * 1024);

  /**
   * Writes `count` cells of a column, from row `from` on.
   * @throws LoomError `LIMIT_EXCEEDED` for text that UTF-8 cannot carry and for numbers that the type cannot hold.
   */
  write(vector: Vector, column: TableColumn, from: number, count: number): void {
    const cells = column.cells;
    switch (cells.kind) {
      case "text":
        return this.#writeText(vector, column.name, cells.values, from, count);
      case "number":
        if (column.type === "DOUBLE") {
          duckdb.copy_data_to_vector(vector, 0, bufferOf(cells.values), cells.values.byteOffset + from * 8, count * 8);
        } else this.#writeSafeIntegers(vector, column, cells.values, from, count);
        return this.#writeValid(vector, cells.valid, from, count);
      case "boolean":
        duckdb.copy_data_to_vector(vector, 0, bufferOf(cells.values), cells.values.byteOffset + from, count);
        return this.#writeValid(vector, cells.valid, from, count);
      case "bigint":
        return this.#writeBigints(vector, column, cells, from, count);
    }
  }

  /** Splits each double into the two words of its 64-bit integer: a BigInt per cell would cost five times as much. */
  #writeSafeIntegers(vector: Vector, column: TableColumn, values: Float64Array, from: number, count: number): void {
    if (column.type !== "BIGINT") throw new Error(`unreachable: numbers in a column of type ${column.type}`);
    const words = this.#signedWords;
    for (let i = 0; i < count; i++) {
      const value = values[from + i] ?? 0;
      const high = Math.floor(value / TWO_POW_32);
      words[2 * i] = value - high * TWO_POW_32;
      words[2 * i + 1] = high;
    }
    duckdb.copy_data_to_vector(vector, 0, this.#int64.buffer, 0, count * 8);
  }

  #writeBigints(
    vector: Vector,
    column: TableColumn,
    cells: Extract<Cells, { kind: "bigint" }>,
    from: number,
    count: number,
  ): void {
    const bytes = integerBytes(column.type);
    const items = this.#int64;
    const [low, high] = integerBounds(column.type);
    const small = bytes === 2 ? new Int16Array(count) : bytes === 4 ? new Int32Array(count) : undefined;
    for (let i = 0; i < count; i++) {
      const value = cells.values[from + i] ?? 0n;
      if (value < low || value > high) {
        throw new LoomError(
          "LIMIT_EXCEEDED",
          `Cannot store ${value} in column "${column.name}": it is beyond ${column.type}`,
        );
      }
      if (small) small[i] = Number(value);
      else if (bytes === 8) items[i] = value;
      else {
        items[2 * i] = BigInt.asIntN(64, value);
        items[2 * i + 1] = value >> 64n;
      }
    }
    duckdb.copy_data_to_vector(vector, 0, small ? bufferOf(small) : items.buffer, 0, count * bytes);
    this.#writeNulls(vector, cells.values, from, count);
  }

  /**
   * Writes all strings of a chunk at once: one encoding of the joined text, one copy into the vector's own heap, and
   * slots that point into it. Two to three times as fast as a call for each string.
   */
  #writeText(
    vector: Vector,
    name: string,
    values: readonly (string | null)[],
    from: number,
    count: number,
  ): void {
    const chunk = values.slice(from, from + count);
    const joined = chunk.join("");
    if (this.#scratch.length < joined.length * 3) this.#scratch = new Uint8Array(joined.length * 3);
    const written = this.#encoder.encodeInto(joined, this.#scratch).written;
    const ends = written === joined.length ? undefined : this.#encodeEach(chunk, name);
    const bytes = this.#scratch.subarray(0, written);
    this.#fillSlots(chunk, ends, bytes, written > INLINE_BYTES ? heapAddress(vector, bytes) : undefined);
    duckdb.copy_data_to_vector(vector, 0, bufferOf(this.#slots), 0, count * SLOT_BYTES);
    this.#writeNulls(vector, chunk, 0, count);
  }

  /** Encodes string by string where a character is not a byte, and gives where each ends; refuses what UTF-8 cannot carry. */
  #encodeEach(chunk: readonly (string | null)[], name: string): Uint32Array {
    const ends = new Uint32Array(chunk.length);
    let end = 0;
    for (let i = 0; i < chunk.length; i++) {
      const text = chunk[i];
      if (text) {
        // The encoder would put U+FFFD in the place of a lone surrogate: other text than the server's.
        if (!text.isWellFormed()) {
          throw new LoomError("LIMIT_EXCEEDED", `Cannot store text in column "${name}": a lone surrogate is not UTF-8`);
        }
        end += this.#encoder.encodeInto(text, this.#scratch.subarray(end)).written;
      }
      ends[i] = end;
    }
    return ends;
  }

  #fillSlots(
    chunk: readonly (string | null)[],
    ends: Uint32Array | undefined,
    bytes: Uint8Array,
    address: bigint | undefined,
  ): void {
    const slots = this.#slots, words = this.#words;
    const low = address === undefined ? 0 : Number(address % BigInt(TWO_POW_32));
    const high = address === undefined ? 0 : Number(address / BigInt(TWO_POW_32));
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const end = ends ? ends[i] ?? start : start + (chunk[i]?.length ?? 0);
      const length = end - start, word = i * 4, slot = i * SLOT_BYTES + 4;
      words[word] = length;
      if (length <= INLINE_BYTES) {
        words[word + 1] = words[word + 2] = words[word + 3] = 0;
        for (let j = 0; j < length; j++) slots[slot + j] = bytes[start + j] ?? 0;
      } else {
        for (let j = 0; j < 4; j++) slots[slot + j] = bytes[start + j] ?? 0;
        const pointer = low + start;
        words[word + 2] = pointer;
        words[word + 3] = pointer < TWO_POW_32 ? high : high + 1;
      }
      start = end;
    }
  }

  #writeValid(vector: Vector, valid: Uint8Array | undefined, from: number, count: number): void {
    if (!valid) return;
    const bits = this.#validity.fill(0xff);
    let nulls = 0;
    for (let i = 0; i < count; i++) if (valid[from + i] === 0) nulls += clearBit(bits, i);
    if (nulls > 0) copyValidity(vector, bits);
  }

  #writeNulls(vector: Vector, values: readonly unknown[], from: number, count: number): void {
    const bits = this.#validity.fill(0xff);
    let nulls = 0;
    for (let i = 0; i < count; i++) if (values[from + i] === null) nulls += clearBit(bits, i);
    if (nulls > 0) copyValidity(vector, bits);
  }
}

/** Copies bytes into the vector's string heap and gives their address there; the heap lives as long as the vector. */
function heapAddress(vector: Vector, bytes: Uint8Array): bigint {
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const slot = duckdb.vector_get_data(vector, SLOT_BYTES);
  return new DataView(slot.buffer, slot.byteOffset, SLOT_BYTES).getBigUint64(8, true);
}

function clearBit(bits: Uint8Array, index: number): 1 {
  bits[index >> 3] = (bits[index >> 3] ?? 0) & ~(1 << (index & 7));
  return 1;
}

function copyValidity(vector: Vector, bits: Uint8Array): void {
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, bufferOf(bits), bits.byteOffset, bits.byteLength);
}

/** Bytes of the integer that carries a BIGINT, a HUGEINT or the unscaled value of a DECIMAL. */
function integerBytes(type: ColumnType): 2 | 4 | 8 | 16 {
  if (type === "BIGINT") return 8;
  if (type === "HUGEINT") return 16;
  const width = Number(DECIMAL_REGEXP.exec(type)?.[1]);
  return width <= 4 ? 2 : width <= 9 ? 4 : width <= 18 ? 8 : 16;
}

/** The least and the greatest (unscaled) value that a type holds. */
function integerBounds(type: ColumnType): readonly [bigint, bigint] {
  const width = DECIMAL_REGEXP.exec(type)?.[1];
  if (width !== undefined) {
    const high = 10n ** BigInt(width) - 1n;
    return [-high, high];
  }
  const high = (1n << (type === "BIGINT" ? 63n : 127n)) - 1n;
  return [-high - 1n, high];
}

function bufferOf(view: ArrayBufferView): ArrayBuffer {
  if (!(view.buffer instanceof ArrayBuffer)) throw new Error("unreachable: shared memory in a column");
  return view.buffer;
}
