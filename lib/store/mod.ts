/**
 * The store: datasets in a sealed DuckDB, queried through a gate. The only folder that speaks to the engine.
 *
 * @example A table, and a query on it
 * ```ts
 * import { openStore } from "@loom/cli/store";
 * import { deepEqual, rejects } from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const store = await openStore({
 *   memoryLimit: "256MB",
 *   memoryBudgetBytes: 64_000_000,
 *   queryTimeoutMs: 10_000,
 *   spillParent: folder,
 *   exportDir: folder,
 * });
 * const cells = { kind: "number", values: Float64Array.of(1, 2, 3) } as const;
 * const provenance = { server: "shop", tool: "orders", createdAt: new Date().toISOString(), source: "text" };
 * const dataset = await store.ingest(
 *   { rowCount: 3, columns: [{ name: "id", type: "BIGINT", cells }] },
 *   { server: "shop", tool: "orders", provenance, bytes: 100 },
 * );
 * const limits = { rowLimit: 100, byteLimit: 10_000 };
 * const answer = await store.query(`SELECT sum(id) AS total FROM ${dataset.ref}`, limits);
 * deepEqual(answer.rows, ['{"total":6}']);
 *
 * // Nothing but a read of known datasets passes the gate.
 * await rejects(store.query("SELECT * FROM read_text('/etc/hosts')", limits), { code: "QUERY_REJECTED" });
 * await store.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @module
 */

export type {
  Cells,
  ColumnProfile,
  ColumnType,
  Dataset,
  GoneDataset,
  JoinHint,
  Provenance,
  SourceKind,
  Table,
  TableColumn,
} from "../dataset.ts";
export type { SessionOptions } from "./session.ts";

export { openStore, type Store } from "./store.ts";
export type {
  DerivedKind,
  ExportOptions,
  IngestMeta,
  MaterializeOptions,
  QueryAnswer,
  QueryOptions,
  StoreOptions,
} from "./options.ts";
export type { Exported, ExportFormat } from "./export.ts";
export type { Answer, AnswerLimits, Truncation } from "./answer.ts";
export { COLUMNS_MAX, PAYLOAD_BYTES_MAX, ROWS_MAX } from "./limits.ts";
export { uniqueNames } from "./sql.ts";
