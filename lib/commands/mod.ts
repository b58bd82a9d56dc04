/** The commands of `loom`: a table in which each imports what it runs when it runs. @module */

import { type CommandIo, EXIT, type ExitCode, type OptionValues, UsageError } from "./io.ts";
import { nearestOf } from "../nearest.ts";

/** One option of a command. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly summary: string;
  /** What stands behind an option that takes text. */
  readonly value?: string;
}

/** One command: what `loom help` says of it, and what it runs. */
export interface Command {
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
    run: async (values, _positionals, io) => (await import("./serve.ts")).serve(values, io),
  },
  fs: {
    summary: "loom-fs, a filesystem server with roles, over stdio",
    usage: "loom fs --config ROOTS.toml [--check]",
    options: {
      config: { type: "string", value: "FILE", summary: "the TOML file that declares the roots" },
      check: { type: "boolean", summary: "print what the file means, and stop" },
    },
    positionalsMax: 0,
    run: async (values, _positionals, io) => (await import("./fs.ts")).fs(values, io),
  },
  check: {
    summary: "read the config and print what it means",
    usage: "loom check [--config FILE] [--json]",
    options: { config, json },
    positionalsMax: 0,
    run: async (values, positionals, io) => (await import("./check.ts")).check(values, positionals, io),
  },
  tools: {
    summary: "start the servers, list the tools a client would see, and stop",
    usage: "loom tools [--config FILE] [--json]",
    options: { config, json },
    positionalsMax: 0,
    run: async (values, _positionals, io) => (await import("./tools.ts")).tools(values, io),
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
    run: async (values, positionals, io) => (await import("./call.ts")).call(values, positionals, io),
  },
  import: {
    summary: "make a loom config from a client's, and put loom in its place",
    usage: "loom import [SOURCE] [--to FILE] [--apply] [--undo] [--json]",
    details: "SOURCE is a file, or claude-desktop, claude-code, cursor, vscode, windsurf, zed, codex or gemini.\n" +
      "Without --to and --apply nothing is written. --apply keeps a copy of the client's config, --undo puts it back and\n" +
      "names the loom config, which stays. --undo goes with no other option, --json not with --to and --apply.",
    options: {
      to: {
        type: "string",
        value: "FILE",
        summary: "write the loom config here (with --apply else ./loom.config.json)",
      },
      apply: { type: "boolean", summary: "also put loom into the client's config" },
      undo: { type: "boolean", summary: "put back the client's config as it was" },
      json: { type: "boolean", summary: "print the loom config, secrets included" },
    },
    positionalsMax: 1,
    run: async (values, positionals, io) => (await import("./import.ts")).importServers(values, positionals, io),
  },
  stats: {
    summary: "say what a ledger tells: tokens saved, net, and the most costly tools",
    usage: "loom stats FILE [--json]",
    details: "FILE is the auditLog of a config. Rotated files (FILE.1, …) are files of their own.",
    options: { json },
    positionalsMax: 1,
    run: async (values, positionals, io) => (await import("./stats.ts")).stats(values, positionals, io),
  },
  doctor: {
    summary: "try engine and servers, name what clients refuse, print what to paste where",
    usage: "loom doctor [--config FILE]",
    options: { config },
    positionalsMax: 0,
    run: async (values, _positionals, io) => (await import("./doctor.ts")).doctor(values, io),
  },
  schema: {
    summary: "print the JSON Schema of the config",
    usage: "loom schema",
    options: {},
    positionalsMax: 0,
    run: async (values, positionals, io) => (await import("./schema.ts")).schema(values, positionals, io),
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

/** The command of this name; an unknown one is a {@link UsageError} that names the nearest. */
export function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  const nearest = nearestOf(name, Object.keys(COMMANDS));
  throw new UsageError(`Cannot run "${name}": there is no such command, the nearest is "${nearest}"`);
}

/** `name` padded, then what it means. */
function helpLine(name: string, width: number, summary: string): string {
  return `  ${name.padEnd(width)}  ${summary}`;
}

/** What `loom help` prints. */
export function overview(): string {
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

/** What `loom help COMMAND` prints. */
export function helpOf(name: string, { summary, usage, details, options }: Command): string {
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
