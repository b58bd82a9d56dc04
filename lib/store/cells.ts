/** Reads cells out of the engine's chunks as JSON text, exact for every type. @module */

import duckdb, { type Vector } from "@duckdb/node-bindings";
import {
  DuckDBArrayType,
  type DuckDBDataChunk,
  DuckDBDecimalType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionType,
} from "@duckdb/node-api";
import { LoomError } from "../errors.ts";
import { CELL_BYTES_MAX, NESTED_ITEMS_MAX } from "./limits.ts";
import { dateText, intervalText, timestampText, timestampTzText, timeText, timeTzText } from "./times.ts";

/** The JSON text of the cell in a row. */
export type CellReader = (row: number) => string;

/** How cells are read. */
export interface ReadOptions {
  /** UTF-16 units at which a text cell is cut, ending in `…`; uncut when absent. */
  readonly cellChars?: number | undefined;
}

/** The readers of a chunk. It holds on to the chunk, whose memory they read. */
export class ChunkReader {
  readonly rowCount: number;
  readonly cells: readonly CellReader[];
  readonly chunk: DuckDBDataChunk;

  constructor(chunk: DuckDBDataChunk, types: readonly DuckDBType[], options: ReadOptions = {}) {
    this.chunk = chunk;
    this.rowCount = chunk.rowCount;
    this.cells = types.map((type, index) =>
      nullable(duckdb.data_chunk_get_vector(chunk.chunk, index), type, this.rowCount, options)
    );
  }

  /** A row as the text of a JSON object; `keys` are the column names as JSON text with a colon behind. */
  rowJson(keys: readonly string[], row: number): string {
    let text = "{";
    for (let i = 0; i < keys.length; i++) text += `${i === 0 ? "" : ","}${keys[i]}${this.cells[i]?.(row)}`;
    return `${text}}`;
  }
}

/** Column names as {@link ChunkReader.rowJson} wants them. */
export function keysOf(names: readonly string[]): string[] {
  return names.map((name) => `${JSON.stringify(name)}:`);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function nullable(vector: Vector, type: DuckDBType, size: number, options: ReadOptions): CellReader {
  if (type.typeId === DuckDBTypeId.SQLNULL) return () => "null";
  const read = readerOf(vector, type, size, options);
  const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(size / 64) * 8);
  if (!validity) return read;
  return (row) => ((validity[row >> 3] ?? 0) >> (row & 7) & 1) === 1 ? read(row) : "null";
}

/** Bytes that a cell of a fixed-width type takes in its vector. */
const WIDTHS: Readonly<Record<number, number>> = {
  [DuckDBTypeId.BOOLEAN]: 1,
  [DuckDBTypeId.TINYINT]: 1,
  [DuckDBTypeId.UTINYINT]: 1,
  [DuckDBTypeId.SMALLINT]: 2,
  [DuckDBTypeId.USMALLINT]: 2,
  [DuckDBTypeId.INTEGER]: 4,
  [DuckDBTypeId.UINTEGER]: 4,
  [DuckDBTypeId.FLOAT]: 4,
  [DuckDBTypeId.DATE]: 4,
  [DuckDBTypeId.BIGINT]: 8,
  [DuckDBTypeId.UBIGINT]: 8,
  [DuckDBTypeId.DOUBLE]: 8,
  [DuckDBTypeId.TIME]: 8,
  [DuckDBTypeId.TIME_NS]: 8,
  [DuckDBTypeId.TIME_TZ]: 8,
  [DuckDBTypeId.TIMESTAMP]: 8,
  [DuckDBTypeId.TIMESTAMP_S]: 8,
  [DuckDBTypeId.TIMESTAMP_MS]: 8,
  [DuckDBTypeId.TIMESTAMP_NS]: 8,
  [DuckDBTypeId.TIMESTAMP_TZ]: 8,
  [DuckDBTypeId.HUGEINT]: 16,
  [DuckDBTypeId.UHUGEINT]: 16,
  [DuckDBTypeId.UUID]: 16,
  [DuckDBTypeId.INTERVAL]: 16,
};

/** What a fixed-width cell says, from its bytes. */
const FIXED: Readonly<Record<number, (data: DataView, at: number) => string>> = {
  [DuckDBTypeId.BOOLEAN]: (data, at) => data.getUint8(at) !== 0 ? "true" : "false",
  [DuckDBTypeId.TINYINT]: (data, at) => `${data.getInt8(at)}`,
  [DuckDBTypeId.UTINYINT]: (data, at) => `${data.getUint8(at)}`,
  [DuckDBTypeId.SMALLINT]: (data, at) => `${data.getInt16(at, true)}`,
  [DuckDBTypeId.USMALLINT]: (data, at) => `${data.getUint16(at, true)}`,
  [DuckDBTypeId.INTEGER]: (data, at) => `${data.getInt32(at, true)}`,
  [DuckDBTypeId.UINTEGER]: (data, at) => `${data.getUint32(at, true)}`,
  [DuckDBTypeId.FLOAT]: (data, at) => doubleJson(shortestFloat(data.getFloat32(at, true))),
  [DuckDBTypeId.DOUBLE]: (data, at) => doubleJson(data.getFloat64(at, true)),
  [DuckDBTypeId.BIGINT]: (data, at) => bigint64Json(data, at),
  [DuckDBTypeId.UBIGINT]: (data, at) => integerJson(data.getBigUint64(at, true)),
  [DuckDBTypeId.HUGEINT]: (data, at) => integerJson(int128(data, at)),
  [DuckDBTypeId.UHUGEINT]: (data, at) => integerJson(BigInt.asUintN(128, int128(data, at))),
  [DuckDBTypeId.DATE]: (data, at) => quoted(dateText(data.getInt32(at, true))),
  [DuckDBTypeId.TIME]: (data, at) => quoted(timeText(data.getBigInt64(at, true), 6)),
  [DuckDBTypeId.TIME_NS]: (data, at) => quoted(timeText(data.getBigInt64(at, true), 9)),
  [DuckDBTypeId.TIME_TZ]: (data, at) => quoted(timeTzText(data.getBigUint64(at, true))),
  [DuckDBTypeId.TIMESTAMP]: (data, at) => quoted(timestampText(data.getBigInt64(at, true), 6)),
  [DuckDBTypeId.TIMESTAMP_S]: (data, at) => quoted(timestampText(data.getBigInt64(at, true), 0)),
  [DuckDBTypeId.TIMESTAMP_MS]: (data, at) => quoted(timestampText(data.getBigInt64(at, true), 3)),
  [DuckDBTypeId.TIMESTAMP_NS]: (data, at) => quoted(timestampText(data.getBigInt64(at, true), 9)),
  [DuckDBTypeId.TIMESTAMP_TZ]: (data, at) => quoted(timestampTzText(data.getBigInt64(at, true))),
  [DuckDBTypeId.UUID]: (data, at) => quoted(uuidText(int128(data, at))),
  [DuckDBTypeId.INTERVAL]: (data, at) =>
    quoted(intervalText(data.getInt32(at, true), data.getInt32(at + 4, true), data.getBigInt64(at + 8, true))),
};

function readerOf(vector: Vector, type: DuckDBType, size: number, options: ReadOptions): CellReader {
  const fixed = FIXED[type.typeId], width = WIDTHS[type.typeId];
  if (fixed && width !== undefined) {
    const data = dataOf(vector, size * width);
    return (row) => fixed(data, row * width);
  }
  if (type.typeId === DuckDBTypeId.VARCHAR) return textReader(vector, size, options);
  if (type.typeId === DuckDBTypeId.BLOB) return bytesReader(vector, size, blobText);
  if (type.typeId === DuckDBTypeId.BIT) return bytesReader(vector, size, bitText);
  if (type instanceof DuckDBDecimalType) return decimalReader(vector, type, size);
  if (type instanceof DuckDBEnumType) return enumReader(vector, type, size);
  if (type instanceof DuckDBListType) return listReader(vector, size, itemsReader(vector, type.valueType, options));
  if (type instanceof DuckDBMapType) return mapReader(vector, type, size, options);
  if (type instanceof DuckDBArrayType) return arrayReader(vector, type, size, options);
  if (type instanceof DuckDBStructType) return structReader(vector, type, size, options);
  if (type instanceof DuckDBUnionType) return unionReader(vector, type, size, options);
  throw new LoomError("QUERY_FAILED", `Cannot return values of type ${type}: cast them to VARCHAR in the SELECT`);
}

/** The bytes of one string slot. */
function slotBytes(data: DataView, at: number): Uint8Array {
  const length = data.getUint32(at, true);
  if (length <= 12) return new Uint8Array(data.buffer, data.byteOffset + at + 4, length);
  if (length > CELL_BYTES_MAX) {
    throw new LoomError(
      "LIMIT_EXCEEDED",
      `Cannot return a cell of ${length} bytes: ${CELL_BYTES_MAX} at most are possible; select left(column, n) or length(column)`,
    );
  }
  return duckdb.get_data_from_pointer(bufferOf(data), data.byteOffset + at + 8, length);
}

function textReader(vector: Vector, size: number, { cellChars }: ReadOptions): CellReader {
  const data = dataOf(vector, size * 16);
  const whole = (row: number) => decoder.decode(slotBytes(data, row * 16));
  if (cellChars === undefined) return (row) => JSON.stringify(whole(row));
  return (row) => {
    const text = whole(row);
    return JSON.stringify(text.length > cellChars ? `${wholeChars(text, cellChars)}…` : text);
  };
}

/** The first `chars` UTF-16 units, one less where that would cut a character in two. */
function wholeChars(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}

function bytesReader(vector: Vector, size: number, show: (bytes: Uint8Array) => string): CellReader {
  const data = dataOf(vector, size * 16);
  return (row) => JSON.stringify(show(slotBytes(data, row * 16)));
}

function decimalReader(vector: Vector, type: DuckDBDecimalType, size: number): CellReader {
  const bytes = type.width <= 4 ? 2 : type.width <= 9 ? 4 : type.width <= 18 ? 8 : 16;
  const data = dataOf(vector, size * bytes);
  const read: Record<number, (at: number) => bigint> = {
    2: (at) => BigInt(data.getInt16(at, true)),
    4: (at) => BigInt(data.getInt32(at, true)),
    8: (at) => data.getBigInt64(at, true),
    16: (at) => int128(data, at),
  };
  const unscaled = read[bytes];
  if (!unscaled) throw new Error("unreachable: width of a decimal");
  return (row) => decimalJson(unscaled(row * bytes), type.scale);
}

function enumReader(vector: Vector, type: DuckDBEnumType, size: number): CellReader {
  const values = type.values.map((value) => JSON.stringify(value));
  const bytes = values.length <= 0xff ? 1 : values.length <= 0xffff ? 2 : 4;
  const data = dataOf(vector, size * bytes);
  return (row) => {
    const at = row * bytes;
    const index = bytes === 1 ? data.getUint8(at) : bytes === 2 ? data.getUint16(at, true) : data.getUint32(at, true);
    return values[index] ?? "null";
  };
}

/** A reader over the flat elements of all lists of a vector. */
function itemsReader(vector: Vector, type: DuckDBType, options: ReadOptions): CellReader {
  const size = duckdb.list_vector_get_size(vector);
  assertItems(size);
  return nullable(duckdb.list_vector_get_child(vector), type, size, options);
}

function listReader(vector: Vector, size: number, item: CellReader, brackets = "[]"): CellReader {
  const data = dataOf(vector, size * 16);
  return (row) => {
    const from = Number(data.getBigUint64(row * 16, true));
    const count = Number(data.getBigUint64(row * 16 + 8, true));
    return bracketed(from, count, item, brackets);
  };
}

function bracketed(from: number, count: number, item: CellReader, brackets = "[]"): string {
  const items: string[] = [];
  for (let i = from; i < from + count; i++) items.push(item(i));
  return `${brackets[0]}${items.join(",")}${brackets[1]}`;
}

/** A map with text keys is a JSON object; any other is a list of `{"key": …, "value": …}`. */
function mapReader(vector: Vector, type: DuckDBMapType, size: number, options: ReadOptions): CellReader {
  const entries = duckdb.list_vector_get_child(vector);
  const count = duckdb.list_vector_get_size(vector);
  assertItems(count);
  const key = nullable(duckdb.struct_vector_get_child(entries, 0), type.keyType, count, {});
  const value = nullable(duckdb.struct_vector_get_child(entries, 1), type.valueType, count, options);
  if (type.keyType.typeId === DuckDBTypeId.VARCHAR || type.keyType.typeId === DuckDBTypeId.SQLNULL) {
    return listReader(vector, size, (i) => `${key(i)}:${value(i)}`, "{}");
  }
  return listReader(vector, size, (i) => `{"key":${key(i)},"value":${value(i)}}`);
}

function arrayReader(vector: Vector, type: DuckDBArrayType, size: number, options: ReadOptions): CellReader {
  assertItems(size * type.length);
  const item = nullable(duckdb.array_vector_get_child(vector), type.valueType, size * type.length, options);
  return (row) => bracketed(row * type.length, type.length, item);
}

/** A struct is a JSON object; one whose members have no names, as `row(1, 'a')` makes, is a JSON array. */
function structReader(vector: Vector, type: DuckDBStructType, size: number, options: ReadOptions): CellReader {
  const members = type.entryTypes.map((entry, i) =>
    nullable(duckdb.struct_vector_get_child(vector, i), entry, size, options)
  );
  if (type.entryNames.every((name) => name === "")) return (row) => `[${members.map((read) => read(row)).join(",")}]`;
  const keys = keysOf(type.entryNames);
  return (row) => `{${members.map((read, i) => `${keys[i]}${read(row)}`).join(",")}}`;
}

/** A union is an object of one member, named by its tag. */
function unionReader(vector: Vector, type: DuckDBUnionType, size: number, options: ReadOptions): CellReader {
  const tags = dataOf(duckdb.struct_vector_get_child(vector, 0), size);
  const members = type.memberTypes.map((member, i) =>
    nullable(duckdb.struct_vector_get_child(vector, i + 1), member, size, options)
  );
  const keys = keysOf(type.memberTags);
  return (row) => {
    const tag = tags.getUint8(row);
    return `{${keys[tag]}${members[tag]?.(row)}}`;
  };
}

function assertItems(count: number): void {
  if (count <= NESTED_ITEMS_MAX) return;
  throw new LoomError(
    "LIMIT_EXCEEDED",
    `Cannot return lists of ${count} elements together: ${NESTED_ITEMS_MAX} at most are possible; select len(column), a slice, or unnest it`,
  );
}

function dataOf(vector: Vector, bytes: number): DataView {
  const data = duckdb.vector_get_data(vector, bytes);
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function bufferOf(data: DataView): ArrayBuffer {
  if (!(data.buffer instanceof ArrayBuffer)) throw new Error("unreachable: shared memory in a vector");
  return data.buffer;
}

function quoted(text: string): string {
  return `"${text}"`;
}

/** Beyond 2^53 a client would round, so the digits travel as text. */
function integerJson(value: bigint): string {
  const size = value < 0n ? -value : value;
  return size <= 9_007_199_254_740_991n ? value.toString() : `"${value}"`;
}

/** {@link integerJson} without a BigInt where the value is small. */
function bigint64Json(data: DataView, at: number): string {
  const high = data.getInt32(at + 4, true);
  if (high < 0x1f_ffff && high >= -0x1f_ffff) return `${high * 4_294_967_296 + data.getUint32(at, true)}`;
  return integerJson(data.getBigInt64(at, true));
}

function doubleJson(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0.0" : String(value);
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

/** The shortest decimal that is this 32-bit float, as the engine would print it. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return value;
}

/** A decimal as a JSON number with all its digits where a double holds its value, as text where it would not. */
function decimalJson(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale), fraction = digits.slice(digits.length - scale);
  const text = `${unscaled < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${fraction}`}`;
  return isExactDouble(text, digits) ? text : `"${text}"`;
}

/** Fifteen significant digits always survive the trip through a double; more are tried. */
function isExactDouble(text: string, digits: string): boolean {
  const significant = digits.replace(/^0+/, "").replace(/0+$/, "");
  if (significant.length <= 15) return true;
  const printed = Math.abs(Number(text)).toString();
  return !printed.includes("e") && printed.replace(".", "").replace(/^0+/, "").replace(/0+$/, "") === significant;
}

function int128(data: DataView, at: number): bigint {
  return (data.getBigInt64(at + 8, true) << 64n) + data.getBigUint64(at, true);
}

/** The engine stores a UUID with its highest bit flipped. */
function uuidText(stored: bigint): string {
  const hex = (BigInt.asUintN(128, stored) ^ (1n << 127n)).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** `\xDE\xADab`: printable ASCII as it is, all else (and the backslash) as `\x` and two digits, as the engine casts it. */
function blobText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x27 && byte !== 0x5c;
    parts.push(plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`);
  }
  return parts.join("");
}

/** The first byte counts the padding bits before the bits themselves. */
function bitText(bytes: Uint8Array): string {
  let bits = "";
  for (let i = 1; i < bytes.length; i++) bits += (bytes[i] ?? 0).toString(2).padStart(8, "0");
  return bits.slice(bytes[0] ?? 0);
}
