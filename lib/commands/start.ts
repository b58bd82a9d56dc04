/** Loom on the config that a command was given, as a session in the same process. @module */

import { findConfig, loadConfig } from "../config/load.ts";
import { openLoom } from "../open_loom.ts";
import { openSession, type Session } from "../session.ts";
import { type CommandIo, type OptionValues, textOption, withProgress } from "./io.ts";

/** Reads the config and starts its servers. */
export async function startSession(values: OptionValues, io: CommandIo): Promise<Session> {
  const config = await loadConfig(findConfig(textOption(values, "config"), io.env), io.env);
  return await withProgress(io, "Starting the servers", openSession(openLoom(config, { log: io.log })));
}
