/** Every bound of the tiers, on both of its sides. @module */

import { equal } from "node:assert/strict";
import { NAMED_LEAD_CHARS_MAX } from "../../../lib/records/block_bounds.ts";
import { SHORT_CELL_CHARS_MAX, STRANGE_BLOCKS_MAX } from "../../../lib/records/blocks.ts";
import { looksLikeName, NAME_CHARS_MAX, NAME_WORDS_MAX } from "../../../lib/records/cell_kinds.ts";
import { ROWS_MIN } from "../../../lib/records/coverage.ts";
import { FOOTER_LINES_MAX, HEADERLESS_COLUMNS_MIN, PREAMBLE_LINES_MAX } from "../../../lib/records/delimited.ts";
import { GUTTER_CHARS_MIN, LINE_CHARS_MAX, SPACED_CELLS_SHARE_MAX } from "../../../lib/records/fixed_width.ts";
import { TELLING_ROWS_MIN } from "../../../lib/records/header.ts";
import { OTHER_HTML_TABLES_CHARS_MAX } from "../../../lib/records/html.ts";
import { KEY_CHARS_MAX, KEY_WORDS_MAX, pairsOf } from "../../../lib/records/key_lines.ts";
import { OTHER_TABLE_ROWS_FACTOR, OTHER_TABLES_CHARS_MAX } from "../../../lib/records/markdown.ts";
import { proveHeader } from "../../../lib/records/header.ts";
import { readText } from "../../../lib/records/tiers.ts";
import { XML_CHARS_MAX, xmlTier } from "../../../lib/records/xml.ts";
import { YAML_CHARS_MAX, yamlTier } from "../../../lib/records/yaml.ts";
import { lines, NAMES, ROWS } from "./reading.ts";

const CSV = `${NAMES.join(",")}\n${lines((row) => row.join(","))}\n`;
const table = (rows: number) =>
  `| id | name | qty |\n|---|---|---|\n${ROWS.slice(0, rows).map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
const WIDE = `| a | b |\n|---|---|\n${lines((row) => `| ${row[0]} | ${"y".repeat(60)} |`)}\n`;
const isRead = (text: string) => readText(text).kind === "records";
const records = (write: (row: readonly string[]) => string) => ROWS.map(write).join("\n\n");
const html = (rows: number, cell = "x") =>
  `<table><tr><th>a</th><th>b</th></tr>${`<tr><td>${cell}</td><td>1</td></tr>`.repeat(rows)}</table>`;

/** A bound: what holds at its last allowed value, and no longer one step further. */
const BOUNDS: readonly (readonly [name: string, allowed: () => boolean, beyond: () => boolean])[] = [
  ["ROWS_MIN", () => isRead(table(ROWS_MIN)), () => isRead(table(ROWS_MIN - 1))],
  [
    "PREAMBLE_LINES_MAX",
    () => isRead("#\n".repeat(PREAMBLE_LINES_MAX - 1) + CSV),
    () => isRead("#\n".repeat(PREAMBLE_LINES_MAX) + CSV),
  ],
  [
    "FOOTER_LINES_MAX",
    () => isRead(`${CSV}\n${"# x\n".repeat(FOOTER_LINES_MAX - 2)}`),
    () => isRead(`${CSV}\n${"# x\n".repeat(FOOTER_LINES_MAX - 1)}`),
  ],
  [
    "HEADERLESS_COLUMNS_MIN",
    () => isRead(`${"1\t".repeat(HEADERLESS_COLUMNS_MIN - 1)}a\n`.repeat(30)),
    () => isRead(`${"1\t".repeat(HEADERLESS_COLUMNS_MIN - 2)}a\n`.repeat(30)),
  ],
  [
    "TELLING_ROWS_MIN",
    () => proveHeader(["country"], Array.from({ length: TELLING_ROWS_MIN }, () => ["DE"])) === "form",
    () => proveHeader(["country"], Array.from({ length: TELLING_ROWS_MIN - 1 }, () => ["DE"])) === "form",
  ],
  [
    "NAME_CHARS_MAX",
    () => looksLikeName("a".repeat(NAME_CHARS_MAX)),
    () => looksLikeName("a".repeat(NAME_CHARS_MAX + 1)),
  ],
  [
    "NAME_WORDS_MAX",
    () => looksLikeName("of ".repeat(NAME_WORDS_MAX)),
    () => looksLikeName("of ".repeat(NAME_WORDS_MAX + 1)),
  ],
  [
    "KEY_CHARS_MAX",
    () => pairsOf(`${"a".repeat(KEY_CHARS_MAX)}: 1`, ":") !== undefined,
    () => pairsOf(`${"a".repeat(KEY_CHARS_MAX + 1)}: 1`, ":") !== undefined,
  ],
  [
    "KEY_WORDS_MAX",
    () => pairsOf(`${"a ".repeat(KEY_WORDS_MAX)}: 1`, ":") !== undefined,
    () => pairsOf(`${"a ".repeat(KEY_WORDS_MAX + 1)}: 1`, ":") !== undefined,
  ],
  [
    "SHORT_CELL_CHARS_MAX",
    () => isRead(records(() => `a: ${"x".repeat(SHORT_CELL_CHARS_MAX)}\nb: ${"y".repeat(99)}\nc: ${"z".repeat(99)}`)),
    () =>
      isRead(records(() => `a: ${"x".repeat(SHORT_CELL_CHARS_MAX + 1)}\nb: ${"y".repeat(99)}\nc: ${"z".repeat(99)}`)),
  ],
  [
    "STRANGE_BLOCKS_MAX",
    () => isRead(`${"Hello\n\n".repeat(STRANGE_BLOCKS_MAX)}${records((row) => `id: ${row[0]}\nb: 1\nc: 2`)}`),
    () => isRead(`${"Hello\n\n".repeat(STRANGE_BLOCKS_MAX + 1)}${records((row) => `id: ${row[0]}\nb: 1\nc: 2`)}`),
  ],
  [
    "NAMED_LEAD_CHARS_MAX",
    () =>
      isRead(ROWS.map((_, i) => `Result ${i + 10}`.padEnd(NAMED_LEAD_CHARS_MAX, "-") + "\n  a: 1\n  b: 2").join("\n")),
    () =>
      isRead(
        ROWS.map((_, i) => `Result ${i + 10}`.padEnd(NAMED_LEAD_CHARS_MAX + 1, "-") + "\n  a: 1\n  b: 2").join("\n"),
      ),
  ],
  [
    "OTHER_TABLES_CHARS_MAX",
    () => isRead(`${WIDE}\n| a |\n|---|\n| ${"x".repeat(OTHER_TABLES_CHARS_MAX - 10)} |\n`),
    () => isRead(`${WIDE}\n| a |\n|---|\n| ${"x".repeat(OTHER_TABLES_CHARS_MAX - 9)} |\n`),
  ],
  [
    "OTHER_TABLE_ROWS_FACTOR",
    () => isRead(`${table(OTHER_TABLE_ROWS_FACTOR * 3)}\n${table(3)}`),
    () => isRead(`${table(OTHER_TABLE_ROWS_FACTOR * 3 - 1)}\n${table(3)}`),
  ],
  [
    "OTHER_HTML_TABLES_CHARS_MAX",
    () => isRead(html(99) + html(1, "x".repeat(OTHER_HTML_TABLES_CHARS_MAX - html(1, "").length))),
    () => isRead(html(99) + html(1, "x".repeat(OTHER_HTML_TABLES_CHARS_MAX + 1 - html(1, "").length))),
  ],
  [
    "GUTTER_CHARS_MIN",
    () =>
      isRead(
        `NAME${" ".repeat(GUTTER_CHARS_MIN)}STATE${" ".repeat(GUTTER_CHARS_MIN)}AGE\n${"webs  on     5d\n".repeat(5)}`,
      ),
    () => isRead(`NAME${" ".repeat(GUTTER_CHARS_MIN - 1)}STATE  AGE\n${"webs on     5d\n".repeat(5)}`),
  ],
  [
    "LINE_CHARS_MAX",
    () => isRead(`NAME  STATE  AGE\n${"webs  on     5d\n".repeat(5)}x     on     ${"5".repeat(LINE_CHARS_MAX - 13)}`),
    () => isRead(`NAME  STATE  AGE\n${"webs  on     5d\n".repeat(5)}x     on     ${"5".repeat(LINE_CHARS_MAX - 12)}`),
  ],
  [
    "SPACED_CELLS_SHARE_MAX",
    () => isRead(`NAME  LAST SEEN  AGE\n${"webs  today      5d\n".repeat(9)}webs  a day ago  5d\n`),
    () => isRead(`NAME  LAST SEEN  AGE\n${"webs  today      5d\n".repeat(8)}webs  a day ago  5d\n`),
  ],
  [
    "XML_CHARS_MAX",
    () => xmlTier.plausible(padded("<a>", "</a>", XML_CHARS_MAX)),
    () => xmlTier.plausible(padded("<a>", "</a>", XML_CHARS_MAX + 1)),
  ],
  [
    "YAML_CHARS_MAX",
    () => yamlTier.plausible(padded("a: 1\nb:\n  - c", "", YAML_CHARS_MAX)),
    () => yamlTier.plausible(padded("a: 1\nb:\n  - c", "", YAML_CHARS_MAX + 1)),
  ],
];

function padded(head: string, foot: string, chars: number): string {
  return head + " ".repeat(chars - head.length - foot.length) + foot;
}

for (const [name, allowed, beyond] of BOUNDS) {
  Deno.test(`${name} holds on both sides`, () => {
    equal(allowed(), true, "at the bound");
    equal(beyond(), false, "beyond it");
  });
}

Deno.test("a tenth of the cells under a spaced name may hold blanks", () => equal(SPACED_CELLS_SHARE_MAX, 0.1));
