/** HTML tables. @module */

import { deepEqual } from "node:assert/strict";
import { HTML_DEPTH_MAX } from "../../../lib/records/html.ts";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, lines, NAMES, recordsOf, ROWS } from "./reading.ts";

const SOURCE = "text:html-table";
const cells = (row: readonly string[], tag = "td") => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
const HEAD = `<tr>${cells(NAMES, "th")}</tr>`;
const BODY = lines((row) => `<tr>${cells(row)}</tr>`);

verifies("TEXT-18", "plain tables are read with their header in any of its forms", () => {
  isMadeTable(`<table>${HEAD}${BODY}</table>`, SOURCE);
  isMadeTable(`<TABLE class="x"><thead>${HEAD}</thead><tbody>${BODY}</tbody></TABLE>`, SOURCE);
  isMadeTable(`<table><tr>${cells(NAMES)}</tr>${BODY}</table>`, SOURCE);
  isMadeTable(`<table>\n<tr><th>id<th>name<th>qty\n${lines((row) => `<tr><td>${row.join("<td>")}`)}\n</table>`, SOURCE);
  isRefused(`<table>${BODY}</table>`, "no-header");
});

verifies("TEXT-18 TEXT-10", "cells are text as a browser shows it, blanks within a line as they stand", () => {
  const { header, rows } = recordsOf(
    `<table><tr><th> a \n b</th><th>c</th></tr>
     <tr><td>x &amp; &lt;y&gt;</td><td>  one\n two<br>three  </td></tr>
     <tr><td><b>b</b>&nbsp;<code>c d</code></td><td></td></tr>
     <tr><td>wide  gap\ttab </td><td>
       <b>laid</b>
       <i>out</i>
     </td></tr></table>`,
    SOURCE,
  );
  deepEqual(header, ["a b", "c"]);
  deepEqual(rows, [["x & <y>", "one two\nthree"], ["b\u00a0c d", ""], ["wide  gap\ttab", "laid out"]]);
});

verifies("TEXT-18", "links stand in a column beside their text", () => {
  const linked = recordsOf(
    `<table>${HEAD}${
      lines((row, i) =>
        `<tr><td>${row[0]}</td><td>${i === 2 ? "none" : `<a href="/${i}">${row[1]}</a>`}</td><td>1</td></tr>`
      )
    }</table>`,
    SOURCE,
  );
  deepEqual(linked.header, ["id", "name", "name link", "qty"]);
  deepEqual(linked.rows.slice(1, 3), [["1", "lantern", "/1", "1"], ["2", "none", "", "1"]]);
  isRefused(
    `<table>${HEAD}${BODY}<tr><td>1</td><td><a href="a">a</a> <a href="b">b</a></td><td>2</td></tr></table>`,
    "several-links",
  );
});

verifies("TEXT-18 TEXT-3", "captions, feet and what stands around a table are residue", () => {
  isMadeTable(
    `<h2>Things</h2><table><caption>All</caption>${HEAD}${BODY}<tfoot><tr>${
      cells(["", "sum", "9"])
    }</tr></tfoot></table><p>End</p>`,
    SOURCE,
    ["<h2>Things</h2>", "All", "| sum | 9", "<p>End</p>"],
  );
});

verifies("TEXT-18", "a spreadsheet's letters and numbers are no header", () => {
  const sheet = (from: number) =>
    `<table><tr><th></th><th>A</th><th>B</th><th>C</th></tr>${
      [NAMES, ...ROWS].map((row, i) => `<tr><th>${i + from}</th>${cells(row)}</tr>`).join("")
    }</table>`;
  const { header, rows } = recordsOf(sheet(1), SOURCE);
  deepEqual(header, ["row", ...NAMES]);
  deepEqual(rows[0], ["2", "0", "harbor", "0"]);
  isRefused(sheet(1).replace("<th>9</th>", "<th>90</th>"), "sheet-grid");
});

verifies("TEXT-18 TEXT-6", "a table that goes on in another is refused", () => {
  const row = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const table = `<table><tr>${NAMES.map((name) => `<th>${name}</th>`).join("")}</tr>${lines(row)}</table>`;
  isRefused(`${table}<table>${row(["30", "harbor", "9"])}</table>`, "rows-elsewhere");
  isMadeTable(`${table}<table>${row(["see", "below"])}</table>`, "text:html-table", [
    `<table>${row(["see", "below"])}</table>`,
  ]);
});

verifies("TEXT-18 TEXT-2 TEXT-6", "tables that are not plain are refused", () => {
  isRefused(`<table>${HEAD}${BODY}<tr><td colspan="2">x</td><td>y</td></tr></table>`, "spanning-cells");
  isRefused(`<table>${HEAD}${BODY}<tr><td>x</td><td>y</td></tr></table>`, "row-width");
  isRefused(
    `<table>${HEAD}${BODY}<tr><td><table><tr><td>1</td></tr></table></td><td>y</td><td>z</td></tr></table>`,
    "nested-table",
  );
  isRefused(`<table>${HEAD}${BODY}<tr><td><img src="x"></td><td>y</td><td>z</td></tr></table>`, "cell-holds-more");
  isRefused(`<table>${HEAD}${BODY}<tr><td>30</td><td>har`, "table-cut");
  isRefused(
    `<table>${HEAD}${HEAD.replace("<tr>", "</thead><thead><tr>")}<thead>${HEAD}${HEAD}</thead>${BODY}</table>`,
    "header-rows",
  );
  isRefused(`<table>${HEAD}${BODY}and more</table>`, "text-outside-cells");
  isRefused(`<table>${HEAD}${BODY}</table><table>${HEAD}${BODY}</table>`, "several-tables");
});

Deno.test("markup may nest so deep and no deeper", () => {
  const nested = (depth: number) =>
    `${"<b>".repeat(depth - 3)}<table>${HEAD}${BODY.repeat(3)}</table>${"</b>".repeat(depth - 3)}`;
  recordsOf(nested(HTML_DEPTH_MAX), SOURCE);
  isRefused(nested(HTML_DEPTH_MAX + 1), "too-deep");
});
