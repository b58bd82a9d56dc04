/** The store: datasets in a sealed engine, kept, described, joined, exported and forgotten. @module */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Dataset, GoneDataset, JoinHint, Table } from "../dataset.ts";
import { LoomError, messageOf } from "../errors.ts";
import { readAnswer } from "./answer.ts";
import { Catalog } from "./catalog.ts";
import { ChunkReader, keysOf } from "./cells.ts";
import { appendResult, createTableSqlFor, drainAll, type Drained } from "./derive.ts";
import { type Exported, type ExportFormat, writeExport } from "./export.ts";
import { findHints } from "./find_hints.ts";
import type { CheckedSql } from "./gate.ts";
import { createTableSql } from "./ingest.ts";
import type {
  DerivedKind,
  ExportOptions,
  IngestMeta,
  MaterializeOptions,
  QueryAnswer,
  QueryOptions,
  StoreOptions,
} from "./options.ts";
import { hidesRowid, pageOf } from "./pages.ts";
import { type ProfiledColumn, profileTable } from "./profile.ts";
import { rehearseTable } from "./rehearsal.ts";
import type { RowSource } from "./row_source.ts";
import { Session, type SessionHooks } from "./session.ts";
import { quoteIdentifier, uniqueNames } from "./sql.ts";
import { typeSql } from "./types.ts";
import { Vault } from "./vault.ts";

/** Longest name of a view. */
export const VIEW_NAME_CHARS_MAX = 64;
/** Rows that an export reads at once. */
const EXPORT_ROWS = 20_000;

/** Opens a store: sealed, tested, empty. Throws `ENGINE_NOT_SEALED` when the self-test fails. */
export function openStore(options: StoreOptions): Promise<Store> {
  return openStoreWith(options, {});
}

/** {@link openStore} for tests that stand between the store and the engine. */
export async function openStoreWith(options: StoreOptions, hooks: SessionHooks): Promise<Store> {
  const store = new Store(options, await Session.open(options, hooks));
  if (options.storePath !== undefined) await store.attach(options.storePath);
  return store;
}

/** Datasets and what can be done with them. Every method may be called at any time. */
export class Store {
  readonly #options: StoreOptions;
  readonly #session: Session;
  readonly #catalog: Catalog;
  readonly #namesInMaking = new Set<string>();
  #vault: Vault | undefined;

  /** Use {@link openStore}. */
  constructor(options: StoreOptions, session: Session) {
    this.#options = options;
    this.#session = session;
    this.#catalog = new Catalog(options.memoryBudgetBytes);
  }

  /** Takes in the pinned datasets of a file, and keeps those that are made from now on in it. Never throws. */
  async attach(path: string): Promise<void> {
    await this.#guarded(async () => {
      this.#vault = await Vault.open(path);
      for await (const { dataset, result } of this.#vault.datasets(this.#options.memoryBudgetBytes)) {
        const create = createTableSqlFor(dataset.ref, result);
        await this.#session.write(create, (connection) => appendResult(connection, dataset.ref, result));
        this.#catalog.add(dataset);
      }
    });
  }

  /** False when the engine has damaged itself and the process should be thrown away. */
  isUsable(): boolean {
    return this.#session.usable;
  }

  /** The private folder into which the engine spills; gone after {@link Store.close}. */
  get spillFolder(): string {
    return this.#session.spillFolder;
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

  /** Datasets that went because memory ran short, the latest first, and how to have them again. */
  evicted(): { readonly ref: string; readonly how: string }[] {
    return this.#catalog.evicted();
  }

  /** Marks a dataset as used just now. */
  touch(ref: string): void {
    this.#catalog.touch([ref]);
  }

  /** Never gives a number up to `n` to a new dataset: for numbers that were given before a restart. */
  reserveNumbers(n: number): void {
    this.#catalog.reserve(n);
  }

  /** Remembers a dataset that an earlier store had, so that its ref is answered with the reason and the way back. */
  remember(gone: GoneDataset): void {
    this.#catalog.remember(gone);
  }

  /** Counts the original result that is kept for a ref, and makes room for it. */
  noteOriginal(ref: string, bytes: number): Promise<void> {
    this.#catalog.noteOriginal(ref, bytes);
    this.#makeRoom(ref);
    return Promise.resolve();
  }

  /** Counts the original of a ref no longer. */
  originalForgotten(ref: string): void {
    this.#catalog.forgetOriginal(ref);
  }

  /**
   * Stores a table, all of it or nothing, and profiles it.
   * @throws LoomError `LIMIT_EXCEEDED`, `NAME_TAKEN`, `OUT_OF_MEMORY`, `QUERY_FAILED`
   */
  async ingest(table: Table, meta: IngestMeta): Promise<Dataset> {
    assertUnique(table.columns.map((column) => column.name));
    const ref = this.#newRef(meta.ref, meta.server, meta.tool);
    return await this.#create(
      ref,
      createTableSql(ref, table),
      (connection, rows) => rows.insert(connection, ref, table),
      {
        columns: table.columns.map(({ name, type, path, format }) => ({ name, type, path, format })),
        rowCount: table.rowCount,
        provenance: meta.provenance,
        bytes: meta.bytes,
        pinned: false,
        implicit: false,
      },
    );
  }

  /** Does what {@link Store.ingest} does and takes it back. */
  rehearse(table: Table): Promise<void> {
    return rehearseTable(this.#session, table);
  }

  /**
   * Answers one reading statement.
   * @throws LoomError `QUERY_REJECTED`, `DATASET_NOT_FOUND`, `QUERY_FAILED`, `QUERY_TIMEOUT`, `OUT_OF_MEMORY`
   */
  async query(sql: string, options: QueryOptions): Promise<QueryAnswer> {
    const started = performance.now();
    const reading = readAnswer(options);
    const { query, value, total } = await this.#session.readAnswer(sql, this.#catalog, reading, options.signal);
    const { columns, rows, rowCount, by, seen, whole } = value;
    const keep = async () => {
      if (whole instanceof LoomError) throw whole;
      return await this.#keepWhole(query, whole, { kind: "query" }, undefined);
    };
    const truncated = by && { by, total, atLeast: total ?? seen };
    return { columns, rows, rowCount, truncated, refs: query.refs, ms: performance.now() - started, keep };
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

  /** The first rows of a dataset, each as the text of a JSON object; text cells are cut at `cellChars`. */
  async sample(ref: string, rows: number, cellChars?: number): Promise<string[]> {
    const keys = keysOf(this.need(ref).columns.map((column) => column.name));
    return await this.#first(ref, rows, cellChars, (reader, row) => reader.rowJson(keys, row));
  }

  /** The first rows of a dataset, each as the JSON text of its cells in the order of the columns. */
  async sampleCells(ref: string, rows: number, cellChars?: number): Promise<string[][]> {
    return await this.#first(ref, rows, cellChars, (reader, row) => reader.cells.map((cell) => cell(row)));
  }

  /** How columns of this dataset join with columns of the others, the surest first, at most `limit`. */
  async hints(ref: string, limit: number): Promise<JoinHint[]> {
    const dataset = this.need(ref);
    return await findHints(
      dataset,
      this.list(),
      limit,
      (sql, refs, reading) => this.#catalog.using(refs, () => this.#session.readBetweenWrites(sql, reading)),
    );
  }

  /**
   * Writes a dataset to a new file under the export folder.
   * @throws LoomError `DATASET_NOT_FOUND`, `ARGUMENTS_INVALID`, `NAME_TAKEN`, `EXPORT_FAILED`
   */
  async export(ref: string, format: ExportFormat, options: ExportOptions = {}): Promise<Exported> {
    const dataset = this.need(ref);
    const names = dataset.columns.map((column) => column.name);
    const target = { ref: dataset.ref, format, filename: options.filename };
    return await this.#catalog.using(
      [dataset.ref],
      () => writeExport(this.#options.exportDir, target, names, this.#chunksOf(dataset, options.signal)),
    );
  }

  /**
   * Forgets a dataset at once; its table goes when nothing reads or writes any more, and nobody waits for that. Dropping
   * one that is gone is no error.
   */
  drop(ref: string): Promise<void> {
    this.#drop(ref, "dropped");
    return Promise.resolve();
  }

  /** Waits for what runs, closes the engine and removes the spill folder. */
  async close(): Promise<void> {
    await this.#session.close();
    this.#vault?.close();
    this.#vault = undefined;
  }

  async #keep(sql: string, derived: DerivedKind, options: MaterializeOptions): Promise<Dataset> {
    const { query, value } = await this.#session.readChecked(sql, this.#catalog, drainAll, options.signal);
    return await this.#keepWhole(query, value, derived, options.ref);
  }

  async #keepWhole(
    { sql, volatile }: CheckedSql,
    result: Drained,
    derived: DerivedKind,
    given: string | undefined,
  ): Promise<Dataset> {
    const isView = derived.kind === "view";
    const ref = this.#newRef(given, ...(isView ? ["view", derived.name] : ["query"]));
    const columns = result.names.map((name, i) => ({ name, type: result.types[i] ? typeSql(result.types[i]) : "" }));
    const create = createTableSqlFor(ref, result);
    const dataset = await this.#create(ref, create, (connection) => appendResult(connection, ref, result), {
      columns,
      rowCount: result.rowCount,
      provenance: {
        server: "loom",
        tool: isView ? "loom_materialize" : "loom_query",
        createdAt: new Date().toISOString(),
        source: "query",
        sql,
      },
      bytes: result.bytes,
      pinned: isView,
      implicit: !isView,
      volatile,
    });
    if (isView) await this.#guarded(() => this.#vault?.save(dataset, result));
    return dataset;
  }

  /** The file of pinned datasets is an extra: its failures are told and cost nothing else. */
  async #guarded(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onWarning?.(messageOf(error));
    }
  }

  #newRef(given: string | undefined, ...parts: readonly string[]): string {
    if (given === undefined) return this.#catalog.nextRef(...parts);
    if (this.#catalog.get(given)) throw new LoomError("NAME_TAKEN", `Cannot make "${given}" again: it exists`);
    return given;
  }

  #first<T>(
    ref: string,
    rows: number,
    cellChars: number | undefined,
    take: (reader: ChunkReader, row: number) => T,
  ): Promise<T[]> {
    const dataset = this.need(ref);
    const sql = `SELECT * FROM ${quoteIdentifier(dataset.ref)} ${
      hidesRowid(dataset) ? `LIMIT ${rows}` : pageOf(0, rows)
    }`;
    return this.#catalog.using([dataset.ref], () =>
      this.#session.readOwn(sql, async ({ types }, next) => {
        const taken: T[] = [];
        for (let chunk = await next(); chunk; chunk = await next()) {
          const reader = new ChunkReader(chunk, types, { cellChars });
          for (let row = 0; row < reader.rowCount; row++) taken.push(take(reader, row));
        }
        return taken;
      }));
  }

  /** A dataset in its own order, some thousand rows for each turn in the lane, so that others get theirs. */
  async *#chunksOf(dataset: Dataset, signal: AbortSignal | undefined): AsyncGenerator<ChunkReader> {
    const table = quoteIdentifier(dataset.ref);
    const rows = hidesRowid(dataset) ? dataset.rowCount : EXPORT_ROWS;
    for (let from = 0; from < dataset.rowCount; from += rows) {
      const page = hidesRowid(dataset) ? "" : pageOf(from, from + rows);
      yield* await this.#session.readOwn(`SELECT * FROM ${table} ${page}`, async ({ types }, next) => {
        const readers: ChunkReader[] = [];
        for (let chunk = await next(); chunk; chunk = await next()) readers.push(new ChunkReader(chunk, types));
        return readers;
      }, signal);
    }
  }

  /** Creates a table and its profile in one transaction, then enters it into the catalog and makes room. */
  async #create(
    ref: string,
    create: string,
    fill: (connection: DuckDBConnection, rows: RowSource) => Promise<void>,
    made: Omit<Dataset, "ref" | "columns"> & { readonly columns: readonly ProfiledColumn[] },
  ): Promise<Dataset> {
    const dataset = await this.#session.write(create, async (connection, rows) => {
      await fill(connection, rows);
      return { ...made, ref, columns: await profileTable(connection, ref, made.columns, made.rowCount) };
    });
    this.#catalog.add(dataset);
    this.#makeRoom(ref);
    return dataset;
  }

  /** Evicts until the tracked bytes fit the budget: originals, implicit results, server results; never `making`. */
  #makeRoom(making: string): void {
    for (let victim = this.#catalog.victim(making); victim; victim = this.#catalog.victim(making)) {
      if (victim.kind === "original") {
        this.#catalog.forgetOriginal(victim.ref);
        this.#options.onForgetOriginal?.(victim.ref);
      } else {
        const gone = this.#drop(victim.ref, "evicted");
        if (gone) this.#options.onEvict?.(gone);
      }
    }
  }

  #drop(ref: string, reason: "dropped" | "evicted"): GoneDataset | undefined {
    // Out of the catalog at once, so that no new reader finds it; readers that are at work finish first.
    const gone = this.#catalog.remove(ref, reason);
    if (!gone) return undefined;
    // A table that cannot be dropped costs memory until the end, and nobody can read it.
    this.#session.runAlone(`DROP TABLE IF EXISTS ${quoteIdentifier(ref)}`).catch(() => {});
    return gone;
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
    if (taken !== undefined) {
      throw new LoomError("NAME_TAKEN", `Cannot name a dataset "${name}": ${taken} has this name; choose another`);
    }
  }
}

function assertUnique(names: readonly string[]): void {
  const unique = uniqueNames(names);
  const twice = names.find((name, i) => name !== unique[i]);
  if (twice !== undefined) throw new LoomError("LIMIT_EXCEEDED", `Cannot store two columns called "${twice}"`);
}
