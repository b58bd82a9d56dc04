/** Loom on the config that a command was given, as a session in the same process. @module */

import { findConfig, loadConfig } from "../config.ts";
import { createEngine } from "../engine/mod.ts";
import { openLedger } from "../ledger.ts";
import { createLoom } from "../loom.ts";
import { openSession, type Session } from "../session.ts";
import { type CommandIo, type OptionValues, textOption, withProgress } from "./io.ts";

/** Reads the config and starts its servers. */
export async function startSession(values: OptionValues, { env, log, ...io }: CommandIo): Promise<Session> {
  const config = await loadConfig(findConfig(textOption(values, "config"), env), env);
  await using parts = new AsyncDisposableStack();
  const ledger = parts.use(openLedger(config.auditLog, log));
  const engine = createEngine(config, { log, onFact: (fact) => ledger.record(fact) });
  const opening = openSession(createLoom(config, { engine, log, ledger }));
  const session = parts.use(await withProgress({ env, log, ...io }, "Starting the servers", opening));
  const kept = parts.move();
  return {
    request: (method, params) => session.request(method, params),
    callTool: (name, args) => session.callTool(name, args),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
