/** Property: what was written comes back from the engine, to the digit and the byte. @module */

import { deepEqual, equal } from "node:assert/strict";
import type { TableColumn } from "../../lib/dataset.ts";
import { tableFromText } from "../../lib/records/text_table.ts";
import { cellText, tableOfText } from "../support/cells.ts";
import { ingest, rowTexts, withStore } from "../support/open_store.ts";
import { firstSeed, Random, runsOf } from "../support/random.ts";
import { verifies } from "../support/verifies.ts";
import { decimal, writtenRecords } from "../support/written_json.ts";

const RUNS = 40;

/** Whether the engine's text of a cell says what the cell says. */
function checkText(column: TableColumn, row: number, got: unknown): void {
  const cell = cellText(column, row);
  const where = `${column.name} (${column.type}) row ${row}: ${cell}`;
  if (cell === null || column.type === "VARCHAR" || column.type === "JSON" || column.type === "BOOLEAN") {
    return equal(got, cell, where);
  }
  if (/^-?(?:NaN|Infinity)$/.test(cell)) return equal(got, cell.toLowerCase().replace("infinity", "inf"), where);
  deepEqual(decimal(String(got)), decimal(cell), where);
  if (Number(cell) === 0) equal(String(got).startsWith("-"), cell.startsWith("-"), where);
}

verifies("CELL-1 CELL-2 CELL-3 CELL-4 CELL-6 CELL-7", "property: every cell comes back from the engine", async () => {
  await withStore(async (store) => {
    for (let run = 0; run < runsOf(RUNS); run++) {
      const seed = firstSeed() + run;
      const records = writtenRecords(new Random(seed));
      const text = `[${records.map((record, n) => `{"row number":${n},${record.text.slice(1)}`).join(",")}]`
        .replaceAll(/,\s*\}/g, "}");
      const table = tableOfText(text);
      const { ref } = await ingest(store, table);
      const selected = table.columns.map(({ name }, n) => `CAST("${name}" AS VARCHAR) AS v${n}`).join(", ");
      const rows = await rowTexts(store, `SELECT ${selected} FROM ${ref} ORDER BY row_number`);
      equal(rows.length, table.rowCount, `LOOM_SEED=${seed}`);
      rows.forEach((json, row) => {
        const cells: Record<string, unknown> = JSON.parse(json);
        table.columns.forEach((column, n) => checkText(column, row, cells[`v${n}`]));
      });
      await store.drop(ref);
    }
  });
});

/** A cell of formatted text that looks like a number, or nearly. */
function numberText(random: Random, style: number): string {
  const digits = (most: number) => random.list(1, most, () => String(random.below(10))).join("");
  const whole = random.chance(0.2) ? "0" : `${1 + random.below(9)}${random.chance(0.5) ? digits(16) : ""}`;
  const sign = random.chance(0.2) ? "-" : "";
  if (style === 0) return sign + whole;
  if (style === 1) return `${sign}${whole}.${digits(12)}`;
  if (style === 2) return `${sign}${whole}.${digits(1)}${random.below(10)}`;
  if (style === 3) return `${sign}0.${"0".repeat(random.below(6))}${digits(4)}`;
  return random.pick([whole, `${whole}.0`, `${whole}.50`, `.${digits(2)}`, `0${whole}`, "-0", "-0.0", ""]);
}

verifies("CELL-11 CELL-12 CELL-13", "property: a cell of text comes back as the text that stood there", async () => {
  await withStore(async (store) => {
    for (let run = 0; run < runsOf(RUNS); run++) {
      const seed = firstSeed() + run;
      const random = new Random(seed);
      const styles = random.list(1, 8, () => random.below(5));
      const rows = random.list(2, 12, (n) => [
        `r${n}`,
        ...styles.map((style) => random.chance(0.05) ? "" : numberText(random, random.chance(0.02) ? 4 : style)),
      ]);
      const header = ["row", ...styles.map((_, n) => `v${n}`)];
      const table = tableFromText({ header, rows, consumedChars: 0, residue: [] });
      const { ref } = await ingest(store, table);
      const selected = header.map((name) => `CAST(${name} AS VARCHAR) AS ${name}`).join(", ");
      const found = (await rowTexts(store, `SELECT ${selected} FROM ${ref}`)).map((row) => JSON.parse(row));
      for (const cells of rows) {
        const got = found.find(({ row }) => row === cells[0]);
        table.columns.forEach(({ type }, n) => {
          const nothing = cells[n] === "" && type !== "VARCHAR";
          equal(got[header[n] ?? ""], nothing ? null : cells[n], `${type} of seed ${seed}`);
        });
      }
      await store.drop(ref);
    }
  });
});
