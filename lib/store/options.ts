/** What the store is asked for, and what it answers. @module */

import type { Dataset, GoneDataset, Provenance } from "../dataset.ts";
import type { Answer, AnswerLimits } from "./answer.ts";
import type { SessionOptions } from "./session.ts";

/** What a store is opened with. */
export interface StoreOptions extends SessionOptions {
  /** Soft budget for tracked bytes; above it originals and datasets are evicted. */
  readonly memoryBudgetBytes: number;
  /** Folder for exports; made when the first one is written. */
  readonly exportDir: string;
  /** A file that keeps pinned datasets beyond the session. */
  readonly storePath?: string | undefined;
  /** Told what went wrong with the file of pinned datasets; the store goes on without it. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Told that the original kept for this ref was given up to make room. */
  readonly onForgetOriginal?: ((ref: string) => void) | undefined;
  /** Told that this dataset was given up to make room. */
  readonly onEvict?: ((gone: GoneDataset) => void) | undefined;
}

/** What is known of a table that is to be stored. */
export interface IngestMeta {
  /** The server's name, for the ref. */
  readonly server: string;
  /** The server's own name of the tool, for the ref. */
  readonly tool: string;
  /** Where the table comes from. */
  readonly provenance: Provenance;
  /** Payload bytes of the result. */
  readonly bytes: number;
  /** The ref of a dataset that is built again after a restart. */
  readonly ref?: string | undefined;
}

/** How a query is answered. */
export interface QueryOptions extends AnswerLimits {
  /** The whole result is read, so that {@link QueryAnswer.keep} can make a dataset of it; else what the answer holds is enough. */
  readonly keep?: boolean | undefined;
  /** Stops the query. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a query. */
export interface QueryAnswer extends Answer {
  /** Datasets that were read. */
  readonly refs: readonly string[];
  /** Milliseconds from the call to the last row. */
  readonly ms: number;
  /**
   * Makes `ds_query_<n>` of the very rows that were read, with those that the answer left out. Rejects with
   * `LIMIT_EXCEEDED`, `OUT_OF_MEMORY` or `QUERY_TIMEOUT` when the whole could not be read, and always where
   * {@link QueryOptions.keep} was not set.
   */
  readonly keep: () => Promise<Dataset>;
}

/** Why a result is kept: as an implicit result of a query, or as a named view that is never evicted. */
export type DerivedKind = { readonly kind: "query" } | { readonly kind: "view"; readonly name: string };

/** How a result is kept. */
export interface MaterializeOptions {
  /** Stops the query. */
  readonly signal?: AbortSignal | undefined;
  /** The ref of a dataset that is made again after a restart. */
  readonly ref?: string | undefined;
}

/** How a dataset is exported. */
export interface ExportOptions {
  /** Reduced to a safe base name; the ref when absent. */
  readonly filename?: string | undefined;
  /** Stops the export; nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}
