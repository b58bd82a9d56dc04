/** Whole results in the shapes in which real servers write them, each with what may be made of it. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { locateRows } from "../../lib/records/mod.ts";
import { partResult } from "../../lib/records/result_parts.ts";

const SHAPES = new URL("../testdata/shapes/", import.meta.url);

/** Characters above which a result may be replaced, at the default threshold. */
const LARGE_CHARS = 8_000;

/** What may be made of a result. */
interface Expected {
  readonly outcome: "dataset" | "passthrough";
  readonly acceptable?: readonly string[];
  readonly rows?: number;
  readonly columns?: readonly string[];
  readonly columnsFrom?: readonly string[];
  readonly mustSee?: readonly string[];
}

async function shapeNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(SHAPES)) {
    if (name.endsWith(".json") && !name.endsWith(".expect.json")) names.push(name.slice(0, -".json".length));
  }
  return names.sort();
}

const read = (name: string) => Deno.readTextFile(new URL(name, SHAPES));

for (const name of await shapeNames()) {
  Deno.test(`locateRows() makes of ${name} what it is`, async () => {
    const expected: Expected = JSON.parse(await read(`${name}.expect.json`));
    const allowed = [expected.outcome, ...expected.acceptable ?? []];
    const parted = partResult((await read(`${name}.json`)).trim());
    if (parted.kind === "passed" || parted.textChars + parted.structuredChars < LARGE_CHARS) {
      return ok(allowed.includes("passthrough"));
    }
    const located = locateRows(parted.parts);
    if (located.kind === "none") return ok(allowed.includes("passthrough"), located.reason);
    ok(allowed.includes("dataset"), `A table of ${located.table.rowCount} rows from ${located.source}`);
    if (expected.rows !== undefined) equal(located.table.rowCount, expected.rows);
    const names = located.table.columns.map((column) => column.name);
    if (expected.columns) deepEqual(expected.columns.filter((column) => !names.includes(column)), []);
    if (expected.columnsFrom) equal(names.length, expected.columnsFrom.length);
    const said = located.context.map(({ path, json }) => `${path} ${json}`).join("\n") + JSON.stringify(names);
    deepEqual((expected.mustSee ?? []).filter((text) => !said.includes(text)), []);
  });
}
