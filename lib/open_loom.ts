/** A loom with all its parts, from a configuration alone. @module */

import type { LoomConfig } from "./config.ts";
import { createEngine, type EngineOptions } from "./engine/mod.ts";
import { openLedger } from "./ledger.ts";
import type { Log } from "./log.ts";
import { createLoom, type Loom } from "./loom.ts";

/** What {@link openLoom} may be told beside the configuration. */
export interface OpenOptions {
  /** Receives what happens, never arguments, environment values or headers; nobody does when absent. */
  readonly log?: Log | undefined;
  /**
   * Runs the engine inside this process, for programs that may not start others. A crash of the engine, which hostile
   * data can cause, then ends the program.
   */
  readonly inProcess?: boolean | undefined;
}

/**
 * A loom for a configuration, with an engine in a process of its own unless `inProcess` says otherwise. Nothing is started before a client says so, and
 * when {@link Loom.serve} has resolved, nothing that it started is left.
 */
export function openLoom(config: LoomConfig, { log = () => {}, inProcess = false }: OpenOptions = {}): Loom {
  let loom: Loom | undefined;
  let stopped = false;
  return {
    async serve(streams) {
      using ledger = openLedger(config.auditLog, log);
      const spawn = inProcess ? await inlineSpawn() : undefined;
      const engine = createEngine(config, { log, onFact: (fact) => ledger.record(fact), spawn });
      loom = createLoom(config, { engine, log, ledger });
      if (stopped) loom.stop();
      await loom.serve(streams);
    },
    stop() {
      stopped = true;
      loom?.stop();
    },
  };
}

/** Loaded on request alone: it brings the engine with it. */
async function inlineSpawn(): Promise<EngineOptions["spawn"]> {
  const { InlineEngine } = await import("./engine/inline.ts");
  return (onFrame) => new InlineEngine(onFrame);
}
