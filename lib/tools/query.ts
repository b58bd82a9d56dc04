/** `loom_query`: guarded SQL, answered inline when small and as a dataset when large. @module */

import type { Dataset } from "../dataset.ts";
import { buildEnvelope, ENVELOPE_BYTES_MAX, estimateTokens } from "../envelope/mod.ts";
import { LoomError } from "../errors.ts";
import type { QueryAnswer } from "../store/mod.ts";
import type { ToolContext } from "./context.ts";
import { sampleOf } from "./sample.ts";

/** Rows of an answer that is given inline. */
export const INLINE_ROWS_MAX = 10_000;
/** Characters of one cell of an inline answer. */
export const INLINE_CELL_CHARS_MAX = 200_000;
/** Join hints that are looked for when an answer becomes a dataset. */
const HINTS_MAX = 5;

/** Why an answer is not kept as a dataset, and is given as far as it goes. */
const NOT_KEPT: ReadonlySet<string> = new Set(["LIMIT_EXCEEDED", "OUT_OF_MEMORY", "QUERY_TIMEOUT"]);

/** Runs one query. */
export async function runQuery(context: ToolContext, { sql }: { sql: string }, signal: AbortSignal): Promise<string> {
  context.note({ sql });
  const byteLimit = Math.max(context.tokenThreshold * 4, ENVELOPE_BYTES_MAX);
  const answer = await context.store.query(sql, {
    rowLimit: INLINE_ROWS_MAX,
    byteLimit,
    cellChars: INLINE_CELL_CHARS_MAX,
    keep: true,
    signal,
  });
  const text = answerText(answer);
  context.note({ sql, rows: answer.rowCount });
  if (answer.truncated === undefined && estimateTokens(text.length) <= context.tokenThreshold) return text;
  return await keepAnswer(context, sql, { answer, text });
}

/** Keeps a large answer as `ds_query_<n>`; gives it inline, capped and saying so, when that cannot be or saves nothing. */
async function keepAnswer(
  context: ToolContext,
  sql: string,
  inline: { readonly answer: QueryAnswer; readonly text: string },
): Promise<string> {
  let dataset: Dataset;
  try {
    dataset = await inline.answer.keep();
  } catch (error) {
    if (error instanceof LoomError && NOT_KEPT.has(error.code)) return cappedText(inline.answer, error.message);
    throw error;
  }
  const envelope = buildEnvelope({
    dataset,
    sample: await sampleOf(context.store, dataset, 5),
    hints: await context.store.hints(dataset.ref, HINTS_MAX),
    context: [],
    // Both say too little: the one is the engine's own count, the other what was read before the cap.
    originalChars: Math.max(dataset.bytes, inline.text.length),
    tokenThreshold: context.tokenThreshold,
    hasOriginal: false,
  });
  if (inline.answer.truncated === undefined && envelope.length >= inline.text.length) {
    await context.store.drop(dataset.ref);
    return inline.text;
  }
  context.note({ sql, ref: dataset.ref, rows: dataset.rowCount });
  context.onDerived(dataset, sql, { kind: "query" });
  return envelope;
}

function answerText({ columns, rows, rowCount }: QueryAnswer): string {
  const names = rows.length === 0 ? `,"columns":${JSON.stringify(columns)}` : "";
  return `{"rows":[${rows.join(",")}],"rowCount":${rowCount}${names}}`;
}

function cappedText({ rows, rowCount, truncated }: QueryAnswer, reason: string): string {
  const total = truncated?.total;
  const of = total === undefined ? ` of at least ${truncated?.atLeast ?? rowCount}` : ` of ${total}`;
  const note = `Capped: these are the first ${rows.length} rows${of}. ` +
    `The whole answer cannot be kept: ${
      reason.replace(/^Cannot [^:]*: /, "")
    }. Narrow it: fewer columns, WHERE, GROUP BY or LIMIT`;
  return `{"rows":[${rows.join(",")}],"rowCount":${total ?? rowCount},"capped":${JSON.stringify(note)}}`;
}
