/** The engine's error texts, made fit for a model to read: short, and silent about the host. @module */

import { LoomError, messageOf } from "../errors.ts";
import { nextStep, readable } from "./next_steps.ts";

/** UTF-16 units of an engine message that are shown. */
export const MESSAGE_CHARS_MAX = 1_000;

const POSIX_PATH_REGEXP = /(?<![\w.])~?\/(?:[^\s"'`<>|:;,()[\]{}/]+\/)*[^\s"'`<>|:;,()[\]{}/]+/g;
const WINDOWS_PATH_REGEXP = /\b[A-Za-z]:\\[^\s"'<>|]+/g;
const STACK_REGEXP = /\n*(?:Stack Trace:|This error signals an assertion failure)[\s\S]*$/;

/** An engine message without paths of the host (those that stand in the SQL itself are the caller's), cut to a bound. */
export function sanitized(message: string, sql: string): string {
  const keep = (path: string) => sql.includes(path) ? path : "<path>";
  const clean = message.replace(STACK_REGEXP, "").replace(POSIX_PATH_REGEXP, keep).replace(WINDOWS_PATH_REGEXP, keep);
  const cut = clean.length > MESSAGE_CHARS_MAX ? `${clean.slice(0, MESSAGE_CHARS_MAX).toWellFormed()}…` : clean;
  return cut.trim();
}

/** True when the engine reports damage to itself rather than a fault of the statement. */
export function isInternal(error: unknown): boolean {
  return /INTERNAL Error|FATAL Error|database has been invalidated/i.test(messageOf(error));
}

/** True when the engine ran into its memory limit or its spill folder's. */
export function isOutOfMemory(error: unknown): boolean {
  return /Out of Memory Error|std::bad_alloc|failed to (?:allocate|pin|offload)|could not allocate/i.test(
    messageOf(error),
  );
}

/** True when the statement was stopped by {@link DuckDBConnection.interrupt}. */
export function isInterrupt(error: unknown): boolean {
  return /INTERRUPT Error|Interrupted!/i.test(messageOf(error));
}

/** What went wrong in the engine, as the error that loom's callers read. */
export function engineError(error: unknown, sql: string): LoomError {
  if (error instanceof LoomError) return error;
  if (isOutOfMemory(error)) {
    return new LoomError(
      "OUT_OF_MEMORY",
      "Cannot finish this query: it needs more memory than the engine may use; filter, aggregate or LIMIT earlier",
      { cause: error },
    );
  }
  const message = sanitized(readable(messageOf(error)), sql) || "the engine gave no reason";
  const step = nextStep(message);
  return new LoomError("QUERY_FAILED", `Cannot run this query: ${message}${step ? `\n${step}` : ""}`, { cause: error });
}
