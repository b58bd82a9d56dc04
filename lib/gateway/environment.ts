/** What a server sees of loom's own environment: a short list, and what the configuration adds. @module */

import type { ServerConfig } from "../config.ts";

/** Variables that every child gets when loom has them. Everything else stays with loom. */
export const ENVIRONMENT_ALLOWED: readonly string[] = Deno.build.os === "windows"
  ? [
    "SystemRoot",
    "windir",
    "PATH",
    "PATHEXT",
    "ComSpec",
    "APPDATA",
    "LOCALAPPDATA",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "PROCESSOR_ARCHITECTURE",
  ]
  : ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM"];

/** Reads one variable of loom's own environment. */
export type ReadVariable = (name: string) => string | undefined;

/** The whole environment of a server's process: the allowed variables, then `envPassthrough`, then `env`. */
export function childEnvironment(
  config: Pick<ServerConfig, "env" | "envPassthrough">,
  read: ReadVariable = readOwn,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...ENVIRONMENT_ALLOWED, ...config.envPassthrough]) {
    const value = read(name);
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...config.env };
}

function readOwn(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    // Not among the variables that loom was permitted to read: the child does without it.
    return undefined;
  }
}
