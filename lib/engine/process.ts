/** One engine process as the relay holds it: started, spoken to in frames, ended. @module */

import { messageOf } from "../errors.ts";
import { encodeFrame, type Frame, FrameParser } from "./frames.ts";
import type { FromEngine, ToEngine } from "./messages.ts";

/** Milliseconds that a process gets to end by itself before it is killed. */
export const ENGINE_STOP_MS_MAX = 1_500;

/** The environment that the engine's process gets: what Deno needs to find its caches, and nothing else. */
const ENGINE_ENVIRONMENT = [
  "PATH",
  "HOME",
  "TMPDIR",
  "DENO_DIR",
  "XDG_CACHE_HOME",
  "SystemRoot",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "LOCALAPPDATA",
];

/**
 * What is set in addition, for the two allocators of the process: what is freed goes back to the system, so that neither a
 * heavy query nor a long session leaves weight. The engine's own allocator keeps free pages for seconds and hands other
 * parts of them out again, and so fills, page by page, what results that wait for the garbage collector only reserve. At
 * once, as 0 would have it, halves the speed of small tables; after 50 ms costs them some percent.
 */
const ENGINE_SETTINGS = {
  MALLOC_MMAP_THRESHOLD_: "131072",
  DUCKDB_JE_MALLOC_CONF: "dirty_decay_ms:50,muzzy_decay_ms:0",
};

/**
 * Room for young objects in megabytes: the million cells of a large result are then not copied again and again. And V8 can
 * be asked to clean up, since it does not see how much native memory its small objects hold.
 */
const ENGINE_V8_FLAGS = "--v8-flags=--min-semi-space-size=32,--max-semi-space-size=64,--expose-gc";

/** The variables of {@link ENGINE_ENVIRONMENT} that are set and may be read: permissions can be scoped to names. */
function engineEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { ...ENGINE_SETTINGS };
  for (const name of ENGINE_ENVIRONMENT) {
    try {
      const value = Deno.env.get(name);
      if (value !== undefined) environment[name] = value;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
    }
  }
  return environment;
}

/** How to start an engine process. */
export interface EngineCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command that runs the engine, as this program itself by another entry. */
export function engineCommand(
  options: { readonly folders: readonly string[]; readonly dataBytesMax: number },
): EngineCommand {
  // A comma parts two paths in a flag; doubled, it stands for itself.
  const folders = options.folders.map((folder) => folder.replaceAll(",", ",,")).join(",");
  const own: EngineCommand = Deno.build.standalone ? { command: Deno.execPath(), args: ["engine"] } : {
    command: Deno.execPath(),
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      ENGINE_V8_FLAGS,
      "--allow-ffi",
      "--allow-env",
      `--allow-read=${folders}`,
      `--allow-write=${folders}`,
      import.meta.resolve("./main.ts"),
    ],
  };
  if (Deno.build.os !== "linux") return own;
  // The data limit turns native blow-ups into clean out-of-memory errors (an address space limit makes V8 die).
  const kilobytes = Math.ceil(options.dataBytesMax / 1024);
  return { command: "/bin/sh", args: ["-c", `ulimit -d ${kilobytes}; exec "$0" "$@"`, own.command, ...own.args] };
}

/** An engine as the relay holds it, wherever it runs. */
export type EngineLink = Pick<EngineProcess, "alive" | "ended" | "send" | "kill" | "close">;

/** A running engine process. */
export class EngineProcess {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #written: Promise<void> = Promise.resolve();
  #killed: string | undefined;
  #alive = true;
  /** Resolves with the reason when the process has ended and its channel is empty. */
  readonly ended: Promise<string>;

  /** Starts the process; throws when the system refuses. */
  constructor(command: EngineCommand, onFrame: (frame: Frame<FromEngine>) => void, onText: (text: string) => void) {
    this.#child = new Deno.Command(command.command, {
      args: [...command.args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      clearEnv: true,
      env: engineEnvironment(),
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    const read = Promise.all([this.#readFrames(onFrame), this.#readText(onText)]);
    this.ended = this.#child.status.then(async (status) => {
      this.#alive = false;
      await read;
      await this.#writer.abort().catch(() => {});
      return this.#killed ?? describeStatus(status);
    });
  }

  /** Whether the process still runs. */
  get alive(): boolean {
    return this.#alive && this.#killed === undefined;
  }

  /** Sends one message; a process that is gone swallows it, its end is told by `ended`. */
  send(message: ToEngine, ...bodies: readonly Uint8Array[]): void {
    const parts = encodeFrame(message, ...bodies);
    this.#written = this.#written.then(async () => {
      for (const part of parts) await this.#writer.write(part);
    }).catch(() => {});
  }

  /** Ends the process at once and for this reason. */
  kill(reason: string): void {
    if (!this.#alive) return;
    this.#killed ??= reason;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It ended in this very moment.
    }
  }

  /** Lets the process end by itself, at the latest after {@link ENGINE_STOP_MS_MAX}. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.kill("it did not stop in time"), ENGINE_STOP_MS_MAX);
    await this.#written;
    await this.#writer.close().catch(() => {});
    await this.ended;
    clearTimeout(timer);
  }

  async #readFrames(onFrame: (frame: Frame<FromEngine>) => void): Promise<void> {
    const parser = new FrameParser<FromEngine>();
    try {
      for await (const chunk of this.#child.stdout) {
        if (this.#killed !== undefined) continue;
        for (const frame of parser.push(chunk)) onFrame(frame);
      }
    } catch (error) {
      this.kill(messageOf(error));
    }
  }

  async #readText(onText: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.#child.stderr) onText(decoder.decode(chunk, { stream: true }));
    } catch {
      // The pipe broke with the process; `ended` says so.
    }
  }
}

function describeStatus(status: Deno.CommandStatus): string {
  return status.signal ? `it was ended by ${status.signal}` : `it ended with exit code ${status.code}`;
}
