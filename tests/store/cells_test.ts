/** Tests of lib/store/cells.ts: every engine type, least, greatest, null, nested. @module */

import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { CELL_BYTES_MAX, NESTED_ITEMS_MAX } from "../../lib/store/limits.ts";
import { rowTexts, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

/** A value in SQL and the JSON text of its cell. */
const CASES: readonly (readonly [sql: string, json: string])[] = [
  ["true", "true"],
  ["(-128)::TINYINT", "-128"],
  ["255::UTINYINT", "255"],
  ["(-32768)::SMALLINT", "-32768"],
  ["65535::USMALLINT", "65535"],
  ["(-2147483648)::INTEGER", "-2147483648"],
  ["4294967295::UINTEGER", "4294967295"],
  ["9007199254740991::BIGINT", "9007199254740991"],
  ["9007199254740992::BIGINT", '"9007199254740992"'],
  ["(-9007199254740991)::BIGINT", "-9007199254740991"],
  ["(-9223372036854775808)::BIGINT", '"-9223372036854775808"'],
  ["18446744073709551615::UBIGINT", '"18446744073709551615"'],
  ["(-1)::HUGEINT", "-1"],
  ["170141183460469231731687303715884105727::HUGEINT", '"170141183460469231731687303715884105727"'],
  ["'-170141183460469231731687303715884105728'::HUGEINT", '"-170141183460469231731687303715884105728"'],
  ["340282366920938463463374607431768211455::UHUGEINT", '"340282366920938463463374607431768211455"'],
  ["0.1::FLOAT", "0.1"],
  ["16777216::FLOAT", "16777216"],
  ["3.4028235e38::FLOAT", "3.4028235e+38"],
  ["0.1::DOUBLE", "0.1"],
  ["-0.0::DOUBLE", "-0.0"],
  ["1e308::DOUBLE", "1e+308"],
  ["'nan'::DOUBLE", '"NaN"'],
  ["'inf'::DOUBLE", '"Infinity"'],
  ["'-inf'::FLOAT", '"-Infinity"'],
  ["1.10::DECIMAL(4,2)", "1.10"],
  ["(-0.5)::DECIMAL(4,2)", "-0.50"],
  ["123456.789::DECIMAL(9,3)", "123456.789"],
  ["1234567890123456.78::DECIMAL(18,2)", '"1234567890123456.78"'],
  ["9007199254740993::DECIMAL(18,0)", '"9007199254740993"'],
  ["12345678901234567890123456789.012345678::DECIMAL(38,9)", '"12345678901234567890123456789.012345678"'],
  ["0::DECIMAL(38,10)", "0.0000000000"],
  ["DATE '2026-01-31'", '"2026-01-31"'],
  ["'infinity'::DATE", '"infinity"'],
  ["DATE '0044-03-15 (BC)'", '"0044-03-15 (BC)"'],
  ["TIME '12:34:56.789'", '"12:34:56.789"'],
  ["'12:34:56.123456789'::TIME_NS", '"12:34:56.123456789"'],
  ["'12:34:56+02'::TIMETZ", '"12:34:56+02"'],
  ["TIMESTAMP '2026-01-31 12:34:56.000001'", '"2026-01-31 12:34:56.000001"'],
  ["'-infinity'::TIMESTAMP", '"-infinity"'],
  ["'2026-01-31 12:34:56'::TIMESTAMP_S", '"2026-01-31 12:34:56"'],
  ["'2026-01-31 12:34:56.5'::TIMESTAMP_MS", '"2026-01-31 12:34:56.5"'],
  ["'2026-01-31 12:34:56.123456789'::TIMESTAMP_NS", '"2026-01-31 12:34:56.123456789"'],
  ["'2026-01-31 12:34:56+02'::TIMESTAMPTZ", '"2026-01-31 10:34:56+00"'],
  ["INTERVAL '14 months 3 days 04:05:06.789'", '"1 year 2 months 3 days 04:05:06.789"'],
  ["'00000000-0000-4000-8000-00000000000f'::UUID", '"00000000-0000-4000-8000-00000000000f"'],
  ["'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID", '"ffffffff-ffff-ffff-ffff-ffffffffffff"'],
  ["'\\xDE\\xAD\\x00ab'::BLOB", '"\\\\xDE\\\\xAD\\\\x00ab"'],
  ["'\\x5C'::BLOB", '"\\\\x5C"'],
  ["'0101'::BIT", '"0101"'],
  ["'a'::ENUM('a', 'b')", '"a"'],
  ["'say \"hi\"'", '"say \\"hi\\""'],
  ["chr(0) || chr(27) || chr(65279)", '"\\u0000\\u001b\ufeff"'],
  ["'\u{1f9f5}'", '"\u{1f9f5}"'],
  ["''", '""'],
  ["'{\"a\": 1.0}'::JSON", '"{\\"a\\": 1.0}"'],
  ["NULL", "null"],
  ["[1, NULL, 3]", "[1,null,3]"],
  ["[]::INTEGER[]", "[]"],
  ["[[1], NULL, []]", "[[1],null,[]]"],
  ["[1, 2]::INTEGER[2]", "[1,2]"],
  ["['a', 'b']::VARCHAR[2]", '["a","b"]'],
  ["{'a': 1, 'b': [true, NULL]}", '{"a":1,"b":[true,null]}'],
  ["{'__proto__': 1, 'constructor': 2}", '{"__proto__":1,"constructor":2}'],
  ["row(1, 'a')", '[1,"a"]'],
  ["MAP {'a': 1, 'b': NULL}", '{"a":1,"b":null}'],
  ["MAP {1: 'a', 2: 'b'}", '[{"key":1,"value":"a"},{"key":2,"value":"b"}]'],
  ["MAP {}", "[]"],
  ["union_value(num := 2)", '{"num":2}'],
  ["[union_value(a := 'x')]", '[{"a":"x"}]'],
  [
    "[{'t': TIMESTAMP '2026-01-01 00:00:00', 'n': 9007199254740993}]",
    '[{"t":"2026-01-01 00:00:00","n":"9007199254740993"}]',
  ],
];

verifies("STORE-12", "ChunkReader gives every type exactly, alone, in lists and as NULL", async () => {
  await withStore(async (store) => {
    for (const [sql, json] of CASES) {
      const [row] = await rowTexts(store, `SELECT ${sql} AS v`);
      equal(row, `{"v":${json}}`, sql);
      if (json === "null") continue;
      const [nested] = await rowTexts(store, `SELECT [${sql}, NULL] AS v, if(random() < 0, ${sql}, NULL) AS n`);
      equal(nested, `{"v":[${json},null],"n":null}`, `[${sql}]`);
    }
  });
});

verifies("STORE-12", "dates and times are what the engine itself writes, over the whole range", async () => {
  await withStore(async (store) => {
    const sql = "SELECT d, d::VARCHAR AS dt, t, t::VARCHAR AS tt, i, i::VARCHAR AS it, o, o::VARCHAR AS ot FROM (" +
      "SELECT DATE '1970-01-01' + (range * 7919 - 1000000)::INTEGER AS d, " +
      "make_timestamp(range * 86399999983 - 60000000000000000) AS t, " +
      "to_microseconds(range * 86399999 - 40000000000) + to_months((range % 40)::INTEGER) AS i, " +
      "make_time(range % 24, range % 60, (range % 60) + (range % 7) / 1000000.0) AS o FROM range(900))";
    for (const text of await rowTexts(store, sql)) {
      const row = JSON.parse(text);
      deepEqual([row.d, row.t, row.i, row.o], [row.dt, row.tt, row.it, row.ot]);
    }
  });
});

verifies("STORE-12", "the time zone of the host changes no answer", async () => {
  const script = `
    import { withStore } from ${JSON.stringify(new URL("../support/open_store.ts", import.meta.url).href)};
    await withStore(async (store) => {
      const sql = "SELECT t, t::VARCHAR AS v, date_part('hour', t) AS h FROM (SELECT '2026-01-31 12:00:00+09'::TIMESTAMPTZ AS t)";
      const { rows } = await store.query(sql, { rowLimit: 1, byteLimit: 1000 });
      await Deno.stdout.write(new TextEncoder().encode(rows[0]));
    });`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", new URL("../../deno.json", import.meta.url).pathname, "--ext=ts", script],
    env: { TZ: "Asia/Tokyo" },
  }).output();
  equal(
    new TextDecoder().decode(stdout),
    '{"t":"2026-01-31 03:00:00+00","v":"2026-01-31 03:00:00+00","h":3}',
    new TextDecoder().decode(stderr),
  );
});

verifies("STORE-14", "a cell beyond its limit is refused with words", async () => {
  await withStore(async (store) => {
    const text = (bytes: number) => `SELECT string_agg(repeat('x', 1024), '') AS v FROM range(${bytes / 1024})`;
    const limits = { rowLimit: 10, byteLimit: CELL_BYTES_MAX * 2 };
    equal((await store.query(text(CELL_BYTES_MAX), limits)).rowCount, 1);
    await rejects(store.query(text(CELL_BYTES_MAX + 1024), limits), /cell of 16778240 bytes/);
    const list = (items: number) => `SELECT list(range) AS v FROM range(${items})`;
    await rejects(store.query(list(NESTED_ITEMS_MAX + 1), limits), /lists of 4000001 elements/);
  });
});

Deno.test("ReadOptions.cellChars cuts text between whole characters and says so", async () => {
  await withStore(async (store) => {
    const { rows } = await store.query("SELECT 'abc' AS a, 'abcd' AS b, 'ab\u{1f9f5}' AS c", {
      rowLimit: 1,
      byteLimit: 1_000,
      cellChars: 3,
    });
    deepEqual(JSON.parse(rows[0] ?? ""), { a: "abc", b: "abc…", c: "ab…" });
  });
});

Deno.test("a type that cannot be read says what to do", async () => {
  await withStore(async (store) => {
    const error = await store.query("SELECT hash(1) AS h, 1::DOUBLE AS d", { rowLimit: 1, byteLimit: 100 });
    match(error.rows[0] ?? "", /"h":"\d+"/);
  });
});
