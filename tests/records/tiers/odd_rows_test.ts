/** Lines among the rows that are none of them. @module */

import { deepEqual, equal } from "node:assert/strict";
import { hasHeadings, hasSecondHeader, HEADINGS_SHARE_MAX, ROWS_BENEATH_MIN } from "../../../lib/records/odd_rows.ts";
import { isTypeName } from "../../../lib/records/type_names.ts";
import { verifies } from "../../support/verifies.ts";
import { isRefused, NAMES, recordsOf, ROWS } from "./reading.ts";

type Row = readonly string[];

const markdown = (rows: readonly Row[], names: Row = NAMES) =>
  [names, names.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
const quoted = (rows: readonly Row[]) =>
  [NAMES, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n") + "\n";
const html = (rows: readonly Row[]) =>
  `<table><tr>${NAMES.map((name) => `<th>${name}</th>`).join("")}</tr>${
    rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")
  }</table>`;

verifies("TEXT-21", "types, units or words beneath the names are a second line of the header", () => {
  for (const write of [markdown, quoted, html]) {
    isRefused(write([["UInt64", "String", "UInt8"], ...ROWS]), "second-header");
    isRefused(write([["(no)", "", "(kg)"], ...ROWS]), "second-header");
    isRefused(write([["The id", "The name", "How many?"], ...ROWS]), "second-header");
  }
  const measured = ROWS.map(([, name = "", qty = ""]) => [name, qty]);
  isRefused(markdown([["", "(kg)"], ...measured], ["name", "mass"]), "second-header");
});

verifies("TEXT-21", "a first row with words for missing values, or with one odd word, is a row", () => {
  for (const first of [["0", "n/a", "unknown"], ["n/a", "x", "none"], ["-", "x", "7"], ["1", "INTEGER", "TBD"]]) {
    equal(recordsOf(markdown([first, ...ROWS]), "text:markdown-table").rows.length, ROWS.length + 1);
  }
  const words = ROWS.map(([, name = ""]) => [name, "a", "b"]);
  deepEqual(recordsOf(markdown([["text", "date", "c"], ...words]), "text:markdown-table").rows[0], [
    "text",
    "date",
    "c",
  ]);
});

verifies("TEXT-21", "five rows beneath the first say something about it, four do not", () => {
  const rows = (count: number) => [["a", "b"], ...ROWS.slice(0, count).map(([id = "", , qty = ""]) => [id, qty])];
  equal(hasSecondHeader(rows(ROWS_BENEATH_MIN)), true);
  equal(hasSecondHeader(rows(ROWS_BENEATH_MIN - 1)), false);
});

verifies("TEXT-21", "headings between the rows and a last row that says there are more refuse the table", () => {
  const middle = (row: Row) => markdown([...ROWS.slice(0, 9), row, ...ROWS.slice(9)]);
  isRefused(middle(["North", "", ""]), "headings-among-rows");
  isRefused(middle(["**North**", "", ""]), "headings-among-rows");
  for (const more of ["*12 more rows*", "... 12 more", "…and others", "12 records not shown", "+12 more"]) {
    isRefused(markdown([...ROWS, ["", more, ""]]), "headings-among-rows");
    isRefused(markdown([...ROWS, [more, "...", "..."]]), "headings-among-rows");
  }
  isRefused(markdown([...ROWS, ["12 more rows", "see the file", "7"]]), "headings-among-rows");
  equal(
    recordsOf(markdown([...ROWS, ["12", "12 more rows", "7"]]), "text:markdown-table").rows.length,
    ROWS.length + 1,
  );
});

verifies("TEXT-21", "rows that fill one cell as the others do are rows", () => {
  const sparse = ROWS.map(([id = "", name = "", qty = ""], i) => i % 10 === 3 ? [id, "", ""] : [id, name, qty]);
  equal(recordsOf(markdown(sparse), "text:markdown-table").rows.length, ROWS.length);
  const bold = ROWS.map((
    [id = "", name = "", qty = ""],
    i,
  ) => [`**${name}**`, i % 10 === 3 ? "" : id, i % 10 === 3 ? "" : qty]);
  equal(recordsOf(markdown(bold), "text:markdown-table").rows.length, ROWS.length);
});

verifies("TEXT-21", "line numbers, signs of a diff and blanks before every line refuse the text", () => {
  const csv = [NAMES, ...ROWS].map((row) => row.join(","));
  const tsv = [NAMES, ...ROWS].map((row) => row.join("\t"));
  const columns = [NAMES, ...ROWS].map(([a = "", b = "", c = ""]) => `${a.padEnd(6)}${b.padEnd(12)}${c}`);
  const marked = (table: readonly string[], mark: (i: number) => string) =>
    table.map((line, i) => mark(i + 1) + line).join("\n") + "\n";
  for (const table of [csv, tsv, columns]) {
    const source = table === columns ? "text:fixed-width" : "text:delimited";
    equal(recordsOf(marked(table, () => ""), source).rows.length, ROWS.length);
    isRefused(marked(table, (i) => `${i}→`), "");
    isRefused(marked(table, (i) => `${String(i).padStart(6)}→`), "");
    isRefused(marked(table, (i) => `${String(i).padStart(6)}\t`), "");
    isRefused(marked(table, (i) => `${i}: `), "");
    for (const sign of ["+", "-", "// ", "# ", "* ", "> ", "-- "]) isRefused(marked(table, () => sign), "");
    for (const [before, after] of [["", ". "], ["[", "] "], ["", ") "], ["", " "]]) {
      isRefused(marked(table, (i) => `${before}${i}${after}`), "");
    }
  }
  isRefused(
    marked([NAMES, ...ROWS].map((row) => `| ${row.join(" | ")} |`).toSpliced(1, 0, "|---|---|---|"), () => "-"),
    "",
  );
  isRefused(marked(csv, () => "+"), "line-marks");
  for (const sign of ["$", "¶"]) isRefused(csv.map((line) => `${line}${sign}\n`).join(""), "line-marks");
  equal(
    recordsOf(csv.map((line, i) => `${line}${i === 0 ? " $" : "$"}\n`).join(""), "text:delimited").header[2],
    "qty $",
  );
  isRefused(marked(csv, () => "    "), "indented");
  isRefused(marked(tsv, () => "\t"), "indented");
  isRefused(marked(tsv, (i) => `${i}\t`), "line-marks");
  const signed = csv.map((line, i) => i === 0 ? line : `+${line}`).join("\n");
  equal(recordsOf(`${signed}\n`, "text:delimited").rows[0]?.[0], "+0");
});

verifies("TEXT-21", "a name in bold or of one sign, and cells that begin with a number, are no marks of lines", () => {
  const first = (name: string, cell: (row: Row, i: number) => string) =>
    markdown(ROWS.map((row, i) => [cell(row, i), ...row.slice(1)]), [name, "name", "qty"]);
  for (
    const table of [
      first("**id**", ([id]) => `**${id}**`),
      first("#", ([id]) => `#${id}`),
      first("id", ([id]) => `-${id}`),
      first("2 of all", ([id]) => `${id} pieces`),
      first("part", (_row, i) => `${i}. part`),
    ]
  ) equal(recordsOf(table, "text:markdown-table").rows.length, ROWS.length);
});

verifies("TEXT-6", "lines that were cut at one width are refused", () => {
  const cut = (line: string) => `${line.slice(0, 17)}...`;
  const columns = [["id", "name", "quantity"], ...ROWS.map(([id = "", name = ""]) => [id, name, "1234567890"])]
    .map(([a = "", b = "", c = ""]) => `${a.padEnd(5)}${b.padEnd(10)}${c}`);
  isRefused(columns.map(cut).join("\n"), "cut-off");
  equal(recordsOf(columns.join("\n"), "text:fixed-width").rows.length, ROWS.length);
});

verifies("TEXT-21", "headings are a fifth of the rows at most", () => {
  const rows = (headings: number) =>
    [
      ...Array.from({ length: headings }, (): Row => ["North:", "", ""]),
      ...Array.from({ length: 20 - headings }, (): Row => ["Oslo", "a", "b"]),
    ].reverse();
  const most = 20 * HEADINGS_SHARE_MAX;
  equal(hasHeadings([...rows(most), ["Rome", "a", "b"]]), true);
  equal(hasHeadings(rows(most + 1)), false);
});

Deno.test("names of types, and words that are none", () => {
  for (
    const name of ["BIGINT", "varchar(20)", "UInt64", "Nullable(String)", "i64", "timestamp with time zone", "int[]"]
  ) {
    equal(isTypeName(name), true, name);
  }
  for (const name of ["id", "city", "Oslo", "interior", "updated", "text me", ""]) equal(isTypeName(name), false, name);
});
