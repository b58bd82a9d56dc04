/** `loom serve`: the proxy, over stdin and stdout. @module */

import { findConfig, loadConfig } from "../config.ts";
import { createEngine } from "../engine/mod.ts";
import { createLoom } from "../loom.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption } from "./io.ts";

/** Runs the command until the client goes. */
export async function serve(values: OptionValues, io: CommandIo): Promise<ExitCode> {
  const config = await loadConfig(findConfig(textOption(values, "config"), io.env), io.env);
  const engine = createEngine(config, { log: io.log });
  await createLoom(config, { engine, log: io.log }).serve(io.streams());
  return EXIT.done;
}
