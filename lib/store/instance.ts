/** Opens the engine sealed, and proves that it is. @module */

import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { LoomError, messageOf } from "../errors.ts";
import { SPILL_BYTES_MAX, THREAD_BYTES_MIN } from "./limits.ts";

/** Freed memory that the engine's allocator keeps before it gives it back. */
const RETAINED_MEMORY = "16MB";

/** What the engine is opened with. */
export interface EngineOptions {
  /** Hard memory limit: `512MB`. */
  readonly memoryLimit: string;
  /** The private folder for work that outgrows the memory limit. */
  readonly spillFolder: string;
}

/** Runs the statement that must be refused; a test hands in one that is not. */
export type SealProbe = (connection: DuckDBConnection) => Promise<unknown>;

const UNIT_BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const MEMORY_REGEXP = /^(\d+(?:\.\d+)?)(KB|MB|GB|TB)$/;

/** Bytes of a memory size such as `512MB`. */
export function memoryBytes(size: string): number {
  const match = MEMORY_REGEXP.exec(size);
  if (!match) {
    throw new LoomError("CONFIG_INVALID", `Cannot read the memory limit "${size}": expected a size like 512MB`);
  }
  return Number(match[1]) * (UNIT_BYTES[match[2] ?? ""] ?? 1);
}

/** Threads that a memory limit can feed: at least one, at most one for each core. */
export function threadsFor(memoryLimitBytes: number, cores: number): number {
  return Math.max(1, Math.min(cores, Math.floor(memoryLimitBytes / THREAD_BYTES_MIN)));
}

/**
 * Opens the in-memory engine with every lock closed from its first moment. The settings travel with the opening, so no
 * statement ever runs unlocked.
 */
export async function openInstance(options: EngineOptions): Promise<DuckDBInstance> {
  const threads = threadsFor(memoryBytes(options.memoryLimit), navigator.hardwareConcurrency || 1);
  return await DuckDBInstance.create(":memory:", {
    memory_limit: options.memoryLimit,
    threads: String(threads),
    temp_directory: options.spillFolder,
    max_temp_directory_size: `${Math.floor(SPILL_BYTES_MAX / 1e6)}MB`,
    // Memory that a query has let go goes back to the system at once: the process is bounded from outside as well, and
    // what an earlier query left lying must not fail the next one. Without these, 600 MB stay where 230 do.
    allocator_flush_threshold: RETAINED_MEMORY,
    allocator_bulk_deallocation_flush_threshold: RETAINED_MEMORY,
    ...SEALED,
  });
}

/** A connection whose answers do not depend on the time zone of the host. */
export async function connectInUtc(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return connection;
}

/** Opens the instance that only ever parses: it holds no data and may not spill. */
export async function openParser(): Promise<DuckDBInstance> {
  return await DuckDBInstance.create(":memory:", {
    memory_limit: "256MB",
    threads: "1",
    temp_directory: "",
    ...SEALED,
  });
}

/** Set after everything else, since the lock closes behind them. */
export const SEALED: Readonly<Record<string, string>> = {
  enable_external_access: "false",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_unsigned_extensions: "false",
  allow_persistent_secrets: "false",
  allow_unredacted_secrets: "false",
  // Its default is a folder in the user's home, which error texts would name.
  extension_directory: "/nonexistent",
  preserve_insertion_order: "false",
  // The one setting that may still change, so that each connection can leave the host's time zone for UTC.
  allowed_configs: "[TimeZone]",
  lock_configuration: "true",
};

/** The reason that the sealed engine gives, and nothing else will do. */
const SEALED_REGEXP = /file system operations are disabled by configuration/;

const readHostFile: SealProbe = (connection) => {
  // The path needs to exist nowhere: a sealed engine refuses before it looks, and any other error shows that it looked.
  const path = Deno.build.os === "windows" ? "C:\\Windows\\win.ini" : "/etc/hosts";
  return connection.run(`SELECT content FROM read_text('${path}')`);
};

/**
 * Proves the seal: a statement that reads a host file must fail for that very reason.
 * @throws LoomError `ENGINE_NOT_SEALED` when it succeeds or fails for another reason.
 */
export async function assertSealed(connection: DuckDBConnection, probe: SealProbe = readHostFile): Promise<void> {
  let outcome: string;
  try {
    await probe(connection);
    outcome = "the engine read a file of the host";
  } catch (error) {
    if (SEALED_REGEXP.test(messageOf(error))) return;
    outcome = `the engine refused for another reason: ${messageOf(error)}`;
  }
  throw new LoomError(
    "ENGINE_NOT_SEALED",
    `Cannot use the engine: ${outcome}; results are passed on without interception`,
  );
}
