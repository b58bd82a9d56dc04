/** Property: whatever a result holds, `locateRows` answers with a table or a reason, and never with a fault of its own. @module */

import { equal, ok } from "node:assert/strict";
import { locateRows } from "../../lib/records/mod.ts";
import { cellText } from "../support/cells.ts";
import { forRandom, type Random } from "../support/random.ts";
import { verifies } from "../support/verifies.ts";

const RUNS = 400;

/** Pieces from which texts are made that almost are something. */
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "'",
  "\\",
  "\n",
  "\r\n",
  "\t",
  " ",
  "|",
  "---",
  "```",
  "```json\n",
  "- ",
  "1. ",
  '"a":1',
  '{"a":1}',
  '[{"a":1},{"a":2}]',
  "[[1,2],[3,4]]",
  '["a","b"]',
  "null",
  "true",
  "NaN",
  "-Infinity",
  "1e400",
  "0.1",
  "-0",
  "123456789012345678901234567890",
  "{'a': 1}",
  "Decimal('1.0')",
  "datetime.date(2025, 1, 2)",
  "None",
  "(1,)",
  '"\\ud800"',
  "\ud800",
  "\udc00",
  "\u0000",
  "\uFEFF",
  "é",
  "😀",
  "key: value",
  "a,b,c",
  "1;2;3",
  "<table>",
  "<tr><td>x</td></tr>",
  "| a | b |",
  "|---|---|",
  "+----+",
  "id=1",
  "Results:",
  "\u2028",
  "�",
  "...",
  "// note",
  "columns",
  '"columns":["a","b"]',
  '"rows":',
]; // deno-fmt-ignore-line

function randomText(random: Random): string {
  if (random.chance(0.1)) return random.list(0, 200, () => String.fromCharCode(random.below(65_536))).join("");
  const line = random.list(0, 12, () => random.pick(PIECES)).join("");
  return random.chance(0.5)
    ? random.list(0, 40, () => random.chance(0.8) ? line : random.pick(PIECES)).join(random.pick(["\n", "", " ", ","]))
    : random.list(0, 60, () => random.pick(PIECES)).join("");
}

const SEEDS: readonly ((random: Random) => string)[] = [
  (random) => JSON.stringify(random.list(2, 20, (id) => ({ id, name: `n${id}`, tags: ["a"], at: { x: id } }))),
  (random) => JSON.stringify({ total: 9, rows: random.list(2, 20, (id) => ({ id, v: id * 1.5 })), next: "c" }, null, 2),
  (random) => JSON.stringify({ columns: ["a", "b"], rows: random.list(2, 20, (id) => [id, `v${id}`]) }),
  (random) => random.list(2, 20, (id) => `{"id":${id},"s":"x"}`).join("\n"),
  (random) => `[${random.list(2, 20, (id) => `{'id': ${id}, 'd': Decimal('${id}.50'), 'n': None}`).join(", ")}]`,
  (random) => JSON.stringify(JSON.stringify(random.list(2, 20, (id) => ({ id, s: '"' })))),
  (random) => `id,name,n\n${random.list(5, 20, (id) => `${id},"a, b",${id * 2}`).join("\n")}`,
  (random) => `| id | n |\n|---|---|\n${random.list(5, 20, (id) => `| ${id} | x |`).join("\n")}`,
  (random) => random.list(5, 20, (id) => `${id}. Title ${id}\n   Key: v${id}\n   Other: w`).join("\n"),
];

/** A whole document with a few characters removed, doubled, replaced or cut off. */
function mutated(random: Random): string {
  let text = random.pick(SEEDS)(random);
  for (let times = random.below(4); times > 0; times--) {
    const at = random.below(text.length + 1);
    const to = at + random.below(6);
    const change = random.below(4);
    const put = change === 0 ? "" : change === 1 ? text.slice(at, to).repeat(2) : random.pick(PIECES);
    text = change === 3 && random.chance(0.3) ? text.slice(0, at) : text.slice(0, at) + put + text.slice(to);
  }
  return text;
}

verifies("JSON-1", "property: locateRows() never fails and never makes half a table", () => {
  forRandom(RUNS, (random) => {
    const make = random.chance(0.5) ? randomText : mutated;
    const texts = random.list(0, 3, () => make(random));
    const structured = random.chance(0.3) ? { structured: make(random) } : {};
    const located = locateRows({ texts, ...structured });
    if (located.kind === "none") return ok(!located.reason.startsWith("fault"), located.reason);
    const { rowCount, columns } = located.table;
    ok(rowCount >= 1 && columns.length >= 1);
    for (const column of columns) {
      equal(column.cells.values.length, rowCount);
      for (let row = 0; row < rowCount; row++) ok(cellText(column, row)?.isWellFormed() ?? true);
    }
    for (const { json } of located.context) JSON.parse(json);
  });
});

Deno.test("locateRows() is done with a megabyte of brackets, quotes or blanks", () => {
  const size = 1_000_000;
  const units = [
    "[",
    "{",
    '{"a":',
    "[[",
    '"',
    "\\",
    " ",
    "\n",
    "[ ",
    "{ ",
    "[1]",
    "['",
    "(",
    "[{'a': (",
    '["a",',
    "a [",
    ": {",
    "''",
    "`",
  ];
  for (const unit of units) {
    const text = unit.repeat(size / unit.length);
    for (const parts of [{ texts: [text] }, { texts: [`See:\n${text}`] }, { texts: [], structured: text }]) {
      const located = locateRows(parts);
      equal(located.kind, "none", unit);
      ok(located.kind === "none" && !located.reason.startsWith("fault"), `${unit}: ${located.kind}`);
    }
  }
});
