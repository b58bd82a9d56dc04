/** SPEC.md and the tests agree: every rule is cited, every citation exists. @module */

import { deepEqual, ok } from "node:assert/strict";
import { projectFiles, projectText } from "./support/tree.ts";

const RULE_REGEXP = /^- \*\*([A-Z]+-\d+)\*\* ([\s\S]*?)(?=^- |^#|(?![\s\S]))/gm;
const CITATION_REGEXP = /\bverifies\(\s*"([^"]*)"/g;
const PLANNED_REGEXP = /_\(planned: [^)]+\)_/;

/** One rule of the specification. */
interface Rule {
  readonly id: string;
  readonly planned: boolean;
}

function rulesIn(spec: string): readonly Rule[] {
  return [...spec.matchAll(RULE_REGEXP)].map(([, id = "", text = ""]) => ({ id, planned: PLANNED_REGEXP.test(text) }));
}

function citationsIn(text: string): readonly string[] {
  return [...text.matchAll(CITATION_REGEXP)].flatMap(([, ids = ""]) => ids.split(" "));
}

async function citations(): Promise<ReadonlySet<string>> {
  const tests = (await projectFiles()).filter(({ path }) => path.startsWith("tests/") && path.endsWith("_test.ts"));
  return new Set(tests.filter(({ path }) => path !== "tests/spec_test.ts").flatMap(({ text }) => citationsIn(text)));
}

Deno.test("rulesIn() finds rules over several lines, and which are planned", () => {
  const spec =
    "## X\n\n- **X-1** One\n  and more.\n- **X-2** Two. _(planned: later)_\n- not a rule\n\n## Y\n\n- **Y-10** Ten";
  deepEqual(rulesIn(spec), [
    { id: "X-1", planned: false },
    { id: "X-2", planned: true },
    { id: "Y-10", planned: false },
  ]);
});

Deno.test("citationsIn() finds every id, also on a line of its own", () => {
  deepEqual(citationsIn('verifies("X-1 X-2", "a", f);\nverifies(\n  "Y-1",\n  "b", f)'), ["X-1", "X-2", "Y-1"]);
});

Deno.test("every rule of SPEC.md has an id of its own", async () => {
  const ids = rulesIn(await projectText("SPEC.md")).map(({ id }) => id);
  ok(ids.length > 0);
  deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), []);
});

Deno.test("every rule of SPEC.md that is built is cited by a test", async () => {
  const cited = await citations();
  const built = rulesIn(await projectText("SPEC.md")).filter(({ planned }) => !planned);
  deepEqual(built.map(({ id }) => id).filter((id) => !cited.has(id)), []);
});

Deno.test("every citation is a rule of SPEC.md that is not planned", async () => {
  const built = new Set(rulesIn(await projectText("SPEC.md")).filter(({ planned }) => !planned).map(({ id }) => id));
  deepEqual([...await citations()].filter((id) => !built.has(id)), []);
});
