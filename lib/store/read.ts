/** Runs checked SQL on the read lane: in a read-only transaction, as a stream, within its time, drained or ended. @module */

import { type DuckDBConnection, type DuckDBDataChunk, type DuckDBType, StatementType } from "@duckdb/node-api";
import { LoomError } from "../errors.ts";
import type { CheckedSql } from "./gate.ts";
import { INTERRUPT_EVERY_MS } from "./limits.ts";
import { engineError, isInterrupt } from "./messages.ts";
import { rejected } from "./scan.ts";
import { uniqueNames } from "./sql.ts";
import { endTransaction } from "./transactions.ts";

/** The shape of a result before its rows. */
export interface ResultShape {
  /** Unique without regard to case. */
  readonly names: readonly string[];
  readonly types: readonly DuckDBType[];
}

/** Receives a result: its shape once, then its chunks. `next` gives undefined at the end. */
export type Reading<T> = (shape: ResultShape, next: () => Promise<DuckDBDataChunk | undefined>) => Promise<T>;

/** Interrupts what runs when its time is over or its caller gives up, again and again until it has ended. */
export class Deadline {
  readonly #interrupt: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onAbort = () => this.#stop("aborted");
  #repeat: ReturnType<typeof setInterval> | undefined;
  #reason: "timeout" | "aborted" | undefined;
  readonly #timeoutMs: number;

  constructor(timeoutMs: number, interrupt: () => void, signal?: AbortSignal) {
    this.#interrupt = interrupt;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(() => this.#stop("timeout"), timeoutMs);
    if (signal?.aborted) this.#stop("aborted");
    else signal?.addEventListener("abort", this.#onAbort);
  }

  #stop(reason: "timeout" | "aborted"): void {
    this.#reason ??= reason;
    // An interrupt that arrives between two statements is lost, so one is not enough.
    this.#repeat ??= setInterval(this.#interrupt, INTERRUPT_EVERY_MS);
    this.#interrupt();
  }

  /** Throws the reason when the time is over. */
  check(): void {
    if (this.#reason !== undefined) throw this.#error();
  }

  /** What `error` means, now that the time may be over. */
  explain(error: unknown, sql: string): LoomError {
    if (this.#reason !== undefined && !(error instanceof LoomError)) return this.#error();
    if (isInterrupt(error)) return new LoomError("QUERY_FAILED", "Cannot run this query: it was interrupted");
    return engineError(error, sql);
  }

  /** Stops interrupting: what runs from now on is not the query any more. */
  quiet(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#repeat);
    this.#repeat = undefined;
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }

  #error(): LoomError {
    if (this.#reason === "aborted") {
      return new LoomError("QUERY_TIMEOUT", "Cannot finish this query: its caller gave it up");
    }
    return new LoomError(
      "QUERY_TIMEOUT",
      `Cannot finish this query: it ran longer than ${this.#timeoutMs} ms; filter or aggregate earlier, or LIMIT it`,
    );
  }

  [Symbol.dispose](): void {
    this.quiet();
  }
}

/** Runs `query` and hands its rows to `reading`. The stream has ended when this does, whether it was drained or not. */
export async function readQuery<T>(
  connection: DuckDBConnection,
  query: CheckedSql,
  deadline: Deadline,
  reading: Reading<T>,
): Promise<T> {
  try {
    await connection.run("BEGIN TRANSACTION READ ONLY");
    return await streamed(connection, query, deadline, reading);
  } catch (error) {
    throw deadline.explain(error, query.sql);
  } finally {
    deadline.quiet();
    await endTransaction(connection);
  }
}

/**
 * A stream that was interrupted, or in which the engine failed, ends like one that is complete: without an error. But it
 * leaves its transaction aborted, and then the statement runs once more, not as a stream, to say what is wrong with it.
 */
async function assertComplete(connection: DuckDBConnection, { sql }: CheckedSql, deadline: Deadline): Promise<void> {
  deadline.check();
  try {
    await connection.run("SELECT 1");
    return deadline.check();
  } catch {
    deadline.check();
  }
  await connection.run("ROLLBACK");
  await connection.run("BEGIN TRANSACTION READ ONLY");
  await connection.run(sql);
  throw new LoomError(
    "QUERY_FAILED",
    "Cannot finish this query: the engine stopped in the middle of the answer; ask again",
  );
}

async function streamed<T>(
  connection: DuckDBConnection,
  query: CheckedSql,
  deadline: Deadline,
  reading: Reading<T>,
): Promise<T> {
  deadline.check();
  const prepared = await connection.prepare(query.sql);
  try {
    if (prepared.statementType !== StatementType.SELECT) throw rejected("the engine does not take it for a read");
    deadline.check();
    const result = await prepared.stream();
    const types = result.columnTypes();
    const shape = { names: uniqueNames(result.columnNames()), types };
    return await reading(shape, async () => {
      deadline.check();
      const chunk = await result.fetchChunk();
      if (chunk && chunk.rowCount > 0) return chunk;
      await assertComplete(connection, query, deadline);
      return undefined;
    });
  } finally {
    prepared.destroySync();
  }
}
