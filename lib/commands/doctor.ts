/** `loom doctor`: whether everything works here, what clients will not like, and what to paste where. @module */

import { CLIENT_TITLES, type ClientId, clientLocations, currentSystem, pasteBlock } from "../import/mod.ts";
import type { LoomConfig, ServerConfig } from "../config.ts";
import { findConfig, loadConfig } from "../config/load.ts";
import { readConfigText } from "../config/text.ts";
import { permissionFlags, UNBOUND } from "../doctor/permissions.ts";
import { secretWarnings } from "../doctor/secrets.ts";
import { type ListedTool, toolWarnings } from "../doctor/tools.ts";
import { createEngine, type Engine } from "../engine/mod.ts";
import { messageOf } from "../errors.ts";
import { ENVIRONMENT_ALLOWED } from "../gateway/environment.ts";
import { createLoom } from "../loom.ts";
import { openSession } from "../session.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption, withProgress } from "./io.ts";
import { loomCommand } from "./loom_command.ts";
import { renderTable } from "./table.ts";
import manifest from "../../deno.json" with { type: "json" };

/** How one part is doing. */
interface Finding {
  readonly ok: boolean;
  readonly text: string;
}

/** What starting one server showed. */
interface ServerFinding {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly tools: readonly ListedTool[];
}

/** Stands in for the engine where none is needed. */
const NO_ENGINE: Engine = {
  start() {},
  intercept: () => Promise.resolve(undefined),
  call: () => Promise.resolve(new TextEncoder().encode(`{"content":[],"isError":true}`)),
  stop: () => Promise.resolve(),
};

function milliseconds(from: number): string {
  return `${Math.round(performance.now() - from)} ms`;
}

async function sqlResult(engine: Engine, sql: string): Promise<{ readonly isError: boolean; readonly text: string }> {
  const bytes = await engine.call("loom_query", new TextEncoder().encode(JSON.stringify({ sql })));
  const { content, isError } = JSON.parse(new TextDecoder().decode(bytes));
  return { isError: isError === true, text: content?.[0]?.text ?? "" };
}

/** Starts the engine, asks it something, and asks it for a file of the host, which it must refuse. */
async function examineEngine(config: LoomConfig, { log }: CommandIo): Promise<Finding> {
  const engine = createEngine(config, { log });
  const from = performance.now();
  try {
    const answer = await sqlResult(engine, "SELECT 41 + 1 AS answer");
    if (answer.isError || !answer.text.includes("42")) return { ok: false, text: answer.text || "no answer" };
    const took = milliseconds(from);
    const leak = await sqlResult(engine, "SELECT * FROM read_text('/etc/hosts')");
    return {
      ok: leak.isError,
      text: leak.isError ? `answers and is sealed, ${took} to start` : "it read a file of the host",
    };
  } finally {
    await engine.stop();
  }
}

/** Starts one server by itself. */
async function examineServer(server: ServerConfig, config: LoomConfig, { log }: CommandIo): Promise<ServerFinding> {
  const { name, disabled } = server;
  if (disabled !== undefined) return { name, ok: true, text: disabled, tools: [] };
  const from = performance.now();
  try {
    await using session = await openSession(createLoom({ ...config, servers: [server] }, { engine: NO_ENGINE, log }));
    const listed: readonly ListedTool[] = JSON.parse(await session.request("tools/list", "{}")).tools;
    const tools = listed.filter((tool) => !String(tool.name).startsWith("loom_"));
    return { name, ok: true, text: `${tools.length} tools, ${milliseconds(from)} to start`, tools };
  } catch (error) {
    return { name, ok: false, text: messageOf(error), tools: [] };
  }
}

/** One config block for each client, in its own words; clients that share one stand together. */
function pasteBlocks(configPath: string, flags: readonly string[], io: CommandIo): string {
  const places = clientLocations({ system: currentSystem(), env: io.env, folder: Deno.cwd() });
  const command = loomCommand(configPath, { flags });
  const headings = new Map<string, string[]>();
  for (const client of Object.keys(CLIENT_TITLES) as ClientId[]) {
    const location = places.findLast((each) => each.client === client && each.keys.length === 1);
    if (location === undefined) continue;
    const block = pasteBlock(location, command).trimEnd();
    headings.set(block, [...headings.get(block) ?? [], `${CLIENT_TITLES[client]}: ${location.path}`]);
  }
  return [...headings].map(([block, clients]) => `${clients.join("\n")}\n${block}\n`).join("\n");
}

async function fileMode(path: string): Promise<number | undefined> {
  return Deno.build.os === "windows" ? undefined : (await Deno.stat(path)).mode ?? undefined;
}

/** Runs the command. */
export async function doctor(values: OptionValues, io: CommandIo): Promise<ExitCode> {
  const path = findConfig(textOption(values, "config"), io.env);
  const config = await loadConfig(path, io.env);
  const text = await Deno.readTextFile(path);
  const examined = Promise.all(config.servers.map((server) => examineServer(server, config, io)));
  const servers = await withProgress(io, "Starting the servers, one by one", examined);
  const engine = await withProgress(io, "Starting the engine", examineEngine(config, io));
  const warnings = [
    ...secretWarnings(readConfigText(text).value, await fileMode(path)).map((message) => ["secrets", "", message]),
    ...toolWarnings(servers.flatMap(({ tools }) => tools)).map((
      { tool = "", client, message },
    ) => [client, tool, message]),
  ];
  const flags = permissionFlags(config, {
    os: Deno.build.os,
    configPath: path,
    configText: text,
    execPath: Deno.execPath(),
    inherited: ENVIRONMENT_ALLOWED,
  });
  const style = { columns: io.terminalColumns, colours: io.colours };
  const mark = (ok: boolean) => ok ? "ok" : "FAILED";
  const health = [
    ["loom", "ok", `${manifest.version}, Deno ${Deno.version.deno}, ${Deno.build.target}`],
    ["engine", mark(engine.ok), engine.text],
    ...servers.map(({ name, ok, text }) => [name, mark(ok), text]),
  ];
  io.print(`${renderTable(["PART", "STATE", "SHOWS"], health, style)}\n`);
  if (warnings.length > 0) io.print(`${renderTable(["WHO MINDS", "TOOL", "WHAT"], warnings, style)}\n`);
  io.print(
    `Permissions for deno run (-A grants everything instead):\n${flags.join(" ")}\n${UNBOUND}\n\n${
      pasteBlocks(path, ["--no-prompt", ...flags], io)
    }`,
  );
  return engine.ok && servers.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
}
