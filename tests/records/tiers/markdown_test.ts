/** Markdown tables. @module */

import { deepEqual, equal } from "node:assert/strict";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, lines, recordsOf } from "./reading.ts";

const SOURCE = "text:markdown-table";
const HEAD = "| id | name | qty |\n|---|---|---|\n";
const BODY = lines((row) => `| ${row.join(" | ")} |`);

verifies("TEXT-11 TEXT-10", "markdown tables are read in every style of edges", () => {
  isMadeTable(HEAD + BODY, SOURCE);
  isMadeTable(`id | name | qty\n--- | :---: | ---:\n${lines((row) => row.join(" | "))}`, SOURCE);
  isMadeTable(
    `  |id|name|qty|  \n  |:-|-|-:|  \n${lines((row) => `  |\t${row.join("|")}  |`)}\n`.replaceAll("\n", "\r\n"),
    SOURCE,
  );
});

verifies("TEXT-3 TEXT-11", "text around a markdown table is residue", () => {
  isMadeTable(`Found 30 things:\n\n${HEAD}${BODY}\n\nNext page: abc`, SOURCE, ["Found 30 things:", "Next page: abc"]);
  isMadeTable(`${HEAD}${BODY}\n(30 rows)`, SOURCE, ["(30 rows)"]);
});

verifies("TEXT-10 TEXT-11", "markdown cells lose their escapes and nothing else", () => {
  const { rows } = recordsOf(
    `| a | b |\n|---|---|\n${"| x\\|y | `p \\| q` |\n"}| <b>1</b> | c:\\dir &amp; **d** |\n|  | \u00a0e\u00a0 |\n`
      .repeat(1) + "| f | |\n",
    SOURCE,
  );
  deepEqual(rows, [["x|y", "`p | q`"], ["<b>1</b>", "c:\\dir &amp; **d**"], ["", "\u00a0e\u00a0"], ["f", ""]]);
});

verifies("TEXT-11", "pipes in code are content when every row fits only so", () => {
  const { rows } = recordsOf("| a | b |\n|---|---|\n| `x|y` | 1 |\n| `z` | 2 |\n", SOURCE);
  deepEqual(rows, [["`x|y`", "1"], ["`z`", "2"]]);
  isRefused("| a | b |\n|---|---|\n| `x|y` | 1 | 2 |\n| `z` | 2 |\n", "row-width");
});

verifies("TEXT-9", "a total under a markdown table is residue when it is one", () => {
  const total = "| **Total** | | **1305** |";
  isMadeTable(`${HEAD}${BODY}\n${total}`, SOURCE, [total]);
  isRefused(`${HEAD}${BODY}\n| **Total** | | **1306** |`, "total-unsure");
  const average = recordsOf("| city | t |\n|---|---|\n| A | 1 |\n| B | 2 |\n| C | 6 |\n| Average | 3 |\n", SOURCE);
  equal(average.rows.length, 3);
});

verifies("TEXT-2 TEXT-6 TEXT-11", "markdown tables that are not whole are refused", () => {
  isRefused(`${HEAD}${BODY}\n| 30 | har`, "row-cut");
  isRefused(`${HEAD}${BODY}\n| 30 | harbor |`, "row-width");
  isRefused(`${HEAD}${BODY}\n| 30 | harbor | 1 | 2 |`, "row-width");
  isRefused(`${HEAD}${BODY}\n|---|---|---|\n| a | b | c |`, "dashes-inside");
  isRefused(`id | name\n---|---\n${lines((row) => `${row[0]} | ${row[1]}`)}\nhar`, "row-without-pipe");
  isRefused(`${HEAD}| a\\\\| | b | c |\n${BODY}`, "ambiguous-escape");
  isRefused(`| | |\n|---|---|\n| a | b |\n| c | d |`, "header-empty");
  isRefused(`a line\n|---|---|\n${BODY}`, "no-header-above-dashes");
});

verifies("TEXT-2 TEXT-6 TEXT-11", "markdown rows beyond a blank line or a sentence refuse the table", () => {
  for (const between of ["", "-- more --", "The rest was estimated:", "\nNote: see below\n"]) {
    isRefused(`${HEAD}${BODY}\n${between}\n| 30 | harbor | 9 |`, "rows-elsewhere");
  }
  isRefused(`| 30 | harbor | 9 |\n\n${HEAD}${BODY}`, "rows-elsewhere");
  const code = lines((row) => `| ${row[0]} | \`a | ${row[1]}\` | ${row[2]} |`);
  isRefused(`${HEAD}${code}\n\nThe rest:\n| 30 | \`a | b\` | 9 |`, "rows-elsewhere");
  isMadeTable(`${HEAD}${BODY}\n\n| see | below |`, SOURCE, ["| see | below |"]);
});

verifies("TEXT-11", "a second markdown table refuses unless it is much smaller", () => {
  const small = "| a | b |\n|---|---|\n| 1 | 2 |";
  isMadeTable(`${small}\n\n${HEAD}${BODY}`, SOURCE, [small]);
  isRefused(`${HEAD}${BODY}\n\n${HEAD}${BODY}`, "several-tables");
  isRefused(`${HEAD}${BODY}\n\n${HEAD}${BODY.split("\n").slice(0, 8).join("\n")}`, "several-tables");
  isRefused(`${HEAD}${BODY}\n\n| a | b |\n|---|---|\n| ${"x".repeat(700)} | 2 |`, "several-tables");
});

Deno.test("markdown cells of several lines, set to one width, are refused", () => {
  isRefused("| id | name  |\n|----|-------|\n| 1  | Rob   |\n|    | Smith |\n| 2  | Ann   |\n", "continued-row");
});
