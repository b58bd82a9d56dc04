/** YAML record lists. @module */

import { deepEqual, equal } from "node:assert/strict";
import { YAML_DEPTH_MAX, YAML_RECORDS_MIN } from "../../../lib/records/yaml.ts";
import { verifies } from "../../support/verifies.ts";
import { isRefused, lines, NAMES, recordsOf, ROWS } from "./reading.ts";

const SOURCE = "text:yaml";
const item = ([id, name, qty]: readonly string[]) => `- id: ${id}\n  name: ${name}\n  qty: ${qty}`;
const JSON_ROWS = ROWS.map(([id = "", name, qty = ""]) => [id, JSON.stringify(name), qty]);

verifies("TEXT-20", "a list of maps is rows of JSON texts", () => {
  const records = recordsOf(`# things\n${lines(item)}\n`, SOURCE);
  deepEqual(records.header, NAMES);
  deepEqual(records.rows, JSON_ROWS);
  deepEqual(records.residue, ["# things"]);
  equal(records.jsonCells, true);
});

verifies("TEXT-20 TEXT-3", "the list may stand under one key, and the other keys are residue", () => {
  const { rows, residue } = recordsOf(
    `apiVersion: v1\nitems:\n${lines(item)}\nkind: List\nmetadata:\n  resourceVersion: "7"\n`,
    SOURCE,
  );
  deepEqual(rows, JSON_ROWS);
  deepEqual(residue, ["apiVersion: v1\nitems:", 'kind: List\nmetadata:\n  resourceVersion: "7"']);
});

verifies("TEXT-20 TEXT-3", "the list may stand two maps deep", () => {
  const { rows, residue } = recordsOf(
    `data:\n  next: abc\n  page:\n    items:\n${lines(item).replaceAll(/^/gm, "    ")}\n  end: 1\n`,
    SOURCE,
  );
  deepEqual(rows, JSON_ROWS);
  deepEqual(residue, ["data:\n  next: abc\n  page:\n    items:", "end: 1"]);
});

verifies("TEXT-20", "documents of maps are rows", () => {
  const nested = ROWS.map((row) => `id: ${row[0]}\nspec:\n  name: ${row[1]}\n`).join("---\n");
  deepEqual(recordsOf(nested, SOURCE).rows[1], ["1", '{"name":"lantern"}']);
});

verifies("TEXT-20 TEXT-10", "scalars keep their digits, quotes make strings", () => {
  const values = [
    "1.10",
    "007",
    "'5'",
    "0x1F",
    "~",
    "true",
    "yes",
    "12345678901234567890.5",
    '"a\\tb"',
    "[1, x]",
    "{a: 1}",
    "2025-01-01",
  ];
  const text = `${
    values.map((value, i) => `- k: ${i}\n  v: ${value}`).join("\n")
  }\n- k: 12\n  v: |\n    two\n    lines\n`;
  deepEqual(recordsOf(text, SOURCE).rows.map((row) => row[1]), [
    "1.10",
    '"007"',
    '"5"',
    '"0x1F"',
    "null",
    "true",
    '"yes"',
    "12345678901234567890.5",
    '"a\\tb"',
    '[1,"x"]',
    '{"a":1}',
    '"2025-01-01"',
    '"two\\nlines\\n"',
  ]);
});

verifies("TEXT-4 TEXT-20", "five records are needed, and two keys", () => {
  const some = (count: number) => ROWS.slice(0, count).map(item).join("\n");
  equal(recordsOf(some(YAML_RECORDS_MIN), SOURCE).rows.length, YAML_RECORDS_MIN);
  isRefused(some(YAML_RECORDS_MIN - 1), "too-few-records");
  isRefused(lines((row) => `- id: ${row[0]}`), "one-key");
});

verifies("TEXT-20 TEXT-2 TEXT-6", "what is no list of maps as written is refused", () => {
  isRefused(`${lines(item)}\n- just text\n`, "item-without-keys");
  isRefused(`${lines(item)}\n- id: 1\n  id: 2\n`, "not-yaml");
  isRefused(`${lines(item)}\n- &x\n  id: 1\n  name: b\n  qty: 2\n`, "not-yaml");
  isRefused(`${lines(item)}\n- id: !!str 1\n  name: b\n  qty: 2\n`, "not-yaml");
  isRefused(ROWS.map(() => "a: ~\n\nb: 2\n").join("---\n"), "flat-documents");
  isRefused(`a:\n${lines(item)}\nb:\n${lines(item)}\n`, "several-lists");
  isRefused(lines((row) => `- ${row[1]}${row[0]}: 1\n  b${row[0]}: 2`), "keys-differ");
  isRefused(`jobs:\n${lines((row) => `  j${row[0]}:\n    steps:\n      - run: ${row[1]}`)}`, "settings");
  isRefused(`on: push\njobs:\n  build:\n    steps:\n${lines(item).replaceAll(/^/gm, "      ")}\n`, "settings");
  isRefused(`services:\n  list:\n${lines(item).replaceAll(/^/gm, "    ")}\n`, "settings");
  isRefused(`a:\n  b:\n    c:\n      d:\n${lines(item).replaceAll(/^/gm, "      ")}\n`, "no-list");
});

Deno.test("values may nest so deep and no deeper", () => {
  const nested = (depth: number) =>
    `${lines(item)}\n- id: ${"[".repeat(depth)}1${"]".repeat(depth)}\n  name: a\n  qty: 2\n`;
  recordsOf(nested(YAML_DEPTH_MAX - 1), SOURCE);
  isRefused(nested(YAML_DEPTH_MAX), "not-yaml");
});

verifies("TEXT-6 TEXT-20", "a text that ends behind a key is cut off", () => {
  const people = Array.from({ length: 9 }, (_, i) => `- id: ${i}\n  name: n${i}`).join("\n");
  isRefused(`${people}\n- id: 9\n  name:`, "cut-off");
  equal(recordsOf(`${people}\n- id: 9\n  name:\n`, "text:yaml").rows.length, 10);
});

verifies("TEXT-3 TEXT-20", "a remark behind a value refuses the list, one on a line of its own is residue", () => {
  isRefused(lines((row, i) => item(row) + (i === 9 ? " # about" : "")), "not-yaml");
  isRefused(lines((row, i) => i === 9 ? `- id: "9" # about\n  name: x\n  qty: 1` : item(row)), "not-yaml");
  isRefused(lines((row, i) => i === 9 ? `- {id: 9, name: x, qty: 1} # about` : item(row)), "not-yaml");
  const text = lines((row, i) => item(row) + (i === 9 ? "\n# about" : "") + (i === 3 ? "or#3" : ""));
  deepEqual(recordsOf(text, SOURCE).residue, ["# about"]);
});
