/** Fixed-width columns. @module */

import { deepEqual, equal } from "node:assert/strict";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, lines, NAMES, recordsOf } from "./reading.ts";

const SOURCE = "text:fixed-width";
const left = ([a = "", b = "", c = ""]: readonly string[]) => `${a.padEnd(6)}${b.padEnd(12)}${c}`;
const PODS = [["web-1", "Running", "5d"], ["web-2", "Pending", "45s"], ["a-db-0", "Running", "3h"], ["job", "", "2d"]];
const pods = (header: string) =>
  `${header}\n${PODS.map(([a = "", b = "", c = ""]) => `${a.padEnd(10)}${b.padEnd(10)}${c}`).join("\n")}\n`;

verifies("TEXT-17 TEXT-10", "columns under capitals or over numbers are read by their places", () => {
  isMadeTable(`${left(NAMES)}\n${lines(left)}\n`, SOURCE);
  const { header, rows } = recordsOf(pods("NAME      STATUS    AGE"), SOURCE);
  deepEqual(header, ["NAME", "STATUS", "AGE"]);
  deepEqual(rows, PODS);
  isRefused(pods("name      status    age"), "no-number-column");
  isRefused(pods("NAME      STATUS    AGE").toUpperCase().replaceAll(/\d/g, "N"), "no-number-column");
});

verifies("TEXT-17", "a line of dashes tells the columns", () => {
  isMadeTable(`${left(NAMES)}\n----  ----------  -----\n${lines(left)}\n`, SOURCE);
  isMadeTable(
    `====  ==========  ===\n${left(NAMES)}\n====  ==========  ===\n${lines(left)}\n====  ==========  ===\n`,
    SOURCE,
  );
});

verifies("TEXT-17", "flush right columns with one blank between are read under their names", () => {
  const right = ([a = "", b = "", c = ""]: readonly string[]) => `${a.padStart(3)} ${b.padStart(8)} ${c.padStart(3)}`;
  isMadeTable(`${right(NAMES)}\n${lines(right)}\n`, SOURCE);
  const index = lines((row, i) => `${String(i).padEnd(2)} ${right(row)}`);
  const { header, rows } = recordsOf(`   ${right(NAMES)}\n${index}\n`, SOURCE);
  deepEqual(header, ["", ...NAMES]);
  deepEqual(rows[10], ["10", "10", "copper", "30"]);
});

verifies("TEXT-2 TEXT-6 TEXT-17", "rows beyond a blank line refuse the columns, and so do two rows on one line", () => {
  const row = left(["30", "harbor", "9"]);
  isRefused(`${left(NAMES)}\n${lines(left)}\n\n${row}\n`, "rows-elsewhere");
  isMadeTable(`${left(NAMES)}\n${lines(left)}\n\nThat was all  of it.\n`, SOURCE, ["That was all  of it."]);
  const ruled = `${left(NAMES)}\n----  ----------  -----\n${lines(left)}\n`;
  isRefused(`${ruled}${left(["31", "harbor", `9     ${row}`])}\n`, "gap-inside-cell");
});

verifies("TEXT-2 TEXT-6 TEXT-17", "rows beyond a blank line are seen where one blank parts the columns", () => {
  const tight = ([a = "", b = "", c = ""]: readonly string[]) => `${a.padEnd(3)} ${b.padEnd(8)} ${c}`;
  const table = `${tight(NAMES)}\n--- -------- ----\n${lines(tight)}\n`;
  isMadeTable(table, SOURCE);
  isMadeTable(`${table}\nThirty of them.\n`, SOURCE, ["Thirty of them."]);
  isRefused(`${table}\n${tight(["31", "harbor", "9"])}\n`, "rows-elsewhere");
});

verifies("TEXT-2 TEXT-6 TEXT-15 TEXT-17", "a row with gaps and a word under numbers is the rest of a cell", () => {
  const broken = lines((row, i) =>
    i === 9 ? `${left([row[0] ?? "", "har", ""])}\n${left(["bor", "", "27"])}` : left(row)
  );
  isRefused(`${left(NAMES)}\n----  ----------  -----\n${broken}\n`, "cells-wrapped");
  const words = lines((row, i) =>
    i === 9 ? `${left(["x", "har", ""])}\n${left(["bor", "", "y"])}` : left(i === 3 ? ["x", ...row.slice(1)] : row)
  );
  isRefused(`${left(NAMES)}\n----  ----------  -----\n${words}\n`, "cells-wrapped");
  const gaps = lines((row, i) => left(i === 9 ? [row[0] ?? "", "", "n/a"] : row));
  equal(recordsOf(`${left(NAMES)}\n----  ----------  -----\n${gaps}\n`, SOURCE).rows.length, 30);
});

verifies("TEXT-17 TEXT-6", "columns that run over, merge or are elided are refused", () => {
  isRefused(`${left(NAMES)}\n${lines(left)}\n30    a-very-long-name-here  9\n`, "fixed-width");
  isRefused(
    `${left(NAMES)}\n----  ----------  -----\n30    a-very-long-name-here  9\n${lines(left)}`,
    "column-overflow",
  );
  isRefused(`${left(NAMES)}\n${lines(left)}\n...   ...         ...\n`, "rows-elided");
  isRefused(`NAME    USE MOUNT\n${lines((row) => `${(row[1] ?? "").padEnd(8)}${row[0]}% /${row[1]}`)}`, "fixed-width");
  isRefused(`${left(NAMES)}\n${lines(left)}\n\n[300 rows x 3 columns]`, "rows-elided");
  isRefused(`${left(NAMES)}\n${lines(left).replace("harbor", "港").replace("lantern", "灯")}`, "places-uneven");
});

Deno.test("a rule under a heading is no line of columns", () => {
  isRefused(`The things\n----------\n${lines(left)}`, "fixed-width");
  equal(recordsOf(`The things:\n\n${left(NAMES)}\n${lines(left)}\n`, SOURCE).residue[0], "The things:");
});
