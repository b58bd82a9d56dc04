/** A server as a process of its own: started without loom's environment, ended with everything it started. @module */

import type { ByteReader } from "../byte_streams.ts";
import type { ServerConfig } from "../config.ts";
import { LoomError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { LineFramer, LineWriter, textOf } from "../wire/mod.ts";
import { type Connection, type ConnectionEvents, messageSink } from "./connection.ts";
import { type Child, startChild } from "./child.ts";
import { childEnvironment } from "./environment.ts";
import { descendantsOf, sendSignal, stillRunning, taskkill, type TreeMember } from "./process_tree.ts";

/** Time that a server gets to end by itself after the end of its input. */
export const END_OF_INPUT_GRACE_MS = 1_000;
/** Time that a server gets to end by itself after it has closed a pipe. */
export const CLOSED_PIPE_GRACE_MS = 1_000;
/** Time between SIGTERM and SIGKILL. */
export const TERM_GRACE_MS = 3_000;
/** Time for the last output of a process that has ended, since a grandchild may hold the pipe open for ever. */
const LAST_OUTPUT_MS = 250;
const POLL_MS = 50;
/** Time that the system gets to take killed processes away, and how often that is looked at. */
const KILLED_GRACE_MS = 1_000;
const KILLED_POLL_MS = 20;
/** Characters from which on a value of `env` is kept out of what a server's stderr says. */
const SECRET_CHARS_MIN = 6;
/** Lines of a server's stderr that are logged within one window; further ones are counted. */
const STDERR_LINES_MAX = 100;
const STDERR_WINDOW_MS = 10_000;

/**
 * Starts the process of a server.
 *
 * @throws LoomError `SERVER_UNAVAILABLE` when the command can't be started.
 */
export function openProcess(config: ServerConfig, events: ConnectionEvents, log: Log): Connection {
  const child = spawn(config);
  return new ProcessConnection(config, child, events, log);
}

function spawn(config: ServerConfig): Child {
  const command = config.command ?? "";
  const environment = childEnvironment(config);
  const found = locate(command, config.cwd, environment["PATH"]);
  if (found === "missing") {
    throw new LoomError("SERVER_UNAVAILABLE", `Cannot start "${config.name}": command "${command}" not found`);
  }
  if (isFolder(config.cwd) === false) {
    throw new LoomError("SERVER_UNAVAILABLE", `Cannot start "${config.name}": its cwd "${config.cwd}" is no folder`);
  }
  const options = { cwd: config.cwd, env: environment };
  const guard = found === "unknown" ? undefined : deathGuard();
  try {
    return guard
      ? startChild(guard, { ...options, args: ["--pdeathsig", "KILL", "--", command, ...config.args] })
      : startChild(command, { ...options, args: config.args });
  } catch (error) {
    const reason = messageOf(error);
    throw new LoomError("SERVER_UNAVAILABLE", `Cannot start "${config.name}": ${reason}`, { cause: error });
  }
}

/** `setpriv`, where it is: with it a child dies even when loom is killed and can't clean up. Looked for once. */
let guardPath: string | null | undefined;

function deathGuard(): string | undefined {
  if (guardPath === undefined) guardPath = findGuard() ?? null;
  return guardPath ?? undefined;
}

function findGuard(): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  for (const path of ["/usr/bin/setpriv", "/bin/setpriv"]) {
    if (Deno.permissions.querySync({ name: "run", command: path }).state !== "granted") continue;
    if (isFile(path)) return path;
  }
  return undefined;
}

/** Whether a command is there, as the system will look for it. "unknown" where loom may not look. */
function locate(command: string, cwd: string, path: string | undefined): "found" | "missing" | "unknown" {
  if (Deno.build.os === "windows") return "unknown";
  const places = command.includes("/")
    ? [command.startsWith("/") ? command : `${cwd}/${command}`]
    : (path ?? "/usr/bin:/bin").split(":").map((folder) => `${folder || "."}/${command}`);
  for (const place of places) {
    const seen = isFile(place);
    if (seen) return "found";
    if (seen === undefined) return "unknown";
  }
  return "missing";
}

function isFile(path: string): boolean | undefined {
  return infoOf(path, (info) => info.isFile);
}

function isFolder(path: string): boolean | undefined {
  return infoOf(path, (info) => info.isDirectory);
}

/** What is asked of a path; false where nothing is there, undefined where loom may not look. */
function infoOf(path: string, ask: (info: Deno.FileInfo) => boolean): boolean | undefined {
  try {
    return ask(Deno.statSync(path));
  } catch (error) {
    return error instanceof Deno.errors.NotCapable ? undefined : false;
  }
}

class ProcessConnection implements Connection {
  readonly closed: Promise<string>;
  pause: () => Promise<void> | undefined = () => undefined;
  readonly #name: string;
  readonly #child: Child;
  readonly #writer: LineWriter;
  readonly #log: Log;
  readonly #stderr: StderrLog;
  #exited = false;
  #closing: Promise<void> | undefined;
  #leftovers: Promise<void> | undefined;
  /** Why the server was ended, when it was not asked to. */
  #why: string | undefined;
  /** Nobody waits for the server to end by itself any more. */
  #impatient = false;

  constructor(config: ServerConfig, child: Child, events: ConnectionEvents, log: Log) {
    this.#name = config.name;
    this.#child = child;
    this.#log = log;
    // A server that closes its input may still answer what it has read, as long as nothing more is to be written.
    this.#writer = new LineWriter(child.stdin, () => {
      void this.#closedPipe("closed its input, and so could not be asked any more");
    });
    this.#stderr = new StderrLog(config, log);
    const output = this.#readOutput(events);
    const complaints = this.#readComplaints();
    this.closed = this.#ended(output, complaints);
    void output.done.then(() => this.#closedPipe("closed its output, and so could not answer any more"));
  }

  get backlogBytes(): number {
    return this.#writer.backlogBytes;
  }

  send(pieces: readonly Uint8Array[]): void {
    this.#writer.send(pieces);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  kill(): void {
    this.#impatient = true;
    if (Deno.build.os !== "windows") void sendSignal(-this.#child.pid, "SIGKILL");
    this.#killChild();
  }

  async #ended(output: Reading, complaints: Reading): Promise<string> {
    const status = await this.#child.status;
    this.#exited = true;
    const both = Promise.all([output.done, complaints.done]);
    await within(LAST_OUTPUT_MS, both);
    output.stop();
    complaints.stop();
    await both;
    this.#writer.abort();
    // What the process left behind in its group would hold on to what it was given for ever.
    if (!this.#closing && Deno.build.os !== "windows") this.#leftovers = this.#endGroup([]);
    const how = this.#why ?? (status.signal ? `was ended by ${status.signal}` : `exited with code ${status.code}`);
    const last = this.#stderr.lastWords;
    return last ? `${how} after saying: ${last}` : how;
  }

  /** A pipe is closed: the server is on its way to its end, or can be of no use any more. */
  async #closedPipe(why: string): Promise<void> {
    if (!this.#exited) await within(CLOSED_PIPE_GRACE_MS, this.#child.status);
    if (this.#exited || this.#closing) return;
    this.#why = why;
    await this.close();
  }

  #readOutput(events: ConnectionEvents): Reading {
    const framer = new LineFramer(messageSink(events));
    const reader = this.#child.stdout.getReader();
    const read = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        framer.push(next.value);
        const paused = this.pause();
        if (paused) await paused;
      }
      framer.end();
    };
    return reading(reader, read());
  }

  #readComplaints(): Reading {
    const reader = this.#child.stderr.getReader();
    const read = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        this.#stderr.push(next.value);
      }
      this.#stderr.end();
    };
    return reading(reader, read());
  }

  async #shutDown(): Promise<void> {
    const pid = this.#child.pid;
    const members = this.#exited ? [] : await descendantsOf(pid);
    const written = this.#writer.close();
    await within(END_OF_INPUT_GRACE_MS, this.closed);
    if (Deno.build.os === "windows") {
      if (!this.#exited) await taskkill(pid);
    } else {
      await this.#endGroup(members);
    }
    if (!this.#exited) {
      this.#log("warn", "gateway", `server "${this.#name}" had to be killed`);
      this.#killChild();
    }
    this.#writer.abort();
    await written;
    await this.closed;
    await this.#leftovers;
  }

  #killChild(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It ended in this very moment.
    }
  }

  /** Ends the process group and the members that left it: asked first, killed after the grace time. */
  async #endGroup(members: readonly TreeMember[]): Promise<void> {
    const group = this.#child.pid;
    const alive = async () => {
      const running = await stillRunning(group, members);
      // Where nothing can be seen, a signal that does no harm tells whether the group is still there.
      const isThere = running ? running.length > 0 : await sendSignal(-group, "SIGCONT");
      return isThere || !this.#exited ? running ?? [] : undefined;
    };
    let running = await alive();
    if (running) await signalAll(group, running, "SIGTERM");
    const until = Date.now() + TERM_GRACE_MS;
    while (running && !this.#impatient && Date.now() < until) {
      await delay(POLL_MS);
      running = await alive();
    }
    if (running) await signalAll(group, running, "SIGKILL");
    // A killed process is there until the system has taken it away, which a busy one does late.
    const gone = Date.now() + KILLED_GRACE_MS;
    while (running && Date.now() < gone) {
      await delay(KILLED_POLL_MS);
      running = await alive();
    }
  }
}

async function signalAll(group: number, running: readonly TreeMember[], signal: Deno.Signal): Promise<void> {
  await sendSignal(-group, signal);
  await Promise.all(running.map((member) => sendSignal(member.pid, signal)));
}

interface Reading {
  readonly done: Promise<void>;
  stop(): void;
}

function reading(reader: ByteReader, done: Promise<void>): Reading {
  return { done: done.catch(() => {}), stop: () => void reader.cancel().catch(() => {}) };
}

/** Waits for a promise, but no longer than a time. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lines of stderr behind an error, such as its stack, with which it is still what a server said last. */
const LAST_WORDS_LINES = 40;
/** A line that begins with the name of an error, as Node, Deno and Python print them. */
const ERROR_LINE_REGEXP = /^\s*(?:Uncaught |\[?)?(?:[\w.]*(?:Error|Exception)|error|fatal|panic)\b[^:]{0,40}:/i;

/** A server's stderr in loom's log: whole lines, made printable there, and no more than anyone would read. */
class StderrLog {
  readonly #framer: LineFramer;
  readonly #name: string;
  readonly #secrets: readonly string[];
  readonly #log: Log;
  #lines = 0;
  #windowEnd = 0;
  #lastLine = "";
  /** The last line that names an error, and the lines since then. */
  #error = "";
  #linesSince = 0;

  constructor(config: ServerConfig, log: Log) {
    this.#name = config.name;
    this.#secrets = Object.values(config.env).filter((value) => value.length >= SECRET_CHARS_MIN);
    this.#log = log;
    const line = (bytes: Uint8Array) => this.#line(textOf(bytes));
    this.#framer = new LineFramer({ line, noise: line, oversized: line });
  }

  /** What tells best why a server ended: an error among its last lines, else the last line. */
  get lastWords(): string {
    return this.#error !== "" && this.#linesSince < LAST_WORDS_LINES ? this.#error : this.#lastLine;
  }

  push(chunk: Uint8Array): void {
    this.#framer.push(chunk);
  }

  end(): void {
    this.#framer.end();
  }

  #line(said: string): void {
    const text = this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), said);
    this.#lastLine = text.slice(0, 300);
    this.#linesSince++;
    if (ERROR_LINE_REGEXP.test(text)) {
      this.#error = this.#lastLine;
      this.#linesSince = 0;
    }
    const now = Date.now();
    if (now > this.#windowEnd) {
      if (this.#lines > STDERR_LINES_MAX) {
        this.#log("info", this.#name, `(${this.#lines - STDERR_LINES_MAX} more lines of stderr)`);
      }
      this.#windowEnd = now + STDERR_WINDOW_MS;
      this.#lines = 0;
    }
    if (++this.#lines <= STDERR_LINES_MAX) this.#log("info", this.#name, text.slice(0, 1_000));
  }
}
