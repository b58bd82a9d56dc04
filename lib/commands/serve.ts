/** `loom serve`: the proxy, over stdin and stdout. @module */

import { findConfig, loadConfig } from "../config/load.ts";
import { openLoom } from "../open_loom.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption } from "./io.ts";

/** Signals that end loom in good order. */
const END_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs `work` while `stop` answers the signals that end a process. */
async function untilSignalled(stop: () => void, work: () => Promise<void>): Promise<void> {
  for (const signal of END_SIGNALS) Deno.addSignalListener(signal, stop);
  try {
    await work();
  } finally {
    for (const signal of END_SIGNALS) Deno.removeSignalListener(signal, stop);
  }
}

/** Runs the command until the client goes. */
export async function serve(values: OptionValues, io: CommandIo): Promise<ExitCode> {
  const config = await loadConfig(findConfig(textOption(values, "config"), io.env), io.env);
  const loom = openLoom(config, { log: io.log });
  await untilSignalled(() => loom.stop(), () => loom.serve(io.streams()));
  return EXIT.done;
}
