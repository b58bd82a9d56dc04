/** `loom check`: reads the config and prints what it means. @module */

import type { LoomConfig, ServerConfig } from "../config.ts";
import { findConfig, loadConfig } from "../config/load.ts";
import { fileReason } from "../file_errors.ts";
import { assertLedger } from "../ledger.ts";
import { assertAppendable, assertFolder } from "../writable.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption } from "./io.ts";
import { renderTable } from "./table.ts";

/** How a server is reached, without arguments, addresses or anything else that may hold a secret. */
function reachOf(server: ServerConfig): string {
  if (server.url !== undefined) return new URL(server.url).origin;
  const args = server.args.length === 1 ? "1 argument" : `${server.args.length} arguments`;
  return `${server.command ?? ""} (${args})`;
}

function limitsOf({ tools, tokenThreshold }: ServerConfig): string {
  const allow = tools.allow === undefined ? [] : [`allow ${tools.allow.join(" ")}`];
  const deny = tools.deny === undefined ? [] : [`deny ${tools.deny.join(" ")}`];
  return [`threshold ${tokenThreshold}`, ...allow, ...deny].join(", ");
}

/** What is worth saying about a config that is valid. */
export function configReport(config: LoomConfig, path: string, io: CommandIo): string {
  const rows = config.servers.map((server) => [
    server.name,
    server.disabled === undefined ? "starts" : "disabled",
    server.disabled ?? `${reachOf(server)}; ${limitsOf(server)}`,
  ]);
  const settings = [
    ["tokenThreshold", String(config.tokenThreshold)],
    ["memoryBudgetBytes", String(config.memoryBudgetBytes)],
    ["duckdbMemoryLimit", config.duckdbMemoryLimit],
    ["exportDir", config.exportDir],
    ["storePath", config.storePath ?? "none"],
    ["auditLog", config.auditLog ?? "none"],
    ["queryTimeoutMs", String(config.queryTimeoutMs)],
    ["toolNameMaxLength", String(config.toolNameMaxLength)],
    ["restart", `${config.restart.maxAttempts} attempts from ${config.restart.baseDelayMs} ms`],
  ];
  const style = { columns: io.terminalColumns, colours: io.colours };
  const notes = (config.notes ?? []).map((note) => `note: ${note}\n`).join("");
  return `${path} is valid\n\n${renderTable(["SERVER", "STATE", "MEANS"], rows, style)}\n${
    renderTable(["SETTING", "VALUE"], settings, style)
  }${notes === "" ? "" : `\n${notes}`}`;
}

/** The config with notes on what loom goes on without: a store file or exports that cannot be written. */
function withPlaceNotes(config: LoomConfig): LoomConfig {
  const { storePath, exportDir } = config;
  const store = storePath === undefined ? undefined : reasonAgainst(() => assertAppendable(storePath));
  const exports = reasonAgainst(() => assertFolder(exportDir));
  const notes = [
    ...store === undefined ? [] : [`storePath cannot be used, loom would run without it: ${store}`],
    ...exports === undefined ? [] : [`exportDir cannot be used, loom_export would fail: ${exports}`],
  ];
  return { ...config, notes: [...config.notes ?? [], ...notes] };
}

/** Why an attempt fails. Where this process may not try, the engine's process, which has rights of its own, still may. */
function reasonAgainst(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable ? undefined : fileReason(error);
  }
}

/** Runs the command. */
export async function check(values: OptionValues, _positionals: readonly string[], io: CommandIo): Promise<ExitCode> {
  const path = findConfig(textOption(values, "config"), io.env);
  const config = withPlaceNotes(await loadConfig(path, io.env));
  assertLedger(config.auditLog);
  if (values.json) io.print(`${JSON.stringify(jsonReport(config, path))}\n`);
  else io.print(configReport(config, path, io));
  return EXIT.done;
}

/** The report for scripts: names and limits, no values of env, args, headers. */
function jsonReport(config: LoomConfig, path: string) {
  const { servers, notes, ...settings } = config;
  return {
    path,
    ...settings,
    notes: notes ?? [],
    servers: servers.map(({ name, command, disabled, tools, tokenThreshold, env, envPassthrough }) => ({
      name,
      command,
      disabled,
      tools,
      tokenThreshold,
      env: Object.keys(env),
      envPassthrough,
    })),
  };
}
