/** A child process whose pipes are sockets of loom's own. @module */

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { ByteReadable, ByteWritable } from "../byte_streams.ts";
import { SocketReader, SocketWriter } from "../wire/mod.ts";

/** How a process has ended. */
export interface ChildStatus {
  readonly code: number;
  /** The signal that ended it, if one did. */
  readonly signal: string | null;
}

/** A running process. A `Deno.ChildProcess` with three pipes is one. */
export interface Child {
  readonly pid: number;
  readonly stdin: ByteWritable;
  readonly stdout: ByteReadable;
  readonly stderr: ByteReadable;
  /** Resolves when the process has ended; its pipes may be held open by others even then. */
  readonly status: Promise<ChildStatus>;
  /** Sends a signal. It may throw when the process is gone. */
  kill(signal: "SIGKILL"): void;
}

/** What a process is started with. */
export interface ChildOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a process, in a group of its own where there are groups, so that one signal reaches all of it.
 *
 * @throws Error when it can't be started.
 */
export function startChild(command: string, options: ChildOptions): Child {
  // Without groups there are several kinds of pipes as well, and only the runtime's own streams know them all.
  if (Deno.build.os === "windows") return startStreamed(command, options);
  const child = startPiped(command, options);
  // This one keeps to itself why it could not start; the other one throws.
  if (child?.pid === undefined) return startStreamed(command, options);
  const status = new Promise<ChildStatus>((resolve) => {
    child.on("exit", (code, signal) => resolve({ code: code ?? 128, signal }));
  });
  return {
    pid: child.pid,
    stdin: writableOf(child.stdin),
    stdout: readableOf(child.stdout),
    stderr: readableOf(child.stderr),
    status,
    kill: (signal) => void child.kill(signal),
  };
}

function startPiped(command: string, { args, cwd, env }: ChildOptions): ChildProcess | undefined {
  // Wherever the path of the runtime stands it takes it for Node's, and changes the words behind it.
  const own = Deno.execPath();
  if ([command, ...args, ...Object.values(env)].some((word) => word.includes(own))) return undefined;
  // It would hand its own value of this one on where none is given.
  const whole = { NODE_V8_COVERAGE: undefined, ...env };
  try {
    return spawn(command, [...args], { cwd, env: whole, detached: true, stdio: "pipe" }).on("error", () => {});
  } catch (error) {
    // It reads that variable all the same, which the permissions for a config do not grant.
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

function startStreamed(command: string, { args, cwd, env }: ChildOptions): Child {
  const detached = Deno.build.os !== "windows";
  const piped = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(command, { args: [...args], cwd, env: { ...env }, clearEnv: true, detached, ...piped })
    .spawn();
}

function readableOf(stream: unknown): ByteReadable {
  return { getReader: () => new SocketReader(stream as Socket) };
}

function writableOf(stream: unknown): ByteWritable {
  return { getWriter: () => new SocketWriter(stream as Socket) };
}
