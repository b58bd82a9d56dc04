import assert from "node:assert/strict";
import { descendantsOf, residentMbOf } from "../support/process_tree.ts";
import { loomPeer, type StdioPeer } from "../support/stdio_peer.ts";
import { verifies } from "../support/verifies.ts";

/** Milliseconds that processes get to be gone. */
const GONE_MS = 5_000;

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
    } finally {
      Deno.env.delete("LOOM_TEST_SECRET");
    }
  }),
);
