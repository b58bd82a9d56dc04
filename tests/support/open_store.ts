/** Stores and tables for tests of the store. @module */

import type { Dataset, Provenance, Table, TableColumn } from "../../lib/dataset.ts";
import type { Store, StoreOptions } from "../../lib/store/mod.ts";
import type { SessionHooks } from "../../lib/store/session.ts";
import { openStoreWith } from "../../lib/store/store.ts";

/** Runs `test` with a store of its own and two folders that are gone afterwards. */
export async function withStore(
  test: (store: Store, folders: { readonly spill: string; readonly exports: string }) => Promise<void>,
  changes: Partial<StoreOptions> = {},
  hooks: SessionHooks = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "loom-store-test-" });
  try {
    const spill = `${folder}/spill`, exports = `${folder}/exports`;
    const store = await openStoreWith({
      memoryLimit: "256MB",
      memoryBudgetBytes: 256 * 1024 * 1024,
      queryTimeoutMs: 20_000,
      spillParent: spill,
      exportDir: exports,
      ...changes,
    }, hooks);
    try {
      await test(store, { spill, exports });
    } finally {
      await store.close();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A column of text, JSON or safe integers, doubles, or bigints, by what its values are. */
export function columnOf(name: string, values: readonly unknown[], type?: TableColumn["type"]): TableColumn {
  const some = values.find((value) => value !== null);
  if (typeof some === "number") {
    const numbers = Float64Array.from(values, (value) => value === null ? 0 : Number(value));
    const valid = values.includes(null) ? Uint8Array.from(values, (value) => value === null ? 0 : 1) : undefined;
    const whole = numbers.every((value) => Number.isSafeInteger(value) && !Object.is(value, -0));
    return { name, type: type ?? (whole ? "BIGINT" : "DOUBLE"), cells: { kind: "number", values: numbers, valid } };
  }
  if (typeof some === "boolean") {
    const valid = Uint8Array.from(values, (value) => value === null ? 0 : 1);
    return { name, type: "BOOLEAN", cells: { kind: "boolean", values: Uint8Array.from(values, Number), valid } };
  }
  if (typeof some === "bigint") {
    return { name, type: type ?? "HUGEINT", cells: { kind: "bigint", values: values as (bigint | null)[] } };
  }
  return { name, type: type ?? "VARCHAR", cells: { kind: "text", values: values as (string | null)[] } };
}

/** A table from columns of values. */
export function tableOf(columns: Readonly<Record<string, readonly unknown[]>>): Table {
  const entries = Object.entries(columns);
  return {
    rowCount: entries[0]?.[1].length ?? 0,
    columns: entries.map(([name, values]) => columnOf(name, values)),
  };
}

/** Where a made-up dataset comes from. */
export function provenanceOf(server: string, tool: string): Provenance {
  return { server, tool, createdAt: "2026-01-02T03:04:05.678Z", source: "text" };
}

/** Ingests a table as the answer of a server's tool. */
export function ingest(
  store: Store,
  table: Table,
  from: { readonly server?: string; readonly tool?: string; readonly bytes?: number; readonly ref?: string } = {},
): Promise<Dataset> {
  const { server = "crm", tool = "users", bytes = 1_000, ref } = from;
  return store.ingest(table, { server, tool, provenance: provenanceOf(server, tool), bytes, ref });
}

/** The rows of a query, parsed. */
export async function rowsOf(store: Store, sql: string): Promise<Record<string, unknown>[]> {
  return (await rowTexts(store, sql)).map((row) => JSON.parse(row));
}

/** The rows of a query, as their JSON texts. */
export async function rowTexts(store: Store, sql: string): Promise<readonly string[]> {
  return (await store.query(sql, { rowLimit: 1_000, byteLimit: 1_000_000 })).rows;
}

/** `from`, `from + 1`, … `from + count - 1`. */
export function numbers(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}
