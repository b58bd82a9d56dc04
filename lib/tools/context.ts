/** What loom's own tools work with. @module */

import type { Dataset } from "../dataset.ts";
import type { Derivation, LostDataset } from "../engine/messages.ts";
import { LoomError } from "../errors.ts";
import type { Store } from "../store/mod.ts";

/** What the ledger is told of a call beside its name and size. */
export interface ToolNote {
  readonly sql?: string | undefined;
  readonly ref?: string | undefined;
  readonly rows?: number | undefined;
  readonly path?: string | undefined;
}

/** What a tool may use. */
export interface ToolContext {
  readonly store: Store;
  /** Estimated tokens above which a query's answer becomes a dataset of its own. */
  readonly tokenThreshold: number;
  /** Datasets that a replaced engine process could not bring back, by ref. */
  readonly lost: ReadonlyMap<string, LostDataset>;
  /** The original result of a dataset, while it is kept. */
  readonly original: (ref: string) => Promise<Uint8Array | undefined>;
  /** Told what the ledger is to know of the call; the last one counts. */
  readonly note: (note: ToolNote) => void;
  /** Told of each derived dataset, so that it can be made again. */
  readonly onDerived: (dataset: Dataset, sql: string, derivation: Derivation) => void;
}

/** The dataset of this ref; an error that says what became of it, or which refs there are, when there is none. */
export function findDataset(context: ToolContext, ref: string, action: string): Dataset {
  context.note({ ref });
  const lost = context.lost.get(ref);
  if (lost !== undefined) throw new LoomError("DATASET_LOST", `Cannot ${action} "${ref}": it is lost; ${lost.how}`);
  try {
    return context.store.need(ref);
  } catch (error) {
    throw error instanceof LoomError ? new LoomError(error.code, `Cannot ${action} "${ref}": ${error.message}`) : error;
  }
}
