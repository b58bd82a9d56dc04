/** The audit log: one line for each decision of the gate, that no file name can forge. @module */

import { LoomError } from "../errors.ts";
import { fileReason } from "../file_errors.ts";
import type { Log } from "../log.ts";
import { RotatingFile } from "../rotating_file.ts";
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
  const { path, maxBytes, backups } = config;
  const lostLine = (lines: number) => `${now().toISOString()} LOST lines=${lines}`;
  try {
    const file = new RotatingFile({ path, maxBytes, backups, name: "the audit log", log, lostLine });
    return {
      record: (decision) => file.append(auditLine(decision, now())),
      [Symbol.dispose]: () => file[Symbol.dispose](),
    };
  } catch (error) {
    throw new LoomError("CONFIG_INVALID", `Cannot open the audit log "${path}": ${fileReason(error)}`, {
      cause: error,
    });
  }
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
