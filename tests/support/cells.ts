/** Cells of a located table as texts, so that tests compare what a cell says and not how it is carried. @module */

import type { Table, TableColumn } from "../../lib/dataset.ts";
import { type Located, locateRows, type ResultParts } from "../../lib/records/mod.ts";

/** The text of one cell: digits of numbers, `true`, strings as they are; null for NULL. */
export function cellText(column: TableColumn, row: number): string | null {
  const { cells } = column;
  switch (cells.kind) {
    case "text":
      return cells.values[row] ?? null;
    case "boolean":
      return cells.valid?.[row] === 0 ? null : String(cells.values[row] === 1);
    case "number": {
      const value = cells.values[row] ?? 0;
      return cells.valid?.[row] === 0 ? null : Object.is(value, -0) ? "-0" : String(value);
    }
    case "bigint": {
      const value = cells.values[row];
      if (value === null || value === undefined) return null;
      const scale = Number(/^DECIMAL\(\d+,(\d+)\)$/.exec(column.type)?.[1] ?? 0);
      if (scale === 0) return String(value);
      const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
      return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    }
  }
}

/** A row as an object from column name to cell text. */
export function rowTexts(table: Table, row: number): Record<string, string | null> {
  return Object.fromEntries(table.columns.map((column) => [column.name, cellText(column, row)]));
}

/** `name:TYPE` of every column. */
export function columnsOf(table: Table): string[] {
  return table.columns.map(({ name, type }) => `${name}:${type}`);
}

/** The table in `parts`; fails with the reason when there is none. */
export function tableIn(parts: ResultParts): Located & { readonly kind: "table" } {
  const located = locateRows(parts);
  if (located.kind === "none") throw new Error(`No table: ${located.reason}`);
  return located;
}

/** The table in one text. */
export function tableOfText(text: string): Table {
  return tableIn({ texts: [text] }).table;
}

/** Context items as an object from path to JSON text. */
export function contextOf(located: Located & { readonly kind: "table" }): Record<string, string> {
  return Object.fromEntries(located.context.map(({ path, json }) => [path, json]));
}

/** The slug of the reason why `parts` hold no table; fails when they do. */
export function refusalOf(parts: ResultParts): string {
  const located = locateRows(parts);
  if (located.kind === "table") throw new Error(`A table of ${located.table.rowCount} rows`);
  return located.reason.split(":")[0] ?? "";
}
