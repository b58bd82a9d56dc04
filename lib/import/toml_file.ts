/** Client configs in TOML: what servers they hold, and the text with loom in their place, all else as it was. @module */

import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { LoomError, messageOf } from "../errors.ts";
import type { Replacement } from "./json_file.ts";

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tableOf(text: string, path: string): Table {
  try {
    return parse(text);
  } catch (error) {
    throw new LoomError(
      "CONFIG_INVALID",
      `Cannot read ${path}: ${messageOf(error).split("\n", 1)[0]}, nothing was changed`,
    );
  }
}

/** The entries of the table under `key`, in the order of the file. */
export function tomlEntries(text: string, key: string, path: string): readonly (readonly [string, unknown])[] {
  const servers = tableOf(text, path)[key];
  return isTable(servers) ? Object.entries(servers) : [];
}

/** The dotted path of a table header, unquoted: `mcp_servers`, `my server`, `env`. */
function headerPath(line: string): readonly string[] | undefined {
  const inside = /^\s*\[\s*([^[\]]+?)\s*\]\s*(#.*)?$/.exec(line)?.[1];
  if (inside === undefined) return undefined;
  const parts = [...inside.matchAll(/"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)];
  return parts.map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The lines without the tables of the servers named, comments directly above a table gone with it. */
function withoutTables(text: string, key: string, names: ReadonlySet<string>): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  let dropping = false;
  for (const line of lines) {
    const path = headerPath(line);
    if (path !== undefined) dropping = path[0] === key && path.length > 1 && names.has(path[1] ?? "");
    else if (/^\s*\[\[/.test(line)) dropping = false;
    if (!dropping) kept.push(line);
  }
  return kept.join("\n");
}

/**
 * The text with some servers' tables gone and loom's at the end. The outcome is read again and must say the same as
 * before in everything else.
 *
 * @throws {LoomError} `CONFIG_INVALID` when the file writes its servers in a way that cannot be cut out line by line.
 */
export function replaceInToml(text: string, { keys, removed, entry }: Replacement, path: string): string {
  const key = keys[0] ?? "";
  const names = new Set(removed);
  const kept = withoutTables(text, key, names);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const added = stringify({ [key]: { loom: entry } }).trimEnd().replaceAll("\n", eol);
  const body = kept.trimEnd();
  const edited = `${body}${body === "" ? "" : eol + eol}${added}${eol}`;
  // Cloned, since only the contents count and not what kind of object holds them.
  const [after, wanted] = [tableOf(edited, path), expected(tableOf(text, path), key, names, entry)].map((table) =>
    structuredClone(table)
  );
  if (isDeepStrictEqual(after, wanted)) return edited;
  const found = [...names].join(", ");
  throw new LoomError(
    "CONFIG_INVALID",
    `Cannot edit ${path}: ${found} do not stand in tables of their own, edit it by hand`,
  );
}

function expected(before: Table, key: string, names: ReadonlySet<string>, entry: unknown): Table {
  const servers = before[key];
  const others = Object.entries(isTable(servers) ? servers : {}).filter(([name]) =>
    !names.has(name) && name !== "loom"
  );
  return { ...before, [key]: { ...Object.fromEntries(others), loom: entry } };
}
