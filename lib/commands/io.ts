/** What a command gets from the process it runs in, so that tests need no process. @module */

import type { ByteReadable, ByteWritable } from "../byte_streams.ts";
import type { EnvLookup } from "../config.ts";
import type { Log } from "../log.ts";

/** An exit code of the `loom` command: 0 done, 1 failed, 2 wrong command or config. */
export type ExitCode = 0 | 1 | 2;

/** The exit codes by their meaning. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const satisfies Readonly<Record<string, ExitCode>>;

/** The streams of a process that serves a protocol. */
export interface ProtocolStreams {
  /** What the client writes. */
  readonly readable: ByteReadable;
  /** What the client reads. */
  readonly writable: ByteWritable;
}

/** The surroundings of a command. */
export interface CommandIo {
  /** stdin and stdout as bytes, for the commands that speak a protocol or read all of stdin. */
  readonly streams: () => ProtocolStreams;
  /** Writes an answer to stdout. */
  readonly print: (text: string) => void;
  /** Writes a remark to stderr. */
  readonly remark: (text: string) => void;
  /** Reads a variable. */
  readonly env: EnvLookup;
  /** Receives what happens. */
  readonly log: Log;
  /** Columns of the terminal on stdout; undefined when stdout is none. */
  readonly terminalColumns: number | undefined;
  /** Whether colours may be used. */
  readonly colours: boolean;
}

/** The values of a command's options. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** The command was used wrongly; the message says how to use it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The text of an option that takes one. */
export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Milliseconds of work after which the one who waits is told what it waits for. */
export const PROGRESS_AFTER_MS = 1_000;

/** Waits for `work`, and says on stderr what it is when it takes longer than {@link PROGRESS_AFTER_MS}. */
export async function withProgress<T>(io: CommandIo, what: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => io.remark(`${what} …\n`), PROGRESS_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
