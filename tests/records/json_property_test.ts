/** Property: every cell of a table says what the server wrote, to the digit and the byte. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import type { TableColumn } from "../../lib/dataset.ts";
import { cellText, tableOfText } from "../support/cells.ts";
import { forRandom } from "../support/random.ts";
import { verifies } from "../support/verifies.ts";
import { blank, decimal, type Written, writtenRecords } from "../support/written_json.ts";

const RUNS = 300;

function checkCell(column: TableColumn, row: number, written: Written): void {
  const got = cellText(column, row);
  const where = `${column.path ?? column.name} (${column.type}) row ${row}: ${written.text}`;
  switch (written.kind) {
    case "null":
    case "missing":
    case "object":
      return equal(got, null, where);
    case "string":
      equal(got, written.value, where);
      return equal(column.type, "VARCHAR", where);
    case "constant":
    case "json":
      return equal(got, written.text, where);
    case "number":
      if (column.type === "VARCHAR") return equal(got, written.text, where);
      ok(got !== null && /^-?[\d.e+-]+$/.test(got), where);
      deepEqual(decimal(got), decimal(written.text), where);
      if (decimal(written.text)[0] === 0n) equal(got.startsWith("-"), written.text.startsWith("-"), where);
  }
}

function checkTable(columns: readonly TableColumn[], rows: readonly (Written & { readonly kind: "object" })[]): void {
  const unchecked = new Set(columns);
  const missing: Written = { kind: "missing", text: "" };
  const find = (path: string) => columns.find((column) => (column.path ?? column.name) === path);
  const keys = new Set(rows.flatMap(({ members }) => [...members.keys()]));
  for (const key of keys) {
    const values: readonly Written[] = rows.map(({ members }) => members.get(key) ?? missing);
    const below = new Set(values.flatMap((value) => value.kind === "object" ? [...value.members.keys()] : []));
    const own = find(key);
    if (own) {
      unchecked.delete(own);
      values.forEach((value, row) => checkCell(own, row, value));
    } else ok(values.every(({ kind }) => kind === "object" || kind === "missing"), `column ${JSON.stringify(key)}`);
    for (const inner of below) {
      const column = find(`${key}.${inner}`);
      ok(column, `column ${JSON.stringify(`${key}.${inner}`)}`);
      unchecked.delete(column);
      values.forEach((value, row) =>
        checkCell(column, row, value.kind === "object" ? value.members.get(inner) ?? missing : missing)
      );
    }
  }
  deepEqual([...unchecked], []);
  const names = columns.map(({ name }) => name.toLowerCase());
  equal(new Set(names).size, names.length);
}

verifies("CELL-1 CELL-2 CELL-4 CELL-5 CELL-6 CELL-7 CELL-10", "property: every cell says what was written", () => {
  forRandom(RUNS, (random) => {
    const rows = writtenRecords(random);
    if (rows.every(({ members }) => members.size === 0)) return;
    const text = `${blank(random)}[${blank(random)}${
      rows.map((row) => row.text).join(`${blank(random)},${blank(random)}`)
    }]`;
    const table = tableOfText(text);
    equal(table.rowCount, rows.length);
    checkTable(table.columns, rows);
  });
});
