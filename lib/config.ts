/** The config: what it says when it is whole, and how its text is read. @module */

import { buildConfig } from "./config/build.ts";
import type { ConfigSource, LoomConfig } from "./config/model.ts";
import { problemMessage } from "./config/problems.ts";
import { type ConfigText, readConfigText } from "./config/text.ts";
import type { Problem } from "./config/paths.ts";
import { LoomError } from "./errors.ts";

export type { EnvLookup } from "./config/expand.ts";
export type { ConfigSource, InterceptMode, LoomConfig, ServerConfig } from "./config/model.ts";

/** Characters of a config's text. */
export const CONFIG_CHARS_MAX = 1_048_576;

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
  const read = readConfigText(text);
  const built = buildConfig(read.value, source);
  const problems = [
    ...textProblems(text, read),
    ...built.kind === "refused" && isWhole(text, read) ? built.problems : [],
  ];
  if (problems.length > 0 || built.kind === "refused") {
    throw new LoomError("CONFIG_INVALID", problemMessage(source.path, read, problems));
  }
  return built.config;
}

/** Whether the text can be read to its end; otherwise what is wrong with its value means little. */
function isWhole(text: string, { breaks }: ConfigText): boolean {
  return text.length <= CONFIG_CHARS_MAX && breaks.length === 0;
}

function textProblems(text: string, read: ConfigText): readonly Problem[] {
  if (text.length > CONFIG_CHARS_MAX) return [{ path: [], message: `expected at most ${CONFIG_CHARS_MAX} characters` }];
  return read.breaks.length > 0 ? read.breaks : read.problems;
}
