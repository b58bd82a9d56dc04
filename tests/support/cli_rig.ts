/** The `loom` command run in this process, with streams that are kept. @module */

import { main } from "../../cli.ts";
import type { CommandIo } from "../../lib/commands/io.ts";

/** What a run printed, and the code it ended with. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a run finds around it. */
export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly terminalColumns?: number;
}

/** Surroundings whose output is pushed into `out` and `err`. */
export function fakeIo(surroundings: Surroundings, out: string[], err: string[]): CommandIo {
  return {
    streams: () => ({
      readable: new Blob([surroundings.stdin ?? ""]).stream(),
      writable: new WritableStream(),
    }),
    print: (text) => out.push(text),
    remark: (text) => err.push(text),
    env: (name) => surroundings.env?.[name],
    log: () => {},
    terminalColumns: surroundings.terminalColumns,
    colours: surroundings.terminalColumns !== undefined,
  };
}

/** Runs the command. */
export async function loom(args: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await main(args, fakeIo(surroundings, out, err));
  return { code, out: out.join(""), err: err.join("") };
}

/** Hands `run` the path of a file that holds `config`. */
export async function withConfig(config: unknown, run: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/loom.json`;
    await Deno.writeTextFile(path, JSON.stringify(config));
    await run(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
