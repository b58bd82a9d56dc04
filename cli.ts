/**
 * The `loom` command: a table of commands, each of which imports what it runs when it runs.
 *
 * ```sh
 * loom --config loom.config.json
 * ```
 * @module
 */

import { parseArgs } from "node:util";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, UsageError } from "./lib/commands/io.ts";
import type { EnvLookup } from "./lib/config.ts";
import { LoomError } from "./lib/errors.ts";
import { stderrLog } from "./lib/log.ts";
import { nearestOf } from "./lib/nearest.ts";
import manifest from "./deno.json" with { type: "json" };

/** One option of a command. */
interface Option {
  readonly type: "string" | "boolean";
  readonly summary: string;
  /** What stands behind an option that takes text. */
  readonly value?: string;
}

/** One command: what `loom help` says of it, and what it runs. */
interface Command {
  readonly summary: string;
  readonly usage: string;
  /** What a reader of `loom help COMMAND` should know beside usage and options. */
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly positionalsMax: number;
  readonly run: (values: OptionValues, positionals: readonly string[], io: CommandIo) => Promise<ExitCode>;
}

const config: Option = { type: "string", value: "FILE", summary: "the config (else LOOM_CONFIG, ./loom.config.json)" };
const json: Option = { type: "boolean", summary: "print JSON for scripts" };

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    summary: "the proxy, over stdio (the default command)",
    usage: "loom [serve] [--config FILE]",
    details: "stdin and stdout speak MCP; the log goes to stderr.",
    options: { config },
    positionalsMax: 0,
    run: async (values, _positionals, io) => (await import("./lib/commands/serve.ts")).serve(values, io),
  },
  fs: {
    summary: "loom-fs, a filesystem server with roles, over stdio",
    usage: "loom fs --config ROOTS.toml [--check]",
    options: {
      config: { type: "string", value: "FILE", summary: "the TOML file that declares the roots" },
      check: { type: "boolean", summary: "print what the file means, and stop" },
    },
    positionalsMax: 0,
    run: async (values, _positionals, io) => (await import("./lib/commands/fs.ts")).fs(values, io),
  },
  check: {
    summary: "read the config and print what it means",
    usage: "loom check [--config FILE] [--json]",
    options: { config, json },
    positionalsMax: 0,
    run: async (values, positionals, io) => (await import("./lib/commands/check.ts")).check(values, positionals, io),
  },
  tools: {
    summary: "start the servers, list the tools a client would see, and stop",
    usage: "loom tools [--config FILE] [--json]",
    options: { config, json },
    positionalsMax: 0,
    run: async (values, _positionals, io) => (await import("./lib/commands/tools.ts")).tools(values, io),
  },
  call: {
    summary: "make one call through the whole proxy",
    usage: "loom call TOOL [ARGUMENTS] [--sql SQL] [--config FILE] [--json]",
    details: "ARGUMENTS is a JSON object, or - to read it from stdin. Datasets live as long as the command.",
    options: {
      config,
      json: { type: "boolean", summary: "print the result as it came, on one line" },
      sql: {
        type: "string",
        value: "SQL",
        summary: "then run this query; {ref} stands for the dataset that the call made",
      },
    },
    positionalsMax: 2,
    run: async (values, positionals, io) => (await import("./lib/commands/call.ts")).call(values, positionals, io),
  },
  schema: {
    summary: "print the JSON Schema of the config",
    usage: "loom schema",
    options: {},
    positionalsMax: 0,
    run: async (values, positionals, io) => (await import("./lib/commands/schema.ts")).schema(values, positionals, io),
  },
  help: {
    summary: "say how a command is used",
    usage: "loom help [COMMAND]",
    options: {},
    positionalsMax: 1,
    run: (_values, [name], io) => {
      io.print(name === undefined ? overview() : helpOf(name, commandOf(name)));
      return Promise.resolve(EXIT.done);
    },
  },
};

function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  throw new UsageError(`Cannot run "${name}": there is no such command, the nearest is "${nearestCommand(name)}"`);
}

function nearestCommand(name: string): string {
  return nearestOf(name, Object.keys(COMMANDS)) ?? "help";
}

/** `name` padded, then what it means. */
function helpLine(name: string, width: number, summary: string): string {
  return `  ${name.padEnd(width)}  ${summary}`;
}

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => helpLine(name, width, summary));
  return [
    "loom: one MCP server in front of many; large results become datasets that answer SQL",
    "",
    "Usage: loom [COMMAND] [OPTIONS]",
    "",
    ...lines,
    "",
    "loom help COMMAND says more; loom --version prints the version.",
    "Exit codes: 0 done, 1 failed, 2 wrong command or config.",
    "",
  ].join("\n");
}

function helpOf(name: string, { summary, usage, details, options }: Command): string {
  const flags = Object.entries(options).map(([option, { value, summary }]) =>
    [`--${option}${value === undefined ? "" : ` ${value}`}`, summary] as const
  );
  const width = Math.max(0, ...flags.map(([flag]) => flag.length));
  return [
    `loom ${name}: ${summary}`,
    "",
    `Usage: ${usage}`,
    ...flags.length > 0 ? ["", ...flags.map(([flag, text]) => helpLine(flag, width, text))] : [],
    ...details === undefined ? [] : ["", details],
    "",
  ].join("\n");
}

/** Splits the arguments of one command, or says what is wrong with them. */
function readArguments(name: string, command: Command, args: readonly string[]) {
  const options = {
    ...Object.fromEntries(Object.entries(command.options).map(([key, { type }]) => [key, { type }])),
    help: { type: "boolean" as const, short: "h" },
  };
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const known = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!known) {
      const nearest = nearestOf(token.name, Object.keys(options));
      throw new UsageError(
        `Cannot read ${token.rawName}: loom ${name} knows no such option, the nearest is --${nearest}`,
      );
    }
    if (known.type === "string" && !token.value) throw new UsageError(`Cannot read ${token.rawName}: it needs a value`);
    if (known.type === "boolean" && token.value !== undefined) {
      throw new UsageError(`Cannot read ${token.rawName}: it takes no value`);
    }
  }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const extra = positionals[command.positionalsMax];
  if (extra !== undefined) throw new UsageError(`Cannot read "${extra}": usage is ${command.usage}`);
  return { values: values as OptionValues, positionals };
}

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
 * @returns 0 done, 1 failed, 2 wrong command or config. Never rejects for what a user can cause.
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
    throw error;
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

function processIo(): CommandIo {
  const terminal = Deno.stdout.isTerminal();
  return {
    streams: () => ({ readable: Deno.stdin.readable, writable: Deno.stdout.writable }),
    print: (text) => writeText(Deno.stdout, text),
    remark: (text) => writeText(Deno.stderr, text),
    env,
    log: stderrLog(env("LOOM_DEBUG") ? "debug" : "info"),
    terminalColumns: terminal ? Deno.consoleSize().columns : undefined,
    colours: terminal && !env("NO_COLOR"),
  };
}

if (import.meta.main) Deno.exit(await main(Deno.args));
