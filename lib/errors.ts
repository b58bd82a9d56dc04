/** What can go wrong inside loom, as codes that programs may branch on. @module */

/**
 * The codes a {@link LoomError} carries. They are part of the public API.
 *
 * - `CONFIG_INVALID`: the configuration file is missing, unreadable or breaks a rule.
 * - `ARGUMENTS_INVALID`: one of loom's own tools was called with arguments that its schema refuses.
 * - `DATASET_NOT_FOUND`: no dataset has this ref; the message lists those that exist.
 * - `DATASET_LOST`: the dataset existed and could not be kept; the message says how to get it back.
 * - `NAME_TAKEN`: a dataset or a file of this name exists and is never replaced.
 * - `QUERY_REJECTED`: the SQL is not one read of known datasets.
 * - `QUERY_FAILED`: the engine refused or failed the SQL.
 * - `QUERY_TIMEOUT`: the SQL ran past its time limit.
 * - `LIMIT_EXCEEDED`: a named limit was passed.
 * - `OUT_OF_MEMORY`: the engine ran into its memory limit; only this operation failed.
 * - `SERVER_UNAVAILABLE`: a server behind loom is down, starting, or gone.
 * - `ENGINE_NOT_SEALED`: the engine's self-test could reach the host, so nothing is intercepted.
 * - `ENGINE_UNAVAILABLE`: the engine's process is down or restarting.
 * - `STORE_FILE_UNUSABLE`: the file of pinned datasets is damaged, of another version or in use; loom runs without it.
 * - `EXPORT_FAILED`: an export could not be written; nothing was left behind.
 * - `ROLE`: in loom-fs, the root does not grant what the operation needs.
 * - `OUTSIDE_ROOTS`: in loom-fs, the path leaves its root.
 * - `DENIED`: in loom-fs, a part of the path matches a deny pattern.
 * - `PATH_INVALID`: in loom-fs, the text is no path that this system could mean.
 * - `FILE_UNAVAILABLE`: in loom-fs, the file is missing, of the wrong kind, or the system refused it.
 * - `FILE_CHANGED`: in loom-fs, the file is not what the caller last saw, so nothing was written.
 */
export type LoomErrorCode =
  | "CONFIG_INVALID"
  | "ARGUMENTS_INVALID"
  | "DATASET_NOT_FOUND"
  | "DATASET_LOST"
  | "NAME_TAKEN"
  | "QUERY_REJECTED"
  | "QUERY_FAILED"
  | "QUERY_TIMEOUT"
  | "LIMIT_EXCEEDED"
  | "OUT_OF_MEMORY"
  | "SERVER_UNAVAILABLE"
  | "ENGINE_NOT_SEALED"
  | "ENGINE_UNAVAILABLE"
  | "STORE_FILE_UNUSABLE"
  | "EXPORT_FAILED"
  | "ROLE"
  | "OUTSIDE_ROOTS"
  | "DENIED"
  | "PATH_INVALID"
  | "FILE_UNAVAILABLE"
  | "FILE_CHANGED";

/** A failure that loom explains to its caller: a code for programs, a message for the one who reads it. */
export class LoomError extends Error {
  /** Which kind of failure this is. */
  readonly code: LoomErrorCode;

  /**
   * A failure with a code and a message.
   *
   * @param code Which kind of failure this is.
   * @param message What was tried, on what, and what to do next; it is read by a model with nothing else to go on.
   * @param options `cause`: the error underneath, if any.
   */
  constructor(code: LoomErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LoomError";
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
