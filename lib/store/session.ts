/** The engine at work: one lane that writes, one that reads, the gate before it, and its end. @module */

import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { LoomError } from "../errors.ts";
import type { AnswerRun } from "./answer.ts";
import { ChunkGarbage } from "./garbage.ts";
import { type CheckedSql, Gate } from "./gate.ts";
import { guardStatements } from "./guards.ts";
import { assertSealed, connectInUtc, openInstance, openParser, type SealProbe } from "./instance.ts";
import { Lane, runAlone } from "./lanes.ts";
import { COUNTING_MS_MAX } from "./limits.ts";
import { engineError, isInternal } from "./messages.ts";
import { Deadline, type Reading, readQuery } from "./read.ts";
import { RowSource } from "./row_source.ts";
import { withoutSemicolons } from "./scan.ts";
import { SpillFolder } from "./spill.ts";
import { endTransaction } from "./transactions.ts";
import type { KnownTables } from "./walk.ts";

/** Milliseconds within which running out of memory is not taken for the query's own fault. */
const LEFTOVER_MS_MAX = 200;
/** Milliseconds before such a query is tried once more. */
const LEFTOVER_PAUSE_MS = 150;

/** Known tables that are not evicted while they are read. */
type UsedTables = KnownTables & { using<U>(refs: readonly string[], task: () => Promise<U>): Promise<U> };

/** What a session is opened with. */
export interface SessionOptions {
  /** Hard engine limit: `512MB`. */
  readonly memoryLimit: string;
  /** Milliseconds that a query may take, parsing included. */
  readonly queryTimeoutMs: number;
  /** Folder in which a private spill folder is made. */
  readonly spillParent: string;
  /** Sees every statement that is read. */
  readonly trace?: ((sql: string) => void) | undefined;
}

/** What tests put in the engine's way. */
export interface SessionHooks {
  /** Stands in for the seal's self-test, so that a test can make it fail. */
  readonly probe?: SealProbe | undefined;
  /** Stands between the store and its connections, so that a test can make any call to the engine fail. */
  readonly instrument?: ((connection: DuckDBConnection) => DuckDBConnection) | undefined;
}

interface Parts {
  readonly instance: DuckDBInstance;
  readonly parser: DuckDBInstance;
  readonly writer: DuckDBConnection;
  readonly rows: RowSource;
  readonly reader: DuckDBConnection;
  readonly gate: Gate;
  readonly spill: SpillFolder;
}

/** An open engine. Each lane keeps its own order; neither waits for the other but to drop a table and to close. */
export class Session {
  readonly #options: SessionOptions;
  readonly #parts: Parts;
  readonly #writeLane = new Lane();
  readonly #readLane = new Lane();
  readonly #garbage = new ChunkGarbage();
  #usable = true;
  #closed: Promise<void> | undefined;

  private constructor(options: SessionOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Opens the engine sealed and tests the seal. Throws `ENGINE_NOT_SEALED` when the test fails; nothing is left open. */
  static async open(options: SessionOptions, hooks: SessionHooks = {}): Promise<Session> {
    const spill = await SpillFolder.make(options.spillParent);
    const opened: { closeSync(): void }[] = [];
    try {
      const instance = await openInstance({ memoryLimit: options.memoryLimit, spillFolder: spill.path });
      opened.unshift(instance);
      const writer = await connectInUtc(instance);
      opened.unshift(writer);
      await assertSealed(writer, hooks.probe);
      for (const statement of guardStatements()) await writer.run(statement);
      const reader = await connectInUtc(instance);
      opened.unshift(reader);
      const parser = await openParser();
      opened.unshift(parser);
      const gate = await Gate.open(parser);
      const instrument = hooks.instrument ?? ((connection) => connection);
      return new Session(options, {
        instance,
        parser,
        writer: instrument(writer),
        rows: new RowSource(writer),
        reader: instrument(reader),
        gate,
        spill,
      });
    } catch (error) {
      for (const each of opened) each.closeSync();
      await spill.remove();
      throw error;
    }
  }

  /** The private folder for work that outgrows the memory limit. */
  get spillFolder(): string {
    return this.#parts.spill.path;
  }

  /** False when the engine has damaged itself. */
  get usable(): boolean {
    return this.#usable;
  }

  /** Checks SQL and reads its result within the time limit, which starts when its turn comes. */
  readChecked<T>(
    sql: string,
    tables: UsedTables,
    reading: Reading<T>,
    signal?: AbortSignal,
  ): Promise<{ readonly query: CheckedSql; readonly value: T }> {
    return this.#readLane.run(() => this.#readInTurn(sql, tables, reading, this.#options.queryTimeoutMs, signal));
  }

  /**
   * The same for an answer, whose rows the engine counts in the same turn when there were too many to read them all; a
   * number that could differ from one run to the next, or that takes too long, is not known.
   */
  readAnswer(
    sql: string,
    tables: UsedTables,
    reading: Reading<AnswerRun>,
    signal?: AbortSignal,
  ): Promise<{ readonly query: CheckedSql; readonly value: AnswerRun; readonly total: number | undefined }> {
    return this.#readLane.run(async () => {
      const started = performance.now();
      const limitMs = this.#options.queryTimeoutMs;
      const { query, value } = await this.#readInTurn(sql, tables, reading, limitMs, signal);
      if (value.ended !== "enough") return { query, value, total: value.ended === "complete" ? value.seen : undefined };
      const leftMs = Math.floor(Math.min(COUNTING_MS_MAX, limitMs - (performance.now() - started)));
      const total = query.volatile || leftMs <= 0 ? undefined : await this.#count(query, tables, leftMs, signal);
      return { query, value, total };
    });
  }

  async #count(
    query: CheckedSql,
    tables: UsedTables,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<number | undefined> {
    // The line break ends a comment behind the statement.
    const sql = `SELECT count(*) FROM (${withoutSemicolons(query.sql)}\n)`;
    const first: Reading<number> = async (_, next) => Number((await next())?.getColumnValues(0)[0]);
    try {
      return (await this.#readInTurn(sql, tables, first, limitMs, signal)).value;
    } catch {
      return undefined;
    }
  }

  async #readInTurn<T>(
    sql: string,
    tables: UsedTables,
    reading: Reading<T>,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly query: CheckedSql; readonly value: T }> {
    using deadline = this.#deadline(signal, this.#parts.reader, limitMs);
    const query = await this.#check(sql, tables, deadline);
    const { reader } = this.#parts;
    return { query, value: await tables.using(query.refs, () => this.#read(reader, query, deadline, reading)) };
  }

  /** Reads with SQL that the store itself wrote. */
  readOwn<T>(sql: string, reading: Reading<T>, signal?: AbortSignal): Promise<T> {
    return this.#readLane.run(() => this.#readOwn(this.#parts.reader, sql, reading, signal));
  }

  /** The same for short reads that belong to a write and must not wait behind a slow query. */
  readBetweenWrites<T>(sql: string, reading: Reading<T>): Promise<T> {
    return this.#writeLane.run(() => this.#readOwn(this.#parts.writer, sql, reading));
  }

  async #readOwn<T>(connection: DuckDBConnection, sql: string, reading: Reading<T>, signal?: AbortSignal): Promise<T> {
    using deadline = this.#deadline(signal, connection);
    return await this.#read(connection, { sql, refs: [], volatile: false } as unknown as CheckedSql, deadline, reading);
  }

  /** Runs `begin` and then `task` in one transaction of the write lane: it is committed, or nothing of it remains. */
  write<T>(begin: string, task: (connection: DuckDBConnection, rows: RowSource) => Promise<T>): Promise<T> {
    return this.#writeLane.run(async () => {
      const { writer, rows } = this.#parts;
      try {
        // One call for two statements: each call costs as much as a small statement.
        await writer.run(`BEGIN TRANSACTION; ${begin}`);
        const made = await task(writer, rows);
        await writer.run("COMMIT");
        return made;
      } catch (error) {
        await endTransaction(writer);
        if (isInternal(error)) await this.#examine();
        throw engineError(error, "");
      }
    });
  }

  /** Runs a statement when nothing reads and nothing writes. */
  async runAlone(sql: string): Promise<void> {
    await runAlone(this.#readLane, this.#writeLane, async () => void await this.#parts.writer.run(sql));
  }

  /** Waits for what runs, closes the engine and removes the spill folder. Later calls wait for the same. */
  close(): Promise<void> {
    return this.#closed ??= this.#close();
  }

  async #close(): Promise<void> {
    const { instance, parser, writer, reader, gate, spill } = this.#parts;
    await runAlone(this.#readLane, this.#writeLane, () => {
      gate.close();
      for (const each of [parser, reader, writer, instance]) each.closeSync();
      return Promise.resolve();
    });
    await spill.remove();
  }

  async #check(sql: string, tables: KnownTables, deadline: Deadline): Promise<CheckedSql> {
    try {
      return await this.#parts.gate.check(sql, tables);
    } catch (error) {
      throw deadline.explain(error, sql);
    }
  }

  async #read<T>(
    connection: DuckDBConnection,
    query: CheckedSql,
    deadline: Deadline,
    reading: Reading<T>,
  ): Promise<T> {
    this.#options.trace?.(query.sql);
    // Not at the end of a read, when its caller still holds the chunks.
    this.#garbage.sweep();
    const started = performance.now();
    const noted = this.#noted(reading);
    try {
      return await readQuery(connection, query, deadline, noted);
    } catch (error) {
      if (isInternal(error instanceof LoomError ? error.cause ?? error : error)) await this.#examine();
      if (!isLeftover(error, performance.now() - started)) throw error;
      this.#garbage.sweep(true);
      await new Promise((resolve) => setTimeout(resolve, LEFTOVER_PAUSE_MS));
      return await readQuery(connection, query, deadline, noted);
    }
  }

  /** The reading, with its chunks noted as memory that will have to be swept. */
  #noted<T>(reading: Reading<T>): Reading<T> {
    return (shape, next) =>
      reading(shape, async () => {
        const chunk = await next();
        if (chunk) this.#garbage.note(shape.names.length);
        return chunk;
      });
  }

  #deadline(
    signal: AbortSignal | undefined,
    connection = this.#parts.reader,
    limitMs = this.#options.queryTimeoutMs,
  ): Deadline {
    const { gate, reader } = this.#parts;
    const interrupt = () => {
      // The gate works for the read lane alone.
      if (connection === reader) gate.interrupt();
      connection.interrupt();
    };
    return new Deadline(limitMs, interrupt, signal);
  }

  /** After an internal error: does the instance still answer? */
  async #examine(): Promise<void> {
    try {
      const connection = await this.#parts.instance.connect();
      try {
        await connection.run("SELECT 42");
      } finally {
        connection.closeSync();
      }
    } catch {
      this.#usable = false;
    }
  }
}

/** Running out of memory at once is the fault of what ran before: its memory is not given back yet. */
function isLeftover(error: unknown, ms: number): boolean {
  return error instanceof LoomError && error.code === "OUT_OF_MEMORY" && ms < LEFTOVER_MS_MAX;
}
