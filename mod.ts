/**
 * loom is one MCP server in front of many. Small results pass through byte for byte; a large tabular result goes into
 * a sealed DuckDB in a process of its own, and the client gets a small envelope that answers SQL instead.
 *
 * Run as a program, this module is the `loom` command. Imported, it is a loom inside a program:
 *
 * @example A loom with one server, and a session with it in memory
 * ```ts
 * import { openLoom, openSession, parseConfig } from "@loom/cli";
 * import { equal } from "node:assert/strict";
 *
 * // The server: loom's own file server, with one folder that holds a table.
 * const folder = await Deno.makeTempDir();
 * const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, price: id / 4, city: ["Oslo", "Rome"][id % 2] }));
 * await Deno.writeTextFile(`${folder}/orders.json`, JSON.stringify(rows));
 * const roots = `${folder}.toml`;
 * await Deno.writeTextFile(roots, `[[roots]]\nname = "data"\npath = ${JSON.stringify(folder)}\nrole = "reference"\n`);
 * const args = ["run", "-A", `${Deno.cwd()}/cli.ts`, "fs", "--config", roots];
 *
 * const config = parseConfig(
 *   JSON.stringify({ servers: [{ name: "files", command: Deno.execPath(), args }] }),
 *   { path: `${folder}/loom.config.json` },
 * );
 * {
 *   await using session = await openSession(openLoom(config));
 *   const answer = await session.callTool("files_read_file", { root: "data", path: "orders.json" });
 *   const envelope = JSON.parse(answer.content?.[0]?.text ?? "");
 *   equal(envelope.rows, 1_000);
 *
 *   const sql = `SELECT city, sum(price) AS total FROM ${envelope.ref} GROUP BY city ORDER BY city`;
 *   const totals = JSON.parse((await session.callTool("loom_query", { sql })).content?.[0]?.text ?? "");
 *   equal(totals.rows[0].city, "Oslo");
 * }
 * await Deno.remove(folder, { recursive: true });
 * await Deno.remove(roots);
 * ```
 *
 * Any other transport is two byte streams handed to {@link Loom.serve}. `@loom/cli/store` is the dataset store alone,
 * `@loom/cli/records` the row reader alone, `@loom/cli/fs` the file server alone.
 *
 * @module
 */

export type { ByteReadable, ByteReader, ByteWritable, ByteWriter } from "./lib/byte_streams.ts";
export { type ConfigSource, type EnvLookup, type LoomConfig, parseConfig, type ServerConfig } from "./lib/config.ts";
export { loadConfig } from "./lib/config/load.ts";
export type { InterceptMode } from "./lib/config.ts";
export type { NameFilter } from "./lib/globs.ts";
export { LoomError, type LoomErrorCode } from "./lib/errors.ts";
export type { ClientStreams, Loom } from "./lib/loom.ts";
export type { Log, LogLevel } from "./lib/log.ts";
export { openLoom, type OpenOptions } from "./lib/open_loom.ts";
export { openSession, type Session, type ToolAnswer } from "./lib/session.ts";

if (import.meta.main) {
  const { main } = await import("./cli.ts");
  Deno.exit(await main(Deno.args));
}
