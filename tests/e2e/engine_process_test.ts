import assert from "node:assert/strict";
import { descendantsOf, residentMbOf } from "../support/process_tree.ts";
import { loomPeer, type StdioPeer } from "../support/stdio_peer.ts";
import { verifies } from "../support/verifies.ts";

/** Milliseconds that processes get to be gone. */
const GONE_MS = 5_000;

/** Results after which the engine's size is taken, and results until it is taken again. */
const RESULTS_BEFORE = 100, RESULTS_MORE = 300;
/** Ten times what was measured: something that is kept for each result shows, a garbage collection more or less does not. */
const GROWTH_MB_MAX = 150;

/** The engine's process of a loom that has made a dataset. */
async function startedEngine(loom: StdioPeer): Promise<number> {
  const { kind } = JSON.parse(await loom.call("bench_rows", { n: 500 }));
  assert.equal(kind, "loom_dataset_ref");
  const engine = descendantsOf(loom.pid).find(({ command }) => command.includes("engine/main.ts"));
  assert.ok(engine, "the engine has a process of its own");
  return engine.pid;
}

/** Runs with a folder for temporary files that nobody else uses; the engine makes its spill folder there. */
async function withTempFolder(run: (spilled: () => string[]) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "loom-test-" });
  const before = Deno.env.get("TMPDIR");
  Deno.env.set("TMPDIR", folder);
  try {
    await run(() => [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.includes("spill")));
  } finally {
    if (before === undefined) Deno.env.delete("TMPDIR");
    else Deno.env.set("TMPDIR", before);
    await Deno.remove(folder, { recursive: true });
  }
}

async function goneWithin(isGone: () => boolean): Promise<boolean> {
  for (const end = Date.now() + GONE_MS; Date.now() < end;) {
    if (isGone()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

// Linux shows processes, their environment and their parents under /proc; elsewhere there is nothing to look at.
const onLinux = (run: () => Promise<void>) => Deno.build.os === "linux" ? run : () => {};

const goesWithLoom = (end: (loom: StdioPeer) => void) =>
  onLinux(() =>
    withTempFolder(async (spilled) => {
      const loom = await loomPeer();
      const pid = await startedEngine(loom);
      assert.notDeepEqual(spilled(), []);
      end(loom);
      await loom[Symbol.asyncDispose]();
      assert.ok(await goneWithin(() => residentMbOf(pid) === 0 && spilled().length === 0));
    })
  );

verifies("ENG-9", "the engine's process and its spill folder are gone when loom has ended", goesWithLoom(() => {}));

verifies(
  "ENG-9",
  "the engine's process and its spill folder are gone when loom was killed",
  goesWithLoom((loom) => Deno.kill(loom.pid, "SIGKILL")),
);

verifies(
  "ENG-10",
  "the engine's process gets what Deno needs and nothing else",
  onLinux(async () => {
    Deno.env.set("LOOM_TEST_SECRET", "hunter2");
    try {
      await using loom = await loomPeer();
      const pid = await startedEngine(loom);
      const names = Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0").map((entry) => entry.split("=")[0] ?? "");
      const allowed = new Set([
        "PATH",
        "HOME",
        "TMPDIR",
        "DENO_DIR",
        "XDG_CACHE_HOME",
        "MALLOC_MMAP_THRESHOLD_",
        "DUCKDB_JE_MALLOC_CONF",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
        "",
      ]);
      assert.deepEqual(names.filter((name) => !allowed.has(name)), []);
      assert.ok(names.includes("DUCKDB_JE_MALLOC_CONF") && names.includes("MALLOC_MMAP_THRESHOLD_"));
    } finally {
      Deno.env.delete("LOOM_TEST_SECRET");
    }
  }),
);

verifies(
  "ENG-7 STORE-17",
  "a ref that was evicted or lost is answered with the way back by the process that comes next",
  onLinux(async () => {
    await using loom = await loomPeer(["bench"], { memoryBudgetBytes: 1_048_576 });
    const engine = await startedEngine(loom);
    for (let tag = 1; tag <= 10; tag++) await loom.call("bench_rows", { n: 800, tag });
    const { datasets, evicted } = JSON.parse(await loom.call("loom_list_datasets"));
    // Originals go before tables do, so the oldest that is left has none.
    const [first, second] = [evicted[0].ref, datasets.at(-1).ref];
    Deno.kill(engine, "SIGKILL");
    // A call that reaches the dying process is told so.
    await loom.call("loom_query", { sql: "SELECT 1" }).catch(() => {});
    const asked = (ref: string) => loom.call("loom_query", { sql: `SELECT count(*) AS n FROM ${ref}` });
    await assert.rejects(
      asked(first),
      /was evicted \(\d+ rows of bench's rows, .*\); to get it back, call bench_rows again/,
    );
    await assert.rejects(asked(second), /DATASET_LOST.* was lost .*"rows" of server "bench": call that tool again/);
  }),
);

verifies(
  "ENG-5 STORE-25",
  "the engine does not grow with the number of results",
  onLinux(async () => {
    await using loom = await loomPeer(["bench"], { memoryBudgetBytes: 1_048_576 });
    const engine = await startedEngine(loom);
    const offer = async (from: number, count: number) => {
      for (let tag = from; tag < from + count; tag++) await loom.call("bench_rows", { n: 150, tag });
      return residentMbOf(engine);
    };
    const before = await offer(1_000, RESULTS_BEFORE);
    const after = await offer(1_000 + RESULTS_BEFORE, RESULTS_MORE);
    assert.ok(before > 0 && after > 0 && after - before < GROWTH_MB_MAX, `${before} MB, then ${after} MB`);
  }),
);
