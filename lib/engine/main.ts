/** The entry of the engine's process: frames in on stdin, frames out on stdout. @module */

import { serveEngine } from "./serve.ts";

if (import.meta.main) await runEngine();

/** Serves the relay on this process's own streams until they end. */
export async function runEngine(): Promise<void> {
  // An interrupt at the terminal reaches every process; the relay decides when this one ends.
  Deno.addSignalListener("SIGINT", () => {});
  await serveEngine({
    read: (buffer) => Deno.stdin.read(buffer),
    write: (bytes) => Deno.stdout.write(bytes),
    end: (code) => Deno.exit(code),
  });
  Deno.exit(0);
}
