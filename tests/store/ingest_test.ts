/** Tests of lib/store/ingest.ts, row_source.ts and vectors.ts: exact or not at all. @module */

import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { CHUNK_ROWS, COLUMNS_MAX, ROWS_MAX } from "../../lib/store/limits.ts";
import { columnOf, ingest, numbers, rowsOf, rowTexts, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

const STRINGS = [
  "",
  "a",
  "twelve bytes",
  "thirteen byte",
  "a NUL \0 inside",
  "\0",
  "\ufeffbyte order mark",
  "quotes ' \" and \\ slashes",
  "zwölf Boxkämpfer",
  "日本語のテキスト",
  "\u{1f9f5}\u{1f9f6}",
  "e\u0301",
  "\r\n\t\u001b[31m",
  "x".repeat(100_000),
  "1e5",
  "007",
  null,
];

verifies("STORE-7", "text survives byte for byte, whatever stands next to it", async () => {
  await withStore(async (store) => {
    const all = [...STRINGS, ...STRINGS.map((text) => text && text + text), ...STRINGS.toReversed()];
    const { ref, columns } = await ingest(
      store,
      tableOf({ n: numbers(all.length), t: all, ascii: numbers(all.length).map(String) }),
    );
    const { rows } = await store.query(`SELECT t, ascii FROM ${ref} ORDER BY n`, { rowLimit: 1_000, byteLimit: 1e7 });
    deepEqual(rows.map((row) => JSON.parse(row)), all.map((t, i) => ({ t, ascii: String(i) })));
    equal(columns[1]?.nullCount, 3);
  });
});

verifies("STORE-7", "text that UTF-8 cannot carry is refused, and no table remains", async () => {
  await withStore(async (store) => {
    for (const text of ["\ud800", "a\udc00", "ok \ud83d"]) {
      await rejects(ingest(store, tableOf({ t: ["fine", text] })), /lone surrogate/);
    }
    // Half of a pair at the end of one cell and the other half at the begin of the next are no character.
    await rejects(ingest(store, tableOf({ t: ["a\ud83e", "\uddf5b"] })), /lone surrogate/);
    deepEqual(store.list(), []);
    deepEqual(await rowTexts(store, "SHOW TABLES"), []);
  });
});

verifies("STORE-7", "numbers survive digit for digit", async () => {
  await withStore(async (store) => {
    const wide = [170141183460469231731687303715884105727n, -170141183460469231731687303715884105728n, 0n, -1n, null];
    const big = [9223372036854775807n, -9223372036854775808n, 4294967296n, -4294967297n, null];
    const safe = [9007199254740991, -9007199254740991, 4294967295, -4294967296, null];
    const table = {
      rowCount: 5,
      columns: [
        columnOf("wide", wide, "HUGEINT"),
        columnOf("big", big, "BIGINT"),
        columnOf("safe", safe, "BIGINT"),
        columnOf("double", [-0, 5e-324, 1.7976931348623157e308, 0.1, null], "DOUBLE"),
        columnOf("d4", [9999n, -9999n, 1n, 0n, null], "DECIMAL(4,2)"),
        columnOf("d9", [999999999n, -1n, 0n, 1n, null], "DECIMAL(9,3)"),
        columnOf("d18", [999999999999999999n, -1n, 0n, 1n, null], "DECIMAL(18,2)"),
        columnOf("d38", [10n ** 38n - 1n, 1n - 10n ** 38n, 0n, 1n, null], "DECIMAL(38,10)"),
        columnOf("yes", [true, false, true, false, null]),
      ],
    };
    const { ref } = await ingest(store, table);
    const texts = await rowTexts(store, `SELECT * FROM ${ref} ORDER BY rowid`);
    equal(
      texts[0],
      '{"wide":"170141183460469231731687303715884105727","big":"9223372036854775807","safe":9007199254740991,' +
        '"double":-0.0,"d4":99.99,"d9":999999.999,"d18":"9999999999999999.99",' +
        '"d38":"9999999999999999999999999999.9999999999","yes":true}',
    );
    match(
      texts[1] ?? "",
      /"wide":"-170141183460469231731687303715884105728","big":"-9223372036854775808","safe":-9007199254740991,"double":5e-324/,
    );
    match(texts[2] ?? "", /"wide":0,"big":4294967296,"safe":4294967295,"double":1.7976931348623157e\+308/);
    match(texts[3] ?? "", /"wide":-1,"big":-4294967297,"safe":-4294967296,"double":0.1/);
    equal(texts[4]?.match(/null/g)?.length, 9);
  });
});

Deno.test.each([
  { type: "DECIMAL(4,2)" as const, value: 10_000n },
  { type: "BIGINT" as const, value: 2n ** 63n },
  { type: "HUGEINT" as const, value: -(2n ** 127n) - 1n },
])("a number beyond $type is refused", async ({ type, value }) => {
  await withStore(async (store) => {
    await rejects(ingest(store, { rowCount: 1, columns: [columnOf("n", [value], type)] }), /beyond/);
    deepEqual(store.list(), []);
  });
});

verifies("STORE-7", "rows keep their order over many chunks", async () => {
  await withStore(async (store) => {
    const count = CHUNK_ROWS * 7 + 5;
    const { ref } = await ingest(
      store,
      tableOf({ n: numbers(count), t: numbers(count).map((n) => n % 3 ? `row ${n}` : null) }),
    );
    const [row] = await rowsOf(
      store,
      `SELECT count(*) AS n, count(*) FILTER (n <> rowid) AS moved, count(t) AS t FROM ${ref}`,
    );
    deepEqual(row, { n: count, moved: 0, t: count - Math.ceil(count / 3) });
    deepEqual(await store.sample(ref, 2), ['{"n":0,"t":null}', '{"n":1,"t":"row 1"}']);
    for (const rows of [CHUNK_ROWS, CHUNK_ROWS + 1]) {
      deepEqual((await store.sampleCells(ref, rows)).map(([n]) => Number(n)), numbers(rows));
    }
  });
});

verifies("STORE-6", "caps hold on both sides", async () => {
  await withStore(async (store) => {
    const wide = (columns: number) => ({
      rowCount: 1,
      columns: numbers(columns).map((n) => columnOf(`c${n}`, [n])),
    });
    equal((await ingest(store, wide(COLUMNS_MAX))).columns.length, COLUMNS_MAX);
    await rejects(ingest(store, wide(COLUMNS_MAX + 1)), /1 to 2000/);
    await rejects(ingest(store, wide(0)), /1 to 2000/);
    const long = (rows: number) => ({ rowCount: rows, columns: [columnOf("n", numbers(rows))] });
    equal((await ingest(store, long(ROWS_MAX))).rowCount, ROWS_MAX);
    await rejects(ingest(store, long(ROWS_MAX + 1)), /500000 at most/);
  });
});

verifies("STORE-6", "names that differ only by case are refused, odd ones are kept", async () => {
  await withStore(async (store) => {
    await rejects(ingest(store, tableOf({ id: [1], ID: [2] })), /two columns called "ID"/);
    const odd = { "": [1], "select": [2], 'a b"c': [3], "constructor": [4], "naïve": [5], "rowid": [6] };
    const { ref } = await ingest(store, {
      rowCount: 1,
      columns: Object.entries(odd).slice(1).map(([name, values]) => columnOf(name, values)),
    });
    deepEqual(await store.sample(ref, 1), ['{"select":2,"a b\\"c":3,"constructor":4,"naïve":5,"rowid":6}']);
  });
});

verifies("STORE-6", "a failure at any column leaves no table and no dataset", async () => {
  await withStore(async (store) => {
    for (const at of [0, 1, 2]) {
      const good = numbers(5_000);
      const bad = good.map((n) => n === 4_999 ? "\ud800" : "x");
      const columns = [0, 1, 2].map((n) => columnOf(`c${n}`, n === at ? bad : good));
      await rejects(ingest(store, { rowCount: 5_000, columns }), /lone surrogate/);
      deepEqual(await rowTexts(store, "SHOW TABLES"), []);
    }
    equal((await ingest(store, tableOf({ n: [1] }))).rowCount, 1);
  });
});

Deno.test("the text of a JSON column is stored as it came, without a look at it", async () => {
  await withStore(async (store) => {
    const texts = ['{"a": 1.10}', "[NaN]", '{"a":1,"a":2}', " [1]", null];
    const { ref } = await ingest(store, { rowCount: 5, columns: [columnOf("j", texts, "JSON")] });
    deepEqual((await rowsOf(store, `SELECT j FROM ${ref} ORDER BY rowid`)).map(({ j }) => j), texts);
  });
});

Deno.test("a table without rows can be stored and read", async () => {
  await withStore(async (store) => {
    const { ref, columns } = await ingest(store, tableOf({ t: [] }));
    deepEqual([columns[0]?.nullCount, columns[0]?.approxDistinct], [0, 0]);
    deepEqual(await store.sample(ref, 5), []);
  });
});
