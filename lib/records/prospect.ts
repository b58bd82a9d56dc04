/** A table that was found and could be read: how large it is, before the cost of reading it. @module */

import type { ContextItem, SourceKind, Table } from "../dataset.ts";
import { Refusal } from "./refusal.ts";

/** A table within reach. Several are compared by `rows` and `size`; only the best is read. */
export interface Prospect {
  readonly rows: number;
  /** Characters of source text that the rows take. */
  readonly size: number;
  readonly source: SourceKind;
  /** The keys of the first record as one text, whatever their order; records of one kind have the same. */
  readonly recordKeys: string;
  /** Reads the table, and what stood around it. Throws a Refusal when a row does not hold what was promised. */
  readonly read: () => FoundTable;
}

/** A table with all that stood around it in its own text. */
export interface FoundTable {
  readonly table: Table;
  readonly context: readonly ContextItem[];
}

/** Whether `a` is the better table: more rows, of equals the longer. */
function outranks(a: Pick<Prospect, "rows" | "size">, b: Pick<Prospect, "rows" | "size">): boolean {
  return a.rows > b.rows || (a.rows === b.rows && a.size > b.size);
}

/** Refuses the best of several finds when another holds records of its kind: it would be a part of the table only. */
export function refuseHidden(best: Prospect, all: readonly Prospect[]): void {
  const { recordKeys } = best;
  if (recordKeys === "" || !all.some((other) => other !== best && other.recordKeys === recordKeys)) return;
  throw new Refusal("split-rows: records of one kind stand in several places");
}

/** The best of `prospects`, the first of equals; undefined when there are none. */
export function bestOf<T extends Pick<Prospect, "rows" | "size">>(prospects: readonly T[]): T | undefined {
  return prospects.reduce<T | undefined>((best, next) => best && !outranks(next, best) ? best : next, undefined);
}
