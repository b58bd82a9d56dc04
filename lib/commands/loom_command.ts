/** How a client starts loom the way it was started here. @module */

import type { LoomCommand } from "../import/mod.ts";

/** What the command depends on. */
export interface OwnProgram {
  /** Whether this is a compiled executable. */
  readonly standalone: boolean;
  readonly execPath: string;
  /** The address of cli.ts. */
  readonly mainModule: string;
}

/** The program that runs. */
function ownProgram(): OwnProgram {
  return {
    standalone: Deno.build.standalone,
    execPath: Deno.execPath(),
    mainModule: new URL("../../cli.ts", import.meta.url).href,
  };
}

/** The specifier of cli.ts for `deno run`: a path for a local copy, the package for a published one. */
function specifierOf(mainModule: string): string {
  if (!mainModule.startsWith("file:")) return "jsr:@loom/cli";
  const path = decodeURIComponent(new URL(mainModule).pathname);
  return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
}

/** What the command may be told. */
export interface CommandOptions {
  /** Permission flags for `deno run`; every permission when absent. An executable has its own. */
  readonly flags?: readonly string[];
  readonly program?: OwnProgram;
}

/** The command that serves the config at `path`. */
export function loomCommand(
  path: string,
  { flags = ["-A"], program = ownProgram() }: CommandOptions = {},
): LoomCommand {
  const rest = ["--config", path];
  if (program.standalone) return { command: program.execPath, args: rest };
  return { command: program.execPath, args: ["run", ...flags, specifierOf(program.mainModule), ...rest] };
}
