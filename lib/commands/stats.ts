/** `loom stats`: what a ledger tells of savings and costs. @module */

import { fileReason } from "../file_errors.ts";
import { type LedgerStats, netSaving, readStats, statsText } from "../stats.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, UsageError } from "./io.ts";

/** Runs the command. */
export async function stats(values: OptionValues, [path]: readonly string[], io: CommandIo): Promise<ExitCode> {
  if (path === undefined) throw new UsageError("Cannot read a ledger: name its file, the auditLog of your config");
  let sums: LedgerStats;
  try {
    sums = await readStats(linesOf((await Deno.open(path)).readable));
  } catch (error) {
    io.remark(`Cannot read the ledger "${path}": ${fileReason(error)}\n`);
    return EXIT.failed;
  }
  io.print(values.json === true ? `${JSON.stringify({ ...sums, saved: netSaving(sums) })}\n` : `${statsText(sums)}\n`);
  return EXIT.done;
}

async function* linesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncIterable<string> {
  let rest = "";
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}
