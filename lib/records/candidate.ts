/** What a part of a document says of itself when it could be the table. @module */

import type { ColumnGroup } from "./column_store.ts";
import type { RowsAhead } from "./json_rows.ts";
import type { Outline } from "./outline.ts";

/** A part of a document that could be the table. */
export interface Candidate {
  readonly rows: number;
  /** Containers that the rows use up: the rows themselves, and their column names where those stand apart. */
  readonly consumed: readonly Outline[];
  /** The container of the rows. */
  readonly node: Outline;
  /** Characters of the rows. */
  readonly size: number;
  /** Reads the rows into `group`. Throws a Refusal when a row does not hold what the shape promises. */
  readonly fill: (group: ColumnGroup) => void;
  /** The rows, when they have been read already. */
  readonly ahead?: RowsAhead;
}
