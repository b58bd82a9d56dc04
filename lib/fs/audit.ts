/** The audit log: one line for each decision of the gate, that no file name can forge. @module */

import { LoomError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { AuditConfig } from "./config.ts";
import type { Operation } from "./roles.ts";
import type { Rule } from "./refusal.ts";

/** Characters of a root or path in one line; the rest is replaced by `…`. */
export const AUDIT_TEXT_CHARS_MAX = 4_096;

/** One decision: `rule` is there when it was a refusal. */
export interface Decision {
  /** The root's name as it was asked for. */
  readonly root: string;
  /** What was to be done. */
  readonly operation: Operation;
  /** The path as it was asked for. */
  readonly path: string;
  /** The rule that refused. */
  readonly rule?: Rule;
}

/** Receives decisions. */
export interface Audit extends Disposable {
  /** Writes one line. Never throws: a full disk is said once on stderr and does not stop the server. */
  record(decision: Decision): void;
}

/** An audit log that writes nothing, for a configuration without `audit_log`. */
export const NO_AUDIT: Audit = { record() {}, [Symbol.dispose]() {} };

/**
 * Opens the log for appending.
 *
 * @param config Where, and how large.
 * @param log Where trouble with the log itself is said.
 * @param now The time; given by tests.
 * @throws {LoomError} `CONFIG_INVALID` when it cannot be opened: the server never runs without the log it was given.
 */
export function openAudit(config: AuditConfig, log: Log, now: () => Date = () => new Date()): Audit {
  try {
    const isRegular = isRegularOrNew(config.path);
    return new AuditLog(config, log, now, isRegular);
  } catch (error) {
    throw new LoomError("CONFIG_INVALID", `Cannot open the audit log "${config.path}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function isRegularOrNew(path: string): boolean {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
  // Opening a FIFO would wait for a reader, and standard output is the protocol's.
  if (!info.isFile && !info.isCharDevice) throw new Error("it is neither a regular file nor a character device");
  return info.isFile;
}

/** Text in double quotes in which nothing can break a line, hide, or turn the writing direction. */
export function auditText(text: string): string {
  const cut = text.length > AUDIT_TEXT_CHARS_MAX ? `${text.slice(0, AUDIT_TEXT_CHARS_MAX)}…` : text;
  return JSON.stringify(cut).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** One decision as a line, without its end. */
export function auditLine(decision: Decision, at: Date): string {
  const verdict = decision.rule === undefined ? "ALLOW" : "DENY";
  const plain = /^[\p{L}\p{N}_.-]{1,64}$/u.test(decision.root);
  const words = [
    at.toISOString(),
    verdict,
    `root=${plain ? decision.root : auditText(decision.root)}`,
    `op=${decision.operation}`,
    `path=${auditText(decision.path)}`,
    ...(decision.rule === undefined ? [] : [`rule=${decision.rule}`]),
  ];
  return words.join(" ");
}

const encoder = new TextEncoder();

class AuditLog implements Audit {
  readonly #config: AuditConfig;
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #rotates: boolean;
  #file: Deno.FsFile;
  #size: number;
  #lost = 0;
  #isMidLine = false;
  #hasSaidStuck = false;

  constructor(config: AuditConfig, log: Log, now: () => Date, rotates: boolean) {
    this.#config = config;
    this.#log = log;
    this.#now = now;
    this.#rotates = rotates;
    this.#file = openLog(config.path);
    this.#size = this.#file.statSync().size;
  }

  record(decision: Decision): void {
    const at = this.#now();
    const lines = this.#lost > 0 ? [`${at.toISOString()} LOST lines=${this.#lost}`] : [];
    lines.push(auditLine(decision, at));
    const text = encoder.encode(`${this.#isMidLine ? "\n" : ""}${lines.join("\n")}\n`);
    try {
      if (this.#rotates && this.#size > 0 && this.#size + text.length > this.#config.maxBytes) this.#rotate();
      this.#append(text);
      if (this.#lost > 0) this.#log("warn", "audit", `the audit log is written again; lines lost: ${this.#lost}`);
      this.#lost = 0;
    } catch (error) {
      if (this.#lost++ === 0) {
        this.#log("error", "audit", `the audit log cannot be written, decisions go unlogged: ${messageOf(error)}`);
      }
    }
  }

  #append(text: Uint8Array): void {
    for (let done = 0; done < text.length;) {
      const written = this.#file.writeSync(text.subarray(done));
      done += written;
      this.#size += written;
      // A disk that fills up may take half a line.
      this.#isMidLine = done < text.length;
    }
  }

  /** `log` becomes `log.1`, that `log.2`, and so on; the oldest goes. Without backups the log starts anew. */
  #rotate(): void {
    const { path, backups } = this.#config;
    try {
      for (let index = backups; index > 0; index--) {
        renameIfThere(index === 1 ? path : `${path}.${index - 1}`, `${path}.${index}`);
      }
      if (backups === 0) Deno.truncateSync(path);
    } catch (error) {
      // A log that cannot be rotated goes on growing: a long log is better than none.
      if (!this.#hasSaidStuck) this.#log("warn", "audit", `the audit log cannot be rotated: ${messageOf(error)}`);
      this.#hasSaidStuck = true;
      return;
    }
    const next = openLog(path);
    this.#file.close();
    this.#file = next;
    this.#size = next.statSync().size;
    this.#isMidLine = false;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function openLog(path: string): Deno.FsFile {
  return Deno.openSync(path, { append: true, create: true, mode: 0o600 });
}

function renameIfThere(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
