/** Tests of lib/store/derive.ts, types.ts and Store.materialize(). @module */

import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import { ROWS_MAX } from "../../lib/store/limits.ts";
import { ingest, numbers, rowsOf, rowTexts, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

const TYPED = `SELECT 1::TINYINT AS a, 2::UBIGINT AS b, 3::HUGEINT AS c, 1.50::DECIMAL(18,2) AS d, -0.0::DOUBLE AS e,
  'x\u{1f9f5}' AS f, '{"a": 1}'::JSON AS g, DATE '2026-01-01' AS h, TIMESTAMP '2026-01-01 00:00:00.000001' AS i,
  '2026-01-01 00:00:00+00'::TIMESTAMPTZ AS j, INTERVAL 3 DAY AS k, '00000000-0000-4000-8000-00000000000f'::UUID AS l,
  '\\xDE\\x00'::BLOB AS m, '0101'::BIT AS n, [1, NULL] AS o, {'a b': 1, 'c': [true]} AS p, MAP {'k': 1.5} AS q,
  union_value(num := 2) AS r, 'a'::ENUM('a', 'it''s') AS s, [1, 2]::INTEGER[2] AS t, NULL AS u, [NULL] AS v, true AS w,
  '12:34:56'::TIME AS x, '12:34:56+02'::TIMETZ AS y, chr(65279) || 'mark' AS z`;

verifies("STORE-15", "a derived dataset keeps the engine's types and every value", async () => {
  await withStore(async (store) => {
    const direct = await store.query(TYPED, { rowLimit: 1, byteLimit: 10_000 });
    const dataset = await store.materialize(TYPED, { kind: "query" });
    deepEqual(await rowTexts(store, `FROM ${dataset.ref}`), direct.rows);
    const types = await rowsOf(store, `SELECT column_type AS t FROM (DESCRIBE ${dataset.ref})`);
    deepEqual(
      dataset.columns.map((column) => column.type.replaceAll('"', "")),
      types.map(({ t }) => String(t).replaceAll('"', "")),
    );
    deepEqual([dataset.implicit, dataset.pinned, dataset.rowCount], [true, false, 1]);
    deepEqual([dataset.provenance.server, dataset.provenance.source, dataset.provenance.sql], ["loom", "query", TYPED]);
  });
});

verifies("STORE-15", "rows of a derived dataset keep the order of the SELECT", async () => {
  await withStore(async (store) => {
    const { ref } = await store.materialize("SELECT range AS n FROM range(20000) ORDER BY n DESC", { kind: "query" });
    deepEqual(await rowsOf(store, `SELECT count(*) AS moved FROM ${ref} WHERE n <> 19999 - rowid`), [{ moved: 0 }]);
  });
});

verifies("STORE-8 STORE-15", "a view is pinned under its name, which is given once", async () => {
  await withStore(async (store) => {
    const first = await store.materialize("SELECT 1 AS a", { kind: "view", name: "Sales_2026" });
    match(first.ref, /^ds_view_Sales_2026_\d+$/);
    equal(first.pinned, true);
    for (const name of ["Sales_2026", "sales_2026"]) {
      await rejects(store.materialize("SELECT 2", { kind: "view", name }), (error: unknown) => {
        equal(error instanceof LoomError && error.code, "NAME_TAKEN");
        return true;
      });
    }
    const both = await Promise.allSettled(
      ["twin", "twin"].map((name) => store.materialize("SELECT 1", { kind: "view", name })),
    );
    deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    await store.drop(first.ref);
    equal((await store.materialize("SELECT 3", { kind: "view", name: "Sales_2026" })).rowCount, 1);
    for (const name of ["", "a b", "a;b", "x".repeat(65)]) {
      await rejects(store.materialize("SELECT 1", { kind: "view", name }), /letters, digits and _/, name);
    }
    equal((await store.materialize("SELECT 1", { kind: "view", name: "x".repeat(64) })).rowCount, 1);
  });
});

verifies("STORE-15", "more than a dataset may hold is refused, and nothing remains", async () => {
  await withStore(async (store) => {
    equal((await store.materialize(`SELECT range FROM range(${ROWS_MAX})`, { kind: "query" })).rowCount, ROWS_MAX);
    const before = store.list().length;
    await rejects(
      store.materialize(`SELECT range FROM range(${ROWS_MAX + 1})`, { kind: "query" }),
      /more than 500000 rows/,
    );
    await rejects(
      store.materialize("SELECT repeat('x', 10000) AS t FROM range(10000)", { kind: "query" }),
      /more than 67108864 bytes/,
    );
    await rejects(
      store.materialize(`SELECT ${numbers(2_001).map((n) => `1 AS c${n}`)}`, { kind: "query" }),
      /2001 columns/,
    );
    equal(store.list().length, before);
  });
});

verifies("STORE-15", "a derived dataset says when its SQL may answer otherwise", async () => {
  await withStore(async (store) => {
    const { ref } = await ingest(store, tableOf({ n: [1, 2] }));
    equal((await store.materialize(`FROM ${ref}`, { kind: "query" })).volatile, false);
    equal((await store.materialize(`SELECT random() AS r FROM ${ref}`, { kind: "query" })).volatile, true);
  });
});

Deno.test("materialize() makes names unique and goes through the gate", async () => {
  await withStore(async (store) => {
    const { ref } = await store.materialize('SELECT 1 AS a, 2 AS "A", 3 AS a', { kind: "query" });
    deepEqual(await rowTexts(store, `FROM ${ref}`), ['{"a":1,"A_2":2,"a_3":3}']);
    await rejects(store.materialize("DROP TABLE x", { kind: "query" }), /one statement that reads/);
    await rejects(store.materialize("SELECT 1 AS a", { kind: "query" }, { ref }), /exists/);
  });
});
