/** The tiers together. @module */

import { deepEqual, equal } from "node:assert/strict";
import { nonBlankChars, RESIDUE_CHARS_MAX } from "../../../lib/records/coverage.ts";
import { CUT_ROWS_MIN } from "../../../lib/records/cut_end.ts";
import { DOCUMENT_HEADINGS_MIN } from "../../../lib/records/fences.ts";
import { OTHER_FENCES_MAX, readText, TIERS } from "../../../lib/records/tiers.ts";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, lines, NAMES, recordsOf, ROWS } from "./reading.ts";

const CSV = `${NAMES.join(",")}\n${lines((row) => row.join(","))}\n`;
const MARKDOWN = `| ${NAMES.join(" | ")} |\n|---|---|---|\n${lines((row) => `| ${row.join(" | ")} |`)}\n`;

verifies("TEXT-1", "readText() names each tier that looked closer, and why it refused", () => {
  deepEqual(readText("Just a sentence."), { kind: "none", reason: "no-tier" });
  deepEqual(readText(""), { kind: "none", reason: "no-tier" });
  deepEqual(readText(`${CSV}30,Har`), { kind: "none", reason: "delimited: row-width" });
  deepEqual(readText("a line\n|---|---|\n| a | b |\n"), {
    kind: "none",
    reason: "markdown-table: no-header-above-dashes",
  });
});

verifies("TEXT-3", "half of the text must be rows", () => {
  const rows = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
  const most = nonBlankChars(rows);
  equal(readText(`${"x".repeat(most)}\n\n${rows}`).kind, "records");
  isRefused(`${"x".repeat(most + 1)}\n\n${rows}`, "markdown-table: covers-too-little");
});

verifies("TEXT-3", "so much may stand around a table and no more", () => {
  const table = MARKDOWN + lines((row) => `| ${row.join(" | ")} ${"y".repeat(60)} |`) + "\n";
  equal(readText(`${"x".repeat(RESIDUE_CHARS_MAX)}\n\n${table}`).kind, "records");
  isRefused(`${"x".repeat(RESIDUE_CHARS_MAX + 1)}\n\n${table}`, "markdown-table: much-around");
});

verifies("TEXT-7", "sections and code around a table make the text documentation", () => {
  const code = (language: string) => `\`\`\`${language}\n# no heading\nuse(widget)\n\`\`\`\n`;
  const page = (headings: number, language: string) =>
    `${lines((_, i) => i < headings ? `## Part ${i}\n\nA few words.\n` : "").trim()}\n\n${code(language)}\n${MARKDOWN}${
      MARKDOWN.split("\n").slice(2).join("\n")
    }`;
  isRefused(page(DOCUMENT_HEADINGS_MIN, "tsx"), "markdown-table: documentation");
  isRefused(page(DOCUMENT_HEADINGS_MIN, "bash"), "markdown-table: documentation");
  equal(readText(page(DOCUMENT_HEADINGS_MIN - 1, "tsx")).kind, "records");
  equal(readText(page(DOCUMENT_HEADINGS_MIN, "sql")).kind, "records");
  equal(readText(page(DOCUMENT_HEADINGS_MIN, "json")).kind, "records");
});

verifies("TEXT-6", "a text that was cut by its length, and rows that dots stand for, are refused", () => {
  for (
    const mark of [
      "... (truncated, 12000 more characters)",
      "[Output truncated: 52,000 bytes omitted]",
      "<3 KB cut off>",
      "...",
      "…",
    ]
  ) isRefused(`${CSV}${mark}\n`, "cut-off");
  equal(readText(`${CSV}... (12 more rows, use offset=30)\n`).kind, "records");
  for (const end of ["...", "…", "...\n"]) isRefused(`${CSV}30,harbor,9${end}`, "cut-off");
  const [name, ...rows] = CSV.trimEnd().split("\n");
  equal(readText([name, ...rows.map((row) => `${row} items...`)].join("\n")).kind, "records");
  for (const dots of ["...", "…", "⋮", "[...]"]) {
    isRefused(`${MARKDOWN}| ${dots} | ${dots} | ${dots} |\n`, "rows-elided");
  }
  isRefused(`${MARKDOWN}| ... |  |  |\n`, "rows-elided");
  equal(readText(`${MARKDOWN}| ... | more | ... |\n`).kind, "records");
});

verifies(
  "TEXT-6",
  "a line of dots within quotes or tags stands for rows that are gone, not for a part of a cell",
  () => {
    const quoted = (cell: (word: string, i: number) => string) =>
      `id,name,qty\n${lines(([id, name = "", qty], i) => `${id},"${cell(name, i)}",${qty}`)}\n`;
    equal(
      recordsOf(quoted((word, i) => i === 9 ? `har\n${word}` : word), "text:delimited").rows[9]?.[1],
      "har\nmeadow",
    );
    for (const dots of ["...", "…", "[...]", "  ..."]) {
      isRefused(quoted((word, i) => i === 9 ? `har\n${dots}\n${word}` : word), "cut-off");
    }
    const table = (between: string) =>
      `<table><tr><th>id</th><th>name</th></tr>${
        lines(([id, name], i) => `<tr><td>${id}</td><td>${i === 9 ? `x${between}` : ""}${name}</td></tr>`)
      }</table>`;
    equal(recordsOf(table("\n"), "text:html-table").rows[9]?.[1], "x meadow");
    isRefused(table("\n...\n"), "cut-off");
  },
);

verifies("TEXT-6", "a remark that the text was cut refuses rows that have no end of their own", () => {
  for (const mark of ["[truncated]", "... (output truncated)", "The content was cut off here.", "<clipped>"]) {
    isRefused(`${CSV.trimEnd()}\n\n${mark}\n`, "cut-off");
    isRefused(`${mark}\n\n${CSV}`, "cut-off");
    isRefused(`\`\`\`\n${CSV}\`\`\`\n${mark}`, "cut-off");
    equal(readText(`${MARKDOWN}\n${mark}\n`).kind, "records");
  }
  for (
    const mark of [
      "truncated: false",
      "Not truncated.",
      "Results were truncated to 30 rows.",
      "(30 entries, truncated)",
    ]
  ) {
    equal(readText(`${CSV}\n${mark}\n`).kind, "records");
  }
});

verifies("TEXT-6", "a last record that ends where the text does, and is not as all others are, is cut off", () => {
  const csv = (cell: (i: number) => string, end = "") =>
    `id,name,v\n${lines(([id, name], i) => `${id},${name},${cell(i)}`)}${end}`;
  const lastIs = (last: string, usual: (i: number) => string) => (i: number) => i === 29 ? last : usual(i);
  for (
    const [last, usual] of [
      ["", (i) => `${i}`],
      ["2025-01", (i) => `2025-01-${i + 10}`],
      ["2025-01-", (i) => `2025-01-${i + 10}`],
      ["https:/", (i) => `https://x.example/${i}`],
      ["7.1", (i) => `${i}.25`],
    ] as const satisfies readonly (readonly [string, (i: number) => string])[]
  ) {
    isRefused(csv(lastIs(last, usual)), "cut-off");
    equal(readText(csv(lastIs(last, usual), "\n")).kind, "records");
    equal(readText(csv((i) => i === 4 ? last : usual(i), "\n")).kind, "records");
  }
  isRefused(csv(lastIs("[4", (i) => `[${i}]`)), "cut-off");
  equal(readText(csv(lastIs("7", (i) => `${i}`))).kind, "records");
  const pods = ROWS.map(([id = "", name = ""]) => `${name.padEnd(9)}${id.padEnd(5)}<none>  <none>`).join("\n");
  isRefused(`NAME     AGE  NODE    GATES\n${pods.slice(0, -6)}`, "cut-off");
  equal(readText(csv((i) => i === 4 || i === 29 ? "" : `${i}`)).kind, "records");
  isRefused(csv((i) => `${i}`, "\r").replaceAll("\n", "\r\n"), "cut-off");
  const block = ([id, name, qty]: readonly string[]) => `id: ${id}\nname: ${name}\nqty: ${qty}`;
  const blocks = ROWS.map(block).join("\n\n");
  isRefused(blocks.slice(0, blocks.lastIndexOf("qty")), "cut-off");
  equal(readText(`${blocks.slice(0, blocks.lastIndexOf("qty"))}\n\nDone.`).kind, "records");
  const documents = Array.from({ length: 9 }, (_, i) => `id: ${i}\nspec:\n  a: ${i}\n  b:\n  - x\n`).join("---\n");
  isRefused(`${documents}---\nid: 9\nspec:\n`, "cut-off");
  const few = ROWS.slice(0, CUT_ROWS_MIN - 1).map((row, i) => `${row[0]},${row[1]},${i === CUT_ROWS_MIN - 2 ? "" : i}`);
  equal(readText(`id,name,v\n${few.join("\n")}`).kind, "records");
  isRefused(`id,name,v\n9,Ada,3\n${few.join("\n")}`, "cut-off");
});

verifies("TEXT-5", "tiers that see different numbers of rows cancel each other", () => {
  const row = (i: number, tag: string) =>
    `<tr id="${i}" class="r" lang="x"><${tag}>${tag}${i}</${tag}><${tag}>${i}</${tag}></tr>`;
  const text = `<data><table>${[row(0, "th"), ...ROWS.map((_, i) => row(i + 1, "td"))].join("\n")}</table></data>`;
  deepEqual(readText(text), { kind: "none", reason: "tiers-disagree: text:html-table and text:xml" });
});

verifies("TEXT-7 TEXT-3", "a table inside a fence is read, with what stands around the fence", () => {
  isMadeTable(`\`\`\`csv\n${CSV}\`\`\`\n`, "text:delimited");
  isMadeTable(`Here it is:\n\n~~~~\n${MARKDOWN}~~~~\n\nNext: abc`, "text:markdown-table", ["Here it is:", "Next: abc"]);
  isMadeTable(`\`\`\`js\nrun();\n\`\`\`\n\n\`\`\`\n${CSV}\`\`\``, "text:delimited", ["```js\nrun();\n```"]);
});

verifies("TEXT-7 TEXT-6", "rows that go on in another fence refuse the table", () => {
  const fenced = (inside: string) => `\`\`\`\n${inside}\`\`\`\n`;
  const query = fenced("select * from t\n");
  equal(readText(`${query}${fenced(CSV)}`).kind, "records");
  isRefused(`${fenced(CSV)}Page 2\n${fenced(`${CSV.split("\n").slice(0, 4).join("\n")}\n`)}`, "rows-elsewhere");
  isRefused(`${fenced(CSV)}Page 2\n${fenced("30,harbor,3\n31,lantern,6\n")}`, "rows-elsewhere");
  equal(readText(`${query.repeat(OTHER_FENCES_MAX)}${fenced(CSV)}`).kind, "records");
  isRefused(`${query.repeat(OTHER_FENCES_MAX + 1)}${fenced(CSV)}`, "rows-elsewhere");
});

verifies("TEXT-7 TEXT-6", "a fence of a programming language stays closed", () => {
  isRefused(`\`\`\`python\n${CSV}\`\`\``, "no-tier");
  isRefused(`\`\`\`csv\n${CSV}\`\`\`\n\n${"x".repeat(CSV.length)}`, "no-tier");
  const long = CSV + `${lines((row) => row.join(","))}\n`.repeat(8);
  const around = (chars: number) => `\`\`\`csv\n${long}\`\`\`\n\n${"x".repeat(chars)}`;
  equal(readText(around(RESIDUE_CHARS_MAX)).kind, "records");
  isRefused(around(RESIDUE_CHARS_MAX + 1), "much-around");
});

verifies("TEXT-2 TEXT-6", "rows or columns that were left out refuse a table in any form", () => {
  isRefused(MARKDOWN.replace("| 9 | meadow | 27 |", "| ... | ... | ... |"), "rows-elided");
  isRefused(MARKDOWN.replaceAll("name", "..."), "columns-elided");
  isRefused(`${CSV}...,...,...\n`, "no-number-column");
  isRefused(MARKDOWN.replace("| 9 | meadow | 27 |", `| ${NAMES.join(" | ")} |`), "header-repeated");
});

Deno.test("every tier has a source of its own kind", () => {
  deepEqual([...new Set(TIERS.map((tier) => tier.source))], [
    "text:markdown-table",
    "text:box-table",
    "text:html-table",
    "text:xml",
    "text:delimited",
    "text:record-blocks",
    "text:yaml",
    "text:fixed-width",
  ]);
});
