/** What it costs to turn a result into a dataset and an envelope, beside JSON.parse of the same payload. @module */

import { benchRecords } from "../support/bench_records.ts";
import { directPeer, loomPeer } from "../support/stdio_peer.ts";

const loom = await loomPeer(["bench", "other"], { memoryBudgetBytes: 2_000_000_000 });
const direct = await directPeer();
globalThis.addEventListener("unload", () => {
  void direct[Symbol.asyncDispose]();
  void loom[Symbol.asyncDispose]();
});

// Each call asks for another first row, so that a ref that is kept for identical bytes does not answer for it.
let more = 0;

for (const [rows, n] of [[1_000, 10], [10_000, 10], [100_000, 3]] as const) {
  const group = `${rows} rows`;
  const payload = JSON.stringify(benchRecords(rows));
  Deno.bench({ name: "JSON.parse", group, baseline: true, n, warmup: 2, fn: () => void JSON.parse(payload) });
  Deno.bench({
    name: "through loom, as an envelope",
    group,
    n,
    warmup: 1,
    fn: async () => void await loom.call("bench_rows", { n: rows, tag: ++more }),
  });
  Deno.bench({
    name: "the same call without loom, read whole",
    group,
    n,
    warmup: 1,
    fn: async () => void await direct.call("rows", { n: rows, tag: ++more }),
  });
}

const group = "a query that gives 100 rows";
const { ref } = JSON.parse(await loom.call("bench_rows", { n: 10_000 }));
Deno.bench({ name: "a small call", group, baseline: true, fn: async () => void await loom.call("other_echo") });
Deno.bench({
  name: "loom_query",
  group,
  fn: async () => void await loom.call("loom_query", { sql: `SELECT id, name FROM ${ref} LIMIT 100` }),
});

const busy = "a small call while 64 MiB are ingested";
Deno.bench({ name: "idle", group: busy, baseline: true, fn: async () => void await loom.call("other_echo") });
let ingest: Promise<unknown> | undefined;
Deno.bench({
  name: "busy",
  group: busy,
  n: 300,
  fn: async () => {
    ingest ??= loom.call("bench_rows", { n: 300_000, tag: ++more }).catch(() => {}).finally(() => ingest = undefined);
    await loom.call("other_echo");
  },
});
