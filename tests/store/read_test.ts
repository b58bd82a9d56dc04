/** Tests of lib/store/read.ts and answer.ts: time, caps, streams that end, names. @module */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import { ROWS_MAX } from "../../lib/store/limits.ts";
import { ingest, numbers, rowsOf, rowTexts, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

const LIMITS = { rowLimit: 100, byteLimit: 100_000 };
const ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";

function withCode(code: string): (error: unknown) => boolean {
  return (error) => {
    equal(error instanceof LoomError ? error.code : String(error), code);
    return true;
  };
}

verifies("STORE-11", "a query that outlives its time is interrupted, and the next one works", async () => {
  await withStore(async (store) => {
    for (
      const sql of [
        ENDLESS,
        "SELECT count(*) FROM range(1000000) a, range(1000000) b",
        "SELECT max(a.range) FROM range(1e9::BIGINT) a",
      ]
    ) {
      await rejects(store.query(sql, LIMITS), withCode("QUERY_TIMEOUT"), sql);
      deepEqual(await rowsOf(store, "SELECT 42 AS n"), [{ n: 42 }]);
    }
  }, { queryTimeoutMs: 150 });
});

verifies("STORE-11", "a caller that gives up stops the query, before it starts and while it runs", async () => {
  await withStore(async (store) => {
    await rejects(store.query(ENDLESS, { ...LIMITS, signal: AbortSignal.abort() }), withCode("QUERY_TIMEOUT"));
    const controller = new AbortController();
    const running = store.query(ENDLESS, { ...LIMITS, signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await rejects(running, /gave it up/);
    deepEqual(await rowsOf(store, "SELECT 42 AS n"), [{ n: 42 }]);
  });
});

verifies("STORE-5", "a slow query holds up no ingest, no hints and no eviction, and a drop waits for it", async () => {
  const { promise: reading, resolve: begun } = Promise.withResolvers<void>();
  const evicted: string[] = [];
  await withStore(async (store) => {
    const first = await ingest(store, tableOf({ user_id: numbers(10) }), { bytes: 100 });
    const second = await ingest(store, tableOf({ user_id: numbers(10) }), { bytes: 600, tool: "others" });
    const controller = new AbortController();
    const sql = `SELECT count(*) FROM range(1000000) a, range(1000000) b, ${first.ref}`;
    const slow = store.query(sql, { ...LIMITS, signal: controller.signal });
    const ended: string[] = [];
    const watched = slow.catch((error) => ended.push(error.code));
    await reading;
    const third = await ingest(store, tableOf({ user_id: numbers(10) }), { bytes: 600, tool: "members" });
    equal((await store.hints(third.ref, 5))[0]?.otherRef, first.ref);
    await store.drop(first.ref);
    deepEqual([evicted, store.list().map(({ ref }) => ref), ended], [[second.ref], [third.ref], []]);
    const tables = rowsOf(store, "SHOW TABLES");
    const fourth = await ingest(store, tableOf({ user_id: numbers(5_000) }), { bytes: 100 });
    controller.abort();
    await watched;
    deepEqual(ended, ["QUERY_TIMEOUT"]);
    deepEqual((await tables).map(({ name }) => name).sort(), [third.ref, fourth.ref].sort());
  }, { memoryBudgetBytes: 1_000, trace: () => begun(), onEvict: ({ ref }) => void evicted.push(ref) });
});

verifies("STORE-10", "an answer that stops early leaves no stream that another query would cut short", async () => {
  await withStore(async (store) => {
    for (let i = 0; i < 3; i++) {
      const some = await store.query("SELECT a.range FROM range(100000) a, range(50) b", {
        rowLimit: 3,
        byteLimit: 1_000,
      });
      equal(some.rowCount, 3);
      deepEqual(await rowsOf(store, "SELECT count(*) AS n FROM range(300000)"), [{ n: 300_000 }]);
    }
  });
});

verifies("STORE-10", "nothing that a query could reach writes, even past the gate", async () => {
  await withStore(async (store) => {
    const seen: string[] = [];
    await withStore(async (traced) => {
      await ingest(traced, tableOf({ n: [1] }));
      await rowsOf(traced, "FROM ds_crm_users_1");
      await rejects(rowsOf(traced, "DELETE FROM ds_crm_users_1"));
    }, { trace: (sql) => void seen.push(sql) });
    deepEqual(seen, ["FROM ds_crm_users_1"]);
    deepEqual(store.list(), []);
  });
});

verifies("STORE-13", "columns of one name all survive", async () => {
  await withStore(async (store) => {
    deepEqual(await rowTexts(store, 'SELECT 1 AS a, 2 AS a, 3 AS "A", 4 AS a_2'), ['{"a":1,"a_3":2,"A_4":3,"a_2":4}']);
    deepEqual(await rowTexts(store, "SELECT 1 AS __proto__, 2 AS constructor, 3 AS toString"), [
      '{"__proto__":1,"constructor":2,"toString":3}',
    ]);
    const { columns } = await store.query("SELECT 1 AS a, 'x' AS a", LIMITS);
    deepEqual(columns, [{ name: "a", type: "INTEGER" }, { name: "a_2", type: "VARCHAR" }]);
  });
});

verifies("STORE-14", "an answer stops at its caps, and says by which and how many rows there are", async () => {
  await withStore(async (store) => {
    const all = await store.query("SELECT range AS n FROM range(10)", { rowLimit: 10, byteLimit: 90 });
    deepEqual([all.rowCount, all.truncated], [10, undefined]);
    const rows = await store.query("SELECT range AS n FROM range(11)", { rowLimit: 10, byteLimit: 1_000 });
    deepEqual([rows.rowCount, rows.truncated], [10, { by: "rows", total: 11, atLeast: 11 }]);
    const bytes = await store.query("SELECT range AS n FROM range(10)", { rowLimit: 10, byteLimit: 7 });
    deepEqual([bytes.rows, bytes.truncated], [['{"n":0}'], { by: "bytes", total: 10, atLeast: 10 }]);
    const many = await store.query("SELECT range FROM range(5000000)", { rowLimit: 1, byteLimit: 100 });
    deepEqual(many.truncated, { by: "rows", total: 5_000_000, atLeast: 5_000_000 });
  });
});

verifies("STORE-14", "rows beyond what a dataset holds are counted, whatever the text of the statement", async () => {
  await withStore(async (store) => {
    const rest = ["", ";", "; -- the end;", " -- it's;\n;;", " /* ; */ ; /* ' */"];
    for (const end of rest) {
      for (const keep of [false, true]) {
        const sql = `;SELECT range, ';--' AS "a;b", $$;$$ AS c FROM range(${ROWS_MAX + 1})${end}`;
        const { truncated } = await store.query(sql, { rowLimit: 1, byteLimit: 1_000, keep });
        deepEqual(truncated, { by: "rows", total: ROWS_MAX + 1, atLeast: ROWS_MAX + 1 }, sql);
      }
    }
    for (const sql of ["(SELECT 1 FROM range(300000)) UNION ALL (FROM range(300000))", "FROM range(600000)"]) {
      equal((await store.query(sql, { rowLimit: 1, byteLimit: 1_000, keep: true })).truncated?.total, 600_000, sql);
    }
    // Another run could have another number.
    const dice = await store.query("FROM range(1000000) WHERE random() < 0.9", { rowLimit: 1, byteLimit: 99 });
    equal(dice.truncated?.total, undefined);
    ok((dice.truncated?.atLeast ?? 0) > ROWS_MAX);
  });
});

verifies("STORE-15 TOOL-2", "an answer becomes a dataset without a second run", async () => {
  const runs: string[] = [];
  await withStore(async (store) => {
    const sql = "SELECT uuid() AS u, range AS n FROM range(5000)";
    const answer = await store.query(sql, { rowLimit: 3, byteLimit: 1_000, keep: true });
    const dataset = await answer.keep();
    deepEqual(runs, [sql]);
    deepEqual([dataset.rowCount, dataset.implicit, dataset.volatile], [5_000, true, true]);
    deepEqual(await rowTexts(store, `FROM ${dataset.ref} ORDER BY n LIMIT 3`), answer.rows);

    const uncollected = await store.query("SELECT 1", LIMITS);
    await rejects(uncollected.keep(), /not collected/);
    const wide = await store.query(`SELECT ${numbers(2_001).map((n) => `${n} AS c${n}`)}`, {
      rowLimit: 1,
      byteLimit: 10,
      keep: true,
    });
    await rejects(wide.keep(), withCode("LIMIT_EXCEEDED"));
  }, { trace: (sql) => void runs.push(sql) });
});

verifies("STORE-14", "an answer whose rows cannot be counted in time is given all the same", async () => {
  await withStore(async (store) => {
    const { rowCount, truncated } = await store.query("SELECT 1 FROM range(1000000) a, range(1000000) b", LIMITS);
    equal(rowCount, 100);
    equal(truncated?.total, undefined);
    ok((truncated?.atLeast ?? 0) > 100);
  }, { queryTimeoutMs: 300 });
});

verifies("STORE-10", "an error in the middle of a stream is an error, never a short answer", async () => {
  await withStore(async (store) => {
    const bad = "CASE WHEN range = 300000 THEN 'x' ELSE '1' END::INTEGER";
    const sums = "CASE WHEN range = 300000 THEN 9223372036854775807 ELSE 1 END + range";
    for (const expression of [bad, sums]) {
      const sql = `SELECT ${expression} AS v FROM range(400000)`;
      await rejects(store.query(sql, { rowLimit: 10, byteLimit: 1_000 }), /Conversion Error|Overflow/, sql);
      await rejects(store.query(sql, { rowLimit: 500_000, byteLimit: 1e8 }), /Conversion Error|Overflow/, sql);
      await rejects(store.materialize(sql, { kind: "query" }), /Conversion Error|Overflow/, sql);
      deepEqual(store.list(), []);
      deepEqual(await rowsOf(store, "SELECT 42 AS n"), [{ n: 42 }]);
    }
  });
});

verifies("STORE-10 STORE-11", "an interrupted stream is never taken for a complete one", async () => {
  await withStore(async (store) => {
    const sql = "SELECT a.range AS n FROM range(450000) a, (SELECT count(*) FROM range(10)) b WHERE hash(a.range) <> 1";
    for (let ms = 0; ms < 40; ms += 2) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), ms);
      const kept = await store.materialize(sql, { kind: "query" }, { signal: controller.signal }).catch(() =>
        undefined
      );
      clearTimeout(timer);
      if (kept) equal(kept.rowCount, 450_000);
    }
  });
});

verifies("STORE-18", "running out of memory fails one query, and the next one works", async () => {
  await withStore(async (store) => {
    await rejects(rowsOf(store, "SELECT len(list(range)) FROM range(100000000)"), withCode("OUT_OF_MEMORY"));
    deepEqual(await rowsOf(store, "SELECT 42 AS n"), [{ n: 42 }]);
    equal(store.isUsable(), true);
  }, { memoryLimit: "64MB" });
});
