/** Cells of JSON records: types, digits, strings, nested values. @module */

import { deepEqual, equal } from "node:assert/strict";
import { cellText, columnsOf, refusalOf, rowTexts, tableOfText } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

/** The type of a column that holds `values` (JSON texts), and its cells as texts. */
function typed(values: readonly string[]): readonly [string | undefined, ...(string | null)[]] {
  const table = tableOfText(`[${values.map((value) => `{"v":${value}}`).join(",")}]`);
  const [column] = table.columns;
  return [column?.type, ...values.map((_, row) => column ? cellText(column, row) : null)];
}

verifies("CELL-1", "whole numbers are BIGINT, HUGEINT, or text by their digits", () => {
  deepEqual(typed(["1", "-2"]), ["BIGINT", "1", "-2"]);
  deepEqual(typed(["9007199254740991", "1"]), ["BIGINT", "9007199254740991", "1"]);
  deepEqual(typed(["9007199254740993", "1"]), ["BIGINT", "9007199254740993", "1"]);
  deepEqual(typed(["9223372036854775807", "-9223372036854775808"]), [
    "BIGINT",
    "9223372036854775807",
    "-9223372036854775808",
  ]);
  deepEqual(typed(["9223372036854775808", "0"]), ["HUGEINT", "9223372036854775808", "0"]);
  deepEqual(typed(["-9223372036854775809", "0"]), ["HUGEINT", "-9223372036854775809", "0"]);
  const most = "170141183460469231731687303715884105727";
  deepEqual(typed([most, "1"]), ["HUGEINT", most, "1"]);
  deepEqual(typed([`-${most}`, "1"]), ["HUGEINT", `-${most}`, "1"]);
  const beyond = "170141183460469231731687303715884105728";
  deepEqual(typed([beyond, "1"]), ["VARCHAR", beyond, "1"]);
  deepEqual(typed(["1".repeat(400), "1"]), ["VARCHAR", "1".repeat(400), "1"]);
});

verifies("CELL-2", "fractions are DOUBLE when each survives, else DECIMAL, else text", () => {
  deepEqual(typed(["0.1", "2"]), ["DOUBLE", "0.1", "2"]);
  deepEqual(typed(["1.10", "100.00"]), ["DOUBLE", "1.1", "100"]);
  deepEqual(typed(["1e5", "5e-324"]), ["DOUBLE", "100000", "5e-324"]);
  deepEqual(typed(["0.30000000000000004", "1"]), ["DOUBLE", "0.30000000000000004", "1"]);
  deepEqual(typed(["12345678901234567890.12", "0.1"]), ["DECIMAL(22,2)", "12345678901234567890.12", "0.10"]);
  deepEqual(typed(["0.1000000000000000001", "9007199254740993"]), [
    "DECIMAL(35,19)",
    "0.1000000000000000001",
    "9007199254740993.0000000000000000000",
  ]);
  deepEqual(typed(["1e-7", "12345678901234567890.5"]), ["DECIMAL(27,7)", "0.0000001", "12345678901234567890.5000000"]);
  deepEqual(typed(["1E400", "1"]), ["VARCHAR", "1E400", "1"]);
  deepEqual(typed([`0.${"1".repeat(39)}`, "1"]), ["VARCHAR", `0.${"1".repeat(39)}`, "1"]);
  deepEqual(typed([`0.${"1".repeat(38)}`, "0"]), ["DECIMAL(38,38)", `0.${"1".repeat(38)}`, `0.${"0".repeat(38)}`]);
});

verifies("CELL-2", "minus zero keeps its sign: in a DOUBLE, or as text where no double serves", () => {
  deepEqual(typed(["-0", "1"]), ["DOUBLE", "-0", "1"]);
  deepEqual(typed(["-0.0", "1"]), ["DOUBLE", "-0", "1"]);
  deepEqual(typed(["-0", "9007199254740993"]), ["VARCHAR", "-0", "9007199254740993"]);
});

verifies("CELL-3", "NaN and the infinities are doubles, never made from a number that is too large", () => {
  deepEqual(typed(["NaN", "1.5", "-Infinity", "Infinity"]), ["DOUBLE", "NaN", "1.5", "-Infinity", "Infinity"]);
  deepEqual(typed(["NaN", "1e400"]), ["VARCHAR", "NaN", "1e400"]);
});

verifies("CELL-4", "strings stay the strings they are", () => {
  const strings = ["007", "1e5", "null", "true", " 5 ", "NaN", "", "2025-01-01", "0x1F"];
  deepEqual(typed(strings.map((text) => JSON.stringify(text))), ["VARCHAR", ...strings]);
  deepEqual(typed([String.raw`"\u0041\n\"\\\/\ud83d\ude00"`, String.raw`"a\u0000b"`]), [
    "VARCHAR",
    'A\n"\\/😀',
    "a\0b",
  ]);
  const long = "x".repeat(1_000_000);
  deepEqual(typed([JSON.stringify(long), '""']), ["VARCHAR", long, ""]);
});

verifies("CELL-4", "a column with a string that UTF-8 cannot hold is JSON text; such a key refuses the table", () => {
  const escaped = String.raw`"x\ud800y"`;
  deepEqual(typed([escaped, '"ok"', "1", "null"]), ["JSON", escaped, '"ok"', "1", null]);
  deepEqual(typed(['"x\ud800y"', '"ok"', '["\udc00"]']), ["JSON", escaped, '"ok"', String.raw`["\udc00"]`]);
  deepEqual(typed(['["\udc00"]', "[1]"]), ["JSON", String.raw`["\udc00"]`, "[1]"]);
  deepEqual(typed(['"\ud83d\ude00"', '"ok"']), ["VARCHAR", "😀", "ok"]);
  equal(refusalOf({ texts: [String.raw`[{"k\udc00":1},{"k\udc00":2}]`] }), "lone-surrogate");
  equal(refusalOf({ texts: ['[{"k\udc00":1},{"k\udc00":2}]'] }), "lone-surrogate");
});

verifies("CELL-5", "booleans are BOOLEAN; a mixed column is text with the JSON of what is no string", () => {
  deepEqual(typed(["true", "false", "null"]), ["BOOLEAN", "true", "false", null]);
  deepEqual(typed(["1", '"1"', "true", "null", "2.50", '"two"', "[1, 2]"]), [
    "VARCHAR",
    "1",
    "1",
    "true",
    null,
    "2.50",
    "two",
    "[1, 2]",
  ]);
  deepEqual(typed(["true", "1"]), ["VARCHAR", "true", "1"]);
});

verifies("CELL-6", "objects flatten one level; what lies deeper keeps the server's own JSON text", () => {
  const table = tableOfText(
    '[{"k":1,"a":{"b":{"id":9007199254740993,"f":1.10},"c":"x"},"l":[ 1 ,2],"e":{}},{"k":2,"a":{"c":"y"},"l":[],"e":{}}]',
  );
  deepEqual(columnsOf(table), ["k:BIGINT", "a_b:JSON", "a_c:VARCHAR", "l:JSON", "e:JSON"]);
  deepEqual(rowTexts(table, 0), {
    k: "1",
    a_b: '{"id":9007199254740993,"f":1.10}',
    a_c: "x",
    l: "[ 1 ,2]",
    e: "{}",
  });
  deepEqual(rowTexts(table, 1), { k: "2", a_b: null, a_c: "y", l: "[]", e: "{}" });
});

verifies("CELL-6", "a key with objects and other values keeps both", () => {
  const table = tableOfText('[{"m":1},{"m":{"z":2}},{"m":null},{"m":{}}]');
  deepEqual(columnsOf(table), ["m:VARCHAR", "m_z:BIGINT"]);
  deepEqual([0, 1, 2, 3].map((row) => rowTexts(table, row)), [
    { m: "1", m_z: null },
    { m: null, m_z: "2" },
    { m: null, m_z: null },
    { m: "{}", m_z: null },
  ]);
});

verifies("CELL-6", "JSON text that an engine would not read is VARCHAR", () => {
  deepEqual(typed(["[NaN]", "[1]"]), ["VARCHAR", "[NaN]", "[1]"]);
  deepEqual(typed(["[1,]", "[1]"]), ["VARCHAR", "[1,]", "[1]"]);
  deepEqual(typed(["[1]", "[2]"]), ["JSON", "[1]", "[2]"]);
});

verifies("CELL-7", "missing and null are NULL, an empty string is one", () => {
  const table = tableOfText('[{"a":null,"b":""},{"b":"x","c":1}]');
  deepEqual(columnsOf(table), ["a:VARCHAR", "b:VARCHAR", "c:BIGINT"]);
  deepEqual(rowTexts(table, 0), { a: null, b: "", c: null });
  deepEqual(rowTexts(table, 1), { a: null, b: "x", c: "1" });
});

verifies("CELL-10", "an object with one key twice refuses the table, wherever it lies", () => {
  equal(refusalOf({ texts: ['[{"a":1},{"a":2,"a":3}]'] }), "repeated-key");
  equal(refusalOf({ texts: [String.raw`[{"a":1},{"a":2,"\u0061":3}]`] }), "repeated-key");
  equal(refusalOf({ texts: ['[{"a":{"x":1,"x":2}},{"a":1}]'] }), "repeated-key");
  equal(refusalOf({ texts: ['[{"a":{"b":{"x":1,"x":2}}},{"a":1}]'] }), "repeated-key");
  equal(refusalOf({ texts: ['[{"a":[{"x":1,"x":2}]},{"a":1}]'] }), "repeated-key");
  equal(refusalOf({ texts: ['{"t":1,"t":2,"rows":[{"a":1},{"a":2}]}'] }), "repeated-key");
  const keys = Array.from({ length: 40 }, (_, n) => `"k${n}":${n}`).join(",");
  equal(refusalOf({ texts: [`[{"a":{"b":{${keys},"k3":0}}},{"a":1}]`] }), "repeated-key");
});

verifies("CELL-10", "keys of any kind are ordinary keys", () => {
  const table = tableOfText('[{"__proto__":1,"constructor":2,"":3,"select":4,"toString":5},{"__proto__":6}]');
  deepEqual(columnsOf(table), [
    "__proto__:BIGINT",
    "constructor:BIGINT",
    "_:BIGINT",
    "select:BIGINT",
    "toString:BIGINT",
  ]);
  deepEqual(table.columns.map((column) => cellText(column, 1)), ["6", null, null, null, null]);
});

Deno.test("rows may give their keys in any order, and leave some out", () => {
  const table = tableOfText('[{"a":1,"b":2,"c":3},{"c":6,"a":4,"b":5},{"b":8},{"d":9,"a":7}]');
  deepEqual(columnsOf(table), ["a:BIGINT", "b:BIGINT", "c:BIGINT", "d:BIGINT"]);
  deepEqual([0, 1, 2, 3].map((row) => Object.values(rowTexts(table, row))), [
    ["1", "2", "3", null],
    ["4", "5", "6", null],
    [null, "8", null, null],
    ["7", null, null, "9"],
  ]);
});
