/** loom's own tools, and the one place that turns their failures into answers a model can act on. @module */

import type { EngineFact } from "../engine/messages.ts";
import { estimateTokens, textResult } from "../envelope/mod.ts";
import { LoomError } from "../errors.ts";
import type { Log } from "../log.ts";
import { OWN_INPUTS, type OwnToolName } from "../own_tools.ts";
import { parseArguments } from "./arguments.ts";
import { describeDataset } from "./describe.ts";
import { exportDataset } from "./export.ts";
import { listDatasets } from "./list_datasets.ts";
import { materializeQuery } from "./materialize.ts";
import { runQuery } from "./query.ts";
import { readRaw } from "./raw.ts";
import type { ToolContext, ToolNote } from "./context.ts";

export type { ToolContext } from "./context.ts";

/** An answer, and what the ledger is told of it. */
export interface ToolOutcome {
  /** The bytes of a `tools/call` result. */
  readonly result: Uint8Array;
  readonly fact: EngineFact;
}

/** Runs one of loom's own tools; never throws, failures are results with `isError`. */
export async function runTool(
  context: Omit<ToolContext, "note"> & { readonly log: Log },
  name: string,
  args: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  let noted: ToolNote = {};
  const { text, isError } = await answerText(context.log, name, () => {
    if (!(name in OWN_INPUTS)) throw new LoomError("ARGUMENTS_INVALID", `Cannot call "${name}": loom has no such tool`);
    return dispatch({ ...context, note: (note) => noted = note }, name as OwnToolName, args, signal);
  });
  return {
    result: textResult(text, { isError }),
    fact: { kind: "own", tool: name, isError, tokens: estimateTokens(text.length), ...noted },
  };
}

async function answerText(
  log: Log,
  name: string,
  run: () => Promise<string>,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  try {
    return { text: await run(), isError: false };
  } catch (error) {
    if (error instanceof LoomError) return { text: `${error.code}: ${error.message}`, isError: true };
    log("error", "tools", `${name} failed: ${error instanceof Error ? error.stack ?? error.message : error}`);
    return { text: `${name} failed inside loom. Nothing was changed; ask again, or ask for less.`, isError: true };
  }
}

function dispatch(
  context: ToolContext,
  name: OwnToolName,
  args: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<string> {
  switch (name) {
    case "loom_query":
      return runQuery(context, parseArguments(name, args), signal);
    case "loom_list_datasets":
      return Promise.resolve(listDatasets(context, parseArguments(name, args)));
    case "loom_describe":
      return describeDataset(context, parseArguments(name, args));
    case "loom_materialize":
      return materializeQuery(context, parseArguments(name, args), signal);
    case "loom_export":
      return exportDataset(context, parseArguments(name, args), signal);
    case "loom_raw":
      return readRaw(context, parseArguments(name, args));
  }
}
