/**
 * loom-fs: a filesystem server over MCP that shows restricted folders, each with a role.
 *
 * @example A folder that can be read and nothing else
 * ```ts
 * import { createFsServer, parseFsConfig } from "@loom/cli/fs";
 * import { deepEqual } from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * using server = await createFsServer(parseFsConfig(`
 *   [[roots]]
 *   name = "notes"
 *   path = ${JSON.stringify(folder)}
 *   role = "reference"
 * `));
 * deepEqual(server.tools.map(({ name }) => name), ["list_roots", "list_directory", "read_file", "search_files"]);
 *
 * await Deno.writeTextFile(`${folder}/plan.md`, "# Plan");
 * const answer = await server.call("read_file", { root: "notes", path: "plan.md" });
 * deepEqual(answer.content, [{ type: "text", text: "# Plan" }]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @module
 */

import type { ByteReadable, ByteReader, ByteWritable } from "../byte_streams.ts";
import { LoomError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { GUARANTEES } from "./access.ts";
import { describeConfig } from "./check.ts";
import { loadFsConfig } from "./config.ts";
import { Session } from "./protocol.ts";
import { createFsServer, type FsServer } from "./server.ts";
import { linesOf, LineWriter, MESSAGE_BYTES_MAX } from "./stdio.ts";

export { type AuditConfig, type FsConfig, loadFsConfig, parseFsConfig, type RootConfig } from "./config.ts";
export type { DenyList } from "./deny.ts";
export type { Opening } from "./folder.ts";
export type { Permission, Role } from "./roles.ts";
export { type CallResult, createFsServer, type FsServer, type FsServerOptions, type FsToolInfo } from "./server.ts";
export type { ToolHints } from "./tools.ts";
export type { ByteReadable, ByteReader, ByteWritable, ByteWriter } from "../byte_streams.ts";
export type { Log, LogLevel } from "../log.ts";

/** Calls that run side by side; while there are more, no further message is taken. */
const RUNNING_CALLS_MAX = 256;

/** What {@link runFs} needs. */
export interface RunFsOptions {
  /** The TOML file. */
  readonly configPath: string;
  /** Messages of the client, one a line. */
  readonly readable: ByteReadable;
  /** Answers for the client, one a line. */
  readonly writable: ByteWritable;
  /** Receives events; standard output is the protocol's. */
  readonly log: Log;
}

/**
 * Serves one client until its input ends or the process is told to stop.
 *
 * @returns 0 when it served, 2 when the configuration stopped it; the log says why.
 */
export async function runFs(options: RunFsOptions): Promise<number> {
  const { log } = options;
  let server: FsServer;
  try {
    server = await createFsServer(await loadFsConfig(options.configPath), { log });
  } catch (error) {
    if (!(error instanceof LoomError)) throw error;
    for (const line of error.message.split("\n")) log("error", "fs", line);
    return 2;
  }
  using open = server;
  announce(open, log);
  await serve(open, options);
  return 0;
}

/**
 * Reads a configuration, opens its roots, and says what it means.
 *
 * @returns Text for a terminal: roots, roles, permissions, tools, and the flags for Deno.
 * @throws {LoomError} `CONFIG_INVALID` as the start would.
 */
export async function checkFs(configPath: string): Promise<string> {
  const config = await loadFsConfig(configPath);
  using server = await createFsServer(config);
  return describeConfig(config, server.opening);
}

function announce(server: FsServer, log: Log): void {
  for (const root of server.config.roots) {
    log("info", "fs", `root ${root.name}: ${root.role} [${root.permissions.join(", ")}] ${root.path}`);
  }
  const level = server.opening === "best-effort" ? "warn" : "info";
  log(level, "fs", `opening files: ${server.opening}: ${GUARANTEES[server.opening]}`);
  log("info", "fs", "serving MCP over stdio; nothing is fetched from the network");
}

async function serve(server: FsServer, { readable, writable, log }: RunFsOptions): Promise<void> {
  const session = new Session(server);
  const output = new LineWriter(writable);
  const running = new Set<Promise<void>>();
  const reader = readable.getReader();
  // A read that nothing will ever answer must not keep the process from ending.
  const stop = () => void reader.cancel().catch(() => {});
  const unlisten = onSignals(stop);
  try {
    for await (const line of linesOf(chunksOf(reader))) {
      if (output.isBroken) break;
      const text = "text" in line ? line.text : undefined;
      const work = answerTo(session, text).then((answer) => {
        if (answer !== undefined) output.write(answer);
      }, (error) => log("error", "fs", `a message could not be answered: ${messageOf(error)}`));
      running.add(work);
      work.finally(() => running.delete(work));
      while (running.size >= RUNNING_CALLS_MAX) await Promise.race(running);
      await output.room();
    }
    await Promise.all(running);
    await output.drained();
  } finally {
    unlisten();
  }
}

async function answerTo(session: Session, text: string | undefined): Promise<string | undefined> {
  if (text !== undefined) return await session.receive(text);
  const message = `the message is longer than ${MESSAGE_BYTES_MAX} bytes`;
  return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32600, message } });
}

async function* chunksOf(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Signals end the input, so that what is under way is finished. Windows knows no SIGTERM. */
function onSignals(stop: () => void): () => void {
  const signals: readonly Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  return () => signals.forEach((signal) => Deno.removeSignalListener(signal, stop));
}
