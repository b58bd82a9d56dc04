/** `loom_materialize`: a SELECT as a new, pinned dataset. @module */

import { buildEnvelope } from "../envelope/mod.ts";
import type { ToolContext } from "./context.ts";
import { sampleOf } from "./sample.ts";

/** Join hints that are looked for. */
const HINTS_MAX = 5;
/** Rows of the sample. */
const SAMPLE_ROWS = 5;

/** Keeps the answer of a SELECT. */
export async function materializeQuery(
  context: ToolContext,
  { sql, name }: { sql: string; name: string },
  signal: AbortSignal,
): Promise<string> {
  const derivation = { kind: "view", name } as const;
  context.note({ sql });
  const dataset = await context.store.materialize(sql, derivation, { signal });
  context.note({ sql, ref: dataset.ref, rows: dataset.rowCount });
  context.onDerived(dataset, sql, derivation);
  return buildEnvelope({
    dataset,
    sample: await sampleOf(context.store, dataset, SAMPLE_ROWS),
    hints: await context.store.hints(dataset.ref, HINTS_MAX),
    context: [],
    originalChars: dataset.bytes,
    tokenThreshold: context.tokenThreshold,
    hasOriginal: false,
  });
}
