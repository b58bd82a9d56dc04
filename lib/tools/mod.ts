/** loom's own tools, and the one place that turns their failures into answers a model can act on. @module */

import { textResult } from "../envelope/mod.ts";
import { LoomError } from "../errors.ts";
import type { Log } from "../log.ts";
import { OWN_INPUTS, type OwnToolName } from "../own_tools.ts";
import { describeDataset } from "./describe.ts";
import { exportDataset } from "./export.ts";
import { listDatasets } from "./list_datasets.ts";
import { materializeQuery } from "./materialize.ts";
import { runQuery } from "./query.ts";
import { readRaw } from "./raw.ts";
import type { ToolContext } from "./context.ts";

export type { ToolContext } from "./context.ts";
export { parseArguments } from "./arguments.ts";
import { parseArguments } from "./arguments.ts";

/** Runs one of loom's own tools; gives the bytes of a `tools/call` result and never throws. */
export async function runTool(
  context: ToolContext & { readonly log: Log },
  name: string,
  args: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    if (!(name in OWN_INPUTS)) throw new LoomError("ARGUMENTS_INVALID", `Cannot call "${name}": loom has no such tool`);
    return textResult(await dispatch(context, name as OwnToolName, args, signal));
  } catch (error) {
    if (error instanceof LoomError) return textResult(`${error.code}: ${error.message}`, { isError: true });
    context.log("error", "tools", `${name} failed: ${error instanceof Error ? error.stack ?? error.message : error}`);
    return textResult(`${name} failed inside loom. Nothing was changed; ask again, or ask for less.`, {
      isError: true,
    });
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
