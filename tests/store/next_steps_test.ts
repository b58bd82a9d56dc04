/** Tests of lib/store/next_steps.ts and of what is said of typical mistakes. @module */

import { equal, match, ok, rejects } from "node:assert/strict";
import { nextStep, readable } from "../../lib/store/next_steps.ts";
import { ingest, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

/** A mistake, and what the message must say for the query to be mended. */
const MISTAKES: readonly (readonly [string, RegExp])[] = [
  ["SELECT titel FROM T", /Candidate bindings: "title"[\s\S]*loom_describe/],
  ['SELECT * FROM T WHERE title = "open"', /a text takes single quotes: 'open'/],
  ["SELECT sum(title) FROM T", /TRY_CAST\(column AS DOUBLE\)/],
  ["SELECT * FROM T WHERE title > 5", /TRY_CAST\(column AS DOUBLE\)/],
  ["SELECT title + 'x' FROM T", /\|\|/],
  ["SELECT json_extract(title, '$.a') + 1 FROM T", /::DOUBLE/],
  ["SELECT date_trunc('month', title) FROM T", /::TIMESTAMP/],
  ["SELECT strftime(title, '%Y') FROM T", /::TIMESTAMP/],
  ["SELECT date_trunc(month, current_date) FROM T", /date_trunc\('month', column\)/],
  ["SELECT date_sub(current_date, INTERVAL 1 DAY) FROM T", /date - INTERVAL 1 DAY/],
  ["SELECT date_add('day', 1, current_date) FROM T", /date \+ INTERVAL 1 DAY/],
  ["SELECT id FROM T WHERE count(*) > 1 GROUP BY id", /HAVING/],
  ["SELECT id FROM T WHERE row_number() OVER () < 3", /QUALIFY/],
  ["SELECT title, count(*) FROM T", /GROUP BY/],
  ["SELECT title.a.b FROM T", /column->>'\$\.key'/],
  ["SELECT unnest(title) FROM T", /string_split/],
  ["SELECT unnest(MAP {'a': 1}) FROM T", /map_entries/],
  ["SELECT title::INTEGER FROM T", /TRY_CAST/],
  ["SELECT strptime(title, 'YYYY-MM-DD') FROM T", /%Y-%m-%d/],
  ["SELECT (SELECT id FROM T)", /LIMIT 1/],
  ["SELECT regexp_matches(title, '(?<=x)y') FROM T", /RE2/],
  ["SELECT lag(id) FROM T", /OVER/],
  ["SELECT upper(id) FROM T", /column::VARCHAR/],
  ["SELECT CAST(id AS FLOAT64) FROM T", /cast to DOUBLE/],
  ["SELECT CAST(id AS constructor) FROM T", /cast to VARCHAR, JSON/],
];

verifies("GATE-9", "the message of a typical mistake says how to mend it", async () => {
  await withStore(async (store) => {
    const { ref } = await ingest(store, tableOf({ id: [1, 2], title: ["a", "b"] }));
    for (const [sql, says] of MISTAKES) {
      await rejects(store.query(sql.replace(/\bT\b/g, ref), { rowLimit: 10, byteLimit: 1_000 }), says, sql);
    }
    await rejects(
      store.query("SELECT (SELECT range FROM range(2))", { rowLimit: 1, byteLimit: 99 }),
      (error: Error) => {
        ok(!/\bSET\b/.test(error.message), error.message);
        return true;
      },
    );
  });
});

Deno.test("readable() shows the first candidates of many and counts the rest", () => {
  const candidates = (count: number) => Array.from({ length: count }, (_, i) => `\t+(T${i}) -> T`).join("\n");
  const few = `Binder Error: no\n${candidates(8)}\n\nLINE 1: x`;
  equal(readable(few), few);
  match(readable(`Binder Error: no\n${candidates(30)}\n\nLINE 1: x`), /\(T7\) -> T\n\tand 22 more\n\nLINE 1: x$/);
});

Deno.test("nextStep() adds nothing where the message says it", () => {
  equal(nextStep('Binder Error: Ambiguous reference to column name "id" (use: "a.id" or "b.id")'), undefined);
});
