/** What the store costs: ingest and profile beside `JSON.parse` of the same rows, queries, joins scored against truth. @module */

import { openStore, type Store } from "../../lib/store/mod.ts";
import { ingest, numbers, tableOf } from "../support/open_store.ts";

const folder = await Deno.makeTempDir({ prefix: "loom-store-bench-" });
const store: Store = await openStore({
  memoryLimit: "512MB",
  memoryBudgetBytes: 256 * 1024 * 1024,
  queryTimeoutMs: 30_000,
  spillParent: folder,
  exportDir: folder,
});

const records = (count: number) =>
  numbers(count).map((i) => ({
    id: i,
    name: `user ${i}`,
    email: `u${i}@example.com`,
    score: i * 1.5,
    active: i % 2 === 0,
    created_at: new Date(1.7e12 + i * 1_000).toISOString(),
    team_id: i % 50,
    team_name: `team${i % 50}`,
    tags: `["a","b${i % 7}"]`,
    note: i % 3 ? null : `note ${i}`,
    amount: (i % 1_000) / 100,
  }));

for (const rows of [1_000, 10_000, 100_000]) {
  const made = records(rows);
  const text = JSON.stringify(made);
  const names = Object.keys(made[0] ?? {}) as (keyof (typeof made)[number])[];
  const table = tableOf(Object.fromEntries(names.map((name) => [name, made.map((record) => record[name])])));
  Deno.bench(`JSON.parse of ${rows} rows`, { group: `ingest ${rows}`, baseline: true }, () => void JSON.parse(text));
  Deno.bench(`ingest and profile ${rows} rows of 11 columns`, { group: `ingest ${rows}` }, async (b) => {
    b.start();
    const { ref } = await ingest(store, table, { bytes: text.length });
    b.end();
    await store.drop(ref);
  });
}

const wide = await ingest(store, {
  rowCount: 100,
  columns: numbers(2_000).map((n) => ({
    name: `c${n}`,
    type: "BIGINT",
    cells: { kind: "number", values: Float64Array.from(numbers(100)) },
  })),
});
const { ref } = await ingest(
  store,
  tableOf({ id: numbers(100_000), email: numbers(100_000).map((n) => `u${n}@example.com`) }),
);
await ingest(
  store,
  tableOf({ user_id: numbers(100_000, 50_000), email: numbers(100_000, 50_000).map((n) => `u${n}@example.com`) }),
  { tool: "orders" },
);
const limits = { rowLimit: 10_000, byteLimit: 1_000_000 };

Deno.bench(
  "a query that gives one row",
  { group: "query", baseline: true },
  async () => void await store.query(`SELECT max(id) FROM ${ref}`, limits),
);
Deno.bench(
  "a query that gives 100 rows",
  { group: "query" },
  async () => void await store.query(`FROM ${ref} WHERE id < 100`, limits),
);
Deno.bench(
  "a query that gives 10,000 rows",
  { group: "query" },
  async () => void await store.query(`FROM ${ref} WHERE id < 10000`, limits),
);
Deno.bench("a sample of 5 rows", { group: "query" }, async () => void await store.sample(ref, 5));
Deno.bench("a sample of 5 rows of 2,000 columns", { group: "query" }, async () => void await store.sample(wide.ref, 5));
Deno.bench(
  "a refusal by the gate",
  { group: "query" },
  async () => void await store.query("SELECT * FROM read_csv('x')", limits).then(() => {}, () => {}),
);
Deno.bench("a large answer kept as a dataset", { group: "query" }, async (b) => {
  b.start();
  const kept = await store.materialize(`FROM ${ref} WHERE id < 20000`, { kind: "query" });
  b.end();
  await store.drop(kept.ref);
});
Deno.bench(
  "join hints of two datasets of 100,000 rows",
  { group: "query" },
  async () => void await store.hints(ref, 5),
);

/** The greatest error of a score against known truth, in thousandths, over sizes and shares: printed, not judged. */
async function scoreErrors(): Promise<string> {
  const lines: string[] = [];
  for (const size of [10, 1_000, 10_000, 100_000, 500_000]) {
    const errors: string[] = [];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const left = await ingest(store, tableOf({ user_id: numbers(size) }), { tool: "left" });
      const right = await ingest(store, tableOf({ user_id: numbers(size, Math.round(size * (1 - share))) }), {
        tool: "right",
      });
      const hint = (await store.hints(left.ref, 5)).find(({ otherRef }) => otherRef === right.ref);
      errors.push(`${share}: ${Math.round(((hint?.containment ?? 0) - share) * 1_000)}`);
      for (const { ref } of [left, right]) await store.drop(ref);
    }
    lines.push(`${size} values, error in thousandths by true share: ${errors.join(", ")}`);
  }
  return lines.join("\n");
}

await Deno.stderr.write(new TextEncoder().encode(`${await scoreErrors()}\n`));
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
