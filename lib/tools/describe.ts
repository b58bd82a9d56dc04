/** `loom_describe`: everything about one dataset, in pages when it is wide. @module */

import { columnJson, fitSample, hintJson, provenanceJson, wireBytes } from "../envelope/mod.ts";
import { findDataset, type ToolContext } from "./context.ts";
import { sampleOf } from "./sample.ts";

/** Bytes of the columns on one page. */
export const DESCRIBE_COLUMNS_BYTES_MAX = 12_000;
/** Bytes of the sample. */
export const DESCRIBE_SAMPLE_BYTES_MAX = 6_000;
/** Rows of the sample. */
export const DESCRIBE_ROWS_MAX = 10;
/** Join hints that are looked for. */
export const DESCRIBE_HINTS_MAX = 10;
/** Bytes of arguments that are shown. */
const ARGS_SHOWN_BYTES_MAX = 4_000;

/** Describes one dataset. */
export async function describeDataset(
  context: ToolContext,
  { ref, offset = 0 }: { ref: string; offset?: number | undefined },
): Promise<string> {
  const dataset = findDataset(context, ref, "describe");
  const page: string[] = [];
  let left = DESCRIBE_COLUMNS_BYTES_MAX;
  for (const column of dataset.columns.slice(offset)) {
    const json = columnJson(column, dataset.rowCount, "full");
    left -= wireBytes(json) + 1;
    if (left < 0 && page.length > 0) break;
    page.push(json);
  }
  const next = offset + page.length;
  const hints = await context.store.hints(ref, DESCRIBE_HINTS_MAX);
  const sample = offset > 0
    ? undefined
    : fitSample(dataset.columns, await sampleOf(context.store, dataset, DESCRIBE_ROWS_MAX), {
      columnCount: next,
      bytesMax: DESCRIBE_SAMPLE_BYTES_MAX,
    });
  const { createdAt } = dataset.provenance;
  return `{${
    [
      `"ref":"${ref}","rows":${dataset.rowCount},"bytes":${dataset.bytes},"pinned":${dataset.pinned},"implicit":${dataset.implicit}`,
      `"createdAt":"${createdAt}","ageSeconds":${Math.max(0, Math.round((Date.now() - Date.parse(createdAt)) / 1000))}`,
      `"columnCount":${dataset.columns.length},"schema":[${page.join(",")}]`,
      ...(next < dataset.columns.length
        ? [
          `"more":${
            JSON.stringify(`${dataset.columns.length - next} more columns: loom_describe with offset ${next}`)
          }`,
        ]
        : []),
      ...(sample ? [`"sample":${sample.json}`] : []),
      `"joinHints":[${hints.map(hintJson).join(",")}]`,
      `"provenance":${provenanceJson(dataset.provenance, ARGS_SHOWN_BYTES_MAX)}`,
    ].join(",")
  }}`;
}
