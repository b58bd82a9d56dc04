/** The bounds of reading JSON, each on both sides. @module */

import { equal, ok } from "node:assert/strict";
import { MAX_COLUMNS, MAX_JSON_DEPTH, MAX_PAYLOAD_BYTES, MAX_ROWS, SPARSE_COLUMNS } from "../../lib/records/limits.ts";
import { refusalOf, tableIn, tableOfText } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

const one = (text: string) => ({ texts: [text] });

/** Two records of `width` keys. */
function wide(width: number): string {
  const record = `{${Array.from({ length: width }, (_, n) => `"k${n}":${n}`).join(",")}}`;
  return `[${record},${record}]`;
}

verifies("JSON-14", "a table has at most MAX_COLUMNS columns", () => {
  equal(tableOfText(wide(MAX_COLUMNS)).columns.length, MAX_COLUMNS);
  equal(refusalOf(one(wide(MAX_COLUMNS + 1))), "too-many-columns");
});

verifies("JSON-14", "a table has at most MAX_ROWS rows", () => {
  const tall = (rows: number) => `[${new Array(rows).fill('{"a":1}').join(",")}]`;
  equal(tableOfText(tall(MAX_ROWS)).rowCount, MAX_ROWS);
  equal(refusalOf(one(tall(MAX_ROWS + 1))), "too-many-rows");
});

verifies("JSON-14", "a channel has at most MAX_PAYLOAD_BYTES bytes, counted as UTF-8", () => {
  const padded = (bytes: number) => {
    const text = '[{"a":"é"},{"a":2}]';
    return text + " ".repeat(bytes - new TextEncoder().encode(text).length);
  };
  equal(tableOfText(padded(MAX_PAYLOAD_BYTES)).rowCount, 2);
  equal(refusalOf(one(padded(MAX_PAYLOAD_BYTES + 1))), "too-large");
  equal(refusalOf({ structured: padded(MAX_PAYLOAD_BYTES + 1), texts: [] }), "too-large");
});

verifies("JSON-14", "a document nests at most MAX_JSON_DEPTH deep", () => {
  // The array and the record around the cell are two of the levels.
  const deep = (depth: number) => `[{"a":${"[".repeat(depth)}${"]".repeat(depth)}},{"a":1}]`;
  equal(tableOfText(deep(MAX_JSON_DEPTH - 2)).rowCount, 2);
  ok(refusalOf(one(deep(MAX_JSON_DEPTH - 1))).length > 0);
  ok(refusalOf(one("[".repeat(100_000))).length > 0);
});

verifies("JSON-14", "records that each bring keys of their own are no table", () => {
  const sparse = (count: number) => `[${Array.from({ length: count }, (_, n) => `{"k${n}":1,"same":2}`).join(",")}]`;
  equal(tableOfText(sparse(SPARSE_COLUMNS - 1)).columns.length, SPARSE_COLUMNS);
  equal(refusalOf(one(sparse(SPARSE_COLUMNS))), "sparse");
});

verifies("JSON-14", "rows times columns are bounded before memory is taken", () => {
  const many = `[${new Array(499_000).fill("{}").join(",")},{${
    Array.from({ length: 60 }, (_, n) => `"k${n}":1`).join(",")
  }}]`;
  equal(refusalOf(one(many)), "too-many-cells");
});

Deno.test("a cell may hold a megabyte", () => {
  const long = "x".repeat(1_000_000);
  const { table } = tableIn(one(JSON.stringify([{ a: long, b: [long] }, { a: "", b: [] }])));
  equal(table.rowCount, 2);
});
