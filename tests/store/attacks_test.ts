/** Statements that crash, hang, write, leak or confuse: each ends as it should, and the datasets stay what they were. @module */

import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import type { Store } from "../../lib/store/mod.ts";
import { ingest, numbers, rowsOf, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

interface Attack {
  readonly id: string;
  /** What may come of it. */
  readonly outcomes: readonly ("answer" | "error")[];
  readonly sql: string;
}

const chain = (count: number, part: (i: number) => string, separator = "") => numbers(count).map(part).join(separator);

/** Attacks that are too long to write down. */
const GENERATED: readonly Attack[] = [
  { id: "paren_300", outcomes: ["answer", "error"], sql: `SELECT ${"(".repeat(300)}1${")".repeat(300)}` },
  { id: "paren_1M", outcomes: ["error"], sql: `SELECT ${"(".repeat(1e6)}1${")".repeat(1e6)}` },
  { id: "plus_30k", outcomes: ["error"], sql: `SELECT ${chain(30_000, () => "1", "+")}` },
  { id: "or_9k", outcomes: ["answer", "error"], sql: `SELECT 1 WHERE ${chain(9_000, () => "1=1", " OR ")}` },
  { id: "not_16k", outcomes: ["error"], sql: `SELECT ${"NOT ".repeat(16_000)}true` },
  { id: "minus_30k", outcomes: ["error"], sql: `SELECT ${"- ".repeat(30_000)}1` },
  { id: "cast_12k", outcomes: ["error"], sql: `SELECT 1${"::INT".repeat(12_000)}` },
  { id: "index_15k", outcomes: ["error"], sql: `SELECT x${"[1]".repeat(15_000)}` },
  { id: "dots_20k", outcomes: ["error"], sql: `SELECT ${"a.".repeat(20_000)}b` },
  { id: "list_200", outcomes: ["answer", "error"], sql: `SELECT ${"[".repeat(200)}1${"]".repeat(200)}` },
  { id: "call_200", outcomes: ["answer", "error"], sql: `SELECT ${"abs(".repeat(200)}1${")".repeat(200)}` },
  {
    id: "case_200",
    outcomes: ["answer", "error"],
    sql: `SELECT ${"CASE WHEN 1=1 THEN ".repeat(200)}1${" END".repeat(200)}`,
  },
  { id: "union_3k", outcomes: ["error"], sql: chain(3_000, () => "SELECT 1", " UNION ALL ") },
  { id: "in_9k", outcomes: ["answer", "error"], sql: `SELECT 1 WHERE 5 IN (${numbers(9_000)})` },
  { id: "values_8k", outcomes: ["answer", "error"], sql: `VALUES ${chain(8_000, (i) => `(${i})`, ",")}` },
  { id: "columns_5k", outcomes: ["answer", "error"], sql: `SELECT ${chain(5_000, (i) => `${i} AS c${i}`, ",")}` },
  { id: "string_10M", outcomes: ["error"], sql: `SELECT length('${"x".repeat(1e7)}')` },
  { id: "comment_10M", outcomes: ["error"], sql: `SELECT 1 /*${"x".repeat(1e7)}*/` },
  { id: "comments_20k", outcomes: ["error"], sql: `SELECT 1 ${"/*".repeat(15_000)}${"*/".repeat(15_000)}` },
  { id: "name_60k", outcomes: ["answer", "error"], sql: `SELECT 1 AS "${"x".repeat(60_000)}"` },
  { id: "scalar_40", outcomes: ["error"], sql: `SELECT ${"(SELECT ".repeat(40)}1${")".repeat(40)}` },
  {
    id: "from_240",
    outcomes: ["answer", "error"],
    sql: `SELECT * FROM ${"(SELECT * FROM ".repeat(240)}(SELECT 1)${")".repeat(240)}`,
  },
  { id: "join_900", outcomes: ["error"], sql: `SELECT 1 FROM ${chain(900, (i) => `range(1) t${i}`, " CROSS JOIN ")}` },
  { id: "comma_900", outcomes: ["error"], sql: `SELECT 1 FROM ${chain(900, (i) => `range(1) t${i}`, ", ")}` },
  {
    id: "cte_double_25",
    outcomes: ["error"],
    sql: `WITH c0 AS (SELECT 1 a)${
      chain(25, (i) => `, c${i + 1} AS NOT MATERIALIZED (SELECT x.a FROM c${i} x, c${i} y)`)
    } SELECT count(*) FROM c25`,
  },
  {
    id: "lambda_80",
    outcomes: ["error"],
    sql: `SELECT ${"list_transform([1], lambda x: ".repeat(80)}1${")".repeat(80)}`,
  },
  {
    id: "regex_5k",
    outcomes: ["answer", "error"],
    sql: `SELECT regexp_matches('x', '${"(".repeat(5_000)}a${")".repeat(5_000)}')`,
  },
  {
    id: "pivot_300x300",
    outcomes: ["error"],
    sql: `PIVOT ds_hn_stories_1 ON id IN (${numbers(300)}), score IN (${numbers(300)}) USING count(*)`,
  },
  {
    id: "cube_20",
    outcomes: ["error"],
    sql: `SELECT count(*) FROM ds_hn_stories_1 GROUP BY CUBE(${chain(20, (i) => `id + ${i}`, ",")})`,
  },
];

const QUERY_TIMEOUT_MS = 400;
/** What one statement may take beyond its time limit: parsing, binding, and an interrupt that is heard late. */
const GRACE_MS = 15_000;

async function storiesAndUsers(store: Store): Promise<void> {
  const stories = numbers(1_000);
  await ingest(store, {
    ...tableOf({
      id: stories,
      title: stories.map((n) => `story ${n}`),
      score: stories.map((n) => n * 37 % 500),
      ok: stories.map((n) => n % 2 === 0),
    }),
  }, { server: "hn", tool: "stories" });
  await ingest(
    store,
    tableOf({
      id: numbers(100),
      email: numbers(100).map((n) => `u${n}@example.org`),
      note: numbers(100).map(() => "a note"),
    }),
    {
      server: "crm",
      tool: "users",
    },
  );
}

const INTACT =
  "SELECT (SELECT count(*) FROM ds_hn_stories_1) AS stories, (SELECT sum(score) FROM ds_hn_stories_1) AS score, " +
  "(SELECT count(*) FROM ds_crm_users_2) AS users";

async function outcomeOf(
  store: Store,
  sql: string,
): Promise<{ readonly outcome: Attack["outcomes"][number]; readonly message: string }> {
  try {
    await store.query(sql, { rowLimit: 2_000, byteLimit: 10_000 });
    return { outcome: "answer", message: "" };
  } catch (error) {
    ok(error instanceof LoomError, String(error));
    return { outcome: "error", message: error.message };
  }
}

verifies("GATE-9 GATE-10 STORE-11", "every attack ends as it should and leaves the datasets as they were", async () => {
  const attacks: Attack[] = JSON.parse(
    await Deno.readTextFile(new URL("../testdata/store/attacks.json", import.meta.url)),
  );
  await withStore(async (store) => {
    await storiesAndUsers(store);
    const [before] = await rowsOf(store, INTACT);
    deepEqual(before, { stories: 1_000, score: 249_500, users: 100 });
    for (const { id, outcomes, sql } of [...attacks, ...GENERATED]) {
      const text = sql.replaceAll("SPILLDIR", store.spillFolder);
      const started = performance.now();
      const { outcome, message } = await outcomeOf(store, text);
      ok(outcomes.includes(outcome), `${id}: ${outcome} ${message}`);
      ok(performance.now() - started < QUERY_TIMEOUT_MS + GRACE_MS, `${id} took too long`);
      if (outcome === "error") {
        ok(message.length > 20 && message.length < 3_000, `${id}: ${message}`);
        const own = message.replaceAll(text.slice(0, 2_000), "");
        if (!/\/(tmp|root|home|var|proc)\//.test(text)) {
          doesNotMatch(own, /\/(tmp|root|home|var|proc|etc|usr)\/[\w.-]/, id);
        }
      }
      ok(store.isUsable(), id);
      deepEqual((await rowsOf(store, INTACT))[0], before, id);
    }
    equal(store.list().length, 2);
  }, { queryTimeoutMs: QUERY_TIMEOUT_MS });
});
