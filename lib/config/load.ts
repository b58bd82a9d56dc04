/** The config file: where it is looked for, and how it is read at the start. @module */

import { resolve } from "node:path";
import { LoomError } from "../errors.ts";
import { fileReason } from "../file_errors.ts";
import { buildConfig, processEnv } from "./build.ts";
import type { EnvLookup } from "./expand.ts";
import type { LoomConfig } from "./model.ts";

/** The config file that is looked for when nothing else is said. */
export const CONFIG_FILE_DEFAULT = "loom.config.json";

/** The variable that names the config file when `--config` does not. */
export const CONFIG_VARIABLE = "LOOM_CONFIG";

/** Characters of a text that is read without the parser. */
const PLAIN_CHARS_MAX = 100_000;

/**
 * Reads the config file at `path`.
 *
 * @throws {LoomError} `CONFIG_INVALID` as `parseConfig`, and when the file cannot be read or is not UTF-8.
 */
export async function loadConfig(path: string, env: EnvLookup = processEnv): Promise<LoomConfig> {
  const text = await readConfigFile(path);
  const plain = plainValue(text);
  const built = plain === undefined ? undefined : buildConfig(plain, { path, env });
  if (built?.kind === "config") return built.config;
  // The parser that knows comments and lines takes 20 ms to load, which a start with a plain, valid file need not wait for.
  const { parseConfig } = await import("../config.ts");
  return parseConfig(text, { path, env });
}

async function readConfigFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? `there is no such file; name one with --config, with ${CONFIG_VARIABLE}, or make ./${CONFIG_FILE_DEFAULT}`
      : fileReason(error);
    throw new LoomError("CONFIG_INVALID", `Cannot read the config ${path}: ${reason}`, { cause: error });
  }
}

/** The path of the config file: what `--config` says, else `LOOM_CONFIG`, else `./loom.config.json`. */
export function findConfig(flag: string | undefined, env: EnvLookup = processEnv): string {
  return resolve(flag ?? (env(CONFIG_VARIABLE) || CONFIG_FILE_DEFAULT));
}

/** The value of a text that is plain JSON, every key once; undefined for any other, which may be a config as well. */
export function plainValue(text: string): unknown {
  if (text.length > PLAIN_CHARS_MAX || text.includes("__proto__")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // A key that stands twice is lost in the value, and so makes its text shorter.
    const bare = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
    return JSON.stringify(value) === bare ? value : undefined;
  } catch {
    return undefined;
  }
}
