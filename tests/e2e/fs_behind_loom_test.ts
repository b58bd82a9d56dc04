/** loom-fs as a server behind loom: what it lists, finds and reads becomes tables. @module */

import { deepEqual, equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openLoom, openSession, parseConfig } from "../../mod.ts";
import { Place, tomlOf } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const CLI = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const ROWS = 600;

verifies("FS-42", "a large listing, search, CSV and JSON file of loom-fs become datasets", async () => {
  using place = new Place();
  const rows = Array.from({ length: ROWS }, (_, id) => ({ id, price: 5 * id, city: ["Oslo", "Rome"][id % 2] }));
  place.write("root/orders.json", JSON.stringify(rows));
  place.write("root/orders.csv", `id,price,city\n${rows.map((row) => Object.values(row).join(",")).join("\n")}\n`);
  for (const { id } of rows) place.write(`root/many/note-${id}.txt`, `line one\nneedle ${id}\n`);
  place.write(
    "roots.toml",
    tomlOf({ max_search_results: 1_000, roots: [{ name: "r", path: place.path("root"), role: "reference" }] }),
  );
  const args = ["run", "-A", "--quiet", CLI, "fs", "--config", place.path("roots.toml")];
  const config = parseConfig(
    JSON.stringify({ servers: [{ name: "files", command: Deno.execPath(), args }] }),
    { path: place.path("loom.config.json") },
  );
  await using session = await openSession(openLoom(config));
  const call = async (name: string, more: Record<string, unknown>) => {
    const text = (await session.callTool(name, more)).content?.[0]?.text ?? "";
    match(text, /^\{/);
    return JSON.parse(text);
  };
  const query = async (sql: string) => (await call("loom_query", { sql })).rows;
  const envelopes = [
    await call("files_list_directory", { root: "r", path: "many" }),
    await call("files_search_files", { root: "r", pattern: "*", contains: "needle" }),
    await call("files_read_file", { root: "r", path: "orders.csv" }),
    await call("files_read_file", { root: "r", path: "orders.json" }),
  ];
  deepEqual(envelopes.map(({ rows }) => rows), [ROWS, ROWS, ROWS, ROWS]);
  const [list, found, csv, json] = envelopes.map(({ ref }) => ref);
  deepEqual(await query(`SELECT count(*)::INTEGER AS files, min(size) AS small FROM ${list} WHERE kind = 'file'`), [
    { files: ROWS, small: 18 },
  ]);
  deepEqual(await query(`SELECT path, line, preview FROM ${found} ORDER BY path LIMIT 1`), [
    { path: "many/note-0.txt", line: 2, preview: "needle 0" },
  ]);
  for (const ref of [csv, json]) {
    deepEqual(await query(`SELECT city, sum(price)::INTEGER AS total FROM ${ref} GROUP BY city ORDER BY city`), [
      { city: "Oslo", total: 448_500 },
      { city: "Rome", total: 450_000 },
    ]);
  }
  equal((await session.callTool("files_read_file", { root: "r", path: "a.txt" })).content?.[0]?.text, "hello\n");
}, { ignore: Deno.build.os === "windows" });
