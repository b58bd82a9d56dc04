/** What loom-fs answers when it does not do what was asked: a rule that bit, or a fact about the files. @module */

import { LoomError, type LoomErrorCode } from "../errors.ts";
import { SYSTEM_WORDS } from "../file_errors.ts";

/** The rule that refused a path, as the audit log names it. */
export type Rule = "root" | "permission" | "syntax" | "confinement" | "pattern";

const CODES: Record<Rule, LoomErrorCode> = {
  root: "ARGUMENTS_INVALID",
  permission: "ROLE",
  syntax: "PATH_INVALID",
  confinement: "OUTSIDE_ROOTS",
  pattern: "DENIED",
};

/** A path that the gate refused. The message names the rule and never a path of the host. */
export class Refusal extends LoomError {
  /** Which of the gate's rules refused. */
  readonly rule: Rule;

  /**
   * @param rule Which of the gate's rules refused.
   * @param message What was asked, and what the rule says.
   */
  constructor(rule: Rule, message: string) {
    super(CODES[rule], message);
    this.name = "Refusal";
    this.rule = rule;
  }
}

/** A call of the operating system that failed, told by its code alone: its own message may hold a host path. */
export class SystemError extends Error {
  /** The name of the error as POSIX has it, such as `ENOENT`. */
  readonly code: string;

  /** @param code The name of the error as POSIX has it. */
  constructor(code: string) {
    super(code);
    this.name = "SystemError";
    this.code = code;
  }
}

/** The words for a model, which knows no more than the path that it asked for. */
const WORDS: Readonly<Record<string, string>> = {
  ...SYSTEM_WORDS,
  EACCES: "is not accessible to the user this server runs as",
  EPERM: "is not accessible to the user this server runs as",
  ENOTREG: "is not a regular file",
  ELOOP: "is or became a link while it was being opened; try again",
  EXDEV: "lies on another file system, and nothing is moved between two",
  EINVAL: "cannot be moved into itself, or is not a valid name here",
};

/** Says a failed system call in words, about the path as the model wrote it. Other errors are given back unchanged. */
export function explained(error: unknown, shown: string): unknown {
  if (!(error instanceof SystemError)) return error;
  const words = WORDS[error.code] ?? `could not be used (${error.code})`;
  const code = error.code === "EEXIST" ? "NAME_TAKEN" : "FILE_UNAVAILABLE";
  return new LoomError(code, `${quoted(shown)} ${words}`, { cause: error });
}

/** Runs `work` and says a failed system call in words, about the path as the model wrote it. */
export function explaining<Result>(shown: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explained(error, shown);
  }
}

/** A relative path in single quotes; the root itself reads `'.'`. */
export function quoted(shown: string): string {
  return `'${shown === "" ? "." : shown}'`;
}
