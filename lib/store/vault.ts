/** Pinned datasets in a file of their own, so that a restart finds them again. @module */

import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Dataset } from "../dataset.ts";
import { LoomError, messageOf } from "../errors.ts";
import { appendResult, createTableSqlFor, drainAll, type Drained } from "./derive.ts";
import { SEALED } from "./instance.ts";
import { quoteIdentifier, uniqueNames } from "./sql.ts";

/** The version of the file's own tables. A file of another version is left alone. */
export const VAULT_VERSION = 1;
/** The engine's memory limit for the file: it only ever copies chunks. */
const VAULT_MEMORY = "256MB";

const META = "loom_meta";
const DATASETS = "loom_datasets";

/** A dataset as it stands in the file. */
export interface StoredDataset {
  readonly dataset: Dataset;
  readonly result: Drained;
}

/** A file of pinned datasets, open in a sealed engine of its own. */
export class Vault {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /**
   * Opens or makes the file.
   * @throws LoomError `STORE_FILE_UNUSABLE` when it is damaged, of another version, or in use; it is not changed then.
   */
  static async open(path: string): Promise<Vault> {
    let instance: DuckDBInstance | undefined;
    try {
      instance = await DuckDBInstance.create(path, {
        memory_limit: VAULT_MEMORY,
        threads: "1",
        temp_directory: "",
        ...SEALED,
      });
      const connection = await instance.connect();
      await assertVersion(connection);
      return new Vault(instance, connection);
    } catch (error) {
      instance?.closeSync();
      throw new LoomError(
        "STORE_FILE_UNUSABLE",
        `Cannot use the store file "${path}": ${
          reasonOf(error)
        }; loom goes on without it, and the file is left as it is`,
        { cause: error },
      );
    }
  }

  /** The datasets in the order in which they were made, as long as their payload fits `bytesMax` in all. */
  async *datasets(bytesMax: number): AsyncGenerator<StoredDataset> {
    const rows = await this.#connection.runAndReadAll(`SELECT dataset FROM ${DATASETS} ORDER BY number`);
    let left = bytesMax;
    for (const [json] of rows.getRows()) {
      const dataset: Dataset = JSON.parse(String(json));
      left -= dataset.bytes;
      if (left < 0) return;
      yield { dataset, result: await this.#read(dataset) };
    }
  }

  /** Writes a dataset, all of it or nothing. */
  async save(dataset: Dataset, result: Drained): Promise<void> {
    const number = Number(/_(\d+)$/.exec(dataset.ref)?.[1] ?? 0);
    const connection = this.#connection;
    await connection.run(`BEGIN TRANSACTION; ${createTableSqlFor(dataset.ref, result)}`);
    try {
      await appendResult(connection, dataset.ref, result);
      await connection.run(`INSERT INTO ${DATASETS} VALUES ($1, $2, $3)`, [
        dataset.ref,
        number,
        JSON.stringify(dataset),
      ]);
      await connection.run("COMMIT");
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  /** Closes the file; everything written is on disk. */
  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #read({ ref, rowCount }: Dataset): Promise<Drained> {
    const result = await this.#connection.stream(`SELECT * FROM ${quoteIdentifier(ref)}`);
    const shape = { names: uniqueNames(result.columnNames()), types: result.columnTypes() };
    const drained = await drainAll(shape, async () => {
      const chunk = await result.fetchChunk();
      return chunk && chunk.rowCount > 0 ? chunk : undefined;
    });
    // A stream that fails ends without an error: a damaged page must not become a shorter dataset.
    if (drained.rowCount !== rowCount) throw new Error(`corrupt: ${ref} has ${drained.rowCount} of ${rowCount} rows`);
    return drained;
  }
}

async function assertVersion(connection: DuckDBConnection): Promise<void> {
  const tables = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables()");
  const names = new Set(tables.getRows().map(([name]) => String(name)));
  if (names.size === 0) {
    await connection.run(
      `CREATE TABLE ${META} (version INTEGER); INSERT INTO ${META} VALUES (${VAULT_VERSION}); ` +
        `CREATE TABLE ${DATASETS} (ref VARCHAR, number BIGINT, dataset VARCHAR)`,
    );
    return;
  }
  if (!names.has(META) || !names.has(DATASETS)) throw new Error("it is a database that loom did not make");
  const [[version] = []] = (await connection.runAndReadAll(`SELECT version FROM ${META}`)).getRows();
  if (version !== VAULT_VERSION) {
    throw new Error(`it is of version ${version}, and this loom reads version ${VAULT_VERSION}`);
  }
}

function reasonOf(error: unknown): string {
  const message = messageOf(error);
  if (/not a valid DuckDB database|corrupt|checksum|serializ/i.test(message)) return "it is no DuckDB file or damaged";
  if (/(set|conflicting) lock/i.test(message)) return "another process has it open";
  if (/no such file or directory/i.test(message)) return "its folder does not exist, make it first";
  if (/is a directory/i.test(message)) return "it is a folder";
  if (/permission denied/i.test(message)) return "it is not accessible to this user";
  return message.split("\n")[0] ?? message;
}
