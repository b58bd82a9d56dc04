/** Clauses whose size or meaning needs a look: PIVOT, SAMPLE, LIMIT. @module */

import type { LoomError } from "../errors.ts";
import { rejected } from "./scan.ts";
import type { Node } from "./parse_tree.ts";

/** Columns that a PIVOT may make. */
export const PIVOT_COLUMNS_MAX = 2_000;
/** Rows that a sample may hold. */
export const SAMPLE_ROWS_MAX = 500_000;

/** Which rows a LIMIT takes is open unless they are ordered: the engine keeps no insertion order. */
export function isUnorderedLimit(node: Node): boolean {
  const kinds = nodesOf(node["modifiers"]).map((modifier) => modifier["type"]);
  return kinds.some((kind) => kind === "LIMIT_MODIFIER" || kind === "LIMIT_PERCENT_MODIFIER") &&
    !kinds.includes("ORDER_MODIFIER");
}

/**
 * A pivot whose columns would come out of the data is two statements inside, and its columns would be a surprise. The
 * lists of several columns multiply.
 */
export function checkPivot(node: Node): void {
  const aggregates = node["aggregates"];
  let columns = Array.isArray(aggregates) ? Math.max(1, aggregates.length) : 1;
  for (const pivot of nodesOf(node["pivots"])) {
    if ("pivot_enum" in pivot || "subquery" in pivot) throw dynamicPivot();
    columns *= Math.max(1, nodesOf(pivot["entries"]).length);
  }
  if (columns > PIVOT_COLUMNS_MAX) {
    throw rejected(`PIVOT would make ${columns} columns; ${PIVOT_COLUMNS_MAX} are possible`);
  }
}

/** A sample keeps all its rows in memory that the engine does not count. */
export function checkSample(sample: unknown): void {
  const { sample_size: size, is_percentage: percentage } = sample as Node;
  const count = (size as Node | undefined)?.["value"];
  if (percentage !== true && !(typeof count === "number" && count <= SAMPLE_ROWS_MAX)) {
    throw rejected(`a sample can have ${SAMPLE_ROWS_MAX} rows`);
  }
}

function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value as Node[] : [];
}

/** The refusal of a PIVOT that does not list its values. */
export function dynamicPivot(): LoomError {
  return rejected(
    "PIVOT needs the list of its values: PIVOT ds_… ON column IN ('a', 'b') USING count(*); SELECT DISTINCT column finds them",
  );
}
