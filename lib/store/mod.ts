/** The store: the only folder that speaks to the engine. @module */

export {
  type DerivedKind,
  type ExportOptions,
  type IngestMeta,
  type MaterializeOptions,
  openStore,
  type QueryAnswer,
  type QueryOptions,
  type Store,
  type StoreOptions,
} from "./store.ts";
export type { Exported, ExportFormat } from "./export.ts";
export type { Answer, AnswerLimits, Truncation } from "./answer.ts";
export { COLUMNS_MAX, PAYLOAD_BYTES_MAX, ROWS_MAX } from "./limits.ts";
export { uniqueNames } from "./sql.ts";
