/** The JSON shapes that are tables, and the column names and context that come of them. @module */

import { deepEqual, equal } from "node:assert/strict";
import type { ResultParts } from "../../lib/records/mod.ts";
import { columnsOf, contextOf, refusalOf, rowTexts, tableIn } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

/** `count` rows made by `make`. */
function rowsOf<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

const people = (count: number) => rowsOf(count, (id) => ({ id, name: `n${id}` }));
const json = JSON.stringify;
const one = (text: string): ResultParts => ({ texts: [text] });

/** Rows, columns, second row and context of the table in `parts`. */
function reading(parts: ResultParts) {
  const located = tableIn(parts);
  return {
    rows: located.table.rowCount,
    columns: columnsOf(located.table),
    second: Object.values(rowTexts(located.table, 1)),
    source: located.source,
    context: contextOf(located),
  };
}

const PEOPLE = { rows: 30, columns: ["id:BIGINT", "name:VARCHAR"], second: ["1", "n1"], source: "text" };

verifies("JSON-2", "an array of objects is found at any depth up to 8", () => {
  deepEqual(reading(one(json(people(30)))), { ...PEOPLE, context: {} });
  const nested = (depth: number): unknown => depth === 0 ? people(30) : { in: nested(depth - 1) };
  deepEqual(reading(one(json(nested(8)))), { ...PEOPLE, context: { "rows from": json("in.in.in.in.in.in.in.in") } });
  equal(refusalOf(one(json(nested(9)))), "no-rows");
  deepEqual(reading(one(json([{ results: people(30), success: true, meta: { ms: 1 } }]))), {
    ...PEOPLE,
    context: { "[0].success": "true", "[0].meta": '{"ms":1}' },
  });
});

verifies("JSON-2", "the list with most rows is the table, of equals the longer; the other stays in the context", () => {
  const nodes = rowsOf(40, (n) => ({ node: n, label: "l".repeat(20) }));
  deepEqual(reading(one(json({ nodes, people: people(30) }))).context, {
    people: json(people(30)),
    "rows from": json("nodes"),
  });
  const thirty = rowsOf(30, (n) => ({ node: n, label: "l".repeat(20) }));
  deepEqual(reading(one(json({ people: people(30), thirty }))).context, {
    people: json(people(30)),
    "rows from": json("thirty"),
  });
});

verifies("JSON-2", "an array with members that are no objects is not cut up", () => {
  for (const odd of [7, "x", null, [1]]) equal(refusalOf(one(json([...people(30), odd]))), "no-rows");
  equal(refusalOf(one(json(rowsOf(30, () => ({}))))), "no-columns");
  equal(refusalOf(one(json([{ id: 1, body: "x" }]))), "no-rows");
});

verifies("JSON-3", "wrapper members stay in the context, digit for digit", () => {
  const text = `{"total":18435045678901234567,"rate":1.10,"rows":${
    json(people(30))
  },"page":{"next":{"cursor":"QV=="}}}`;
  deepEqual(reading(one(text)).context, {
    total: "18435045678901234567",
    rate: "1.10",
    page: '{"next":{"cursor":"QV=="}}',
  });
  const long = json({ rows: people(30), page: { cursor: "c", pad: "p".repeat(300) } });
  deepEqual(reading(one(long)).context, { "page.cursor": '"c"', "page.pad": json("p".repeat(300)) });
  const loose = `{"ratio":NaN,"rows":${json(people(30))}}`;
  deepEqual(reading(one(loose)).context, { ratio: '"NaN"' });
});

verifies("JSON-4", "names apart from plain rows become columns", () => {
  const rows = rowsOf(30, (n) => [n, `n${n}`]);
  for (
    const [names, data] of [["columns", "rows"], ["fields", "data"], ["Header", "values"], ["column_names", "records"]]
  ) {
    const text = json({ [`${names}`]: ["id", "name"], [`${data}`]: rows, cursor: "zz" });
    deepEqual(reading(one(text)), { ...PEOPLE, context: { cursor: '"zz"' } });
  }
  const described = [{ name: "id", type: "INT" }, { name: "name", type: "TEXT" }];
  deepEqual(reading(one(json({ schema: { fields: described }, rows }))).columns, PEOPLE.columns);
  deepEqual(reading(one(json({ meta: described, data: rows }))), { ...PEOPLE, context: { meta: json(described) } });
  deepEqual(reading(one(json({ resultSetMetaData: { rowType: described }, data: rows }))).columns, PEOPLE.columns);
  deepEqual(reading(one(json({ results: [{ columns: ["id", "name"], values: rows }] }))).columns, PEOPLE.columns);
});

verifies("JSON-4", "pandas' split keeps its index as a column", () => {
  const text = json({
    columns: ["id", "name"],
    index: rowsOf(30, (n) => n + 5),
    data: rowsOf(30, (n) => [n, `n${n}`]),
  });
  deepEqual(reading(one(text)).columns, ["index:BIGINT", "id:BIGINT", "name:VARCHAR"]);
  deepEqual(reading(one(text)).second, ["6", "1", "n1"]);
});

verifies("JSON-4", "BigQuery's boxes are opened", () => {
  const fields = [{ name: "id", type: "INTEGER" }, { name: "name", type: "STRING" }];
  const rows = rowsOf(30, (n) => ({ f: [{ v: String(n) }, { v: n % 2 ? `n${n}` : null }] }));
  deepEqual(reading(one(json({ schema: { fields }, rows, totalRows: "300" }))), {
    rows: 30,
    columns: ["id:VARCHAR", "name:VARCHAR"],
    second: ["1", "n1"],
    source: "text",
    context: { schema: json({ fields }), totalRows: '"300"' },
  });
});

verifies("JSON-4", "rows that do not fit their names, or have none, are no table", () => {
  const rows = rowsOf(30, (n) => [n, `n${n}`]);
  equal(refusalOf(one(json({ columns: ["id", "name"], rows: [...rows, [1]] }))), "ragged");
  equal(refusalOf(one(json({ columns: ["id", "name"], rows: [...rows, [1, 2, 3]] }))), "ragged");
  equal(refusalOf(one(json({ labels: ["red", "blue"], points: rows }))), "no-rows");
  equal(refusalOf(one(json({ data: rows }))), "no-rows");
});

verifies("JSON-5", "a first row of names over rows with numbers is a header", () => {
  const rows = rowsOf(30, (n) => [n, `n${n}`]);
  deepEqual(reading(one(json([["id", "name"], ...rows]))), { ...PEOPLE, context: {} });
  deepEqual(reading(one([["id", "name"], ...rows].map((row) => json(row)).join("\n"))), { ...PEOPLE, context: {} });
  const texts = rowsOf(30, (n) => [String(n), `n${n}`]);
  deepEqual(reading(one(json([["id", "name"], ...texts]))).columns, ["id:VARCHAR", "name:VARCHAR"]);
  equal(refusalOf(one(json([["id", "name"], ...rowsOf(30, () => ["a", "b"])]))), "no-header");
  equal(refusalOf(one(json(rows))), "no-rows");
  equal(refusalOf(one(json([["id", "id"], ...rows]))), "no-rows");
});

verifies("JSON-5", "lists of pairs of field and value turn into rows", () => {
  const results = rowsOf(30, (n) => [{ field: "@id", value: String(n) }, { field: "name", value: `n${n}` }]);
  deepEqual(reading(one(json({ status: "Complete", results }))), {
    rows: 30,
    columns: ["_id:VARCHAR", "name:VARCHAR"],
    second: ["1", "n1"],
    source: "text",
    context: { status: '"Complete"' },
  });
  const twice = results.map((row) => [...row, { field: "name", value: "again" }]);
  equal(refusalOf(one(json({ results: twice }))), "repeated-key");
});

verifies("JSON-3", "where the rows stood is kept, unless its keys only say that rows stand there", () => {
  equal(reading(one(json({ total: 30, "Oslo 2025": people(30) }))).context["rows from"], json("Oslo 2025"));
  equal(reading(one(json({ result: { orders: people(30) } }))).context["rows from"], json("result.orders"));
  for (const plain of [people(30), { rows: people(30) }, { data: { items: people(30) } }]) {
    deepEqual(reading(one(json(plain))).context, {});
  }
});

verifies("JSON-6", "an object of objects becomes rows with their key", () => {
  const map = Object.fromEntries(rowsOf(30, (n) => [`u${n}`, { id: n, name: `n${n}` }]));
  deepEqual(reading(one(json({ ok: true, users: map }))), {
    rows: 30,
    columns: ["key:VARCHAR", "id:BIGINT", "name:VARCHAR"],
    second: ["u1", "1", "n1"],
    source: "text",
    context: { ok: "true", "rows from": json("users") },
  });
  const keyed = Object.fromEntries(rowsOf(30, (n) => [`u${n}`, { key: n }]));
  deepEqual(reading(one(json(keyed))).columns, ["map_key:VARCHAR", "key:BIGINT"]);
});

verifies("JSON-6", "a map of unlike objects, of few, or of records with lists of records is no table", () => {
  equal(refusalOf(one(json({ a: { x: 1 }, b: { x: 2 }, c: { x: 3 }, d: { x: 4 } }))), "no-rows");
  equal(refusalOf(one(json(Object.fromEntries(rowsOf(9, (n) => [`k${n}`, { [`x${n}`]: 1 }]))))), "no-rows");
  const settings = Object.fromEntries(rowsOf(30, (n) => [`k${n}`, { id: n }]));
  equal(refusalOf(one(json({ settings, other: "o".repeat(300) }))), "no-rows");
  equal(refusalOf(one(json({ ...settings, page: { next: "abc" } }))), "no-rows");
  const owners = Object.fromEntries(rowsOf(30, (n) => [`u${n}`, { name: `n${n}`, orders: people(n) }]));
  equal(refusalOf(one(json(owners))), "no-rows");
});

verifies("JSON-6", "columns of cells under running numbers are read upright", () => {
  const column = (make: (n: number) => unknown) => Object.fromEntries(rowsOf(30, (n) => [String(n), make(n)]));
  deepEqual(reading(one(json({ id: column((n) => n * 2), name: column((n) => `n${n}`) }))), {
    rows: 30,
    columns: ["index:BIGINT", "id:BIGINT", "name:VARCHAR"],
    second: ["1", "2", "n1"],
    source: "text",
    context: {},
  });
});

verifies("JSON-7", "values one after another are rows: lines, or content blocks", () => {
  const lines = people(30).map((row) => json(row));
  deepEqual(reading(one(lines.join("\n"))), { ...PEOPLE, context: {} });
  deepEqual(reading(one(`${lines.join("\r\n\r\n")}\r\n`)), { ...PEOPLE, context: {} });
  deepEqual(reading({ texts: lines }), { ...PEOPLE, context: {} });
  deepEqual(reading({ texts: ["Found 30", ...lines, "cursor: abc"] }), {
    ...PEOPLE,
    context: { "content[0]": '"Found 30"', "content[31]": '"cursor: abc"' },
  });
});

verifies(
  "JSON-7",
  "arrays on lines without names are columns by place, when text and numbers keep their places",
  () => {
    const lines = (rows: readonly unknown[]) => one(rows.map((row) => json(row)).join("\n"));
    const rows = rowsOf(10, (n) => [n, `n${n}`, n % 3 ? n / 2 : null]);
    deepEqual(reading(lines(rows)).columns, ["column_1:BIGINT", "column_2:VARCHAR", "column_3:DOUBLE"]);
    equal(refusalOf(lines(rows.slice(1))), "no-rows");
    equal(refusalOf(lines([...rows, [1, "x"]])), "no-rows");
    equal(refusalOf(lines([...rows, ["1", "x", 2]])), "no-header");
    equal(refusalOf(lines(rowsOf(10, (n) => [n, n + 1]))), "no-header");
  },
);

verifies("JSON-7", "values that are pages, or of several kinds, are no rows", () => {
  const pages = rowsOf(3, (page) => json({ page, items: people(30) }));
  equal(refusalOf(one(pages.join("\n"))), "split-rows");
  equal(refusalOf({ texts: pages }), "split-rows");
  const mixed = { texts: [json({ total: 30, cursor: "abc" }), json({ items: people(30) })] };
  deepEqual(reading(mixed), { ...PEOPLE, context: { "content[0].total": "30", "content[0].cursor": '"abc"' } });
});

verifies("JSON-8", "JSON among sentences, in a fence, or in a string is read, and the sentences kept", () => {
  const list = json(people(30));
  deepEqual(reading(one(`Found 30 results. ${list}`)), {
    ...PEOPLE,
    context: { "text before": '"Found 30 results."' },
  });
  deepEqual(reading(one(`\uFEFF${list}\n\nNext: cursor=abc`)), {
    ...PEOPLE,
    context: { "text after": '"Next: cursor=abc"' },
  });
  deepEqual(reading(one(`See [1] and [docs](http://x).\n\`\`\`json\n${json(people(30), null, 2)}\n\`\`\`\nBye [2]`)), {
    ...PEOPLE,
    context: { "text before": '"See [1] and [docs](http://x)."', "text after": '"Bye [2]"' },
  });
  deepEqual(reading(one(json(json(json(people(30)))))), { ...PEOPLE, context: {} });
  const inner = `Below is data <d>\n${list}\n</d>`;
  deepEqual(reading(one(json({ result: inner, ok: true }))), {
    ...PEOPLE,
    context: { "text before": '"Below is data <d>"', "text after": '"</d>"', ok: "true" },
  });
  equal(refusalOf(one(json(json(json(json(json(people(30)))))))), "too-deep");
});

verifies("JSON-8", "JSON inside code, in many places, or in too small a part is left alone", () => {
  const list = json(people(30));
  equal(refusalOf(one(`export default {\n  rows: ${list}\n};`)), "enclosed");
  equal(refusalOf(one(`const rows = ${list};`)), "no-json");
  equal(refusalOf(one(`${list}\n${"Words without end. ".repeat(100)}`)), "small-share");
  equal(refusalOf(one(rowsOf(60, (n) => `event ${json({ n })}`).join("\n"))), "scattered");
});

verifies("JSON-9", "what is not whole is no table", () => {
  const list = json(people(300));
  equal(refusalOf(one(list.slice(0, -40))), "cut-off");
  equal(refusalOf(one(`${list.slice(0, -40)}... [output truncated]`)), "not-json");
  equal(refusalOf(one(`${people(30).map((row) => json(row)).join("\n")}\n{"id":30,"na`)), "cut-off");
  equal(refusalOf(one(list.replace('{"id":150', '... , {"id":150'))), "not-json");
  equal(refusalOf(one(`{"rows":${list},"next":`)), "cut-off");
});

verifies("JSON-9", "a comma before a closing bracket is read over, no other slip is", () => {
  deepEqual(reading(one(`[${people(30).map((row) => `${json(row).slice(0, -1)},}`).join(",")},]`)), {
    ...PEOPLE,
    context: {},
  });
  for (
    const slip of [
      '{"id":01}',
      '{"id":+1}',
      '{"id":.5}',
      '{"id":1.}',
      "{id:1}",
      '{"id":1 2}',
      '{"id":"a\tb"}',
      '{"id":"\\x"}',
    ]
  ) {
    equal(refusalOf(one(`[${slip},${json(people(30)).slice(1)}`)).length > 0, true, slip);
  }
});
