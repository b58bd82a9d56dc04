/** Datasets and tables made for tests. @module */

import type { ColumnProfile, Dataset, Table } from "../../lib/dataset.ts";

/** A dataset with `columns` columns and nothing behind it. */
export function datasetOf(columns: readonly Partial<ColumnProfile>[], changes: Partial<Dataset> = {}): Dataset {
  return {
    ref: "ds_crm_users_1",
    rowCount: 100,
    columns: columns.map((column, at) => ({
      name: `c${at}`,
      type: "VARCHAR",
      nullCount: 0,
      approxDistinct: 7,
      ...column,
    })),
    provenance: { server: "crm", tool: "users", createdAt: "2026-01-02T03:04:05.678Z", source: "text" },
    pinned: false,
    implicit: false,
    bytes: 10_000,
    ...changes,
  };
}

/** A table of text columns. */
export function textTable(columns: Readonly<Record<string, readonly (string | null)[]>>): Table {
  const entries = Object.entries(columns);
  return {
    rowCount: entries[0]?.[1].length ?? 0,
    columns: entries.map(([name, values]) => ({ name, type: "VARCHAR", cells: { kind: "text", values } })),
  };
}
