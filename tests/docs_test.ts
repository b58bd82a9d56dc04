/** README, help, SPEC, the example config and the code say the same. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { projectText } from "./support/tree.ts";
import { COMMANDS } from "../lib/commands/mod.ts";
import { parseConfig } from "../lib/config.ts";
import { configJsonSchema } from "../lib/config/schema.ts";
import { OWN_INPUTS } from "../lib/own_tools.ts";

/** A JSON Schema, as far as it is read here. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly default?: unknown;
}

/** One field of the config: its path as the README writes it, and its default. */
interface Field {
  readonly path: string;
  readonly fallback: unknown;
}

function fieldsOf(schema: Schema, prefix = ""): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]): readonly Field[] => {
    const path = `${prefix}${name}`;
    if (name === "restart") return fieldsOf(value, "restart.");
    if (name === "servers") return [{ path, fallback: undefined }, ...fieldsOf(value.items ?? {}, "servers[].")];
    return [{ path, fallback: value.default }];
  });
}

/** The rows of the table whose first header is `field`: the path of each and its default. */
function configTable(readme: string): ReadonlyMap<string, string> {
  const table = readme.split(/^\| field /m)[1]?.split(/\n\n/)[0] ?? "";
  const rows = [...table.matchAll(/^\| ([^|]+) \|([^|]*)\|/gm)];
  return new Map(rows.flatMap(([, names = "", fallback = ""]) => {
    const listed = [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    // `servers[].url`, `headers`: what follows belongs there too.
    const prefix = listed[0]?.startsWith("servers[].") ? "servers[]." : "";
    return listed.map((name) => [name.startsWith(prefix) ? name : `${prefix}${name}`, fallback.trim()] as const);
  }));
}

function blocksOf(markdown: string, language: string): readonly string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, block = ""]) =>
    block
  );
}

verifies("DIST-4", "README shows the usage of every command, and usages name every option", async () => {
  const readme = await projectText("README.md");
  deepEqual(Object.values(COMMANDS).map(({ usage }) => usage).filter((usage) => !readme.includes(`\`${usage}\``)), []);
  const unnamed = Object.values(COMMANDS).flatMap(({ usage, options }) =>
    Object.keys(options).filter((option) => !usage.includes(`--${option}`))
  );
  deepEqual(unnamed, []);
});

verifies("DIST-4", "README's config table has every field with its default", async () => {
  const table = configTable(await projectText("README.md"));
  const fields = fieldsOf(configJsonSchema() as Schema).filter(({ path }) =>
    path !== "$schema" && path !== "mcpServers"
  );
  ok(fields.length > 20);
  deepEqual(fields.map(({ path }) => path).filter((path) => !table.has(path)), []);
  const plain = fields.filter(({ fallback }) => ["number", "string", "boolean"].includes(typeof fallback));
  deepEqual(
    plain.filter(({ path, fallback }) => !table.get(path)?.includes(String(fallback))).map(({ path }) => path),
    [],
  );
});

verifies("DIST-4", "README names every tool of loom", async () => {
  const readme = await projectText("README.md");
  deepEqual(Object.keys(OWN_INPUTS).filter((name) => !readme.includes(`\`${name}`)), []);
});

verifies("DIST-4", "SPEC names every error code, and errors.ts describes each", async () => {
  const source = await projectText("lib/errors.ts");
  const spec = await projectText("SPEC.md");
  const codes = [...source.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code = ""]) => code);
  ok(codes.length > 10);
  deepEqual(codes.filter((code) => !source.includes(` * - \`${code}\`: `)), []);
  deepEqual(codes.filter((code) => !spec.includes(`\`${code}\``)), []);
});

verifies("DIST-4", "every task that README names exists", async () => {
  const { tasks } = JSON.parse(await projectText("deno.json"));
  const named = [...(await projectText("README.md")).matchAll(/\bdeno(?:@[\d.]+)? task ([a-z:]+)/g)];
  ok(named.length >= 2);
  deepEqual(named.map(([, task = ""]) => task).filter((task) => !Object.hasOwn(tasks, task)), []);
});

verifies("DIST-4", "every JSON block of README is JSON, and every loom config in it is valid", async () => {
  const blocks = blocksOf(await projectText("README.md"), "jsonc?");
  ok(blocks.length > 0);
  for (const block of blocks.filter((text) => text.includes('"servers": ['))) {
    ok(parseConfig(block, { path: "/etc/loom.json", env: () => "x" }).servers.length > 0);
  }
  for (const block of blocksOf(await projectText("README.md"), "json")) JSON.parse(block);
});

verifies("DIST-4 CONF-3", "loom.config.example.json is plain JSON, valid, and shows every general field", async () => {
  const text = await projectText("loom.config.example.json");
  const config = parseConfig(text, { path: "/etc/loom.json", env: () => "x" });
  deepEqual(config.servers.map(({ name }) => name), ["files", "github", "warehouse", "notes"]);
  const shown = Object.keys(JSON.parse(text));
  const general = Object.keys((configJsonSchema() as Schema).properties ?? {});
  deepEqual(general.filter((name) => !["$schema", "mcpServers", ...shown].includes(name)), []);
});

Deno.test("configTable() reads names and defaults", () => {
  const lines = [
    "| field | default |",
    "| --- | --- |",
    "| `a`, `b` | 5 |",
    "| `servers[].x`, `y` | |",
    "",
    "| `c` | 6 |",
  ];
  deepEqual([...configTable(lines.join("\n"))], [["a", "5"], ["b", "5"], ["servers[].x", ""], ["servers[].y", ""]]);
  equal(fieldsOf({ properties: { restart: { properties: { x: { default: 1 } } } } })[0]?.path, "restart.x");
});
