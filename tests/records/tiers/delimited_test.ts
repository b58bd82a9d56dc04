/** Delimited text. @module */

import { deepEqual, equal } from "node:assert/strict";
import { HEADERLESS_ROWS_MIN, ROWS_WITHOUT_NUMBER_MIN, TWO_COLUMN_ROWS_MIN } from "../../../lib/records/delimited.ts";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, lines, NAMES, recordsOf, ROWS } from "./reading.ts";

const SOURCE = "text:delimited";
const by = (mark: string) => `${NAMES.join(mark)}\n${lines((row) => row.join(mark))}\n`;

verifies("TEXT-12", "commas, semicolons and tabs part cells, whatever the line end", () => {
  for (const mark of [",", ";", "\t"]) {
    isMadeTable(by(mark), SOURCE);
    isMadeTable(`\ufeff${by(mark).replaceAll("\n", "\r\n")}`, SOURCE);
    isMadeTable(by(mark).trimEnd(), SOURCE);
  }
});

verifies("TEXT-6", "line ends of two carriage returns are none of one kind", () => {
  isRefused(by(",").replaceAll("\n", "\r\r\n"), "line-ends-mixed");
});

verifies("TEXT-12 TEXT-10", "quoted fields keep delimiters, line ends, quotes and blanks", () => {
  const { header, rows } = recordsOf(
    `id,"a, b",note\n1,"x, y","say ""no""\n\nand go"\n2, z ,\n3,5" pipe,"  "\n`,
    SOURCE,
  );
  deepEqual(header, ["id", "a, b", "note"]);
  deepEqual(rows, [["1", "x, y", 'say "no"\n\nand go'], ["2", " z ", ""], ["3", '5" pipe', "  "]]);
});

verifies("TEXT-12", "a delimiter at the end of every line parts nothing", () => {
  isMadeTable(by(",").replaceAll("\n", ",\n"), SOURCE);
  isRefused(by(",").replaceAll("\n", ",\n").replace("5,garden,15,", "5,garden,15,x"), "row-width");
});

verifies("TEXT-10 TEXT-12", "a blank after every comma belongs to the comma", () => {
  isMadeTable(by(", "), SOURCE);
  deepEqual(recordsOf("id, name, qty\n1, Har, 2\n2,x, 3\n", SOURCE).rows[1], ["2", "x", " 3"]);
});

verifies("TEXT-12", "an escaped cell of a tab-separated text is left alone", () => {
  const { rows } = recordsOf('id\tdata\tn\n1\t{"a": "b, c"}\t5\n2\t5" pipe\t6\n', SOURCE);
  deepEqual(rows, [["1", '{"a": "b, c"}', "5"], ["2", '5" pipe', "6"]]);
});

verifies("TEXT-3 TEXT-12", "remarks above and below delimited rows are residue", () => {
  isMadeTable(`# total: 733\n# next: abc\n\n${by(",")}`, SOURCE, ["# total: 733\n# next: abc"]);
  isMadeTable(`Rows from start, 30, of 500\n\n${by(",")}`, SOURCE, ["Rows from start, 30, of 500"]);
  isMadeTable(`Things of 2025\n${by(",")}`, SOURCE, ["Things of 2025"]);
  isRefused(`name,city\n${by(",")}`, "no-tier");
  isMadeTable(by(",").replaceAll("\n", ",,\n"), SOURCE);
  isMadeTable(`${by(",")}\n(30 rows, 1000 total)\n`, SOURCE, ["(30 rows, 1000 total)"]);
  isMadeTable(`${by(",")}(30 rows)\n`, SOURCE, ["(30 rows)"]);
  isMadeTable(`${by(",")}\nA, b and c are left out.\n`, SOURCE, ["A, b and c are left out."]);
});

verifies("TEXT-8 TEXT-13", "a first line that is data is no header", () => {
  isRefused(lines((row) => row.join(",")), "no-tier");
  isRefused(lines((row) => [`2025-01-${10 + Number(row[0])}`, row[1], row[1]].join(",")), "no-tier");
  isRefused(`true,name,qty\n${lines((row) => row.join(","))}`, "no-tier");
  isRefused(lines((row) => [row[1], row[1], row[1]].join(",")), "no-number-column");
  const places = lines((row) => [row[1], `${row[1]}ton`, row[0]].join(","));
  isRefused(`harbor,meadowton,pending\n${places}\n`, "names-among-cells");
  equal(recordsOf(`harbor,town,pending\n${places}\n`, SOURCE).rows.length, ROWS.length);
});

verifies("TEXT-8", "years are names when they go on in even steps", () => {
  const years = (header: string) => `${header}\n${lines((row) => [row[1], row[0], row[2], row[0]].join(","))}`;
  deepEqual(recordsOf(years("country,1990,1995,2000"), SOURCE).header, ["country", "1990", "1995", "2000"]);
  isRefused(years("country,1990,1995,2003"), "no-tier");
});

verifies("TEXT-13", "without numbers a header needs another proof and eight rows", () => {
  const dated = (rows: number) =>
    `at,name,city\n${ROWS.slice(0, rows).map((row) => `2025-01-${10 + Number(row[0])},${row[1]},x`).join("\n")}\n`;
  deepEqual(recordsOf(dated(ROWS_WITHOUT_NUMBER_MIN), SOURCE).rows.length, ROWS_WITHOUT_NUMBER_MIN);
  isRefused(dated(ROWS_WITHOUT_NUMBER_MIN - 1), "no-number-column");
  isRefused(dated(20).replaceAll(",", ", "), "no-number-column");
  const quoted = `code,name,list\n${lines((row) => `"${row[1]}","${row[1]}, Inc.","[""${row[1]}""]"`)}\n`;
  deepEqual(recordsOf(quoted, SOURCE).rows[0], ["harbor", "harbor, Inc.", '["harbor"]']);
  isRefused(`code,name,list\n${lines((row) => `${row[1]},${row[1]} Inc,a ${row[1]}`)}\n`, "no-number-column");
});

verifies("TEXT-8 TEXT-13", "capitals of one length under a name prove a header, words of one length don't", () => {
  const three = (header: string, code: (i: number) => string) =>
    `${header}\n${lines((row, i) => `the ${row[1]},${code(i)},a ${row[1]}`)}\n`;
  deepEqual(recordsOf(three("name,country,note", (i) => i % 2 ? "DE" : "FR"), SOURCE).header, [
    "name",
    "country",
    "note",
  ]);
  isRefused(three("the harbor,closed,a lantern", (i) => i % 2 ? "open" : "shut"), "no-number-column");
  isRefused(three("the harbor,USA,a lantern", (i) => i % 2 ? "DE" : "FR"), "no-number-column");
  isRefused(three("id: 1,state: shut,n: 3", (i) => i % 2 ? "DE" : "FR"), "no-tier");
});

verifies("TEXT-13", "two columns need a number and twenty rows, and nothing beside them unless tabs part them", () => {
  const two = (rows: number) => `id\trate\n${Array.from({ length: rows }, (_, i) => `${i}\t.0${i}`).join("\n")}\n`;
  deepEqual(recordsOf(two(TWO_COLUMN_ROWS_MIN), SOURCE).rows.length, TWO_COLUMN_ROWS_MIN);
  isRefused(two(TWO_COLUMN_ROWS_MIN - 1), "too-few-columns");
  for (const mark of [",", ";"]) {
    const by = (rows: number) => two(rows).replaceAll("\t", mark);
    deepEqual(recordsOf(by(TWO_COLUMN_ROWS_MIN), SOURCE).rows.length, TWO_COLUMN_ROWS_MIN);
    deepEqual(recordsOf(`\ufeff${by(40)}`, SOURCE).header, ["id", "rate"]);
    isRefused(by(TWO_COLUMN_ROWS_MIN - 1), "too-few-columns");
    isRefused(`Rates\n\n${by(40)}`, "no-tier");
    isRefused(`${by(40)}\n(40 rows)\n`, "too-few-columns");
    isRefused(by(40).replaceAll(/^\d/gm, "k").replaceAll(".0", "x"), "too-few-columns");
  }
  isRefused(two(40).replaceAll("\t", ", "), "too-few-columns");
  isRefused(`name\tcity\n${lines((row) => `${row[1]}\t${row[1]}`)}`, "too-few-columns");
});

verifies("TEXT-13", "rows without a header get numbered names when nothing else is in the text", () => {
  const bare = (rows: number) =>
    Array.from({ length: rows }, (_, i) => `${2600 + i};THE SIGN;So;0;;N`).join("\n") + "\n";
  const { header, rows } = recordsOf(bare(HEADERLESS_ROWS_MIN), SOURCE);
  deepEqual(header, ["column_1", "column_2", "column_3", "column_4", "column_5", "column_6"]);
  deepEqual(rows.length, HEADERLESS_ROWS_MIN);
  isRefused(bare(HEADERLESS_ROWS_MIN - 1), "no-header");
  isRefused(`${bare(40)}the end`, "no-header");
  isRefused(lines((row) => `${row[0]}\tGET\t200\t10.0.0.${row[0]}`), "log-or-listing");
  isRefused(lines((row) => `${row[0]}\troot\t644\t./src/${row[1]}.ts`), "log-or-listing");
  isRefused(lines((row) => `${row[0]}\tGET\t200\t2025-01-01T00:00:00Z`), "log-or-listing");
  isRefused(lines((row) => `${row[0]}\t${row[2]}\tsrc/${row[1]}.ts`), "no-tier");
});

verifies("TEXT-9", "a total under delimited rows is residue when it is one", () => {
  isMadeTable(`${by(",")}Total,,1305\n`, SOURCE, ["Total,,1305"]);
  isRefused(`${by(",")}Total,,1304\n`, "total-unsure");
  const firms = `firm,staff,sales\nHarbor Inc,3,5\nNeedle Ltd,4,9\nTotal Energies,8,9\n`;
  deepEqual(recordsOf(firms, SOURCE).rows.length, 3);
});

verifies("TEXT-2 TEXT-6 TEXT-12", "delimited rows that are not whole are refused", () => {
  isRefused(`${by(",")}30,Har`, "row-width");
  isRefused(`${by(",")}30,"Har`, "quotes-broken");
  isRefused(`${by(",")}30,"Har"x,3\n`, "quotes-broken");
  isRefused(`id,name,qty\n${lines((row) => row.join(", x,"))}`, "no-tier");
  isRefused(`${by(",")}\n${by(",")}`, "rows-elsewhere");
  isRefused(`${by(",")}\n30,harbor,9\n`, "rows-elsewhere");
  isMadeTable(`${by(",")}\nAll counted, none estimated, see above\n`, SOURCE, [
    "All counted, none estimated, see above",
  ]);
  isRefused(by(",").replace("7,harbor,21", "7,harbor, Inc.,21"), "row-width");
  isRefused(`id,name,qty\n${lines((row) => `${row[0]}, "${row[1]}",${row[2]}`)}`, "quotes-stray");
});

verifies("TEXT-2 TEXT-12", "lines that do not all end alike are refused, line ends in quotes aside", () => {
  const windows = `id,note,n\r\n${lines((row) => `${row.join(",")}\r`)}\n`;
  isMadeTable(windows.replace("note", "name").replace(",n\r", ",qty\r"), SOURCE);
  isRefused(windows.replace("\r\n10,", "\r\n-- more --\n10,"), "line-ends-mixed");
  isRefused(windows.replaceAll("\r", "").replace("\n11,", "\r\n11,"), "line-ends-mixed");
  const quoted = windows.replace("\r\n10,copper", '\r\n10,"a\nb ""c""\n"');
  equal(recordsOf(quoted, SOURCE).rows[10]?.[1], 'a\nb "c"\n');
});

verifies("TEXT-12", "texts between apostrophes are literals of SQL, whose signs nothing undoes", () => {
  const literals = (row: readonly string[]) => `${row[0]},'${row[1]}',${row[2]}`;
  isRefused(`'id','name','qty'\n${lines(literals)}\n`, "delimited: apostrophes");
  isRefused(`id,name,qty\n${lines((row, i) => i === 3 ? "3,NULL,9" : literals(row))}\n`, "delimited: apostrophes");
  const some = recordsOf(`id,name,qty\n${lines((row, i) => i === 3 ? row.join(",") : literals(row))}\n`, SOURCE);
  deepEqual(some.rows[0], ["0", "'harbor'", "0"]);
});
