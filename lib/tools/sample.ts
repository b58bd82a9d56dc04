/** The first rows of a dataset, as envelopes and `loom_describe` show them. @module */

import type { Dataset } from "../dataset.ts";
import type { SampleRow } from "../envelope/mod.ts";
import type { Store } from "../store/mod.ts";

/** Characters of a text cell that are read: more than any answer shows of it. */
const SAMPLE_CELL_CHARS = 1_000;

/** Up to `rows` rows of a dataset, JSON text per column. */
export async function sampleOf(store: Store, dataset: Dataset, rows: number): Promise<SampleRow[]> {
  return await store.sampleCells(dataset.ref, rows, SAMPLE_CELL_CHARS);
}
