/** Where MCP clients keep their configs, on each system. @module */

import { posix, win32 } from "node:path";
import type { EnvLookup } from "../config.ts";

/** The systems that are told apart. */
export type System = "linux" | "darwin" | "windows";

/** The clients whose configs are understood. */
export type ClientId =
  | "claude-desktop"
  | "claude-code"
  | "cursor"
  | "vscode"
  | "windsurf"
  | "zed"
  | "codex"
  | "gemini";

/** One place where a client may keep servers. */
export interface Location {
  readonly client: ClientId;
  readonly path: string;
  /** Keys from the root of the file to the object that holds the servers, by name. */
  readonly keys: readonly string[];
  readonly format: "json" | "toml";
  /** The folder that the servers belong to, for a config of one project. */
  readonly project?: string | undefined;
}

/** What the places depend on. */
export interface Place {
  readonly system: System;
  readonly env: EnvLookup;
  /** The current folder, absolute: the project. */
  readonly folder: string;
}

/** The clients, each with the name that people know it by. */
export const CLIENT_TITLES: Readonly<Record<ClientId, string>> = {
  "claude-desktop": "Claude Desktop",
  "claude-code": "Claude Code",
  cursor: "Cursor",
  vscode: "VS Code",
  windsurf: "Windsurf",
  zed: "Zed",
  codex: "Codex",
  gemini: "Gemini CLI",
};

/** The system that this process runs on, everything that is neither Windows nor macOS counting as Linux. */
export function currentSystem(os: string = Deno.build.os): System {
  return os === "windows" || os === "darwin" ? os : "linux";
}

/** The user's folder; undefined when the environment does not say. */
export function homeOf({ system, env }: Pick<Place, "system" | "env">): string | undefined {
  return env(system === "windows" ? "USERPROFILE" : "HOME") || undefined;
}

/** The folder under which applications keep their settings. */
function settingsFolder({ system, env }: Place, home: string): string {
  const { join } = system === "windows" ? win32 : posix;
  if (system === "windows") return env("APPDATA") || join(home, "AppData", "Roaming");
  if (system === "darwin") return join(home, "Library", "Application Support");
  return env("XDG_CONFIG_HOME") || join(home, ".config");
}

/** Every place where a client may keep servers, the project's own first. They need not exist. */
export function clientLocations(place: Place): readonly Location[] {
  const { system, env, folder } = place;
  const { join } = system === "windows" ? win32 : posix;
  const json = (client: ClientId, path: string, keys: readonly string[], project?: string): Location => ({
    client,
    path,
    keys,
    format: "json",
    project,
  });
  const toml = (path: string, project?: string): Location => ({
    client: "codex",
    path,
    keys: ["mcp_servers"],
    format: "toml",
    project,
  });
  const ofProject = [
    json("claude-code", join(folder, ".mcp.json"), ["mcpServers"], folder),
    json("cursor", join(folder, ".cursor", "mcp.json"), ["mcpServers"], folder),
    json("vscode", join(folder, ".vscode", "mcp.json"), ["servers"], folder),
    json("zed", join(folder, ".zed", "settings.json"), ["context_servers"], folder),
    toml(join(folder, ".codex", "config.toml"), folder),
    json("gemini", join(folder, ".gemini", "settings.json"), ["mcpServers"], folder),
  ];
  const home = homeOf(place);
  if (home === undefined) return ofProject;
  const settings = settingsFolder(place, home);
  const claude = join(home, ".claude.json");
  // Zed alone keeps to ~/.config on macOS too.
  const zed = system === "windows"
    ? join(settings, "Zed")
    : join(env("XDG_CONFIG_HOME") || join(home, ".config"), "zed");
  return [
    ...ofProject,
    json("claude-desktop", join(settings, "Claude", "claude_desktop_config.json"), ["mcpServers"]),
    json("claude-code", claude, ["mcpServers"]),
    json("claude-code", claude, ["projects", folder, "mcpServers"], folder),
    json("cursor", join(home, ".cursor", "mcp.json"), ["mcpServers"]),
    json("vscode", join(settings, "Code", "User", "mcp.json"), ["servers"]),
    // Where VS Code kept them before it gave them a file of their own.
    json("vscode", join(settings, "Code", "User", "settings.json"), ["mcp", "servers"]),
    json("windsurf", join(home, ".codeium", "windsurf", "mcp_config.json"), ["mcpServers"]),
    json("zed", join(zed, "settings.json"), ["context_servers"]),
    toml(join(env("CODEX_HOME") || join(home, ".codex"), "config.toml")),
    json("gemini", join(home, ".gemini", "settings.json"), ["mcpServers"]),
  ];
}

/** Where a file of unknown origin may hold servers, and whose manner that is; the first that is there counts. */
export const SERVER_PLACES: readonly { readonly keys: readonly string[]; readonly client: ClientId }[] = [
  { keys: ["mcpServers"], client: "claude-desktop" },
  { keys: ["servers"], client: "vscode" },
  { keys: ["mcp", "servers"], client: "vscode" },
  { keys: ["settings", "mcp", "servers"], client: "vscode" },
  { keys: ["context_servers"], client: "zed" },
  { keys: ["mcp_servers"], client: "codex" },
];
