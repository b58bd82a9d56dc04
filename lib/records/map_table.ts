/** Rows that are the members of an object: records keyed by id, and a table turned on its side. @module */

import type { Candidate } from "./candidate.ts";
import { CellKind, type ColumnGroup } from "./column_store.ts";
import { keysAt, readMembers } from "./inspect.ts";
import { readCell, readObject } from "./json_rows.ts";
import { MIN_MAP_ROWS, MIN_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import { repeatedKey } from "./json_cell.ts";
import { Refusal } from "./refusal.ts";

/** A column of keys is named so, or so if a record has such a key itself. */
const KEY_COLUMNS: readonly string[] = ["key", "map_key", "object_key", "record_key"];

/** The least share of the columns that a record of a map fills, on average, and how many records are looked at. */
const MIN_MAP_FILL = 0.5;
const MAX_LOOKED_AT = 1_000;

/** The least share of its document that a map of records takes. */
const MIN_MAP_SHARE = 0.75;

/**
 * The table in the object `node`; `"opaque"` when it is a map of records that hold lists of records themselves: neither
 * the map nor one of the lists is the table then, and the lists of one record must not be taken for it.
 */
export function mapTable(text: string, root: Outline, node: Outline): Candidate | "opaque" | undefined {
  if (node.kind !== "object" || node.objects !== node.members) return undefined;
  const sideways = sidewaysTable(text, root, node);
  if (sideways) return sideways;
  if (node.members < MIN_MAP_ROWS) return undefined;
  const fields = sharedFields(text, node);
  if (!fields) return undefined;
  if (node.inner.some((record) => record.inner.some(holdsRecords))) return "opaque";
  // A map is the table only when it is most of what was said: settings have such shapes as well.
  if (node.end - node.start < MIN_MAP_SHARE * (root.end - root.start)) return undefined;
  const keyColumn = KEY_COLUMNS.find((name) => !fields.has(name)) ?? "_key";
  return {
    rows: node.members,
    consumed: [node],
    node,
    size: node.end - node.start,
    fill: (group) => fillMap(text, node, keyColumn, group),
  };
}

function holdsRecords(node: Outline): boolean {
  return node.kind === "array" && node.objects > 0;
}

/** The fields of a map's records when they are alike, and fewer than a table turned on its side would have. */
function sharedFields(text: string, node: Outline): ReadonlySet<string> | undefined {
  const counts = new Map<string, number>();
  let filled = 0;
  const records = node.inner.slice(0, MAX_LOOKED_AT).map((record) => keysAt(text, record.start));
  for (const key of records.flat()) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    filled++;
  }
  const alike = filled >= MIN_MAP_FILL * counts.size * records.length;
  if (!alike || counts.size === 0 || counts.size > 2 * records.length) return undefined;
  // A member that shares no field with any other is no record: it may say where the next page is.
  if (records.some((keys) => keys.length > 0 && keys.every((key) => counts.get(key) === 1))) return undefined;
  return new Set(counts.keys());
}

function fillMap(text: string, node: Outline, keyColumn: string, group: ColumnGroup): void {
  // Made first, so that the keys stand before the fields; set apart from them, since a field may come to the same key.
  const keys = group.append(keyColumn);
  const seen = new Set<string>();
  let row = 0;
  readMembers(text, node.start, (key, at) => {
    if (seen.has(key)) throw repeatedKey(key);
    seen.add(key);
    keys.setDecoded(row, key);
    return readObject(text, at, row++, group, true);
  });
}

/** `{"city": {"0": "Oslo", "1": "Rome"}, "n": {"0": 1, "1": 2}}`: columns of cells under running numbers. */
function sidewaysTable(text: string, root: Outline, node: Outline): Candidate | undefined {
  const first = node.inner[0];
  if (!first || first.members < MIN_ROWS || first.members < node.members) return undefined;
  if (node.inner.some((column) => column.members !== first.members)) return undefined;
  if (!countsUp(text, first.start)) return undefined;
  if (2 * (node.end - node.start) < root.end - root.start) return undefined;
  return {
    rows: first.members,
    consumed: [node],
    node,
    size: node.end - node.start,
    fill: (group) => fillSideways(text, node, group),
  };
}

function countsUp(text: string, at: number): boolean {
  return keysAt(text, at).every((key, index) => key === String(index));
}

function fillSideways(text: string, node: Outline, group: ColumnGroup): void {
  const index = group.append("index");
  readMembers(text, node.start, (name, columnAt) => {
    const column = group.column(name, JSON.stringify(name));
    if (column.seen !== 0) throw repeatedKey(name);
    let row = 0;
    return readMembers(text, columnAt, (key, at) => {
      if (key !== String(row)) throw new Refusal(`ragged: the cell ${JSON.stringify(key.slice(0, 80))} is out of turn`);
      index.setNumber(row, CellKind.SAFE, row, at);
      return readCell(text, at, row++, group, column, true);
    });
  });
}
