/** The ledger: what loom did, one JSON object per line, so that an analysis can be checked after the session. @module */

import type { EngineFact } from "./engine/messages.ts";
import { LoomError } from "./errors.ts";
import { fileReason } from "./file_errors.ts";
import type { Log } from "./log.ts";
import { RotatingFile } from "./rotating_file.ts";
import { assertAppendable } from "./writable.ts";

/** Bytes of one ledger file before it is rotated. */
export const LEDGER_BYTES_MAX = 16_777_216;
/** Rotated ledger files that are kept. */
export const LEDGER_BACKUPS = 3;

/** A tool call of the client that a server answered. */
export interface CallFact {
  readonly kind: "call";
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly outcome: "passed" | "replaced" | "error";
  /** Bytes of the server's result. */
  readonly bytes: number;
}

/** One entry, without its time. */
export type LedgerFact = CallFact | EngineFact;

/** Receives what happened. */
export interface Ledger extends Disposable {
  /** Writes one line. Never throws. */
  record(fact: LedgerFact): void;
}

/** A ledger that writes nothing, for a configuration without `auditLog`. */
export const NO_LEDGER: Ledger = { record() {}, [Symbol.dispose]() {} };

/**
 * Opens the ledger at `path` for appending. Lines hold time, refs, content hashes, SQL, row counts and estimated
 * tokens; arguments are redacted before they get here, results never do.
 *
 * @throws {LoomError} `CONFIG_INVALID` when it cannot be opened: loom never runs without the ledger it was given.
 */
export function openLedger(path: string | undefined, log: Log, now: () => Date = () => new Date()): Ledger {
  if (path === undefined) return NO_LEDGER;
  const lineOf = (fact: object) => JSON.stringify({ time: now().toISOString(), ...fact });
  const file = named(path, () =>
    new RotatingFile({
      path,
      maxBytes: LEDGER_BYTES_MAX,
      backups: LEDGER_BACKUPS,
      name: "the audit log",
      log,
      lostLine: (lines) => lineOf({ kind: "lost", lines }),
    }));
  return { record: (fact) => file.append(lineOf(fact)), [Symbol.dispose]: () => file[Symbol.dispose]() };
}

/** Throws what {@link openLedger} would throw, and leaves no file behind. */
export function assertLedger(path: string | undefined): void {
  if (path !== undefined) named(path, () => assertAppendable(path));
}

function named<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new LoomError("CONFIG_INVALID", `Cannot open the audit log "${path}": ${fileReason(error)}`, {
      cause: error,
    });
  }
}
