/** The first rows of a dataset, as envelopes and `loom_describe` show them. @module */

import type { Dataset } from "../dataset.ts";
import type { SampleRow } from "../envelope/mod.ts";
import type { Store } from "../store/mod.ts";

/** Up to `rows` rows of a dataset, JSON text per column. */
export async function sampleOf(store: Store, dataset: Dataset, rows: number): Promise<SampleRow[]> {
  const objects = await store.sample(dataset.ref, rows);
  return objects.map((json) => {
    const row: Record<string, unknown> = JSON.parse(json);
    return dataset.columns.map(({ name }) => JSON.stringify(row[name] ?? null));
  });
}
