/** Tests of lib/store/spill.ts, and of work that spills. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { SpillFolder } from "../../lib/store/spill.ts";
import { rowsOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();

verifies("STORE-4", "SpillFolder.make() makes a private folder and leaves those of the living alone", async () => {
  const parent = await Deno.makeTempDir();
  try {
    const [first, second] = [await SpillFolder.make(parent), await SpillFolder.make(parent)];
    if (Deno.build.os !== "windows") equal((Deno.statSync(first.path).mode ?? 0) & 0o777, 0o700);
    equal(namesIn(parent).length, 2);
    await first.remove();
    await first.remove();
    deepEqual(namesIn(parent).map((name) => `${parent}/${name}`), [second.path]);
    await second.remove();
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

verifies("STORE-4", "what a killed process left is removed when the next folder is made", async () => {
  const parent = await Deno.makeTempDir();
  const script = `
    import { SpillFolder } from ${JSON.stringify(new URL("../../lib/store/spill.ts", import.meta.url).href)};
    const { path } = await SpillFolder.make(${JSON.stringify(parent)});
    await Deno.writeTextFile(path + "/rows", "spilled");
    await Deno.stdout.write(new TextEncoder().encode("ready"));
    setInterval(() => {}, 1000);`;
  // With the rights of the engine's process and no more: it may look at no other process.
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-lock",
      `--allow-read=${parent}`,
      `--allow-write=${parent}`,
      `data:text/typescript,${encodeURIComponent(script)}`,
    ],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  try {
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    equal(new TextDecoder().decode(value), "ready", await errorsOf(child, value));
    const mine = await SpillFolder.make(parent);
    equal(namesIn(parent).length, 2);
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    await child.stderr.cancel();
    await mine.remove();
    const next = await SpillFolder.make(parent);
    deepEqual(namesIn(parent).map((name) => `${parent}/${name}`), [next.path]);
    await next.remove();
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

verifies("STORE-4", "a folder without a lock is one in the making, until it is old", async () => {
  const parent = await Deno.makeTempDir();
  try {
    for (const name of ["loom-spill-new", "loom-spill-old", "other-old"]) Deno.mkdirSync(`${parent}/${name}`);
    const longAgo = new Date(Date.now() - 120_000);
    for (const name of ["loom-spill-old", "other-old"]) Deno.utimeSync(`${parent}/${name}`, longAgo, longAgo);
    const folder = await SpillFolder.make(parent);
    deepEqual(namesIn(parent).filter((name) => !folder.path.endsWith(name)), ["loom-spill-new", "other-old"]);
    await folder.remove();
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});

/** What the child said, when it said nothing on stdout. */
async function errorsOf(child: Deno.ChildProcess, value: Uint8Array | undefined): Promise<string> {
  return value === undefined ? await new Response(child.stderr).text() : "";
}

verifies("STORE-4 STORE-18", "a sort larger than the memory limit spills, completes, and leaves nothing", async () => {
  let spilled = false;
  await withStore(async (store, { spill }) => {
    ok(store.spillFolder.startsWith(spill));
    const watch = setInterval(() => spilled ||= namesIn(store.spillFolder).length > 1, 5);
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
