/** `loom_list_datasets`: every dataset of the session, newest first, in pages when there are many. @module */

import type { Dataset } from "../dataset.ts";
import { provenanceJson, wireBytes } from "../envelope/mod.ts";
import type { ToolContext } from "./context.ts";

/** Bytes of one page. */
export const LIST_BYTES_MAX = 12_000;
/** Datasets that are gone and named on the first page. */
const GONE_SHOWN_MAX = 20;
/** Bytes of arguments that are shown for each dataset. */
const ARGS_SHOWN_BYTES_MAX = 200;

/** Lists datasets. */
export function listDatasets(context: ToolContext, { offset = 0 }: { offset?: number | undefined }): string {
  const all = context.store.list().toReversed();
  const page: string[] = [];
  const evicted = offset > 0 ? [] : context.store.evicted().slice(0, GONE_SHOWN_MAX);
  const gone = evicted.length > 0 ? `"evicted":${JSON.stringify(evicted)}` : "";
  let left = LIST_BYTES_MAX - wireBytes(gone);
  for (const dataset of all.slice(offset)) {
    const json = entryJson(dataset);
    left -= wireBytes(json) + 1;
    if (left < 0 && page.length > 0) break;
    page.push(json);
  }
  const next = offset + page.length;
  const lost = [...context.lost.values()].toReversed().slice(0, GONE_SHOWN_MAX);
  return `{${
    [
      `"datasets":[${page.join(",")}],"total":${all.length}`,
      ...(next < all.length
        ? [`"more":${JSON.stringify(`${all.length - next} more datasets: loom_list_datasets with offset ${next}`)}`]
        : []),
      ...(gone === "" ? [] : [gone]),
      ...(lost.length > 0 ? [`"lost":${JSON.stringify(lost)}`] : []),
    ].join(",")
  }}`;
}

function entryJson({ ref, rowCount, columns, bytes, pinned, implicit, provenance }: Dataset): string {
  const ageSeconds = Math.max(0, Math.round((Date.now() - Date.parse(provenance.createdAt)) / 1000));
  const plain = JSON.stringify({ ref, rows: rowCount, columns: columns.length, bytes, ageSeconds, pinned, implicit });
  return `${plain.slice(0, -1)},"provenance":${provenanceJson(provenance, ARGS_SHOWN_BYTES_MAX)}}`;
}
