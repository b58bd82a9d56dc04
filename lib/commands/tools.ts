/** `loom tools`: starts the servers, lists what a client would see, and stops them. @module */

import { type CommandIo, EXIT, type ExitCode, type OptionValues, withProgress } from "./io.ts";
import { startSession } from "./start.ts";
import { renderTable } from "./table.ts";

/** A tool as `tools/list` gives it; a server may write anything into any of these. */
interface ListedTool {
  readonly name?: unknown;
  readonly description?: unknown;
}

function firstLine(text: unknown): string {
  return typeof text === "string" ? text.trim().split("\n", 1).join("") : "";
}

/** Runs the command. */
export async function tools(values: OptionValues, io: CommandIo): Promise<ExitCode> {
  await using session = await startSession(values, io);
  const result = await withProgress(io, "Waiting for the servers' tools", session.request("tools/list", "{}"));
  if (values.json) {
    io.print(`${result}\n`);
    return EXIT.done;
  }
  const listed: readonly ListedTool[] = JSON.parse(result).tools ?? [];
  const rows = listed.map(({ name, description }) => [String(name), firstLine(description)]);
  io.print(renderTable(["TOOL", "DOES"], rows, { columns: io.terminalColumns, colours: io.colours }));
  return EXIT.done;
}
