/** How long rows take to read, beside `JSON.parse` of the same text. @module */

import { locateRows } from "../../lib/records/mod.ts";

const ROWS = 100_000;

/** Records as an application programming interface answers them: 11 columns, about 210 characters each. */
function record(n: number) {
  return {
    id: n,
    name: `user ${n}`,
    email: `u${n}@example.com`,
    score: n * 1.5,
    active: n % 2 === 0,
    created_at: new Date(1.7e12 + n * 1000).toISOString(),
    team: { id: n % 50, name: `team${n % 50}` },
    tags: ["a", `b${n % 7}`],
    note: n % 3 ? null : `note ${n}`,
    amount: (n % 1000) / 100,
  };
}

const records = Array.from({ length: ROWS }, (_, n) => record(n));
const compact = JSON.stringify(records);
const pretty = JSON.stringify({ total: ROWS, items: records }, null, 2);
const lines = records.map((row) => JSON.stringify(row)).join("\n");
const accented = compact.replaceAll("user", "usér ツ");

/** Reads `text` and fails when it is no table of all records, so that nothing fast and wrong is measured. */
function readAll(text: string): void {
  const located = locateRows({ texts: [text] });
  if (located.kind === "none" || located.table.rowCount !== ROWS) throw new Error("The records were not read");
}

for (const [group, text] of [["compact", compact], ["pretty", pretty], ["beyond ASCII", accented]] as const) {
  Deno.bench({ name: `JSON.parse, ${group}`, group, baseline: true, fn: () => void JSON.parse(text) });
  Deno.bench({ name: `locateRows(), ${group}`, group, fn: () => readAll(text) });
}

Deno.bench({
  name: "JSON.parse, line by line",
  group: "lines",
  baseline: true,
  fn: () => lines.split("\n").forEach((line) => void JSON.parse(line)),
});
Deno.bench({ name: "locateRows(), lines", group: "lines", fn: () => readAll(lines) });
