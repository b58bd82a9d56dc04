/** Loom on the config that a command was given, as a session in the same process. @module */

import { findConfig, loadConfig } from "../config.ts";
import { createEngine } from "../engine/mod.ts";
import { createLoom } from "../loom.ts";
import { openSession, type Session } from "../session.ts";
import { type CommandIo, type OptionValues, textOption, withProgress } from "./io.ts";

/** Reads the config and starts its servers. */
export async function startSession(values: OptionValues, io: CommandIo): Promise<Session> {
  const config = await loadConfig(findConfig(textOption(values, "config"), io.env), io.env);
  const engine = createEngine(config, { log: io.log });
  return await withProgress(io, "Starting the servers", openSession(createLoom(config, { engine, log: io.log })));
}
