/** The rows of a dataset in their own order, page by page. @module */

import type { Dataset } from "../dataset.ts";
import { CHUNK_ROWS } from "./limits.ts";

/** The rows from one row number to another, in their own order. */
export function pageOf(from: number, to: number): string {
  const rows = `WHERE rowid >= ${from} AND rowid < ${to}`;
  // The first vector of a table comes in its own order, and a sort of 2,000 columns takes four times as long to plan.
  return from === 0 && to <= CHUNK_ROWS ? rows : `${rows} ORDER BY rowid`;
}

/** A column of that name hides the engine's row number; then rows come in any order. */
export function hidesRowid(dataset: Dataset): boolean {
  return dataset.columns.some((column) => column.name.toLowerCase() === "rowid");
}
