/** The envelope of the three-hundredth dataset beside that of the first. @module */

import { Interceptor } from "../../lib/engine/intercept.ts";
import { openStore } from "../../lib/store/mod.ts";
import { benchRecords } from "../support/bench_records.ts";

const encoder = new TextEncoder();
let more = 0;

async function interceptorAfter(datasets: number): Promise<() => Promise<void>> {
  const folder = await Deno.makeTempDir({ prefix: "loom-bench-" });
  const store = await openStore({
    memoryLimit: "512MB",
    memoryBudgetBytes: 2_000_000_000,
    queryTimeoutMs: 10_000,
    spillParent: folder,
    exportDir: folder,
  });
  const interceptor = new Interceptor(store);
  const origin = { server: "s", tool: "t", tokenThreshold: 100, omitArgs: false };
  const once = async () => {
    const text = JSON.stringify(benchRecords(500 + more++));
    const outcome = await interceptor.intercept({
      origin,
      result: encoder.encode(JSON.stringify({ content: [{ type: "text", text }] })),
    });
    if (outcome.kind !== "replaced") throw new Error(`not kept: ${JSON.stringify(outcome)}`);
  };
  for (let at = 0; at < datasets; at++) await once();
  return once;
}

const first = await interceptorAfter(1);
const late = await interceptorAfter(300);
const group = "one more dataset of 500 rows";
Deno.bench({ name: "the second", group, baseline: true, n: 20, warmup: 3, fn: first });
Deno.bench({ name: "the three-hundredth", group, n: 20, warmup: 3, fn: late });
