/** The names of columns that stand apart from their rows: beside them, or in a schema near them. @module */

import { eachElement, eachMember, keyOf, stringAt } from "./inspect.ts";
import { COLUMN_NAME_KEYS, nameListRank } from "./keys.ts";
import type { Outline } from "./outline.ts";

/** Names of as many columns as rows have, and the container that holds nothing but them. */
export interface ColumnNames {
  readonly names: readonly string[];
  /** The list of names when it is plain strings; a list of descriptions says more than names and is kept as context. */
  readonly consumed: readonly Outline[];
}

/** A list of names stands at most so many objects away from what stands beside the rows. */
const MAX_SCHEMA_DEPTH = 2;

/** The names for the rows in `rows`, each `width` cells wide; undefined when no list near them fits. */
export function columnNamesFor(text: string, rows: Outline, width: number): ColumnNames | undefined {
  for (let above = rows.parent; above; above = above.parent) {
    const found: { rank: number; names: ColumnNames }[] = [];
    for (const near of above.inner) {
      if (!holds(near, rows)) gatherNames(text, near, width, MAX_SCHEMA_DEPTH, found);
    }
    const best = found.sort((a, b) => a.rank - b.rank)[0];
    if (best) return best.names;
  }
  return undefined;
}

function holds(outer: Outline, inner: Outline): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

function gatherNames(
  text: string,
  node: Outline,
  width: number,
  depth: number,
  found: { rank: number; names: ColumnNames }[],
): void {
  if (node.kind === "object") {
    if (depth > 0) { for (const child of node.inner) gatherNames(text, child, width, depth - 1, found); }
    return;
  }
  const rank = nameListRank(keyOf(text, node) ?? "");
  if (rank === undefined || node.members !== width) return;
  const names = namesIn(text, node);
  if (names) found.push({ rank, names: { names, consumed: node.strings === node.members ? [node] : [] } });
}

function namesIn(text: string, node: Outline): string[] | undefined {
  if (node.strings === node.members) {
    const names: string[] = [];
    eachElement(text, node.start, (at) => names.push(stringAt(text, at) ?? ""));
    return names;
  }
  return node.objects === node.members ? describedNames(text, node) : undefined;
}

/** The names in a list of column descriptions, under the first key that gives every column a string. */
function describedNames(text: string, node: Outline): string[] | undefined {
  const described = new Map<string, string[]>();
  eachElement(text, node.start, (at) => {
    eachMember(text, at, (key, valueAt) => {
      const value = COLUMN_NAME_KEYS.includes(key) ? stringAt(text, valueAt) : undefined;
      if (value === undefined) return;
      const values = described.get(key) ?? [];
      values.push(value);
      described.set(key, values);
    });
  });
  const key = COLUMN_NAME_KEYS.find((name) => described.get(name)?.length === node.members);
  return key === undefined ? undefined : described.get(key);
}
