/** Tests of lib/store/guards.ts: the values that a function gets decide, on both sides of each bound. @module */

import { deepEqual, equal, rejects } from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import {
  COMPARED_CHARS_MAX,
  GLOBBED_CHARS_MAX,
  PADDED_ITEMS_MAX,
  RANGE_ITEMS_MAX,
  REPEATED_ITEMS_MAX,
} from "../../lib/store/guards.ts";
import { rowsOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

/** A text of so many characters, made without the function under test. */
const text = (chars: number, char = "x") => `(SELECT string_agg('${char}', '') FROM range(${chars}))`;

const COMPARED_SIDE = Math.sqrt(COMPARED_CHARS_MAX);

verifies("GATE-8", "guards hold each bound on both sides", async () => {
  const cases: readonly (readonly [inside: string, value: unknown, beyond: string])[] = [
    [`len(range(${RANGE_ITEMS_MAX}))`, RANGE_ITEMS_MAX, `len(range(${RANGE_ITEMS_MAX + 1}))`],
    [`len(range(5, ${RANGE_ITEMS_MAX + 5}))`, RANGE_ITEMS_MAX, `len(range(5, ${RANGE_ITEMS_MAX + 6}))`],
    [`len(range(0, ${RANGE_ITEMS_MAX * 3}, 3))`, RANGE_ITEMS_MAX, `len(range(0, ${RANGE_ITEMS_MAX * 3 + 1}, 3))`],
    [`len(range(${RANGE_ITEMS_MAX}, 0, -1))`, RANGE_ITEMS_MAX, `len(range(${RANGE_ITEMS_MAX}, -1, -1))`],
    [`len(generate_series(1, 100))`, 100, `len(generate_series(1, 1000000))`],
    [
      `length(repeat('ab', ${REPEATED_ITEMS_MAX / 2}))`,
      REPEATED_ITEMS_MAX,
      `length(repeat('ab', ${REPEATED_ITEMS_MAX / 2 + 1}))`,
    ],
    [`len(repeat([1], 7))`, 7, `len(repeat([NULL], 4294967295::UINTEGER))`],
    [
      `length(lpad('a', ${PADDED_ITEMS_MAX}, 'x'))`,
      PADDED_ITEMS_MAX,
      `length(lpad('a', ${PADDED_ITEMS_MAX + 1}, 'x'))`,
    ],
    [`len(list_resize([1], 9, 0))`, 9, `len(list_resize([1], ${PADDED_ITEMS_MAX + 1}))`],
    [
      `levenshtein(${text(COMPARED_SIDE)}, ${text(COMPARED_SIDE)})`,
      0,
      `levenshtein(${text(COMPARED_SIDE)}, ${text(COMPARED_SIDE + 1)})`,
    ],
    [`${text(GLOBBED_CHARS_MAX)} GLOB 'x*'`, true, `${text(GLOBBED_CHARS_MAX + 1)} GLOB 'x*'`],
  ];
  await withStore(async (store) => {
    for (const [inside, value, beyond] of cases) {
      deepEqual(await rowsOf(store, `SELECT ${inside} AS v`), [{ v: value }], inside);
      await rejects(rowsOf(store, `SELECT ${beyond} AS v`), /more than|longer than|too long|out of range/, beyond);
    }
  });
});

verifies("GATE-8", "guards change no answer within their bounds", async () => {
  const calls = "repeat(s, n), repeat([n], 2), range(n), range(n, 0, -1), range(0, n, 2), generate_series(n), " +
    "levenshtein(s, 'loam'), damerau_levenshtein(s, 'loam'), jaccard(s || 'x', 'loam'), jaro_similarity(s, 'loom'), " +
    "jaro_winkler_similarity(s, 'loom'), lpad(s, 3, '.'), rpad(s, n, '.'), s GLOB 'l*', s GLOB '[l-t]*?', " +
    "list_resize([1], n), array_resize([1], n, 7), range(DATE '2026-01-01', DATE '2026-01-03', INTERVAL 1 DAY)";
  const rows = "(1, 'loom'), (2, 'thread'), (3, ''), (4, NULL), (NULL, 'naïve'), (0, '\u{1f9f5}')";
  const sql = `SELECT columns(*)::VARCHAR FROM (SELECT ${calls} FROM (VALUES ${rows}) t(n, s))`;
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const unguarded = await (await connection.run(sql)).getRows();
  connection.closeSync();
  instance.closeSync();
  await withStore(async (store) => {
    const guarded = await rowsOf(store, sql);
    deepEqual(guarded.map((row) => Object.values(row)), unguarded);
  });
});

Deno.test("a guard evaluates its arguments once: what is checked is what is used", async () => {
  await withStore(async (store) => {
    const rows = await rowsOf(store, "SELECT len(range((random() * 20000)::BIGINT)) AS n FROM range(1)").catch(
      () => [],
    );
    if (rows.length > 0) equal(Number(rows[0]?.n) <= RANGE_ITEMS_MAX, true);
    const [row] = await rowsOf(
      store,
      `SELECT max(len(range((random() * ${RANGE_ITEMS_MAX})::BIGINT))) AS n FROM range(5000)`,
    );
    equal(Number(row?.n) <= RANGE_ITEMS_MAX, true);
    deepEqual(await rowsOf(store, "SELECT count(*) AS n FROM range(20000)"), [{ n: 20_000 }]);
  });
});
