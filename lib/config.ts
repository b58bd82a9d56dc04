/** The config file: schema, defaults, readable problems. @module */

import { dirname, resolve } from "node:path";
import { z } from "zod";
import { type EnvLookup, expandFields } from "./config/expand.ts";
import { problemMessage, schemaProblems } from "./config/problems.ts";
import { relationProblems, sanitizeServerName } from "./config/relations.ts";
import { CLIENT_ONLY_KEYS, configSchema, type ServerEntry } from "./config/schema.ts";
import { type ConfigText, type Problem, readConfigText } from "./config/text.ts";
import { LoomError, messageOf } from "./errors.ts";
import { globLiteralChars, globMatches, type NameFilter } from "./globs.ts";

export type { EnvLookup } from "./config/expand.ts";

/** What to do with the results of a server's tools. */
export type InterceptMode = "auto" | "never";

/** One server behind loom, complete with defaults. */
export interface ServerConfig {
  /** Unique; lower case letters, digits and `_`. */
  readonly name: string;
  /** The executable of a process server; absent for a remote one. */
  readonly command?: string | undefined;
  /** Arguments of the process, variables replaced. */
  readonly args: readonly string[];
  /** Working folder of the process, absolute. */
  readonly cwd: string;
  /** Variables for this process only, variables replaced. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that are forwarded from loom's own environment. */
  readonly envPassthrough: readonly string[];
  /** The server's own names of tools whose arguments are shown nowhere. */
  readonly provenanceDenylist: readonly string[];
  /** The address of a remote server over Streamable HTTP; absent for a process. */
  readonly url?: string | undefined;
  /** Headers for a remote server, variables replaced. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why this server cannot be started (a missing variable), or that it is switched off. */
  readonly disabled?: string | undefined;
  /** Globs over the server's own tool names. */
  readonly tools: NameFilter;
  /** The mode for one of the server's own tool names. */
  readonly interceptModeOf: (tool: string) => InterceptMode;
  /** Milliseconds that the handshake may take. */
  readonly startTimeoutMs: number;
  /** Milliseconds that a call may take; absent means as long as it takes. */
  readonly callTimeoutMs?: number | undefined;
  /** Estimated tokens above which a result may become a dataset. */
  readonly tokenThreshold: number;
}

/** A whole configuration, checked and complete. */
export interface LoomConfig {
  /** The servers, in the order of the file. */
  readonly servers: readonly ServerConfig[];
  /** Estimated tokens above which a result may become a dataset. */
  readonly tokenThreshold: number;
  /** Tracked bytes of datasets above which some are evicted. */
  readonly memoryBudgetBytes: number;
  /** The engine's memory limit, such as `512MB`. */
  readonly duckdbMemoryLimit: string;
  /** Where exports go, absolute. */
  readonly exportDir: string;
  /** Absolute; absent when no ledger is kept. */
  readonly auditLog?: string | undefined;
  /** Milliseconds that a query may take. */
  readonly queryTimeoutMs: number;
  /** Characters of an exposed tool name. */
  readonly toolNameMaxLength: number;
  /** How often a server that ended is started again, and the first delay. */
  readonly restart: { readonly maxAttempts: number; readonly baseDelayMs: number };
  /** What was read otherwise than it was written, for `loom check`: a renamed server, an ignored key. */
  readonly notes?: readonly string[] | undefined;
}

/** Where a config comes from. */
export interface ConfigSource {
  /** The file's path; relative paths in the config start at its folder. */
  readonly path: string;
  /** The environment that `${VAR}` is read from; absent means the process's own. */
  readonly env?: EnvLookup | undefined;
}

/** Characters of a config file. */
export const CONFIG_CHARS_MAX = 1_048_576;

/** The config file that is looked for when nothing else is said. */
export const CONFIG_FILE_DEFAULT = "loom.config.json";

/** The variable that names the config file when `--config` does not. */
export const CONFIG_VARIABLE = "LOOM_CONFIG";

/** Reads a variable of this process; one that may not be read under the permissions given counts as not set. */
export function processEnv(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** The mode of each tool: the matching glob with the most literal characters decides, `never` between equals. */
function interceptModes(intercept: ServerEntry["intercept"]): (tool: string) => InterceptMode {
  if (typeof intercept === "string") return () => intercept;
  const ranked = Object.entries(intercept).toSorted(([a, aMode], [b, bMode]) =>
    globLiteralChars(b) - globLiteralChars(a) || bMode.localeCompare(aMode)
  );
  return (tool) => ranked.find(([glob]) => globMatches(glob, tool))?.[1] ?? "auto";
}

/** Why a server is not to be started, or undefined. */
function disabledReason(enabled: boolean, missing: readonly string[]): string | undefined {
  if (!enabled) return "switched off in the config";
  return missing.length === 0 ? undefined : missing.join("; ");
}

interface Surroundings {
  readonly folder: string;
  readonly env: EnvLookup;
  readonly tokenThreshold: number;
}

function serverOf(name: string, entry: ServerEntry, { folder, env, tokenThreshold }: Surroundings): ServerConfig {
  const { fields, missing } = expandFields(entry, env);
  return {
    name,
    command: entry.command,
    ...fields,
    cwd: resolve(folder, fields.cwd ?? ""),
    envPassthrough: entry.envPassthrough,
    provenanceDenylist: entry.provenanceDenylist,
    disabled: disabledReason(entry.enabled, missing),
    tools: entry.tools,
    interceptModeOf: interceptModes(entry.intercept),
    startTimeoutMs: entry.startTimeoutMs,
    callTimeoutMs: entry.callTimeoutMs,
    tokenThreshold: entry.tokenThreshold ?? tokenThreshold,
  };
}

/** How one entry of `mcpServers` was read otherwise than it was written. */
function clientNotes(key: string, entry: object): readonly string[] {
  const name = sanitizeServerName(key);
  const renamed = key === name ? [] : [`"${key}" is called "${name}" here`];
  const ignored = CLIENT_ONLY_KEYS.filter((field) => Object.hasOwn(entry, field));
  return [...renamed, ...ignored.map((field) => `"${field}" of "${key}" means nothing to loom`)];
}

/**
 * Reads a config.
 *
 * @param text JSON; comments and trailing commas are allowed. At most {@link CONFIG_CHARS_MAX} characters.
 * @param source Where it comes from.
 * @returns The config with defaults, absolute paths and variables filled in.
 * @throws {LoomError} `CONFIG_INVALID`, listing every violated field with what was expected.
 *
 * @example One server
 * ```ts
 * import { parseConfig } from "@loom/cli";
 * import { equal } from "node:assert/strict";
 *
 * const config = parseConfig(`{ "servers": [{ "name": "notes", "command": "notes-mcp" }] }`, { path: "/etc/loom.json" });
 * equal(config.servers[0]?.cwd, "/etc");
 * equal(config.tokenThreshold, 2000);
 * ```
 */
export function parseConfig(text: string, source: ConfigSource): LoomConfig {
  const env = source.env ?? processEnv;
  const read = readConfigText(text);
  const checked = configSchema.safeParse(read.value);
  const problems = configProblems(text, read, checked.error?.issues ?? [], env);
  if (problems.length > 0 || !checked.success) {
    throw new LoomError("CONFIG_INVALID", problemMessage(source.path, read, problems));
  }
  const { servers = [], mcpServers = {}, $schema: _schema, auditLog, ...settings } = checked.data;
  const folder = dirname(resolve(source.path));
  const surroundings = { folder, env, tokenThreshold: settings.tokenThreshold };
  const clientServers = Object.entries(mcpServers);
  return {
    ...settings,
    exportDir: resolve(folder, settings.exportDir),
    ...(auditLog === undefined ? {} : { auditLog: resolve(folder, auditLog) }),
    servers: [
      ...servers.map((entry) => serverOf(entry.name, entry, surroundings)),
      ...clientServers.map(([key, entry]) =>
        serverOf(sanitizeServerName(key), { ...entry, enabled: entry.enabled && entry.disabled !== true }, surroundings)
      ),
    ],
    notes: clientServers.flatMap(([key, entry]) => clientNotes(key, entry)),
  };
}

function configProblems(
  text: string,
  read: ConfigText,
  issues: readonly z.core.$ZodIssue[],
  env: EnvLookup,
): readonly Problem[] {
  if (text.length > CONFIG_CHARS_MAX) return [{ path: [], message: `expected at most ${CONFIG_CHARS_MAX} characters` }];
  if (read.breaks.length > 0) return read.breaks;
  return [...read.problems, ...schemaProblems(issues, read.value), ...relationProblems(read.value, env)];
}

/**
 * Reads the config file at `path`.
 *
 * @throws {LoomError} `CONFIG_INVALID` as {@link parseConfig}, and when the file cannot be read or is not UTF-8.
 */
export async function loadConfig(path: string, env: EnvLookup = processEnv): Promise<LoomConfig> {
  return parseConfig(await readConfigFile(path), { path, env });
}

async function readConfigFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? `there is no such file; name one with --config, with ${CONFIG_VARIABLE}, or make ./${CONFIG_FILE_DEFAULT}`
      : messageOf(error);
    throw new LoomError("CONFIG_INVALID", `Cannot read the config ${path}: ${reason}`, { cause: error });
  }
}

/** The path of the config file: what `--config` says, else `LOOM_CONFIG`, else `./loom.config.json`. */
export function findConfig(flag: string | undefined, env: EnvLookup = processEnv): string {
  return resolve(flag ?? (env(CONFIG_VARIABLE) || CONFIG_FILE_DEFAULT));
}

/** The JSON Schema of the config file, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(configSchema, { io: "input" }), title: "loom.config.json" };
}
