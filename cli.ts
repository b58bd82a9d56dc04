/**
 * The `loom` command: a table of commands, each of which imports what it runs when it runs.
 *
 * ```sh
 * loom --config loom.config.json
 * ```
 * @module
 */

import { readArguments } from "./lib/commands/arguments.ts";
import { type CommandIo, EXIT, type ExitCode, UsageError } from "./lib/commands/io.ts";
import { commandOf, helpOf } from "./lib/commands/mod.ts";
import type { EnvLookup } from "./lib/config.ts";
import { LoomError } from "./lib/errors.ts";
import { failureText } from "./lib/file_errors.ts";
import { stderrLog } from "./lib/log.ts";
import { stdioStreams } from "./lib/wire/stdio.ts";
import manifest from "./deno.json" with { type: "json" };

export type { ByteReadable, ByteReader, ByteWritable, ByteWriter } from "./lib/byte_streams.ts";
export type { CommandIo, ExitCode, ProtocolStreams } from "./lib/commands/io.ts";

/** Which command the arguments mean: the first word, or `serve` when they begin with an option. */
function split(args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first, ...rest] = args;
  if (first === undefined || (first.startsWith("-") && first !== "--help" && first !== "-h")) {
    return { name: "serve", rest: args };
  }
  return first.startsWith("-") ? { name: "help", rest } : { name: first, rest };
}

async function run(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  if (args[0] === "--version" || args[0] === "-V") {
    io.print(`loom ${manifest.version}\n`);
    return EXIT.done;
  }
  // The engine's process of an executable, which has no file of its own to run.
  if (args[0] === "engine" && Deno.build.standalone) {
    const { loadEmbeddedLibrary } = await import("./lib/engine/native.ts");
    await loadEmbeddedLibrary();
    const { runEngine } = await import("./lib/engine/main.ts");
    await runEngine();
    return EXIT.done;
  }
  const { name, rest } = split(args);
  const command = commandOf(name);
  const { values, positionals } = readArguments(name, command, rest);
  if (values.help) {
    io.print(helpOf(name, command));
    return EXIT.done;
  }
  return await command.run(values, positionals, io);
}

/**
 * Runs the `loom` command.
 *
 * @param args The arguments behind the name of the program.
 * @param io The surroundings; the process's own when absent.
 * @returns 0 done, 1 failed, 2 wrong command or config. Never rejects.
 */
export async function main(args: readonly string[], io: CommandIo = processIo()): Promise<ExitCode> {
  try {
    return await run(args, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.remark(`${error.message}\nloom help says how it is used\n`);
      return EXIT.wrongUse;
    }
    if (error instanceof LoomError) {
      io.remark(`${error.message}\n`);
      return error.code === "CONFIG_INVALID" ? EXIT.wrongUse : EXIT.failed;
    }
    io.remark(`Failed: ${io.env("LOOM_DEBUG") && error instanceof Error ? error.stack : failureText(error)}\n`);
    return EXIT.failed;
  }
}

/** Writes all of `text`; a reader that went away wants no more of it. */
function writeText(stream: typeof Deno.stdout, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** A variable that may be read or not. */
const env: EnvLookup = (name) => {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
};

/** Columns of a terminal that does not say how many it has. */
const CONSOLE_COLUMNS_DEFAULT = 80;

function consoleColumns(): number {
  try {
    return Deno.consoleSize().columns || CONSOLE_COLUMNS_DEFAULT;
  } catch {
    return CONSOLE_COLUMNS_DEFAULT;
  }
}

function processIo(): CommandIo {
  const terminal = Deno.stdout.isTerminal();
  return {
    streams: stdioStreams,
    print: (text) => writeText(Deno.stdout, text),
    remark: (text) => writeText(Deno.stderr, text),
    env,
    log: stderrLog(env("LOOM_DEBUG") ? "debug" : "info"),
    terminalColumns: terminal ? consoleColumns() : undefined,
    colours: terminal && !env("NO_COLOR"),
  };
}

if (import.meta.main) Deno.exit(await main(Deno.args));
