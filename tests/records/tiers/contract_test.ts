/** What holds for every tier: it never throws, leaves nothing out, and takes no document for a table. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { CONSUMED_SHARE_MIN, nonBlankChars, RESIDUE_CHARS_MAX } from "../../../lib/records/coverage.ts";
import { readText, TIERS } from "../../../lib/records/tiers.ts";
import { forRandom, type Random } from "../../support/random.ts";
import { verifies } from "../../support/verifies.ts";
import { NOT_TABLES } from "./not_tables.ts";
import { anyTable, WRITERS } from "./writers.ts";

const RUNS = 300;

const PIECES = [
  "|",
  "||",
  "\\|",
  "| a | b |\n",
  "|---|---|\n",
  "---",
  "+---+",
  "-+-",
  "┌─┬─┐\n",
  "│ a │ b │\n",
  "├─┼─┤\n",
  "└─┴─┘\n",
  "·",
  "…",
  ",",
  ";",
  "\t",
  '"',
  '""',
  "a,b,c\n",
  "1,2,3\n",
  "id\tname\tqty\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  " ",
  "   ",
  "\u00a0",
  "\ufeff",
  "a: b\n",
  "a: ",
  "- ",
  "- a: 1\n  b: 2\n",
  "&x ",
  "*x",
  "!!str ",
  "|\n  ",
  "---\n",
  "...\n",
  "[",
  "]",
  "{",
  "}",
  "? ",
  "# ",
  "1. ",
  "2. Title\n",
  "## Title\n",
  "**a:** b\n",
  "a | b: c",
  "*** 1. row ***\n",
  "-[ RECORD 1 ]---\n",
  "<table>",
  "<tr>",
  "<td>",
  "<th>",
  "</td>",
  "</tr>",
  "</table>",
  "<a href='x'>",
  "<items>",
  "<item a='1'>",
  "</item>",
  "</items>",
  "<![CDATA[",
  "]]>",
  "<!--",
  "-->",
  "<?xml ?>",
  "&amp;",
  "&#0;",
  "NAME   STATUS   AGE\n",
  "web    Running  5d\n",
  "```\n",
  "```csv\n",
  "\ud800",
  "\udc00",
  "\u0000",
  "漢",
  "😀",
  "Total",
  "(3 rows)",
  "1",
  "2.50",
  "007",
  "true",
  "harbor",
];

function anyText(random: Random): string {
  const bytes = () => String.fromCharCode(random.below(random.chance(0.9) ? 128 : 65_536));
  const one = random.chance(0.2) ? bytes : () => random.pick(PIECES);
  const block = random.list(1, 60, one).join("");
  return random.chance(0.3) ? block.repeat(1 + random.below(40)) : block;
}

// A written table with one piece put in, taken out or cut off.
function damagedTable(random: Random): string {
  const text = random.pick(WRITERS).write(anyTable(random), random);
  const at = random.below(text.length);
  if (random.chance(0.3)) return text.slice(0, at);
  return text.slice(0, at) + (random.chance(0.5) ? random.pick(PIECES) : "") + text.slice(at + random.below(4));
}

function holds(text: string): void {
  for (const tier of TIERS) {
    if (!tier.plausible(text)) continue;
    const outcome = tier.read(text);
    if (outcome.kind === "refused") {
      ok(/^[a-z-]+$/.test(outcome.reason), outcome.reason);
      continue;
    }
    const { header, rows, residue, consumedChars } = outcome.records;
    ok(rows.length >= 2 && header.length >= 2);
    ok(rows.every((row) => row.length === header.length), "A row has another width than the header");
    const left = residue.reduce((sum, piece) => sum + nonBlankChars(piece), 0);
    equal(consumedChars + left, nonBlankChars(text));
    ok(consumedChars >= nonBlankChars(text) * CONSUMED_SHARE_MIN && left <= RESIDUE_CHARS_MAX);
    ok(residue.every((piece) => piece.trim() === piece && piece !== ""));
    // Boxes and HTML write a row of their residue anew, since its cells stood in a frame or in tags.
    if (tier.source !== "text:box-table" && tier.source !== "text:html-table") {
      let at = 0;
      for (const piece of residue) {
        const found = text.replaceAll("\r\n", "\n").indexOf(piece.replaceAll("\r\n", "\n"), at);
        ok(found >= at, `Residue ${JSON.stringify(piece)} stands nowhere after ${at}`);
        at = found + 1;
      }
    }
  }
}

verifies("TEXT-1 TEXT-3", "property: no tier throws on any text, and what it reads covers the text", () => {
  forRandom(RUNS, (random) => holds(anyText(random)));
});

verifies("TEXT-1 TEXT-2 TEXT-3", "property: a table that was damaged is read whole or refused", () => {
  forRandom(RUNS, (random) => holds(damagedTable(random)));
});

verifies("TEXT-6", "no document that isn't a table is read as one", () => {
  const read = NOT_TABLES.flatMap(({ name, text }) => {
    const reading = readText(text);
    return reading.kind === "records" ? [`${name}: ${reading.source}`] : [];
  });
  deepEqual(read, []);
  ok(NOT_TABLES.length > 90);
});

verifies("TEXT-6", "a document that isn't a table stays none inside a fence and under a heading", () => {
  for (const { name, text } of NOT_TABLES) {
    for (
      const dressed of [
        `\`\`\`\n${text}\n\`\`\``,
        `# Things\n\n${text}\n`,
        `${text}\n\n${text}`,
        text.replaceAll("\n", "\r\n"),
      ]
    ) {
      equal(readText(dressed).kind, "none", name);
    }
  }
});

// Strings that would take a quadratic reader minutes.
const LONG_CHARS = 400_000;
const UNITS = [
  "|",
  "| ",
  "-",
  "-+",
  "|-|-|\n|a|b|\n",
  "<table>",
  "<td>",
  "<a ",
  "<!--",
  "&amp;",
  '"',
  '""',
  ",",
  "\t",
  " ",
  "a: ",
  "- ",
  "[",
  "{a: ",
  "`",
  "```\n",
  "1. x\n",
  "\n",
  "\r\n",
  "│ a │\n",
  "a  b\n",
  "1 ",
  "1.",
  "\\|",
  "**",
  "x = ",
  "<a><b>",
  "- - ",
  '"a\n',
  "total ",
  "---\n",
];

verifies("TEXT-1", "long runs of any sign are answered, and are no rows", () => {
  for (const unit of UNITS) {
    for (const head of ["", "| a | b |\n|---|---|\n", "id,name,qty\n1,a,2\n2,b,3\n", "- a: 1\n  b: 2\n"]) {
      const reading = readText(head + unit.repeat(LONG_CHARS / unit.length));
      // Nothing but blanks after two rows leaves the two rows.
      ok(reading.kind === "none" || reading.records.rows.length === 2, JSON.stringify([head, unit]));
    }
  }
});
