/** From a result's chunks to the rows of an answer, within caps that it states. @module */

import { LoomError } from "../errors.ts";
import { ChunkReader, keysOf } from "./cells.ts";
import { COUNTED_ROWS_MAX, COUNTING_MS_MAX } from "./limits.ts";
import type { Reading } from "./read.ts";
import { typeSql } from "./types.ts";

/** How much of a result an answer may hold. */
export interface AnswerLimits {
  /** Rows. */
  readonly rowLimit: number;
  /** UTF-16 units of all rows together. */
  readonly byteLimit: number;
  /** UTF-16 units at which a text cell is cut, ending in `…`. */
  readonly cellChars?: number | undefined;
}

/** That an answer holds less than there is. */
export interface Truncation {
  /** The limit that was met. */
  readonly by: "rows" | "bytes";
  /** Rows that there are; absent when counting them all would have taken too long. */
  readonly total?: number | undefined;
  /** Rows that there are at least. */
  readonly atLeast: number;
}

/** The rows of an answer. */
export interface Answer {
  /** Names and engine types, in order. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Each row as the text of a JSON object. */
  readonly rows: readonly string[];
  /** Rows that are given. */
  readonly rowCount: number;
  /** What was left out; absent when nothing was. */
  readonly truncated?: Truncation | undefined;
}

/** Reads rows until a cap is met, then counts what is left. */
export function readAnswer(limits: AnswerLimits): Reading<Answer> {
  return async ({ names, types }, next) => {
    const keys = keysOf(names);
    const rows: string[] = [];
    let chars = 0, seen = 0;
    let by: Truncation["by"] | undefined;
    for (let chunk = await next(); chunk; chunk = await next()) {
      const reader = new ChunkReader(chunk, types, limits);
      for (let row = 0; row < reader.rowCount && by === undefined; row++) {
        if (rows.length >= limits.rowLimit) by = "rows";
        else {
          const text = reader.rowJson(keys, row);
          if (chars + text.length > limits.byteLimit) by = "bytes";
          else {
            rows.push(text);
            chars += text.length + 1;
          }
        }
      }
      seen += reader.rowCount;
      if (by !== undefined) break;
    }
    const columns = names.map((name, i) => ({ name, type: types[i] ? typeSql(types[i]) : "" }));
    const truncated = by && await counted(by, seen, next);
    return { columns, rows, rowCount: rows.length, truncated };
  };
}

async function counted(by: Truncation["by"], seen: number, next: Parameters<Reading<unknown>>[1]): Promise<Truncation> {
  const until = performance.now() + COUNTING_MS_MAX;
  try {
    for (let chunk = await next(); chunk; chunk = await next()) {
      seen += chunk.rowCount;
      if (seen > COUNTED_ROWS_MAX || performance.now() > until) return { by, atLeast: seen };
    }
  } catch (error) {
    // The rows that were read are right; only their number is not known.
    if (error instanceof LoomError && error.code === "QUERY_TIMEOUT") return { by, atLeast: seen };
    throw error;
  }
  return { by, total: seen, atLeast: seen };
}
