/** The arguments of one command, read by its own table of options. @module */

import { parseArgs } from "node:util";
import { nearestOf } from "../nearest.ts";
import { type OptionValues, UsageError } from "./io.ts";
import type { Command } from "./mod.ts";

/** Splits the arguments of one command, or says what is wrong with them. */
export function readArguments(name: string, command: Command, args: readonly string[]) {
  const options: Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>> = {
    ...Object.fromEntries(Object.entries(command.options).map(([key, { type }]) => [key, { type }])),
    help: { type: "boolean", short: "h" },
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
