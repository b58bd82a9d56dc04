/** `loom fs`: a filesystem server with roles, over stdin and stdout. @module */

import { checkFs, runFs } from "../fs/mod.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption, UsageError } from "./io.ts";

/** Runs the command until the client goes. */
export async function fs(values: OptionValues, io: CommandIo): Promise<ExitCode> {
  const configPath = textOption(values, "config");
  if (configPath === undefined) throw new UsageError("Cannot serve files: name the roots with --config ROOTS.toml");
  if (values.check === true) {
    io.print(`${await checkFs(configPath)}\n`);
    return EXIT.done;
  }
  return await runFs({ configPath, ...io.streams(), log: io.log }) === 0 ? EXIT.done : EXIT.wrongUse;
}
