/** `loom schema`: prints the JSON Schema of the config file. @module */

import { configJsonSchema } from "../config/schema.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues } from "./io.ts";

/** Runs the command. */
export function schema(_values: OptionValues, _positionals: readonly string[], io: CommandIo): ExitCode {
  io.print(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
  return EXIT.done;
}
