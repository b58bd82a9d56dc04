/** Cells of formatted text: a number only where the engine prints the very same text. @module */

import { deepEqual, equal, throws } from "node:assert/strict";
import { MAX_COLUMNS, MAX_ROWS } from "../../lib/records/limits.ts";
import { tableFromText } from "../../lib/records/text_table.ts";
import { cellText, columnsOf, rowTexts } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

/** Type and cells of one column of text. */
function typed(...cells: (string | undefined)[]): readonly (string | null | undefined)[] {
  const table = tableFromText({ header: ["v"], rows: cells.map((cell) => [cell]), consumedChars: 0, residue: [] });
  const [column] = table.columns;
  return [column?.type, ...cells.map((_, row) => column ? cellText(column, row) : null)];
}

verifies("CELL-11", "whole numbers without sign or leading zero are numbers, and an empty cell then is NULL", () => {
  deepEqual(typed("1", "-20", "", undefined, "0"), ["BIGINT", "1", "-20", null, null, "0"]);
  deepEqual(typed("9007199254740993", "1"), ["BIGINT", "9007199254740993", "1"]);
  deepEqual(typed("18446744073709551615", ""), ["HUGEINT", "18446744073709551615", null]);
  const beyond = "999999999999999999999999999999999999999";
  deepEqual(typed(beyond, "1"), ["VARCHAR", beyond, "1"]);
});

Deno.test.each(["007", "+1", "-0", "1e5", "1,5", " 1", "1_000", "0x1", "1.", ".5", "true", "NaN", "2025-01-01"])(
  "tableFromText() leaves a column with %s as text",
  (cell) => deepEqual(typed("1", cell, ""), ["VARCHAR", "1", cell, ""]),
);

verifies("CELL-12", "fractions are numbers when the engine prints them as they stood", () => {
  deepEqual(typed("1.50", "-0.25", ""), ["DECIMAL(3,2)", "1.50", "-0.25", null]);
  deepEqual(typed("0.9", "0.0481"), ["DOUBLE", "0.9", "0.0481"]);
  deepEqual(typed("40.0", "40.001"), ["DOUBLE", "40", "40.001"]);
  deepEqual(typed("0.00", "12.10"), ["DECIMAL(4,2)", "0.00", "12.10"]);
  deepEqual(typed("0.50", "-0.25"), ["DECIMAL(3,2)", "0.50", "-0.25"]);
  const long = `${"1".repeat(36)}.25`;
  deepEqual(typed(long, "0.50"), ["DECIMAL(38,2)", long, "0.50"]);
});

Deno.test.each([
  ["1.5", "2"],
  ["1.5", "2.50"],
  ["0.5", "-0.0"],
  ["0.5", "0.00001"],
  ["0.55", "1234567890123456.5"],
  ["01.5", "2.5"],
  ["1.5", "1.25e3"],
  [`${"1".repeat(37)}.25`, "0.50"],
  [`0.${"1".repeat(38)}`, `0.${"2".repeat(38)}`],
])("tableFromText() leaves the fractions %s and %s as text", (a, b) => deepEqual(typed(a, b), ["VARCHAR", a, b]));

verifies("CELL-13", "in a column of text an empty cell is the empty string, a missing one NULL", () => {
  deepEqual(typed("a", "", undefined), ["VARCHAR", "a", "", null]);
  deepEqual(typed("", ""), ["VARCHAR", "", ""]);
});

verifies("CELL-8 CELL-9", "header names that repeat get a suffix, and formats are hinted at", () => {
  const table = tableFromText({
    header: ["id", "Name", "name", "a b", "at"],
    rows: [["1", "x", "y", "z", "2025-01-02"], ["2", "x", "y", "z", "2025-01-03"]],
    consumedChars: 0,
    residue: [],
  });
  deepEqual(columnsOf(table), ["id:BIGINT", "Name:VARCHAR", "name_2:VARCHAR", "a_b:VARCHAR", "at:VARCHAR"]);
  deepEqual(table.columns.map(({ path }) => path), [undefined, undefined, "name", "a b", undefined]);
  deepEqual(table.columns.map(({ format }) => format), [undefined, undefined, undefined, undefined, "date"]);
});

Deno.test("tableFromText() reads cells that are JSON as JSON", () => {
  const table = tableFromText({
    header: ["id", "tags", "at"],
    rows: [["1", '["a"]', '{"x":1.10}'], ["2", undefined, "null"]],
    consumedChars: 0,
    residue: [],
    jsonCells: true,
  });
  deepEqual(columnsOf(table), ["id:BIGINT", "tags:JSON", "at:VARCHAR", "at_x:DOUBLE"]);
  deepEqual(rowTexts(table, 0), { id: "1", tags: '["a"]', at: null, at_x: "1.1" });
});

Deno.test("tableFromText() holds the caps on both sides", () => {
  const wide = (width: number) => {
    const header = Array.from({ length: width }, (_, n) => `c${n}`);
    return tableFromText({ header, rows: [header, header], consumedChars: 0, residue: [] }).columns.length;
  };
  equal(wide(MAX_COLUMNS), MAX_COLUMNS);
  throws(() => wide(MAX_COLUMNS + 1), /too-many-columns/);
  const tall = (rows: number) =>
    tableFromText({ header: ["v"], rows: new Array(rows).fill(["x"]), consumedChars: 0, residue: [] }).rowCount;
  equal(tall(MAX_ROWS), MAX_ROWS);
  throws(() => tall(MAX_ROWS + 1), /too-many-rows/);
});
