/** The bounds of reading JSON, each on both sides. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import {
  CONTEXT_SPLIT_CHARS,
  LONG_TEXT_CHARS,
  MAX_BROKEN_CHARS,
  MAX_COLUMNS,
  MAX_CONTEXT_ITEMS,
  MAX_DOCUMENTS,
  MAX_JSON_DEPTH,
  MAX_PAYLOAD_BYTES,
  MAX_PROSE_CHARS,
  MAX_ROWS,
  MAX_SCATTERED_VALUES,
  MAX_VAIN_BRACKETS,
  MIN_MAP_ROWS,
  MIN_ROWS,
  SPARSE_COLUMNS,
} from "../../lib/records/limits.ts";
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
  const lines = (rows: number) => new Array(rows).fill('{"a":1}').join("\n");
  equal(tableOfText(lines(MAX_ROWS)).rowCount, MAX_ROWS);
  equal(refusalOf(one(lines(MAX_ROWS + 1))), "too-many-rows");
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

const json = JSON.stringify;
const people = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `n${id}` }));

verifies("JSON-2 JSON-6", "two records are a table, five members a map", () => {
  equal(tableOfText(json(people(MIN_ROWS))).rowCount, MIN_ROWS);
  equal(refusalOf(one(json(people(MIN_ROWS - 1)))), "no-rows");
  const map = (count: number) => json(Object.fromEntries(people(count).map((row) => [`k${row.id}`, row])));
  equal(tableOfText(map(MIN_MAP_ROWS)).rowCount, MIN_MAP_ROWS);
  equal(refusalOf(one(map(MIN_MAP_ROWS - 1))), "no-rows");
});

verifies("JSON-8", "so many values among sentences are read, and no more", () => {
  const scattered = (count: number) => `${json(people(900))}\n${new Array(count).fill('and {"n":1}').join("\n")}`;
  equal(tableOfText(scattered(MAX_SCATTERED_VALUES)).rowCount, 900);
  equal(refusalOf(one(scattered(MAX_SCATTERED_VALUES + 1))), "scattered");
});

verifies("JSON-9", "a stretch that only looks like a value is read over up to its bound", () => {
  // Broken where the second key should begin.
  const broken = (chars: number) => `{"${"k".repeat(chars - 6)}":1 x} was said:\n${json(people(300))}`;
  equal(tableOfText(broken(MAX_BROKEN_CHARS)).rowCount, 300);
  equal(refusalOf(one(broken(MAX_BROKEN_CHARS + 1))), "not-json");
});

verifies("JSON-1", "so many brackets that open nothing are looked at, and no more", () => {
  const vain = (count: number) => `${"a [1] ".repeat(count)}\n${json(people(3_000))}`;
  equal(refusalOf(one(vain(MAX_VAIN_BRACKETS))), "much-around");
  equal(refusalOf(one(vain(MAX_VAIN_BRACKETS + 1))), "no-json");
});

verifies("JSON-8", "so many sentences may stand around the values of a text, or in blocks beside it", () => {
  const prose = (count: number) => "x ".repeat(count);
  const list = json(people(300));
  const half = MAX_PROSE_CHARS / 2;
  for (
    const write of [
      (count: number) => [`${prose(count)}\n${list}`],
      (count: number) => [`${prose(half)}\n${list}\n${prose(count - half)}`],
      (count: number) => [prose(half), list, prose(count - half)],
      (count: number) => [...people(300).map((row) => json(row)), prose(count)],
    ]
  ) {
    equal(tableIn({ texts: write(MAX_PROSE_CHARS) }).table.rowCount, 300);
    equal(refusalOf({ texts: write(MAX_PROSE_CHARS + 1) }), "much-around");
  }
  equal(tableIn({ texts: [list, json({ notes: prose(MAX_PROSE_CHARS + 1) })] }).table.rowCount, 300);
});

verifies("JSON-7", "so many values of no one kind are searched for the one with the table", () => {
  const values = (count: number) =>
    [...Array.from({ length: count - 1 }, (_, n) => json({ [`a${n}`]: 1, [`b${n}`]: 2 })), json({ rows: people(900) })]
      .join("\n");
  equal(tableOfText(values(MAX_DOCUMENTS)).rowCount, 900);
  equal(refusalOf(one(values(MAX_DOCUMENTS + 1))), "no-rows");
});

verifies("JSON-3", "a leftover object is split beyond its bound, as long as there are not too many items", () => {
  const rows = people(300);
  const paths = (page: unknown) => tableIn(one(json({ rows, page }))).context.map(({ path }) => path);
  const padded = (chars: number) => ({ cursor: "c", pad: "p".repeat(chars - json({ cursor: "c", pad: "" }).length) });
  equal(paths(padded(CONTEXT_SPLIT_CHARS)).join(), "page");
  equal(paths(padded(CONTEXT_SPLIT_CHARS + 1)).join(), "page.cursor,page.pad");
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  equal(paths(many(MAX_CONTEXT_ITEMS)).length, MAX_CONTEXT_ITEMS);
  equal(paths(many(MAX_CONTEXT_ITEMS + 1)).join(), "page");
});

verifies("JSON-3", "a long text beside the rows shows its start and its end", () => {
  const words = (chars: number) => `cursor=a ${"word ".repeat(chars)}`.slice(0, chars - 9) + " cursor=z";
  const context = (chars: number) => tableIn(one(`${json(people(900))}\n${words(chars)}`)).context;
  deepEqual(context(LONG_TEXT_CHARS).map(({ path }) => path), ["text after"]);
  const [start, middle, end] = context(LONG_TEXT_CHARS + 1);
  deepEqual([start?.path, middle?.path, end?.path], ["text after (start)", "text after (middle)", "text after (end)"]);
  ok(start?.json.startsWith('"cursor=a') && end?.json.endsWith('cursor=z"'));
  const said = [start, middle, end].map((part) => JSON.parse(part?.json ?? "").trim()).join(" ");
  equal(said.replaceAll(/\s+/g, " "), words(LONG_TEXT_CHARS + 1).replaceAll(/\s+/g, " "));
});

verifies("JSON-12", "a long text beside structuredContent must speak of its rows", () => {
  const structured = json({ rows: people(300).map(({ id }) => ({ id, city: `city of ${id}` })) });
  const prose = (count: number) => "x ".repeat(count);
  equal(tableIn({ structured, texts: [prose(MAX_PROSE_CHARS)] }).table.rowCount, 300);
  equal(refusalOf({ structured, texts: [prose(MAX_PROSE_CHARS + 1)] }), "much-around");
  equal(tableIn({ structured, texts: [`${prose(MAX_PROSE_CHARS + 1)} city of 7`] }).table.rowCount, 300);
  equal(tableIn({ structured, texts: [json({ note: prose(MAX_PROSE_CHARS + 1) })] }).table.rowCount, 300);
  equal(
    tableIn({ structured: json({ rows: people(300).map(({ id }) => ({ id, n: id })) }), texts: [prose(2_000)] }).table
      .rowCount,
    300,
  );
});
