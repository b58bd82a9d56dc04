/** From a result's chunks to the rows of an answer, within caps that it states. @module */

import type { DuckDBDataChunk, DuckDBType } from "@duckdb/node-api";
import { LoomError } from "../errors.ts";
import { ChunkReader, keysOf } from "./cells.ts";
import { Drain, type Drained } from "./derive.ts";
import { COUNTING_MS_MAX, ROWS_MAX } from "./limits.ts";
import { engineError, isOutOfMemory } from "./messages.ts";
import type { Reading, ResultShape } from "./read.ts";
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

/** What one run of a query gave: the rows of an answer, and as much of the whole as was wanted. */
export interface AnswerRun extends Omit<Answer, "truncated"> {
  /** The cap that was met. */
  readonly by?: Truncation["by"] | undefined;
  /** Rows that were read. */
  readonly seen: number;
  /** Why reading ended: nothing is left, enough was read, or there was no more time. */
  readonly ended: "complete" | "enough" | "late";
  /** The whole result, where it was wanted and a dataset can hold it; otherwise why there is none. */
  readonly whole: Drained | LoomError;
}

/**
 * Reads rows until a cap is met. What is left is read on, and collected when `keep` is set, until a dataset could not hold
 * it or, without `keep`, {@link COUNTING_MS_MAX} is over: chunks that are thrown away cost native memory until V8 next
 * cleans up, so their number is bounded.
 */
export function readAnswer(limits: AnswerLimits & { readonly keep?: boolean | undefined }): Reading<AnswerRun> {
  return async (shape, next) => {
    const rows = new AnswerRows(shape, limits);
    const rest = new Rest(shape, limits.keep ?? false);
    let seen = 0;
    let ended: AnswerRun["ended"] = "complete";
    try {
      for (let chunk = await next(); chunk; chunk = await next()) {
        rows.add(chunk);
        seen += chunk.rowCount;
        ended = rest.isEnough(chunk, seen, rows.by !== undefined) ? "enough" : "complete";
        if (ended === "enough") break;
      }
    } catch (error) {
      // The rows that were read are right; only what comes after them is not known.
      if (rows.by === undefined || !isLimit(error)) throw error;
      rest.failed(error);
      ended = "late";
    }
    return { ...rows.answer, by: rows.by, seen, ended, whole: rest.whole };
  };
}

/** A limit on time or memory, rather than a fault of the statement. */
function isLimit(error: unknown): boolean {
  return error instanceof LoomError ? error.code === "QUERY_TIMEOUT" : isOutOfMemory(error);
}

/** The rows that an answer has room for. */
class AnswerRows {
  readonly #shape: ResultShape;
  readonly #limits: AnswerLimits;
  readonly #keys: readonly string[];
  readonly #rows: string[] = [];
  #chars = 0;
  /** The cap that was met. */
  by: Truncation["by"] | undefined;

  constructor(shape: ResultShape, limits: AnswerLimits) {
    this.#shape = shape;
    this.#limits = limits;
    this.#keys = keysOf(shape.names);
  }

  add(chunk: DuckDBDataChunk): void {
    if (this.by !== undefined) return;
    const reader = new ChunkReader(chunk, this.#shape.types, this.#limits);
    for (let row = 0; row < reader.rowCount && this.by === undefined; row++) this.#addRow(reader, row);
  }

  #addRow(reader: ChunkReader, row: number): void {
    if (this.#rows.length >= this.#limits.rowLimit) return void (this.by = "rows");
    const text = reader.rowJson(this.#keys, row);
    if (this.#chars + text.length > this.#limits.byteLimit) return void (this.by = "bytes");
    this.#rows.push(text);
    this.#chars += text.length + 1;
  }

  get answer(): Pick<Answer, "columns" | "rows" | "rowCount"> {
    const typeOf = (type: DuckDBType | undefined) => type ? typeSql(type) : "";
    const columns = this.#shape.names.map((name, i) => ({ name, type: typeOf(this.#shape.types[i]) }));
    return { columns, rows: this.#rows, rowCount: this.#rows.length };
  }
}

/** What becomes of the chunks: collected for a dataset, or only counted. */
class Rest {
  readonly #drain: Drain | undefined;
  #reason: LoomError | undefined;
  #until: number | undefined;

  constructor(shape: ResultShape, keep: boolean) {
    try {
      this.#drain = keep ? new Drain(shape) : undefined;
    } catch (error) {
      this.failed(error);
    }
  }

  /** Takes a chunk; true when no more are wanted once the answer is full. */
  isEnough(chunk: DuckDBDataChunk, seen: number, full: boolean): boolean {
    if (this.#drain !== undefined && this.#reason === undefined) {
      try {
        this.#drain.add(chunk);
        return false;
      } catch (error) {
        this.failed(error);
      }
    }
    if (!full) return false;
    if (this.#reason !== undefined) return true;
    this.#until ??= performance.now() + COUNTING_MS_MAX;
    return seen > ROWS_MAX || performance.now() > this.#until;
  }

  failed(error: unknown): void {
    this.#reason = engineError(error, "");
  }

  get whole(): Drained | LoomError {
    return this.#reason ?? this.#drain?.drained ??
      new LoomError("QUERY_FAILED", "Cannot keep it: it was not collected");
  }
}
