/** Tests of lib/store/profile.ts. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import type { DuckDBConnection } from "@duckdb/node-api";
import { EXTREME_CHARS_MAX, PROFILED_COLUMNS_MAX } from "../../lib/store/limits.ts";
import { columnOf, ingest, numbers, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

verifies("STORE-9", "profileTable() counts and gives the extremes", async () => {
  await withStore(async (store) => {
    const { columns } = await ingest(store, {
      rowCount: 4,
      columns: [
        columnOf("n", [3, null, 1, 1]),
        columnOf("t", ["b", "a", null, null]),
        columnOf("big", [2n ** 60n, null, -1n, 0n], "BIGINT"),
        columnOf("yes", [true, false, null, null]),
        columnOf("j", ['{"a":1}', null, null, "[]"], "JSON"),
        columnOf("none", [null, null, null, null]),
        { ...columnOf("p", [1, 2, 3, 4]), path: "user.p", format: "date" },
      ],
    });
    const brief = columns.map((
      { name, nullCount, approxDistinct, min, max },
    ) => [name, nullCount, approxDistinct, min, max]);
    deepEqual(brief, [
      ["n", 1, 2, "1", "3"],
      ["t", 2, 2, '"a"', '"b"'],
      ["big", 1, 3, "-1", '"1152921504606846976"'],
      ["yes", 2, 2, "false", "true"],
      ["j", 2, 2, undefined, undefined],
      ["none", 4, 0, undefined, undefined],
      ["p", 0, 4, "1", "4"],
    ]);
    deepEqual([columns[6]?.path, columns[6]?.format, columns[6]?.type], ["user.p", "date", "BIGINT"]);
  });
});

verifies("STORE-9", "distinct values never exceed the rows that have one", async () => {
  await withStore(async (store) => {
    for (const count of [1, 10, 1_000, 30_000]) {
      const { columns } = await ingest(
        store,
        tableOf({ n: numbers(count), t: numbers(count).map((n) => `value ${n}`) }),
      );
      for (const { approxDistinct } of columns) {
        ok(approxDistinct <= count && approxDistinct > count * 0.8, `${approxDistinct}`);
      }
    }
  });
});

Deno.test("profileTable() keeps an extreme up to its limit, and no longer one", async () => {
  await withStore(async (store) => {
    const { columns } = await ingest(
      store,
      tableOf({ t: ["a".repeat(EXTREME_CHARS_MAX - 2)], u: ["a".repeat(EXTREME_CHARS_MAX - 1)] }),
    );
    equal(columns[0]?.min?.length, EXTREME_CHARS_MAX);
    equal(columns[1]?.min, undefined);
  });
});

Deno.test("profileTable() profiles more columns than one statement takes", async () => {
  await withStore(async (store) => {
    const count = PROFILED_COLUMNS_MAX * 2 + 1;
    const { columns } = await ingest(store, {
      rowCount: 1,
      columns: numbers(count).map((n) => columnOf(`c${n}`, [n])),
    });
    deepEqual(columns.map((column) => Number(column.max)), numbers(count));
  });
});

verifies("STORE-25", "a profile reads a column for each type, however many columns the table has", async () => {
  const widths: number[] = [];
  const instrument = (connection: DuckDBConnection) =>
    new Proxy(connection, {
      get(target, name) {
        if (name !== "run") {
          const member = Reflect.get(target, name, target);
          return typeof member === "function" ? member.bind(target) : member;
        }
        return async (sql: string) => {
          const result = await target.run(sql);
          widths.push(result.columnCount);
          return result;
        };
      },
    });
  await withStore(
    async (store) => {
      const columns = numbers(240).map((n) => columnOf(`c${n}`, n % 2 ? [n] : [`text ${n}`]));
      await ingest(store, { rowCount: 1, columns });
    },
    {},
    { instrument },
  );
  // Counts, distinct values, the extremes of two types.
  equal(Math.max(...widths), 4);
});

verifies("STORE-9", "the profile lists the values of a text column while they are few and short", async () => {
  await withStore(async (store) => {
    const rows = Array.from({ length: 90 }, (_, i) => i);
    const dataset = await ingest(
      store,
      tableOf({
        eight: rows.map((i) => i % 9 === 8 ? null : `v${i % 9}`),
        nine: rows.map((i) => `v${i % 9}`),
        long: rows.map((i) => i % 2 ? "x".repeat(40) : "short"),
        longer: rows.map((i) => i % 2 ? "x".repeat(41) : "short"),
      }),
    );
    deepEqual(dataset.columns.map(({ values }) => values), [
      JSON.stringify(rows.slice(0, 8).map((i) => `v${i}`)),
      undefined,
      JSON.stringify(["short", "x".repeat(40)]),
      undefined,
    ]);
  });
});
