/** What rows are looked for in, and what comes of it. @module */

import type { ContextItem, SourceKind, Table } from "../dataset.ts";

/** The channels of one result in which rows may stand. */
export interface ResultParts {
  /** JSON text of `structuredContent`, as the server wrote it; absent when there was none. */
  readonly structured?: string | undefined;
  /** The text of each content block, decoded. */
  readonly texts: readonly string[];
  /** Other members of the result that must not vanish. */
  readonly rest?: readonly ContextItem[] | undefined;
}

/** A table with everything that stood around it, or why there is none. */
export type Located =
  | {
    /** Rows were found. */
    readonly kind: "table";
    /** The rows as columns. */
    readonly table: Table;
    /** Where they stood: `structuredContent`, `text`, `text:markdown-table`, … */
    readonly source: SourceKind;
    /** What stood around them. */
    readonly context: readonly ContextItem[];
  }
  | {
    /** The result is to be passed on. */
    readonly kind: "none";
    /** Why, for the log. */
    readonly reason: string;
  };
