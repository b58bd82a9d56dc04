/** How long rows in formatted text take to read, and other texts to refuse, beside `JSON.parse` of as many bytes. @module */

import { readText } from "../../lib/records/tiers.ts";

const TEXT_CHARS = 20_000_000;

const flat = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));

function fill(head: string, line: (i: number) => string): string {
  const lines = [head];
  for (let i = 0, chars = 0; chars < TEXT_CHARS; i++) {
    const next = line(i);
    lines.push(next);
    chars += next.length;
  }
  return flat(lines.join(""));
}

const cells = (
  i: number,
) => [`${i}`, `Name ${i * 7} of things`, `City ${i % 97}`, `${(i % 1000) / 10}`, "2025-01-01T00:00:00Z"];
const record = (i: number) => ({
  id: i,
  name: cells(i)[1],
  city: cells(i)[2],
  price: (i % 1000) / 10,
  at: cells(i)[4],
});
const json = `${fill("[", (i) => `${i === 0 ? "" : ","}${JSON.stringify(record(i))}`)}]`;

const TABLES: Readonly<Record<string, string>> = {
  "comma-separated": fill("id,name,city,price,at\n", (i) => `${cells(i).join(",")}\n`),
  "comma-separated, quoted": fill(
    "id,name,city,price,at\n",
    (i) => `${i},${cells(i).slice(1).map((cell) => `"${cell}, ${i % 10 === 0 ? '""x""' : "x"}"`).join(",")}\n`,
  ),
  "tab-separated": fill("id\tname\tcity\tprice\tat\n", (i) => `${cells(i).join("\t")}\n`),
  "markdown": fill(
    "| id | name | city | price | at |\n|---|---|---|---|---|\n",
    (i) => `| ${cells(i).join(" | ")} |\n`,
  ),
};

const OTHERS: Readonly<Record<string, string>> = {
  "prose": fill("", (i) => `The harbor was late, the lantern was shut, and ${i} people went home.\n`),
  "a log": fill(
    "",
    (i) => `2025-03-01T10:00:00Z INFO [worker-${i % 4}] Something was sent. took=${i}ms, retries=${i % 3}\n`,
  ),
  "code": fill("", (i) => `  draw(${i}, ${i * 2}, "harbor");  // ${i}\n`),
};

Deno.bench({ name: "JSON.parse", group: "20 MB", baseline: true, fn: () => void JSON.parse(json) });

for (const [name, text] of Object.entries({ ...TABLES, ...OTHERS })) {
  const expected = name in TABLES ? "records" : "none";
  Deno.bench({
    name: `readText(), ${name}`,
    group: "20 MB",
    fn: () => {
      if (readText(text).kind !== expected) throw new Error(`Cannot measure ${name}: it is not read as ${expected}`);
    },
  });
}
