/** The store: datasets in a sealed engine, read through the gate, written in a lane of their own. @module */

import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Dataset, Provenance, Table } from "../dataset.ts";
import { LoomError } from "../errors.ts";
import { type Answer, type AnswerLimits, readAnswer } from "./answer.ts";
import { Catalog } from "./catalog.ts";
import { ChunkReader, keysOf } from "./cells.ts";
import { createFrom, drainAll } from "./derive.ts";
import { type CheckedSql, Gate } from "./gate.ts";
import { guardStatements } from "./guards.ts";
import { appendTable } from "./ingest.ts";
import { assertSealed, openInstance, openParser, type SealProbe } from "./instance.ts";
import { Lane, runAlone } from "./lanes.ts";
import { engineError, isInternal } from "./messages.ts";
import { type ProfiledColumn, profileTable } from "./profile.ts";
import { Deadline, type Reading, readQuery } from "./read.ts";
import { makeSpillFolder, removeSpillFolder } from "./spill.ts";
import { quoteIdentifier, uniqueNames } from "./sql.ts";
import { typeSql } from "./types.ts";

/** What a store is opened with. */
export interface StoreOptions {
  /** Hard engine limit: `512MB`. */
  readonly memoryLimit: string;
  /** Soft budget for tracked bytes; above it originals and datasets are evicted. */
  readonly memoryBudgetBytes: number;
  /** Milliseconds that a query may take, parsing included. */
  readonly queryTimeoutMs: number;
  /** Folder in which a private spill folder is made. */
  readonly spillParent: string;
  /** Folder for exports; made when the first one is written. */
  readonly exportDir: string;
  /** Sees every statement that a caller's SQL leads to. */
  readonly trace?: ((sql: string) => void) | undefined;
  /** Told that the original kept for this ref was given up to make room. */
  readonly onForgetOriginal?: ((ref: string) => void) | undefined;
  /** Told that a dataset was given up to make room. */
  readonly onEvict?: ((ref: string) => void) | undefined;
  /** Stands in for the seal's self-test, so that a test can make it fail. */
  readonly probe?: SealProbe | undefined;
}

/** What is known of a table that is to be stored. */
export interface IngestMeta {
  readonly server: string;
  readonly tool: string;
  readonly provenance: Provenance;
  /** Payload bytes of the result. */
  readonly bytes: number;
  /** The ref of a dataset that is built again after a restart. */
  readonly ref?: string | undefined;
}

/** How a query is answered. */
export interface QueryOptions extends AnswerLimits {
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a query. */
export interface QueryAnswer extends Answer {
  /** Datasets that were read. */
  readonly refs: readonly string[];
  /** Milliseconds from the first parse to the last row. */
  readonly ms: number;
}

/** How a query's result is kept. */
export interface MaterializeOptions {
  readonly signal?: AbortSignal | undefined;
  /** The ref of a dataset that is built again after a restart. */
  readonly ref?: string | undefined;
}

/** Why a result is kept: as an implicit result of a query, or as a named view that is never evicted. */
export type DerivedKind = { readonly kind: "query" } | { readonly kind: "view"; readonly name: string };

/** Longest name of a view. */
export const VIEW_NAME_CHARS_MAX = 64;

/** Opens a store: sealed, tested, empty. Throws `ENGINE_NOT_SEALED` when the self-test fails. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const spillFolder = await makeSpillFolder(options.spillParent);
  const opened: { closeSync(): void }[] = [];
  try {
    const instance = await openInstance({ memoryLimit: options.memoryLimit, spillFolder });
    opened.unshift(instance);
    const writer = await instance.connect();
    opened.unshift(writer);
    await assertSealed(writer, options.probe);
    for (const statement of guardStatements()) await writer.run(statement);
    const reader = await instance.connect();
    opened.unshift(reader);
    const parser = await openParser();
    opened.unshift(parser);
    const gate = await Gate.open(parser);
    return new Store(options, { instance, parser, writer, reader, gate, spillFolder });
  } catch (error) {
    for (const each of opened) each.closeSync();
    await removeSpillFolder(spillFolder);
    throw error;
  }
}

interface Parts {
  readonly instance: DuckDBInstance;
  readonly parser: DuckDBInstance;
  readonly writer: DuckDBConnection;
  readonly reader: DuckDBConnection;
  readonly gate: Gate;
  readonly spillFolder: string;
}

/** Datasets and what can be done with them. Every method may be called at any time; each lane keeps its own order. */
export class Store {
  readonly #options: StoreOptions;
  readonly #parts: Parts;
  readonly #catalog: Catalog;
  readonly #writeLane = new Lane();
  readonly #readLane = new Lane();
  readonly #namesInMaking = new Set<string>();
  #usable = true;

  /** Use {@link openStore}. */
  constructor(options: StoreOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#catalog = new Catalog(options.memoryBudgetBytes);
  }

  /** False when the engine has damaged itself and the process should be thrown away. */
  isUsable(): boolean {
    return this.#usable;
  }

  /** The store's private spill folder, for whoever cleans up after this process was killed. */
  get spillFolder(): string {
    return this.#parts.spillFolder;
  }

  /** Bytes that count towards the budget: payloads of datasets and kept originals. */
  get trackedBytes(): number {
    return this.#catalog.bytes;
  }

  /** The dataset of this ref, or undefined. */
  get(ref: string): Dataset | undefined {
    return this.#catalog.get(ref);
  }

  /** The dataset of this ref; throws `DATASET_NOT_FOUND` or `DATASET_LOST` with what it was and the way back. */
  need(ref: string): Dataset {
    return this.#catalog.need(ref);
  }

  /** All datasets in the order in which they were made. */
  list(): Dataset[] {
    return this.#catalog.list();
  }

  /** Marks a dataset as used just now. */
  touch(ref: string): void {
    this.#catalog.touch([ref]);
  }

  /** Never gives a number up to `n` to a new dataset: for numbers that were given before a restart. */
  reserveNumbers(n: number): void {
    this.#catalog.reserve(n);
  }

  /** Remembers a dataset that could not be built again, so that its ref is answered with the reason. */
  rememberLost(ref: string, provenance: Provenance, rowCount: number): void {
    this.#catalog.remember(ref, { provenance, rowCount, reason: "lost" });
  }

  /** Counts the original result that is kept for a ref, and makes room for it. */
  async noteOriginal(ref: string, bytes: number): Promise<void> {
    this.#catalog.noteOriginal(ref, bytes);
    await this.#makeRoom(ref);
  }

  /** Counts the original of a ref no longer. */
  originalForgotten(ref: string): void {
    this.#catalog.forgetOriginal(ref);
  }

  /** Stores a table, all of it or nothing, and profiles it. */
  async ingest(table: Table, meta: IngestMeta): Promise<Dataset> {
    const ref = meta.ref ?? this.#catalog.nextRef(meta.server, meta.tool);
    if (this.#catalog.get(ref)) throw new LoomError("NAME_TAKEN", `Cannot store "${ref}" again: it exists`);
    assertUnique(table.columns.map((column) => column.name));
    return await this.#create(ref, (connection) => appendTable(connection, ref, table), {
      columns: table.columns.map(({ name, type, path, format }) => ({ name, type, path, format })),
      rowCount: table.rowCount,
      provenance: meta.provenance,
      bytes: meta.bytes,
      pinned: false,
      implicit: false,
    });
  }

  /**
   * Answers one reading statement.
   * @throws LoomError `QUERY_REJECTED`, `DATASET_NOT_FOUND`, `QUERY_FAILED`, `QUERY_TIMEOUT`, `OUT_OF_MEMORY`
   */
  async query(sql: string, options: QueryOptions): Promise<QueryAnswer> {
    const started = performance.now();
    const { refs, value } = await this.#read(sql, readAnswer(options), options.signal);
    return { ...value, refs, ms: performance.now() - started };
  }

  /**
   * Keeps the whole result of one reading statement as a dataset, in the engine's own types.
   * @throws LoomError as {@link Store.query}, and `NAME_TAKEN`, `ARGUMENTS_INVALID`, `LIMIT_EXCEEDED`
   */
  async materialize(sql: string, derived: DerivedKind, options: MaterializeOptions = {}): Promise<Dataset> {
    if (derived.kind === "query") return await this.#keep(sql, derived, options);
    this.#assertViewName(derived.name);
    const key = derived.name.toLowerCase();
    this.#namesInMaking.add(key);
    try {
      return await this.#keep(sql, derived, options);
    } finally {
      this.#namesInMaking.delete(key);
    }
  }

  async #keep(sql: string, derived: DerivedKind, options: MaterializeOptions): Promise<Dataset> {
    const { value: result } = await this.#read(sql, drainAll, options.signal);
    const ref = options.ref ?? this.#catalog.nextRef(...(derived.kind === "view" ? ["view", derived.name] : ["query"]));
    const columns = result.names.map((name, i) => ({ name, type: result.types[i] ? typeSql(result.types[i]) : "" }));
    return await this.#create(ref, (connection) => createFrom(connection, ref, result), {
      columns,
      rowCount: result.rowCount,
      provenance: {
        server: "loom",
        tool: derived.kind === "view" ? "loom_materialize" : "loom_query",
        createdAt: new Date().toISOString(),
        source: "query",
        sql,
      },
      bytes: result.bytes,
      pinned: derived.kind === "view",
      implicit: derived.kind === "query",
    });
  }

  /** The first rows of a dataset, each as the text of a JSON object; text cells are cut at `cellChars`. */
  async sample(ref: string, rows: number, cellChars?: number): Promise<string[]> {
    const dataset = this.need(ref);
    const table = quoteIdentifier(dataset.ref);
    // A column of that name hides the engine's row number, and then any rows will do.
    const hidden = dataset.columns.some((column) => column.name.toLowerCase() === "rowid");
    const first = hidden ? `LIMIT ${rows}` : `WHERE rowid < ${rows} ORDER BY rowid`;
    return await this.#readOwn(dataset.ref, `SELECT * FROM ${table} ${first}`, async (shape, next) => {
      const texts: string[] = [];
      const keys = keysOf(shape.names);
      for (let chunk = await next(); chunk; chunk = await next()) {
        const reader = new ChunkReader(chunk, shape.types, { cellChars });
        for (let row = 0; row < reader.rowCount; row++) texts.push(reader.rowJson(keys, row));
      }
      return texts;
    });
  }

  /** LEAD: placeholders until hints.ts and export.ts are in; replace with the real ones. */
  hints(_ref: string, _limit: number): Promise<import("../dataset.ts").JoinHint[]> {
    return Promise.resolve([]);
  }
  export(
    _ref: string,
    _format: "csv" | "json",
    _options: { filename?: string | undefined; signal?: AbortSignal } = {},
  ): Promise<{ path: string; rows: number; bytes: number }> {
    return Promise.reject(new LoomError("EXPORT_FAILED", "Cannot export yet"));
  }

  /** Drops a dataset when nothing reads or writes any more. Dropping one that is gone is no error. */
  async drop(ref: string): Promise<void> {
    await this.#drop(ref, "dropped");
  }

  /** Ends the lanes, closes the engine and removes the spill folder. */
  async close(): Promise<void> {
    const { instance, parser, writer, reader, gate, spillFolder } = this.#parts;
    await runAlone(this.#writeLane, this.#readLane, () => {
      gate.close();
      parser.closeSync();
      reader.closeSync();
      writer.closeSync();
      instance.closeSync();
      return Promise.resolve();
    });
    await removeSpillFolder(spillFolder);
  }

  /** Checks SQL and reads its result, in the read lane, within the time limit that starts now. */
  #read<T>(
    sql: string,
    reading: Reading<T>,
    signal?: AbortSignal,
  ): Promise<{ readonly refs: readonly string[]; readonly value: T }> {
    return this.#readLane.run(async () => {
      using deadline = this.#deadline(signal);
      const query = await this.#check(sql, deadline);
      const value = await this.#catalog.using(query.refs, () => this.#readChecked(query, deadline, reading));
      return { refs: query.refs, value };
    });
  }

  async #check(sql: string, deadline: Deadline): Promise<CheckedSql> {
    try {
      return await this.#parts.gate.check(sql, this.#catalog);
    } catch (error) {
      throw deadline.explain(error, sql);
    }
  }

  /** Reads with SQL that the store itself wrote. */
  #readOwn<T>(ref: string, sql: string, reading: Reading<T>): Promise<T> {
    return this.#readLane.run(async () => {
      using deadline = this.#deadline();
      const query = { sql, refs: [ref] } as unknown as CheckedSql;
      return await this.#catalog.using([ref], () => this.#readChecked(query, deadline, reading));
    });
  }

  async #readChecked<T>(query: CheckedSql, deadline: Deadline, reading: Reading<T>): Promise<T> {
    this.#options.trace?.(query.sql);
    try {
      return await readQuery(this.#parts.reader, query, deadline, reading);
    } catch (error) {
      if (isInternal(error instanceof LoomError ? error.cause ?? error : error)) await this.#examine();
      throw error;
    }
  }

  #deadline(signal?: AbortSignal): Deadline {
    const { gate, reader } = this.#parts;
    return new Deadline(this.#options.queryTimeoutMs, () => {
      gate.interrupt();
      reader.interrupt();
    }, signal);
  }

  /** Creates a table and its profile in one transaction, then enters it into the catalog. */
  #create(
    ref: string,
    fill: (connection: DuckDBConnection) => Promise<void>,
    made: Omit<Dataset, "ref" | "columns"> & { readonly columns: readonly ProfiledColumn[] },
  ): Promise<Dataset> {
    return this.#writeLane.run(async () => {
      const { writer } = this.#parts;
      let dataset: Dataset;
      try {
        await writer.run("BEGIN TRANSACTION");
        await fill(writer);
        const columns = await profileTable(writer, ref, made.columns, made.rowCount);
        await writer.run("COMMIT");
        dataset = { ...made, ref, columns };
      } catch (error) {
        await writer.run("ROLLBACK").catch(() => {});
        if (isInternal(error)) await this.#examine();
        throw engineError(error, "");
      }
      this.#catalog.add(dataset);
      return dataset;
    }).then(async (dataset) => {
      await this.#makeRoom(ref);
      return dataset;
    });
  }

  /** Evicts until the tracked bytes fit the budget: originals, implicit results, server results; never `making`. */
  async #makeRoom(making: string): Promise<void> {
    for (let victim = this.#catalog.victim(making); victim; victim = this.#catalog.victim(making)) {
      if (victim.kind === "original") {
        this.#catalog.forgetOriginal(victim.ref);
        this.#options.onForgetOriginal?.(victim.ref);
      } else await this.#drop(victim.ref, "evicted");
    }
  }

  async #drop(ref: string, reason: "dropped" | "evicted"): Promise<void> {
    if (!this.#catalog.get(ref)) return;
    // Out of the catalog at once, so that no new reader finds it; readers that are at work finish first.
    this.#catalog.remove(ref, reason);
    if (reason === "evicted") this.#options.onEvict?.(ref);
    await runAlone(this.#writeLane, this.#readLane, async () => {
      await this.#parts.writer.run(`DROP TABLE IF EXISTS ${quoteIdentifier(ref)}`);
    });
  }

  #assertViewName(name: string): void {
    if (!/^[A-Za-z0-9_]+$/.test(name) || name.length > VIEW_NAME_CHARS_MAX) {
      throw new LoomError(
        "ARGUMENTS_INVALID",
        `Cannot name a dataset "${name}": use 1 to ${VIEW_NAME_CHARS_MAX} letters, digits and _`,
      );
    }
    const pattern = new RegExp(`^ds_view_${name}_\\d+$`, "i");
    const made = this.#catalog.list().find((dataset) => dataset.pinned && pattern.test(dataset.ref))?.ref;
    const taken = made ?? (this.#namesInMaking.has(name.toLowerCase()) ? "one that is being made" : undefined);
    if (taken) {
      throw new LoomError("NAME_TAKEN", `Cannot name a dataset "${name}": ${taken} has this name; choose another`);
    }
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

function assertUnique(names: readonly string[]): void {
  const unique = uniqueNames(names);
  const twice = names.find((name, i) => name !== unique[i]);
  if (twice !== undefined) throw new LoomError("LIMIT_EXCEEDED", `Cannot store two columns called "${twice}"`);
}
