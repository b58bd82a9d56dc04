/** The narrowest permissions of Deno under which a config works. @module */

import { dirname } from "node:path";
import type { LoomConfig } from "../config.ts";

/** What the flags depend on beside the config. */
export interface PermissionPlace {
  readonly os: string;
  /** The config file, absolute. */
  readonly configPath: string;
  /** Its text, for the variables that it names. */
  readonly configText: string;
  /** The Deno executable. */
  readonly execPath: string;
  /** Variables that every child gets. */
  readonly inherited: readonly string[];
}

/** Variables that loom reads for itself. */
const OWN_VARIABLES = ["LOOM_CONFIG", "LOOM_DEBUG", "NO_COLOR", "DENO_DIR", "XDG_CACHE_HOME"];

/** Variables named as `${VAR}` anywhere in a config. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name = ""]) => name))];
}

/** Programs that loom runs for itself: the engine with its memory bound, and those that see and end process trees. */
function ownPrograms({ os, execPath }: PermissionPlace): readonly string[] {
  if (os === "windows") return [execPath, "taskkill"];
  return os === "linux" ? ["/bin/sh", "/bin/kill", "ps"] : [execPath, "/bin/kill", "ps"];
}

/** The flags for `deno run`, in a fixed order. A flag that would be empty is left out. */
export function permissionFlags(config: LoomConfig, place: PermissionPlace): readonly string[] {
  const servers = config.servers.filter(({ disabled }) => disabled === undefined);
  const commands = servers.flatMap(({ command }) => command === undefined ? [] : [command]);
  const hosts = servers.flatMap(({ url }) => url === undefined ? [] : [new URL(url).host]);
  const passed = servers.flatMap(({ envPassthrough }) => envPassthrough);
  const variables = [...place.inherited, ...OWN_VARIABLES, ...variablesIn(place.configText), ...passed];
  const written = config.auditLog === undefined ? [] : [dirname(config.auditLog)];
  return [
    ["read", [place.configPath, ...written]],
    ["write", written],
    ["env", variables],
    ["run", [...commands, ...ownPrograms(place)]],
    ["net", hosts],
  ].flatMap(([name, values]) => {
    const unique = [...new Set(values as readonly string[])];
    return unique.length === 0 ? [] : [`--allow-${name}=${unique.join(",")}`];
  });
}

/** What the flags cannot bind, to be said wherever they are shown. */
export const UNBOUND =
  "Servers are processes with rights of their own, and the engine is native code: these flags bind neither. " +
  "The engine's own process gets ffi, and read and write for the spill and export folders only.";
