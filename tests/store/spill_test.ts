/** Tests of lib/store/spill.ts, and of work that spills. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { makeSpillFolder, removeSpillFolder } from "../../lib/store/spill.ts";
import { rowsOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

verifies("STORE-4", "makeSpillFolder() makes a private folder and removes those of dead processes", async () => {
  const parent = await Deno.makeTempDir();
  try {
    // No process has this id, and none that started at this time runs as the first process of the system.
    for (const name of ["loom-spill-4194304-123-dead", "loom-spill-1-1-reused", "other-folder"]) {
      Deno.mkdirSync(`${parent}/${name}`);
      Deno.writeTextFileSync(`${parent}/${name}/data`, "rows");
    }
    const folder = await makeSpillFolder(parent);
    const second = await makeSpillFolder(parent);
    if (Deno.build.os !== "windows") equal((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
    const expected = [folder, second].map((path) => path.slice(parent.length + 1));
    const kept = [...Deno.readDirSync(parent)].map((entry) => entry.name);
    if (Deno.build.os === "linux") deepEqual(kept.sort(), [...expected, "other-folder"].sort());
    await removeSpillFolder(folder);
    await removeSpillFolder(folder);
    ok(![...Deno.readDirSync(parent)].some((entry) => folder.endsWith(entry.name)));
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

verifies("STORE-4 STORE-18", "a sort larger than the memory limit spills, completes, and leaves nothing", async () => {
  let spilled = false;
  await withStore(async (store, { spill }) => {
    ok(store.spillFolder.startsWith(spill));
    const watch = setInterval(() => spilled ||= [...Deno.readDirSync(store.spillFolder)].length > 0, 5);
    const sql = "SELECT last(a) AS a FROM (SELECT range AS a, repeat('spill', 20) || range AS b FROM range(2000000) " +
      "ORDER BY hash(range), b)";
    const [row] = await rowsOf(store, sql).finally(() => clearInterval(watch));
    equal(typeof row?.a, "number");
  }, { memoryLimit: "100MB", queryTimeoutMs: 120_000 });
  ok(spilled);
});

verifies("STORE-4", "closing a store removes its spill folder", async () => {
  await withStore(async (store, { spill }) => {
    await store.close();
    deepEqual([...Deno.readDirSync(spill)], []);
  });
});
