/** The nouns that every part of loom speaks: tables, datasets, provenance. @module */

/** The engine type of a column that was read from a result. */
export type ColumnType =
  | "BOOLEAN"
  | "BIGINT"
  | "HUGEINT"
  | "DOUBLE"
  | `DECIMAL(${number},${number})`
  | "VARCHAR"
  | "JSON";

/**
 * The cells of one column, one per row, in the carrier that is cheapest to append.
 *
 * - `text`: VARCHAR and JSON; `null` is NULL.
 * - `number`: DOUBLE, or BIGINT when every value is a safe integer; `valid[i] === 0` is NULL, no `valid` means no NULL.
 * - `bigint`: BIGINT beyond 2^53, HUGEINT, and DECIMAL as its unscaled value; `null` is NULL.
 * - `boolean`: 1 is true, 0 is false; `valid` as above.
 */
export type Cells =
  | { readonly kind: "text"; readonly values: readonly (string | null)[] }
  | { readonly kind: "number"; readonly values: Float64Array; readonly valid?: Uint8Array | undefined }
  | { readonly kind: "bigint"; readonly values: readonly (bigint | null)[] }
  | { readonly kind: "boolean"; readonly values: Uint8Array; readonly valid?: Uint8Array | undefined };

/** One column of a table, ready to append. */
export interface TableColumn {
  /** The column's name in SQL, unique without regard to case. */
  readonly name: string;
  /** Where the value stood in the source, when that differs from `name`: `user.id`, `Order Total`. */
  readonly path?: string | undefined;
  /** The engine type of every cell. */
  readonly type: ColumnType;
  /** What every value looks like, as an addition to the type: `date-time`, `date`, `time`, `uuid`, `uri`, `email`. */
  readonly format?: string | undefined;
  /** The cells, one per row. */
  readonly cells: Cells;
}

/** Rows as columns. Every column has `rowCount` cells. */
export interface Table {
  /** Rows. */
  readonly rowCount: number;
  /** The columns, in order. */
  readonly columns: readonly TableColumn[];
}

/** Something that stood around the rows of a table and must not vanish. */
export interface ContextItem {
  /** Where it stood: `pageInfo.endCursor`, `total`, `text before`, `content[1]`. */
  readonly path: string;
  /** Its JSON text, digit for digit as the server wrote it (plain text is JSON-encoded). */
  readonly json: string;
}

/** Where the rows of a dataset came from: `structuredContent`, `text`, `text:markdown-table`, …, `query`. */
export type SourceKind = string;

/** Where a dataset comes from. Arguments are redacted before they get here. */
export interface Provenance {
  /** The server's name in the configuration, or `loom` for a derived dataset. */
  readonly server: string;
  /** The server's own tool name, or loom's. */
  readonly tool: string;
  /** JSON text of the redacted arguments; `"[omitted]"` for a denylisted tool; absent when there were none. */
  readonly args?: string | undefined;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** Where in the result the rows stood. */
  readonly source: SourceKind;
  /** SHA-256 of the original result bytes, hexadecimal; absent for a derived dataset. */
  readonly contentHash?: string | undefined;
  /** The SELECT that made a derived dataset. */
  readonly sql?: string | undefined;
}

/** A dataset that is no more, as its ref is answered from then on. */
export interface GoneDataset {
  /** Under which it was known. */
  readonly ref: string;
  /** Why it went: for want of memory, on demand, or with a process that could not be followed. */
  readonly reason: "evicted" | "dropped" | "lost";
  /** What it was: `150 rows of crm's users, 2026-01-02T03:04:05.678Z`. */
  readonly was: string;
  /** What has to be done to have it again; of a lost one, a whole sentence. */
  readonly how: string;
}

/** Statistics of one column, from one pass over the table. */
export interface ColumnProfile {
  /** The column's name in SQL. */
  readonly name: string;
  /** The engine's type name: `BIGINT`, `DECIMAL(18,2)`, `STRUCT(a BIGINT)`. */
  readonly type: string;
  /** Where the value stood in the source, when that differs from `name`. */
  readonly path?: string | undefined;
  /** What every value looks like. */
  readonly format?: string | undefined;
  /** NULLs, counted exactly. */
  readonly nullCount: number;
  /** Distinct values without NULL, approximate, never above the row count. */
  readonly approxDistinct: number;
  /** JSON text of the least value, where the type has an order worth showing. */
  readonly min?: string | undefined;
  /** JSON text of the greatest value. */
  readonly max?: string | undefined;
  /** JSON text of the list of all its values, sorted, when they are few, short and text. */
  readonly values?: string | undefined;
}

/** A table in the store. */
export interface Dataset {
  /** `ds_<server>_<tool>_<n>`, `ds_query_<n>`, `ds_view_<name>_<n>`. */
  readonly ref: string;
  /** Rows. */
  readonly rowCount: number;
  /** The columns with their statistics, in order. */
  readonly columns: readonly ColumnProfile[];
  /** Where it comes from. */
  readonly provenance: Provenance;
  /** Made by `loom_materialize`: never evicted. */
  readonly pinned: boolean;
  /** Made by a large `loom_query` answer: evicted before server results. */
  readonly implicit: boolean;
  /** Derived by SQL whose answer may differ when it runs again (random(), current time). */
  readonly volatile?: boolean | undefined;
  /** Serialized payload in bytes, the documented proxy for memory. */
  readonly bytes: number;
}

/** How well a column of one dataset joins with a column of another. */
export interface JoinHint {
  /** A column of this dataset. */
  readonly column: string;
  /** The other dataset. */
  readonly otherRef: string;
  /** The column of the other dataset. */
  readonly otherColumn: string;
  /** Share of this column's distinct values that occur in the other, 0 to 1. */
  readonly containment: number;
  /** Share of the other column's distinct values that occur in this one, 0 to 1. */
  readonly reverseContainment: number;
  /** How often a value occurs on each side. */
  readonly relation: "1:1" | "1:n" | "n:1" | "n:m";
  /** The plain normalisation under which the keys match, absent when they match as they are. */
  readonly via?: string | undefined;
  /** A join ready to run, given when `via` is. */
  readonly sql?: string | undefined;
}
