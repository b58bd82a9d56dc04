/** From a tool result to typed rows. Pure: no I/O, no engine, no SDK. @module */

import type { ContextItem, SourceKind, Table } from "../dataset.ts";
import { messageOf } from "../errors.ts";
import { locate } from "./locate.ts";
import { Refusal } from "./refusal.ts";

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
    readonly kind: "table";
    readonly table: Table;
    readonly source: SourceKind;
    readonly context: readonly ContextItem[];
  }
  | { readonly kind: "none"; readonly reason: string };

/**
 * Finds the table of a result, with everything that stood around it as context. Never throws and never guesses: what is
 * not surely a table is `none`, with a reason for the log. Linear in the size of the result.
 */
export function locateRows(parts: ResultParts): Located {
  try {
    return locate(parts);
  } catch (error) {
    return { kind: "none", reason: error instanceof Refusal ? error.reason : `fault: ${messageOf(error)}` };
  }
}
