/**
 * From a tool result to typed rows. Pure: no I/O, no engine, no SDK.
 *
 * @example The rows of a markdown table
 * ```ts
 * import { locateRows } from "@loom/cli/records";
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const text = ["| id | city |", "| --- | --- |", "| 1 | Oslo |", "| 2 | Rome |"].join("\n");
 * const located = locateRows({ texts: [text] });
 * equal(located.kind, "table");
 * if (located.kind === "table") {
 *   equal(located.source, "text:markdown-table");
 *   deepEqual(located.table.columns.map(({ name, type }) => [name, type]), [["id", "BIGINT"], ["city", "VARCHAR"]]);
 * }
 *
 * // What is not surely a table is none, with a reason.
 * equal(locateRows({ texts: ["Two of three apples are red."] }).kind, "none");
 * ```
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { locate } from "./locate.ts";
import type { Located, ResultParts } from "./located.ts";
import { Refusal } from "./refusal.ts";

export type { Cells, ColumnType, ContextItem, SourceKind, Table, TableColumn } from "../dataset.ts";
export type { Located, ResultParts } from "./located.ts";

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
