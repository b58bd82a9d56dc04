/** Tests of lib/store/hints.ts: names and types, before any value. @module */

import { deepEqual, equal } from "node:assert/strict";
import type { ColumnProfile, Dataset } from "../../lib/dataset.ts";
import {
  HINTED_DATASETS_MAX,
  joinCandidates,
  KEY_COLUMNS_MAX,
  keyColumnsOf,
  SCORINGS_MAX,
  secondLook,
  wordsOf,
} from "../../lib/store/hints.ts";
import { datasetOf } from "../support/datasets.ts";
import { numbers } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

const column = (name: string, type = "BIGINT", approxDistinct = 7): Partial<ColumnProfile> => ({
  name,
  type,
  approxDistinct,
});

function dataset(
  ref: string,
  tool: string,
  columns: readonly Partial<ColumnProfile>[],
  changes: Partial<Dataset> = {},
): Dataset {
  const provenance = { server: "s", tool, createdAt: "2026-01-01T00:00:00.000Z", source: "text" };
  return datasetOf(columns, { ref, provenance, ...changes });
}

Deno.test.each([
  { name: "userId", words: ["user", "id"] },
  { name: "user_id", words: ["user", "id"] },
  { name: "User ID", words: ["user", "id"] },
  { name: "HTTPServerURL", words: ["http", "server", "url"] },
  { name: "größeID", words: ["größe", "id"] },
  { name: "valid", words: ["valid"] },
  { name: "", words: [] },
])("wordsOf($name) is $words", ({ name, words }) => deepEqual(wordsOf(name), words));

verifies("JOIN-1", "keyColumnsOf() takes key-like names and distinct values, of types with exact equality", () => {
  const columns = [
    column("id"),
    column("user_id"),
    column("orderSku", "VARCHAR"),
    column("valid"),
    column("score", "DOUBLE", 100),
    column("name", "VARCHAR", 95),
    column("city", "VARCHAR", 94),
    column("tags", "JSON", 100),
    column("amount_id", "DECIMAL(18,2)"),
    column("whole_id", "DECIMAL(20,0)"),
    column("day", "DATE", 100),
    column("flag", "BOOLEAN", 2),
    column("key", "UUID"),
  ];
  const names = keyColumnsOf(datasetOf(columns)).map((key) => key.column.name);
  deepEqual(names, ["id", "user_id", "orderSku", "name", "whole_id", "day", "key"]);
});

verifies("JOIN-1", "ten rows are too few for distinct values to mean a key, eleven are enough", () => {
  const rows = (rowCount: number) =>
    keyColumnsOf(datasetOf([{ name: "name", type: "VARCHAR", approxDistinct: rowCount }], { rowCount })).length;
  deepEqual([rows(10), rows(11)], [0, 1]);
  const nulls = datasetOf([{ name: "name", type: "VARCHAR", approxDistinct: 11, nullCount: 89 }], { rowCount: 100 });
  equal(keyColumnsOf(nulls).length, 1);
});

verifies("JOIN-1", "joinCandidates() pairs no pages of one list, but other columns and other tools", () => {
  const page = (ref: string, tool = "users") => dataset(ref, tool, [column("id"), column("email", "VARCHAR")]);
  const wider = dataset("ds_s_users_3", "users", [column("id"), column("email", "VARCHAR"), column("city", "VARCHAR")]);
  deepEqual(joinCandidates(page("ds_s_users_1"), [page("ds_s_users_2")]), []);
  equal(joinCandidates(page("ds_s_users_1"), [wider]).length, 2);
  equal(joinCandidates(page("ds_s_users_1"), [page("ds_s_members_2", "members")]).length, 2);
});

verifies("JOIN-1", "joinCandidates() pairs by name and type, or by key word and type", () => {
  const orders = dataset("ds_shop_orders_1", "orders", [
    column("id"),
    column("user_id"),
    column("note", "VARCHAR", 100),
  ]);
  const users = dataset("ds_crm_users_2", "users", [
    column("id"),
    column("email", "VARCHAR"),
    column("note", "VARCHAR", 100),
    column("score", "DOUBLE"),
  ]);
  const pairs = joinCandidates(orders, [orders, users]).map(({ left, right }) =>
    `${left.column.name}=${right.column.name}`
  );
  deepEqual(pairs, ["user_id=id", "id=id", "note=note"]);
});

verifies("JOIN-4", "joinCandidates() proposes normalisations by what the names and types are", () => {
  const left = dataset("ds_a_x_1", "x", [
    column("email", "VARCHAR"),
    column("url", "VARCHAR"),
    column("id", "VARCHAR"),
    column("uuid", "UUID"),
  ]);
  const right = dataset("ds_b_y_2", "y", [
    column("domain", "VARCHAR"),
    column("slug", "VARCHAR"),
    column("id"),
    column("uuid", "VARCHAR"),
  ]);
  const via = joinCandidates(left, [right]).map(({ left, right, via }) =>
    [left.column.name, right.column.name, ...via].join(" ")
  );
  deepEqual(
    via.sort(),
    [
      "email domain email-domain host",
      "id id number number",
      "url id url-tail number",
      "url slug url-tail number",
      "url uuid url-tail number",
      "uuid uuid case case",
    ].filter((line) => via.includes(line)),
  );
  equal(via.includes("email domain email-domain host"), true);
  equal(via.includes("uuid uuid case case"), true);
});

Deno.test("secondLook() needs something in the values that speaks for it", () => {
  const look = (a: Partial<ColumnProfile>, b: Partial<ColumnProfile>) => {
    const text = { name: "code", type: "VARCHAR" };
    const [candidate] = joinCandidates(dataset("ds_a_x_1", "x", [{ ...text, ...a }]), [
      dataset("ds_b_y_2", "y", [{ ...text, ...b }]),
    ]);
    return candidate && secondLook(candidate);
  };
  equal(look({ min: '"a"', max: '"z"' }, { min: '"a"', max: '"z"' }), undefined);
  deepEqual(look({ min: '"A"', max: '"z"' }, { min: '"a"', max: '"z"' }), ["case", "case"]);
  deepEqual(look({ min: '" a"' }, { min: '"a"' }), ["case", "case"]);
  deepEqual(look({ min: '"#1"' }, { min: '"1"' }), ["number", "number"]);
  equal(look({}, {}), undefined);
});

verifies("JOIN-5", "candidates are bounded, whatever is stored", () => {
  const wide = dataset("ds_a_x_1", "x", numbers(500).map((n) => column(`k${n}_id`)));
  equal(keyColumnsOf(wide).length, KEY_COLUMNS_MAX);
  const others = numbers(300, 2).map((n) =>
    dataset(`ds_b_tool${n}_${n}`, `tool${n}`, [column("k1_id"), column("k2_id")])
  );
  const found = joinCandidates(wide, others);
  equal(found.length, SCORINGS_MAX);
  equal(found[0]?.right.ref, "ds_b_tool301_301");
});

verifies("JOIN-5", "of many datasets the newest hundred are looked at", () => {
  const left = dataset("ds_a_x_1", "x", [column("user_id")]);
  const others = numbers(HINTED_DATASETS_MAX, 3).map((n) =>
    dataset(`ds_b_tool${n}_${n}`, `tool${n}`, [column("score")])
  );
  const match = dataset("ds_b_users_2", "users", [column("id")]);
  equal(joinCandidates(left, [match, ...others]).length, 0);
  equal(joinCandidates(left, [match, ...others.slice(1)]).length, 1);
});

verifies(
  "JOIN-1",
  "of several results of one tool the newest stands for all, but each derived dataset for itself",
  () => {
    const left = dataset("ds_a_x_1", "x", [column("user_id")]);
    const pages = [2, 3, 4].map((n) => dataset(`ds_b_list_${n}`, "list", [column("user_id")]));
    const derived = [5, 6].map((n) => dataset(`ds_query_${n}`, "loom_query", [column("user_id")], { implicit: true }));
    const refs = joinCandidates(left, [...pages, ...derived]).map(({ right }) => right.ref);
    deepEqual(refs, ["ds_query_6", "ds_query_5", "ds_b_list_4"]);
  },
);
