/** Record blocks. @module */

import { deepEqual, equal } from "node:assert/strict";
import { BLOCKS_MIN } from "../../../lib/records/blocks.ts";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, recordsOf, ROWS } from "./reading.ts";

const SOURCE = "text:record-blocks";
const pairs = (row: readonly string[], mark = ": ") => `id${mark}${row[0]}\nname${mark}${row[1]}\nqty${mark}${row[2]}`;
const blocks = (write: (row: readonly string[], i: number) => string, between = "\n\n") =>
  ROWS.map(write).join(between);
const numbered = (first: number) =>
  blocks((row, i) => `${first + i}. The ${row[1]}\n   Owner: ${row[1]}\n   Pages: ${row[2]}`);

verifies("TEXT-14", "blank lines and rules part records", () => {
  isMadeTable(blocks((row) => pairs(row)), SOURCE);
  isMadeTable(blocks((row) => pairs(row), "\n---\n"), SOURCE);
  isMadeTable(blocks((row) => pairs(row), "\n\n===\n\n"), SOURCE);
  isMadeTable(blocks((row) => pairs(row)).replaceAll("\n", "\r\n"), SOURCE);
  isMadeTable(blocks((row) => pairs(row, " = ")), SOURCE);
});

verifies("TEXT-14", "bold keys and bullets are keys", () => {
  isMadeTable(blocks((row) => `**id**: ${row[0]}\n**name:** ${row[1]}\n- **qty**: ${row[2]}`), SOURCE);
  isMadeTable(blocks((row) => `- id: ${row[0]}\n* name: ${row[1]}\n• qty: ${row[2]}`), SOURCE);
});

verifies("TEXT-14", "keys may share a line when they share it throughout", () => {
  isMadeTable(blocks((row) => `id: ${row[0]} | name: ${row[1]}\nqty: ${row[2]}`), SOURCE);
  isRefused(
    blocks((row, i) => `id: ${row[0]} | name: ${row[1]}${i === 9 ? " | also: x" : ""}\nqty: ${row[2]}`),
    "pipes-differ",
  );
  const whole = recordsOf(blocks((row) => `id: ${row[0]}\nname: ${row[1]} | or so\nqty: 1`), SOURCE);
  equal(whole.rows[0]?.[1], "harbor | or so");
});

verifies("TEXT-14", "lines of pairs are records of their own", () => {
  isMadeTable(blocks((row) => `id: ${row[0]} | name: ${row[1]} | qty: ${row[2]}`, "\n"), SOURCE);
  isMadeTable(
    `Things:\n\n${blocks((row) => `- id: ${row[0]} | name: ${row[1]} | qty: ${row[2]}`, "\n")}\n\nNext: abc`,
    SOURCE,
    ["Things:", "Next: abc"],
  );
  isRefused(blocks((row, i) => `id: ${row[0]} | name: ${row[1]}${i === 9 ? " | also: x" : ""}`, "\n"), "pipes-differ");
});

verifies("TEXT-14", "numbered leads count on by one from any number", () => {
  for (const first of [1, 31]) {
    const { header, rows } = recordsOf(`Found 30 things:\n\n${numbered(first)}`, SOURCE);
    deepEqual(header, ["position", "title", "Owner", "Pages"]);
    deepEqual(rows[1], [String(first + 1), "The lantern", "lantern", "3"]);
  }
  isRefused(numbered(1).replace("12. ", "13. "), "numbering-gap");
  isRefused(numbered(1).replace("12. ", "11. "), "numbering-gap");
});

verifies("TEXT-2 TEXT-14", "a first or last record whose lead has no title refuses the text", () => {
  isRefused(numbered(1).replace(/^1\. .*/, "1. "), "rows-elsewhere");
  isRefused(numbered(1).replace(/30\. .*/, "30. "), "record-blocks");
});

verifies("TEXT-14", "a word and a number, or a number in brackets, lead as well", () => {
  const led = (lead: (number: number) => string) =>
    blocks((row, i) => `${lead(i + 1)}\n  Owner: ${row[1]}\n  Pages: ${row[2]}`);
  for (const lead of ["Result N:", "--- Item N ---", "## Issue #N", "**Record N**"]) {
    const { header, rows } = recordsOf(led((number) => lead.replace("N", String(number))), SOURCE);
    deepEqual(header, ["position", "title", "Owner", "Pages"]);
    deepEqual(rows[1]?.slice(2), ["lantern", "3"]);
  }
  deepEqual(recordsOf(led((number) => `[${number}] The thing`), SOURCE).rows[0], ["1", "The thing", "harbor", "0"]);
  isRefused(led((number) => `${number === 7 ? "Page" : "Result"} ${number}:`), "record-blocks");
  isRefused(led((number) => `Result ${number + (number > 7 ? 1 : 0)}:`), "record-blocks");
});

verifies("TEXT-14", "headings and first lines without key are titles", () => {
  const headed = recordsOf(
    `# Results\n\n${
      blocks((row) => `## The ${row[1]}\n\n**Owner**: ${row[1]}\n**Pages**: ${row[2]}`)
    }\n\n## Next Steps\n\n- Go on`,
    SOURCE,
  );
  deepEqual(headed.header, ["title", "Owner", "Pages"]);
  equal(headed.rows.length, ROWS.length);
  deepEqual(headed.residue, ["# Results", "## Next Steps\n\n- Go on"]);
  const titled = recordsOf(blocks((row) => `The ${row[1]}\n  Owner: ${row[1]}\n  Pages: ${row[2]}`), SOURCE);
  deepEqual(titled.rows[0], ["The harbor", "harbor", "0"]);
  const keyed = recordsOf(
    blocks((row) => `T-${row[0]}: The ${row[1]}\n  Owner: ${row[1]}\n  Pages: ${row[2]}`),
    SOURCE,
  );
  deepEqual(keyed.rows[1], ["T-1: The lantern", "lantern", "3"]);
  const bulleted = recordsOf(
    blocks((row) => `- **${row[1]}**\n  - Owner: ${row[1]}\n  - Pages: ${row[2]}`, "\n"),
    SOURCE,
  );
  deepEqual(bulleted.rows[1], ["**lantern**", "lantern", "3"]);
  isRefused(blocks((row) => `t-${row[0]}:\n  owner: ${row[1]}\n  pages: ${row[2]}`), "keys-nested");
  isRefused(
    blocks((row, i) => `The ${row[1]}\nText: a\n${i === 9 ? "\nb\n" : ""}Pages: ${row[2]}\nOwner: x`),
    "first-keys-differ",
  );
});

verifies("TEXT-14", "rows that MySQL and psql number are records", () => {
  const stars = "*".repeat(27);
  isMadeTable(blocks((row, i) => `${stars} ${i + 1}. row ${stars}\n${pairs(row)}`, "\n"), SOURCE);
  const mysql = blocks((row, i) => `${stars} ${i + 1}. row ${stars}\n${pairs(row)}`, "\n");
  isMadeTable(`${mysql}\n30 rows in set (0.01 sec)\n`, SOURCE, ["30 rows in set (0.01 sec)"]);
  isRefused(`${mysql}\n31 rows in set (0.01 sec)\n`, "rows-elided");
  isMadeTable(blocks((row, i) => `-[ RECORD ${i + 1} ]---\n${pairs(row, "   | ")}`, "\n"), SOURCE);
  isRefused(blocks((row, i) => `-[ RECORD ${i + 2 - (i % 2)} ]---\n${pairs(row, "   | ")}`, "\n"), "numbering-gap");
});

verifies("TEXT-4 TEXT-14", "five blocks are needed, with the same keys in nine of ten", () => {
  const some = (count: number) => ROWS.slice(0, count).map((row) => pairs(row)).join("\n\n");
  equal(recordsOf(some(BLOCKS_MIN), SOURCE).rows.length, BLOCKS_MIN);
  isRefused(some(BLOCKS_MIN - 1), "too-few-blocks");
  const without = (share: number) => blocks((row, i) => i < share ? `id: ${row[0]}\nqty: ${row[2]}` : pairs(row));
  deepEqual(recordsOf(without(3), SOURCE).rows[0], ["0", "0", undefined]);
  isRefused(without(4), "key-rare");
  isRefused(blocks((row, i) => pairs(row) + (i === 9 ? "\nNote: a line of the name" : "")), "key-rare");
  const lacking = blocks((row, i) => i < 2 ? `id: ${row[0]}\nname: a` : i < 4 ? `id: ${row[0]}\nqty: 1` : pairs(row));
  isRefused(lacking, "keys-differ");
});

verifies("TEXT-3 TEXT-14", "what stands before and after the records is residue", () => {
  isMadeTable(`Found: 30\n\n${blocks((row) => pairs(row))}\n\nCursor: abc`, SOURCE, ["Found: 30", "Cursor: abc"]);
  const { residue, rows } = recordsOf(`${numbered(1)}\n\nCursor: abc`, SOURCE);
  deepEqual(residue, ["Cursor: abc"]);
  equal(rows.at(-1)?.length, 4);
});

verifies("TEXT-3 TEXT-14", "a line right above the first pair is residue when it opens what follows", () => {
  const rows = blocks((row) => pairs(row));
  isMadeTable(`All of them:\n${rows}\n`, SOURCE, ["All of them:"]);
  isRefused(`Harbor town\n${rows}\n`, "line-without-key");
});

verifies("TEXT-2 TEXT-6 TEXT-14", "a paragraph with the first key alone may belong to the value above it", () => {
  isRefused(blocks((row, i) => pairs(row) + (i === 9 ? "\n\nid: 9" : "")), "record-thin");
});

verifies("TEXT-2 TEXT-6 TEXT-14", "blocks that are not records throughout are refused", () => {
  isRefused(blocks((row, i) => pairs(row) + (i === 9 ? "\nand so on" : "")), "line-without-key");
  isRefused(blocks((row, i) => pairs(row) + (i === 9 ? "\nqty: 2" : "")), "key-twice");
  isRefused(blocks((row) => `id: ${row[0]}\nspec:\n  name: ${row[1]}\n  qty: ${row[2]}`), "keys-nested");
  isRefused(blocks((row) => `Q: Why is the ${row[1]} open?\nA: Nobody knows, not even ${row[1]}`), "prose");
});
