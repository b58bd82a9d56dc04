import { deepEqual, equal } from "node:assert/strict";
import { toolOf } from "../../lib/gateway/tools.ts";
import type { Era } from "../../lib/gateway/mod.ts";
import { bytesOf, memberOf, textOf } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

function listed(definition: string, era: Era = "legacy"): { text: string; warnings: string[] } {
  const warnings: string[] = [];
  const bytes = bytesOf(definition);
  const keySpan = memberOf(bytes, 0, "name") ?? { start: 0, end: 0 };
  const tool = toolOf({ key: "t", bytes, keySpan }, era, (message) => warnings.push(message));
  return { text: textOf(tool.listedAs("s_t")), warnings };
}

const SCHEMA = '"inputSchema":{"type":"object"}';

const REPAIRS: readonly { what: string; era?: Era; from: string; to: string }[] = [
  {
    what: "keeps a rich definition, digits and all",
    from: `{"x":1.10,"name":"t",${SCHEMA},"icons":[{"src":"a"}],"_meta":{"k":9007199254740993},"annotations":{"z":-0}}`,
    to: `{"x":1.10,"name":"s_t",${SCHEMA},"icons":[{"src":"a"}],"_meta":{"k":9007199254740993},"annotations":{"z":-0}}`,
  },
  {
    what: "leaves outputSchema out",
    from: `{"name":"t","outputSchema":{"a":[1]},${SCHEMA}}`,
    to: `{"name":"s_t",${SCHEMA}}`,
  },
  {
    what: "leaves a last outputSchema out",
    from: `{"name":"t",${SCHEMA},"outputSchema":{}}`,
    to: `{"name":"s_t",${SCHEMA}}`,
  },
  {
    what: "adds a type that is missing",
    from: '{"name":"t","inputSchema":{"anyOf":[{"required":["a"]}]}}',
    to: '{"name":"s_t","inputSchema":{"type":"object","anyOf":[{"required":["a"]}]}}',
  },
  {
    what: "keeps a schema without type for a modern client",
    era: "modern",
    from: '{"name":"t","inputSchema":{"anyOf":[{"required":["a"]}]}}',
    to: '{"name":"s_t","inputSchema":{"anyOf":[{"required":["a"]}]}}',
  },
  { what: "fills an empty schema", from: '{"name":"t","inputSchema":{}}', to: `{"name":"s_t",${SCHEMA}}` },
  { what: "replaces a schema that is none", from: '{"name":"t","inputSchema":true}', to: `{"name":"s_t",${SCHEMA}}` },
  { what: "puts a missing schema in", from: '{"name":"t"}', to: `{${SCHEMA},"name":"s_t"}` },
  {
    what: "leaves members of a wrong type out",
    from: `{"name":"t","title":7,"annotations":[],${SCHEMA},"icons":{},"_meta":"m","outputSchema":1}`,
    to: `{"name":"s_t",${SCHEMA}}`,
  },
];

for (const { what, era, from, to } of REPAIRS) {
  verifies("NAME-6 NAME-8", `toolOf() ${what}`, () => {
    const { text } = listed(from, era);
    equal(text, to);
    deepEqual(JSON.parse(text).name, "s_t");
  });
}

verifies("NAME-8", "toolOf() warns of what it repairs", () => {
  equal(listed('{"name":"t"}').warnings.length, 1);
  equal(listed(`{"name":"t","title":1,${SCHEMA}}`).warnings.length, 1);
  equal(listed(`{"name":"t",${SCHEMA}}`).warnings.length, 0);
});
