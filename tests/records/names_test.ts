/** Column names from keys of any kind, and what the strings of a column look like. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { formatOf } from "../../lib/records/formats.ts";
import { MAX_NAME_CHARS } from "../../lib/records/limits.ts";
import { NameBook, sanitizeName } from "../../lib/records/names.ts";
import { tableOfText } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

Deno.test.each([
  { key: "user_name2", name: "user_name2" },
  { key: "Order Total ($)", name: "Order_Total____" },
  { key: "größe", name: "größe" },
  { key: "عنوان", name: "عنوان" },
  { key: "नाम", name: "नाम" },
  { key: "価格", name: "価格" },
  { key: "٣", name: "٣" },
  { key: "😀", name: "_" },
  { key: "", name: "_" },
  { key: 'a"b;--', name: "a_b___" },
  { key: "a\0b", name: "a_b" },
  { key: "select", name: "select" },
  { key: "__proto__", name: "__proto__" },
])("sanitizeName() makes $name of $key", ({ key, name }) => equal(sanitizeName(key), name));

verifies("CELL-8", "NameBook.claim() tells keys apart that differ by case or by what names cannot hold", () => {
  const claim = (keys: readonly string[]) => {
    const book = new NameBook();
    return keys.map((key) => book.claim(key));
  };
  deepEqual(claim(["id", "ID", "Id", "name"]), ["id", "ID_2", "Id_3", "name"]);
  deepEqual(claim(["a-b", "a b", "a_b", "a_b_2", "a.b"]), ["a_b", "a_b_2", "a_b_3", "a_b_2_2", "a_b_4"]);
  deepEqual(claim(["x_2", "x", "x"]), ["x_2", "x", "x_3"]);
});

verifies("CELL-8", "ten thousand equal keys get ten thousand names", () => {
  const book = new NameBook();
  const names = Array.from({ length: 10_000 }, () => book.claim("k").toLowerCase());
  equal(new Set(names).size, 10_000);
  equal(names.at(-1), "k_10000");
});

verifies("CELL-8", "a column whose name differs says where it stood", () => {
  const { columns } = tableOfText('[{"a":1,"A":2,"b c":3,"u":{"x":4},"u_x":5},{"a":1}]');
  deepEqual(columns.map(({ name, path }) => [name, path]), [
    ["a", undefined],
    ["A_2", "A"],
    ["b_c", "b c"],
    ["u_x", "u.x"],
    ["u_x_2", "u_x"],
  ]);
});

Deno.test("sanitizeName() bounds the length of a name, between whole characters", () => {
  equal(sanitizeName("k".repeat(MAX_NAME_CHARS)).length, MAX_NAME_CHARS);
  equal(sanitizeName("k".repeat(MAX_NAME_CHARS + 1)).length, MAX_NAME_CHARS);
  ok(sanitizeName(`k${"𝒳".repeat(MAX_NAME_CHARS)}`).isWellFormed());
});

const FORMATS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["date-time", ["2025-01-02T03:04:05Z", "2025-01-02 03:04", "2025-01-02T03:04:05.123456+00:00"], [
    "2025-01-02T3:4Z",
    "Jan 2",
  ]],
  ["date", ["2025-01-02", "1999-12-31"], ["2025-13-01", "2025-1-2", "02.01.2025"]],
  ["time", ["03:04:05", "23:59:59.5Z"], ["24:00:00", "3:04:05", "03:04"]],
  ["uuid", ["0b1c9b9e-0000-4000-8000-0123456789AB"], ["0b1c9b9e00004000800000123456789ab", "x"]],
  ["uri", ["https://x.example/a?b#c", "gid://shop/1"], ["www.x.example", "https://a b"]],
  ["email", ["a.b+c@x.example"], ["a@b", "@x.example", "a b@x.example"]],
];

verifies("CELL-9", "formatOf() names what every string looks like, and nothing when one does not", () => {
  for (const [format, yes, no] of FORMATS) {
    equal(formatOf([null, ...yes]), format);
    for (const text of no) equal(formatOf([...yes, text]), undefined, text);
    equal(formatOf([...yes, ""]), undefined);
  }
  equal(formatOf([null, null]), undefined);
  equal(formatOf([]), undefined);
});

Deno.test("formatOf() is done with long strings that almost fit", () => {
  for (const text of ["a@" + "a.".repeat(500_000), "a".repeat(1_000_000) + "@", "x://" + "a".repeat(1_000_000) + " "]) {
    equal(formatOf([text, text]), undefined);
    equal(formatOf([text.slice(0, 2_000), text]), undefined);
  }
});

verifies("CELL-9", "a format stands beside VARCHAR and never changes a cell", () => {
  const { columns } = tableOfText('[{"d":"2025-01-02","n":1},{"d":null,"n":2},{"d":"2025-01-03","n":3}]');
  deepEqual(columns.map(({ type, format }) => [type, format]), [["VARCHAR", "date"], ["BIGINT", undefined]]);
});
