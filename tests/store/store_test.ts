/** Tests of lib/store/store.ts and catalog.ts: refs, budget, eviction, memory of the dead, callers side by side. @module */

import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import { Catalog } from "../../lib/store/catalog.ts";
import { NAMED_REFS_MAX, REMEMBERED_REFS_MAX } from "../../lib/store/limits.ts";
import { datasetOf } from "../support/datasets.ts";
import { ingest, numbers, rowsOf, rowTexts, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

verifies("STORE-8", "one counter numbers every dataset, and no number is given twice", async () => {
  await withStore(async (store) => {
    const one = tableOf({ n: [1] });
    equal((await ingest(store, one)).ref, "ds_crm_users_1");
    equal((await ingest(store, one, { server: "a-b", tool: "get.ünique/x y" })).ref, "ds_a_b_get__nique_x_y_2");
    equal((await store.materialize("SELECT 1", { kind: "query" })).ref, "ds_query_3");
    equal((await store.materialize("SELECT 1", { kind: "view", name: "v" })).ref, "ds_view_v_4");
    await store.drop("ds_view_v_4");
    equal((await ingest(store, one)).ref, "ds_crm_users_5");
    equal((await ingest(store, one, { ref: "ds_old_tool_9" })).ref, "ds_old_tool_9");
    equal((await ingest(store, one)).ref, "ds_crm_users_10");
    store.reserveNumbers(41);
    store.reserveNumbers(7);
    equal((await ingest(store, one)).ref, "ds_crm_users_42");
    await rejects(ingest(store, one, { ref: "ds_old_tool_9" }), /exists/);
  });
});

verifies(
  "STORE-16",
  "originals go first, then implicit results, then server results, the least recently used first",
  async () => {
    const gone: string[] = [];
    await withStore(async (store) => {
      const table = tableOf({ n: numbers(10) });
      const a = await ingest(store, table, { bytes: 100 });
      const b = await ingest(store, table, { bytes: 100 });
      await store.noteOriginal(a.ref, 100);
      await store.noteOriginal(b.ref, 100);
      const implicit = await store.materialize("SELECT range FROM range(10)", { kind: "query" });
      const pinned = await store.materialize("SELECT range FROM range(10)", { kind: "view", name: "keep" });
      deepEqual(gone, []);
      await ingest(store, table, { bytes: 500 });
      deepEqual(gone, ["original ds_crm_users_1"]);
      store.touch(a.ref);
      await ingest(store, table, { bytes: 300 });
      deepEqual(gone.splice(0), [
        "original ds_crm_users_1",
        "original ds_crm_users_2",
        `dataset ${implicit.ref}`,
        `dataset ${b.ref}`,
      ]);
      ok(store.get(a.ref));
      await ingest(store, table, { bytes: 5_000 });
      deepEqual(store.list().map(({ ref }) => ref), [pinned.ref, "ds_crm_users_7"]);
      ok(store.trackedBytes > 5_000);
    }, {
      memoryBudgetBytes: 1_000,
      onForgetOriginal: (ref) => void gone.push(`original ${ref}`),
      onEvict: ({ ref }) => void gone.push(`dataset ${ref}`),
    });
  },
);

verifies("STORE-16", "a dataset that is being read is not evicted", async () => {
  const { promise: reading, resolve: begun } = Promise.withResolvers<void>();
  await withStore(async (store) => {
    const { ref } = await ingest(store, tableOf({ n: numbers(10) }), { bytes: 900 });
    const controller = new AbortController();
    const sql = `SELECT count(*) FROM ${ref}, range(1000000) a, range(1000000) b`;
    const query = store.query(sql, { rowLimit: 1, byteLimit: 100, signal: controller.signal });
    await reading;
    await ingest(store, tableOf({ n: [1] }), { bytes: 900 });
    ok(store.get(ref));
    controller.abort();
    await rejects(query, /gave it up/);
    await ingest(store, tableOf({ n: [1] }), { bytes: 900 });
    equal(store.get(ref), undefined);
  }, { memoryBudgetBytes: 1_000, trace: () => begun() });
});

verifies("STORE-16", "a session of many results keeps within its budget", async () => {
  await withStore(async (store) => {
    const table = tableOf({ n: numbers(50), t: numbers(50).map((n) => `row ${n}`) });
    for (let i = 0; i < 300; i++) {
      const { ref } = await ingest(store, table, { bytes: 1_000 });
      await store.noteOriginal(ref, 1_000);
      ok(store.trackedBytes <= 20_000);
    }
    equal(store.list().length, 19);
    equal((await rowTexts(store, "SHOW TABLES")).length, 19);
  }, { memoryBudgetBytes: 20_000 });
});

verifies("STORE-17", "a ref that is gone is answered with what it was and the way back", async () => {
  await withStore(async (store) => {
    await ingest(store, tableOf({ n: numbers(7) }), { bytes: 900 });
    await ingest(store, tableOf({ n: [1] }), { bytes: 900, server: "hn", tool: "stories" });
    await rejects(
      rowsOf(store, "FROM ds_crm_users_1"),
      /"ds_crm_users_1" was evicted \(7 rows of crm's users, 2026-01-02T03:04:05.678Z\); to get it back, call crm_users again; known datasets: ds_hn_stories_2/,
    );
    await rejects(store.sample("ds_nope_1", 5), /No dataset is called "ds_nope_1"; known datasets: ds_hn_stories_2/);
    const { ref } = await store.materialize("SELECT 1 AS a", { kind: "query" });
    await store.drop(ref);
    throws(() => store.need(ref), /was dropped .* run its SQL again: SELECT 1 AS a/);
    store.remember({ ref: "ds_x_y_77", reason: "lost", was: "12 rows of x's y", how: "call x_y again" });
    throws(
      () => store.need("ds_x_y_77"),
      (error: unknown) =>
        error instanceof LoomError && error.code === "DATASET_LOST" &&
        /was lost \(12 rows of x's y\); call x_y again/.test(error.message),
    );
    equal((await ingest(store, tableOf({ n: [1] }))).ref, "ds_crm_users_78");
  }, { memoryBudgetBytes: 1_000 });
});

verifies("STORE-17", "the dead are remembered up to a bound, and a message names the newest refs", () => {
  const catalog = new Catalog(1e9);
  const refs = numbers(REMEMBERED_REFS_MAX + 1, 1).map((n) => `ds_a_b_${n}`);
  for (const ref of refs) {
    catalog.add(datasetOf([], { ref }));
    catalog.remove(ref, "dropped");
  }
  match(catalog.unknown("ds_a_b_1").message, /No dataset is called/);
  match(catalog.unknown("ds_a_b_2").message, /was dropped/);
  for (const ref of refs.slice(0, NAMED_REFS_MAX + 1)) catalog.add(datasetOf([], { ref }));
  const { message } = catalog.unknown("x");
  match(message, /ds_a_b_21 and 1 more \(loom_list_datasets lists them\)/);
  ok(!message.includes("ds_a_b_1,"));
});

Deno.test("Catalog counts bytes of originals once, and no longer when they are forgotten", () => {
  const catalog = new Catalog(1_000);
  catalog.add(datasetOf([], { ref: "ds_a_b_1", bytes: 10 }));
  catalog.noteOriginal("ds_a_b_1", 100);
  catalog.noteOriginal("ds_a_b_1", 200);
  equal(catalog.bytes, 210);
  catalog.forgetOriginal("ds_a_b_1");
  catalog.forgetOriginal("ds_a_b_1");
  equal(catalog.bytes, 10);
  catalog.noteOriginal("ds_a_b_1", 5);
  catalog.remove("ds_a_b_1", "evicted");
  catalog.remove("ds_a_b_1", "evicted");
  equal(catalog.bytes, 0);
});

Deno.test("Catalog gives up the original of the dataset in making last of all", () => {
  const catalog = new Catalog(100);
  catalog.add(datasetOf([], { ref: "ds_a_b_1", bytes: 50 }));
  catalog.noteOriginal("ds_a_b_1", 80);
  deepEqual(catalog.victim("ds_a_b_1"), { kind: "original", ref: "ds_a_b_1" });
  deepEqual(catalog.victim("ds_other_2"), { kind: "original", ref: "ds_a_b_1" });
  catalog.forgetOriginal("ds_a_b_1");
  equal(catalog.victim("ds_a_b_1"), undefined);
});

verifies(
  "STORE-5 STORE-16",
  "ingest, query, derive, evict and drop from ten callers give no wrong answer",
  async () => {
    await withStore(async (store) => {
      const caller = async (id: number) => {
        for (let round = 0; round < 8; round++) {
          const rows = 100 + id * 10 + round;
          const { ref } = await ingest(
            store,
            tableOf({ n: numbers(rows), t: numbers(rows).map((n) => `caller ${id} row ${n}`) }),
            { bytes: 3_000 },
          );
          try {
            deepEqual(await rowsOf(store, `SELECT count(*) AS n, max(t) AS t FROM ${ref}`), [{
              n: rows,
              t: `caller ${id} row 99`,
            }]);
            const derived = await store.materialize(`SELECT n FROM ${ref} WHERE n < 50`, { kind: "query" });
            deepEqual(await rowsOf(store, `SELECT sum(n) AS s FROM ${derived.ref}`), [{ s: 1_225 }]);
            if (round % 3 === 0) await store.drop(ref);
          } catch (error) {
            // Evicted by another caller: said so, and never a wrong answer.
            ok(error instanceof LoomError && error.code === "DATASET_NOT_FOUND", String(error));
          }
        }
      };
      await Promise.all(numbers(10).map(caller));
      ok(store.trackedBytes <= 60_000);
      const tables = (await rowsOf(store, "SHOW TABLES")).map(({ name }) => String(name));
      deepEqual(tables.sort(), store.list().map(({ ref }) => ref).sort());
    }, { memoryBudgetBytes: 60_000 });
  },
);

verifies("STORE-19", "a store whose engine is well says that it is usable", async () => {
  await withStore(async (store) => {
    await rejects(rowsOf(store, "SELECT nosuch"), /Referenced column/);
    equal(store.isUsable(), true);
  });
});

Deno.test("close() waits for what runs and can be called twice", async () => {
  await withStore(async (store) => {
    const running = rowsOf(store, "SELECT count(*) AS n FROM range(10000000)");
    await Promise.all([store.close(), store.close()]);
    deepEqual(await running, [{ n: 10_000_000 }]);
  });
});
