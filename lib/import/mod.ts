/** The configs of MCP clients: where they lie, what servers they hold, and loom put in their place. @module */

import { sanitizeServerName } from "../config/relations.ts";
import { convertEntry, type ImportedServer } from "./convert.ts";
import { hasJsonObject, inputIds, jsonEntries, replaceInJson } from "./json_file.ts";
import { type ClientId, type Location, SERVER_PLACES } from "./locations.ts";
import { replaceInToml, tomlEntries } from "./toml_file.ts";

export {
  CLIENT_TITLES,
  type ClientId,
  clientLocations,
  currentSystem,
  homeOf,
  type Location,
  type Place,
  type System,
} from "./locations.ts";
export { applyToFile, readIfThere, undoFile, type Undone, writeNewFile } from "./files.ts";

/** One server that was found, under the name it gets in loom's config. */
export interface FoundServer {
  readonly name: string;
  /** The name in the client's config. */
  readonly writtenName: string;
  readonly server: ImportedServer;
  readonly notes: readonly string[];
}

/** What one place holds. */
export interface Found {
  readonly location: Location;
  readonly text: string;
  readonly servers: readonly FoundServer[];
  /** Entries that stay with the client, and why. */
  readonly left: readonly { readonly writtenName: string; readonly reason: string }[];
  /** Whether loom stands there already. */
  readonly hasLoom: boolean;
}

/** How a client starts loom. */
export interface LoomCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The place of the servers in a file that was named by its path. */
export function locationOfFile(path: string, text: string, project: string | undefined): Location {
  const format = path.endsWith(".toml") ? "toml" : "json";
  const { keys, client } = SERVER_PLACES.find((place) => isThere(place.keys, { path, text, format })) ??
    { keys: ["mcpServers"], client: "claude-desktop" as const };
  return { client, path, keys, format, project };
}

function isThere(
  keys: readonly string[],
  file: Pick<Location, "path" | "format"> & { readonly text: string },
): boolean {
  if (file.format === "json") return hasJsonObject(file.text, keys, file.path);
  return keys.length === 1 && tomlEntries(file.text, keys[0] ?? "", file.path).length > 0;
}

/** Whether an entry starts loom, whatever its name. */
function startsLoom(name: string, entry: unknown): boolean {
  return name === "loom" || JSON.stringify(entry ?? null).includes("jsr:@loom/cli");
}

/** A name that no other server has. */
function ownName(writtenName: string, taken: Set<string>): string {
  const wanted = sanitizeServerName(writtenName);
  const base = wanted === "loom" ? "loom_server" : wanted;
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base.slice(0, 32 - `_${n}`.length)}_${n}`;
  taken.add(name);
  return name;
}

/** The entries under the servers' object of one place. */
function entriesOf(location: Location, text: string): readonly (readonly [string, unknown])[] {
  const { format, keys, path } = location;
  return format === "toml" ? tomlEntries(text, keys[0] ?? "", path) : jsonEntries(text, keys, path);
}

/**
 * What servers stand in a client's config.
 *
 * @param home The user's folder, for configs that name it by a variable.
 * @throws {LoomError} `CONFIG_INVALID` when the file cannot be read.
 */
export function findServers(location: Location, text: string, home: string | undefined): Found {
  const inputs = location.format === "json" ? inputIds(text, location.keys, location.path) : new Set<string>();
  const around = { client: location.client, home, project: location.project, inputs };
  const taken = new Set<string>();
  const entries = entriesOf(location, text);
  const others = entries.filter(([name, entry]) => !startsLoom(name, entry));
  const converted = others.map(([writtenName, entry]) => ({ writtenName, outcome: convertEntry(entry, around) }));
  return {
    location,
    text,
    hasLoom: others.length < entries.length,
    servers: converted.flatMap(({ writtenName, outcome }) => {
      if (outcome.kind === "left") return [];
      return [{ name: ownName(writtenName, taken), writtenName, server: outcome.server, notes: outcome.notes }];
    }),
    left: converted.flatMap(({ writtenName, outcome }) =>
      outcome.kind === "left" ? [{ writtenName, reason: outcome.reason }] : []
    ),
  };
}

/** The text of a loom config with these servers. */
export function loomConfigText(servers: readonly FoundServer[]): string {
  return `${JSON.stringify({ servers: servers.map(({ name, server }) => ({ name, ...server })) }, null, 2)}\n`;
}

/** Loom's entry in the manner of a client. */
function entryFor(client: ClientId, { command, args }: LoomCommand): unknown {
  if (client === "vscode") return { type: "stdio", command, args };
  return client === "zed" ? { source: "custom", command, args, env: {} } : { command, args };
}

/** The client's config with loom in the place of the servers that it now runs. */
export function withLoom({ location, text, servers }: Found, command: LoomCommand): string {
  const present = entriesOf(location, text).map(([name]) => name);
  const removed = servers.map(({ writtenName }) => writtenName);
  const replacement = {
    keys: location.keys,
    removed: present.filter((name) => name === "loom" || removed.includes(name)),
    entry: entryFor(location.client, command),
  };
  return location.format === "toml"
    ? replaceInToml(text, replacement, location.path)
    : replaceInJson(text, replacement);
}

/** The loom configs that the entries of loom in one place name, as they are written there. */
export function loomConfigsIn(location: Location, text: string): readonly string[] {
  return entriesOf(location, text).filter(([name, entry]) => startsLoom(name, entry)).flatMap(([, entry]) => {
    const args = typeof entry === "object" && entry !== null && "args" in entry ? entry.args : undefined;
    const path: unknown = Array.isArray(args) ? args[args.indexOf("--config") + 1] : undefined;
    return typeof path === "string" && Array.isArray(args) && args.includes("--config") ? [path] : [];
  });
}

/** The block that a user pastes into a client's config, in the client's own words. */
export function pasteBlock(location: Location, command: LoomCommand): string {
  const empty = location.format === "toml" ? "" : "{}";
  const found = {
    location: { ...location, keys: location.keys.slice(-1) },
    text: empty,
    servers: [],
    left: [],
    hasLoom: false,
  };
  return withLoom(found, command);
}
