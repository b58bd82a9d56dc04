/** `loom_export`: a dataset as a file under the export folder. @module */

import { findDataset, type ToolContext } from "./context.ts";

/** Writes one dataset to a file. */
export async function exportDataset(
  context: ToolContext,
  { ref, format, filename }: { ref: string; format: "csv" | "json"; filename?: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const dataset = findDataset(context, ref, "export");
  const { path, rows, bytes } = await context.store.export(dataset.ref, format, { filename, signal });
  context.note({ ref: dataset.ref, rows, path });
  return JSON.stringify({ path, format, rows, bytes });
}
