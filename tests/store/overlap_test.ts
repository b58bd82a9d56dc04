/** Tests of lib/store/overlap.ts and find_hints.ts: scores against known truth. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { JoinHint } from "../../lib/dataset.ts";
import { CONTAINMENT_MIN } from "../../lib/store/find_hints.ts";
import { hintFrom } from "../../lib/store/overlap.ts";
import type { Store } from "../../lib/store/mod.ts";
import { datasetOf } from "../support/datasets.ts";
import { joinCandidates } from "../../lib/store/hints.ts";
import { columnOf, ingest, numbers, rowsOf, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

async function hintsOf(
  store: Store,
  left: Record<string, readonly unknown[]>,
  right: Record<string, readonly unknown[]>,
): Promise<JoinHint[]> {
  const other = await ingest(store, tableOf(right), { server: "b", tool: "others" });
  const mine = await ingest(store, tableOf(left), { server: "a", tool: "mine" });
  const hints = await store.hints(mine.ref, 5);
  await store.drop(mine.ref);
  await store.drop(other.ref);
  return hints;
}

verifies(
  "JOIN-2 JOIN-3",
  "equal columns score 1, disjoint ones give no hint, halves score a half, at any size",
  async () => {
    await withStore(async (store) => {
      for (const size of [10, 1_000, 4_000, 5_000, 60_000]) {
        const ids = numbers(size);
        const [equalHint] = await hintsOf(store, { user_id: ids }, { user_id: ids.toReversed() });
        deepEqual(
          [equalHint?.containment, equalHint?.reverseContainment, equalHint?.relation],
          [1, 1, "1:1"],
          `${size}`,
        );
        deepEqual(await hintsOf(store, { user_id: ids }, { user_id: numbers(size, size) }), [], `${size}`);
        const [half] = await hintsOf(store, { user_id: ids }, { user_id: numbers(size, size / 2) });
        ok(Math.abs((half?.containment ?? 0) - 0.5) < 0.06, `${size}: ${half?.containment}`);
      }
    });
  },
);

verifies("JOIN-2", "few values in many are counted exactly", async () => {
  await withStore(async (store) => {
    const [hint] = await hintsOf(store, { email: ["u7@x.org", "u59999@x.org", "nobody@x.org"] }, {
      email: numbers(60_000).map((n) => `u${n}@x.org`),
    });
    deepEqual([hint?.containment, hint?.relation], [0.667, "1:1"]);
    ok((hint?.reverseContainment ?? 1) <= 0.001 && (hint?.reverseContainment ?? 0) > 0);
  });
});

verifies("JOIN-2", "1 and 0 are promises that no other share gets", () => {
  const [candidate] = joinCandidates(datasetOf([{ name: "id", type: "BIGINT" }]), [
    datasetOf([{ name: "id", type: "BIGINT" }, { name: "note" }], { ref: "ds_b_c_2" }),
  ]);
  const shares = (common: number) => {
    if (!candidate) throw new Error("no candidate");
    const hint = hintFrom(candidate, {
      leftDistinct: 100_000,
      rightDistinct: 100_000,
      common,
      leftRepeats: 1,
      rightRepeats: 1,
    });
    return hint?.containment;
  };
  deepEqual([0, 1, 99_999, 100_000, 50_000].map(shares), [0, 0.001, 0.999, 1, 0.5]);
});

verifies("JOIN-3", "the relation says which side repeats", async () => {
  await withStore(async (store) => {
    const keys = numbers(50), twice = [...keys, ...keys];
    const relation = async (left: number[], right: number[]) =>
      (await hintsOf(store, { user_id: left }, { user_id: right }))[0]?.relation;
    deepEqual(
      [
        await relation(keys, keys),
        await relation(keys, twice),
        await relation(twice, keys),
        await relation(twice, twice),
      ],
      ["1:1", "1:n", "n:1", "n:m"],
    );
  });
});

verifies("JOIN-4", "keys that match after a plain normalisation come with SQL that runs", async () => {
  const cases: readonly {
    readonly left: Record<string, unknown[]>;
    readonly right: Record<string, unknown[]>;
    readonly via: RegExp;
  }[] = [
    { left: { email: ["Ann@X.org", "bob@x.org "] }, right: { email: ["ann@x.org", "bob@x.org"] }, via: /lower case/ },
    { left: { issue_number: ["#12", "#7"] }, right: { issue_number: ["12", "7"] }, via: /without #/ },
    { left: { order_id: ["12", "7"] }, right: { order_id: [7, 12] }, via: /number as text/ },
    {
      left: { email: ["ann@x.org", "bob@y.org"] },
      right: { domain: ["https://www.X.org/about", "y.org"] },
      via: /domain of the e-mail/,
    },
    {
      left: { url: ["https://e.org/p/abc", "https://e.org/p/xyz/?q=1"] },
      right: { slug: ["abc", "xyz"] },
      via: /last part of the URL/,
    },
  ];
  await withStore(async (store) => {
    for (const { left, right, via } of cases) {
      const other = await ingest(store, tableOf(right), { server: "b", tool: "others" });
      const mine = await ingest(store, tableOf(left), { server: "a", tool: "mine" });
      const [hint] = await store.hints(mine.ref, 5);
      match(hint?.via ?? "", via);
      deepEqual([hint?.containment, hint?.reverseContainment], [1, 1], `${hint?.via}`);
      equal((await rowsOf(store, hint?.sql ?? "")).length, 2, `${hint?.sql}`);
      await store.drop(mine.ref);
      await store.drop(other.ref);
    }
  });
});

verifies("JOIN-5", "hints are sorted, few, and none is below the least share", async () => {
  await withStore(async (store) => {
    const share = (n: number) => numbers(100, 100 - n);
    for (const n of [9, 10, 40, 100]) {
      await ingest(store, tableOf({ user_id: share(n) }), { server: "b", tool: `t${n}` });
    }
    const { ref } = await ingest(store, tableOf({ user_id: numbers(100) }), { server: "a", tool: "mine" });
    deepEqual((await store.hints(ref, 5)).map(({ containment }) => containment), [1, 0.4, CONTAINMENT_MIN]);
    deepEqual((await store.hints(ref, 2)).map(({ containment }) => containment), [1, 0.4]);
  });
});

Deno.test("columns of different integer types, dates and UUIDs are compared by value", async () => {
  await withStore(async (store) => {
    await store.materialize(
      "SELECT range::HUGEINT AS user_id, (DATE '2026-01-01' + range::INTEGER) AS day, ('00000000-0000-4000-8000-0000000000' || lpad(range::VARCHAR, 2, '0'))::UUID AS uuid FROM range(50)",
      { kind: "query" },
    );
    const texts = numbers(50).map((n) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, "0")}`);
    const { ref } = await ingest(store, {
      rowCount: 50,
      columns: [columnOf("user_id", numbers(50)), columnOf("uuid", texts.map((text) => text.toUpperCase()))],
    });
    deepEqual((await store.hints(ref, 5)).map(({ column, containment }) => [column, containment]).sort(), [[
      "user_id",
      1,
    ], ["uuid", 1]]);
    const { ref: derived } = await store.materialize(
      "SELECT (DATE '2026-01-01' + range::INTEGER) AS day FROM range(50)",
      { kind: "query" },
    );
    deepEqual((await store.hints(derived, 5)).map(({ column, containment }) => [column, containment]), [["day", 1]]);
  });
});
