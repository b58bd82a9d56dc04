/** The cells of one column while rows are read: each kind of value in its own carrier, types decided later. @module */

import { MAX_CELLS } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** What stands in a cell. `MISSING` is 0 so that fresh memory means it. */
export const CellKind = {
  MISSING: 0,
  NULL: 1,
  BOOLEAN: 2,
  /** A whole number within ±(2^53 − 1), in `numbers`. */
  SAFE: 3,
  /** A whole number of more digits; its text is at `starts`. */
  BIG: 4,
  /** A number written with a fraction or exponent whose double denotes the same decimal value, in `numbers`. */
  FRACTION: 5,
  /** A number no double equals; its text is at `starts`. */
  LOSSY: 6,
  /** Minus zero: only a double keeps its sign. */
  MINUS_ZERO: 7,
  /** NaN and the infinities. */
  NONFINITE: 8,
  STRING: 9,
  /** An array or an object that stays JSON text, in `strings`. */
  JSON: 10,
  /** An object whose members went to the columns below this one. */
  FLATTENED: 11,
} as const;

/** One of the {@link CellKind} numbers. */
export type CellKind = (typeof CellKind)[keyof typeof CellKind];

/** One column of a table while its rows are read. All carriers have one place per row, made when the first such value comes. */
export class ColumnStore {
  /** The key as it was decoded. */
  readonly key: string;
  /** The key's token with its quotes, as it was first written. */
  readonly token: string;
  /** Place among the keys of its object, in order of first appearance. */
  readonly index: number;
  kinds: Uint8Array;
  /** Bit `1 << kind` for every kind that occurs. */
  seen = 0;
  numbers: Float64Array | undefined;
  /** Where in the text each number starts. */
  starts: Uint32Array | undefined;
  strings: (string | null)[] | undefined;
  /** A JSON cell is not strict JSON (`NaN`, a trailing comma). */
  loose = false;
  /** A string holds half a surrogate pair, which UTF-8 cannot: only its JSON text can be kept. */
  broken = false;
  /** The columns of the objects in this one. */
  below: ColumnGroup | undefined;

  constructor(key: string, token: string, index: number, capacity: number) {
    this.key = key;
    this.token = token;
    this.index = index;
    this.kinds = new Uint8Array(capacity);
  }

  /** Rows that the carriers have room for; the rows of the table once it is trimmed. */
  get rowCount(): number {
    return this.kinds.length;
  }

  /** The number carriers, made on first use. */
  makeNumbers(): Float64Array {
    this.starts = new Uint32Array(this.rowCount);
    return this.numbers = new Float64Array(this.rowCount);
  }

  /** The text carrier, made on first use. */
  makeStrings(): (string | null)[] {
    const strings: (string | null)[] = new Array(this.rowCount);
    return this.strings = strings.fill(null);
  }

  setString(row: number, value: string): void {
    (this.strings ?? this.makeStrings())[row] = value;
    this.mark(row, CellKind.STRING);
  }

  /** As `setString`, for a string that escapes made, or that came from elsewhere than a well-formed text. */
  setDecoded(row: number, value: string): void {
    if (!value.isWellFormed()) this.broken = true;
    this.setString(row, value);
  }

  setJson(row: number, json: string): void {
    (this.strings ?? this.makeStrings())[row] = json;
    this.mark(row, CellKind.JSON);
  }

  setNumber(row: number, kind: CellKind, value: number, start: number): void {
    (this.numbers ?? this.makeNumbers())[row] = value;
    if (this.starts !== undefined) this.starts[row] = start;
    this.mark(row, kind);
  }

  setBoolean(row: number, value: boolean): void {
    (this.numbers ?? this.makeNumbers())[row] = value ? 1 : 0;
    this.mark(row, CellKind.BOOLEAN);
  }

  mark(row: number, kind: CellKind): void {
    this.kinds[row] = kind;
    this.seen |= 1 << kind;
  }

  /** Makes room for `rows` rows, more or fewer than before; what still fits is kept. */
  resize(rows: number): void {
    this.kinds = resized(this.kinds, new Uint8Array(rows));
    if (this.numbers) this.numbers = resized(this.numbers, new Float64Array(rows));
    if (this.starts) this.starts = resized(this.starts, new Uint32Array(rows));
    if (!this.strings) return;
    const before = this.strings.length;
    this.strings.length = rows;
    if (rows > before) this.strings.fill(null, before);
  }
}

function resized<T extends Uint8Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from.length > to.length ? from.subarray(0, to.length) : from);
  return to;
}

/** Columns that share an object, in order of first appearance. */
export class ColumnGroup {
  readonly columns: ColumnStore[] = [];
  readonly #byKey = new Map<string, ColumnStore>();
  readonly #space: RowSpace;

  constructor(space: RowSpace) {
    this.#space = space;
  }

  /** The column of `key`, made when it is new. Throws a Refusal when the table would grow beyond its cells. */
  column(key: string, token: string): ColumnStore {
    const known = this.#byKey.get(key);
    if (known) return known;
    const made = this.#make(key, token);
    this.#byKey.set(key, made);
    return made;
  }

  /** A column of its own for `key`, even if another has that key: a header may name two columns alike. */
  append(key: string): ColumnStore {
    return this.#make(key, JSON.stringify(key));
  }

  #make(key: string, token: string): ColumnStore {
    if (!key.isWellFormed()) throw new Refusal("lone-surrogate: a key cannot be held in UTF-8", { final: true });
    const made = this.#space.add((capacity) => new ColumnStore(key, token, this.columns.length, capacity));
    this.columns.push(made);
    return made;
  }

  /** A group of columns inside `column`, in the same space. */
  belowOf(column: ColumnStore): ColumnGroup {
    return column.below ??= new ColumnGroup(this.#space);
  }
}

/** The room of a table in memory: as many rows for every column, and a bound on their product. */
export class RowSpace {
  readonly #stores: ColumnStore[] = [];
  #capacity: number;

  /** @param capacity Rows to make room for at first. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds the column that `make` makes for the current capacity. Throws a Refusal beyond MAX_CELLS. */
  add(make: (capacity: number) => ColumnStore): ColumnStore {
    this.#refuseBeyond(this.#stores.length + 1, this.#capacity);
    const made = make(this.#capacity);
    this.#stores.push(made);
    return made;
  }

  /** Makes room for row `row`, doubling the capacity when it is new. Throws a Refusal beyond MAX_CELLS. */
  ensure(row: number): void {
    if (row < this.#capacity) return;
    const capacity = Math.max(2 * this.#capacity, row + 1);
    this.#refuseBeyond(this.#stores.length, capacity);
    this.#resize(capacity);
  }

  /** Ends the reading after `rows` rows. */
  trim(rows: number): void {
    if (rows !== this.#capacity) this.#resize(rows);
  }

  #resize(capacity: number): void {
    this.#capacity = capacity;
    for (const store of this.#stores) store.resize(capacity);
  }

  #refuseBeyond(columns: number, rows: number): void {
    if (columns * rows > MAX_CELLS) throw new Refusal(`too-many-cells: ${columns} columns of ${rows} rows`);
  }
}
