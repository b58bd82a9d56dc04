/** From a config's plain value to the configuration that it means, or to what is wrong with it. @module */

import { dirname, resolve } from "node:path";
import { globLiteralChars, globMatches } from "../globs.ts";
import { type EnvLookup, expandFields } from "./expand.ts";
import type { ConfigSource, InterceptMode, LoomConfig, ServerConfig } from "./model.ts";
import type { Problem } from "./paths.ts";
import { schemaProblems } from "./problems.ts";
import { relationProblems, sanitizeServerName } from "./relations.ts";
import { CLIENT_ONLY_KEYS, type ConfigFile, configSchema, type ServerEntry } from "./schema.ts";

/** What a value is as a config. */
export type Built =
  | { readonly kind: "config"; readonly config: LoomConfig }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

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

/** Checks a value whole and makes the configuration of it. */
export function buildConfig(value: unknown, { path, env = processEnv }: ConfigSource): Built {
  const checked = configSchema.safeParse(value);
  const problems = [...schemaProblems(checked.error?.issues ?? [], value), ...relationProblems(value, env)];
  if (problems.length > 0 || !checked.success) return { kind: "refused", problems };
  return { kind: "config", config: configOf(checked.data, dirname(resolve(path)), env) };
}

function configOf(file: ConfigFile, folder: string, env: EnvLookup): LoomConfig {
  const { servers = [], mcpServers = {}, $schema: _schema, auditLog, storePath, ...settings } = file;
  const surroundings = { folder, env, tokenThreshold: settings.tokenThreshold };
  const clientServers = Object.entries(mcpServers);
  return {
    ...settings,
    exportDir: resolve(folder, settings.exportDir),
    ...(storePath === undefined ? {} : { storePath: resolve(folder, storePath) }),
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
