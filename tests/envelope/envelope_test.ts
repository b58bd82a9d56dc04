import assert from "node:assert/strict";
import type { ContextItem } from "../../lib/dataset.ts";
import {
  buildEnvelope,
  ENVELOPE_BYTES_MAX,
  type EnvelopeInput,
  estimateTokens,
  wireBytes,
} from "../../lib/envelope/mod.ts";
import { datasetOf } from "../support/datasets.ts";
import { verifies } from "../support/verifies.ts";

function input(changes: Partial<EnvelopeInput> = {}): EnvelopeInput {
  return {
    dataset: datasetOf([{ name: "id", type: "BIGINT", min: "1", max: "9007199254740993" }, { name: "name" }]),
    sample: [["9007199254740993", '"Ada"'], ["2", "null"]],
    hints: [],
    context: [],
    originalChars: 40_000,
    tokenThreshold: 2_000,
    hasOriginal: true,
    ...changes,
  };
}

const built = (changes: Partial<EnvelopeInput> = {}) => JSON.parse(buildEnvelope(input(changes)));

verifies("ENV-1", "buildEnvelope() has the members a client reads", () => {
  assert.deepEqual(Object.keys(built({ context: [{ path: "total", json: "3" }] })), [
    "kind",
    "ref",
    "rows",
    "note",
    "approxTokensSaved",
    "schema",
    "sample",
    "joinHints",
    "context",
    "provenance",
    "usage",
  ]);
  assert.equal(built().kind, "loom_dataset_ref");
});

for (const width of [3, 40, 400, 3_000]) {
  verifies("ENV-2 ENV-3", `buildEnvelope() of ${width} columns is bounded and counts what it left out`, () => {
    const columns = Array.from(
      { length: width },
      (_, at) => ({ name: `column_number_${at}`, path: `deep.path.${at}` }),
    );
    const sample = [columns.map((_, at) => JSON.stringify(`value ${at} `.repeat(9)))];
    const text = buildEnvelope(input({ dataset: datasetOf(columns), sample }));
    assert.ok(wireBytes(text) <= ENVELOPE_BYTES_MAX, `${wireBytes(text)} bytes`);
    assert.ok(estimateTokens(text.length) <= 2_000);
    const envelope = JSON.parse(text);
    assert.equal(envelope.schema.length + (envelope.omitted?.columns ?? 0), width);
    assert.ok(envelope.schema.length >= Math.min(width, 20), `${envelope.schema.length} columns are shown`);
  });
}

verifies("ENV-2", "buildEnvelope() stays bounded in every part at once and in every script", () => {
  const long = '長い文字列\u0001"\\'.repeat(200);
  const dataset = datasetOf(
    Array.from(
      { length: 60 },
      (_, at) => ({ name: `${long.slice(0, 60)}${at}`, path: long, min: JSON.stringify(long) }),
    ),
    {
      provenance: {
        server: "crm",
        tool: "users",
        createdAt: "2026-01-02T03:04:05.678Z",
        source: "text",
        args: JSON.stringify({ q: long }),
      },
    },
  );
  const text = buildEnvelope(input({
    dataset,
    sample: Array.from({ length: 5 }, () => dataset.columns.map(() => JSON.stringify(long))),
    hints: Array.from({ length: 5 }, () => ({
      column: long.slice(0, 100),
      otherRef: "ds_x_1",
      otherColumn: long.slice(0, 100),
      containment: 0.123456,
      reverseContainment: 1,
      relation: "1:n" as const,
    })),
    context: Array.from({ length: 500 }, (_, at) => ({ path: `member${at}`, json: JSON.stringify(long) })),
  }));
  assert.ok(wireBytes(text) <= ENVELOPE_BYTES_MAX, `${wireBytes(text)} bytes`);
  const { omitted, context } = JSON.parse(text);
  assert.equal(Object.keys(context).length + omitted.contextItems, 500);
});

verifies("ENV-5", "buildEnvelope() gives decimals the digits of their column's scale", () => {
  const price = { name: "price", type: "DECIMAL(18,2)", min: "878.90", max: "1000.00" };
  const exact = { name: "exact", type: "DECIMAL(38,20)", min: "0.10000000000000000001", max: "1.00000000000000000000" };
  const sample = [["878.90", "0.10000000000000000001"]];
  const text = buildEnvelope(input({ dataset: datasetOf([price, exact]), sample }));
  assert.ok(text.includes('"min":878.90,"max":1000.00}'), text);
  assert.ok(text.includes('"min":"0.10000000000000000001","max":1.00000000000000000000}'), text);
  assert.ok(text.includes('"price":878.90'), text);
});

verifies("ENV-4 ENV-5 ENV-10", "buildEnvelope() cuts cells between whole characters and rounds no number", () => {
  const { sample, schema } = built({
    sample: [["9007199254740993", JSON.stringify("x".repeat(199) + "😀tail")], ["1.10", '"\\ud800"']],
  });
  assert.equal(sample[0].id, "9007199254740993");
  assert.equal(sample[0].name, `${"x".repeat(199)}…`);
  assert.equal(sample[1].name, "\ufffd");
  assert.equal(schema[0].max, "9007199254740993");
  assert.equal(schema[0].min, 1);
});

verifies("ENV-6", "buildEnvelope() says what it saves against the larger channel", () => {
  const text = buildEnvelope(input());
  const { approxTokensSaved } = JSON.parse(text);
  assert.ok(
    approxTokensSaved > 0 && approxTokensSaved <= 10_000 - estimateTokens(text.length) + 3,
    String(approxTokensSaved),
  );
  assert.ok(approxTokensSaved >= 10_000 - estimateTokens(text.length) - 3, String(approxTokensSaved));
});

verifies("ENV-7", "buildEnvelope() tells how to go on", () => {
  const { note, usage } = built();
  assert.match(note, /instead.*2000 tokens.*loom_query.*loom_raw \{"ref":"ds_crm_users_1"\}/s);
  assert.equal(usage.query, "SELECT * FROM ds_crm_users_1 LIMIT 20");
  assert.match(usage.lifetime, /session.*loom_list_datasets/);
  assert.doesNotMatch(built({ hasOriginal: false }).note, /loom_raw/);
  const pinned = datasetOf([{ name: "id" }], { pinned: true });
  const kept = built({ dataset: pinned, sample: [], hasOriginal: false });
  assert.match(kept.note, /never evicted.*loom_query/);
  assert.doesNotMatch(kept.usage.lifetime, /evicted/);
  const answer = datasetOf([{ name: "id" }], { implicit: true, rowCount: 1 });
  assert.match(built({ dataset: answer, sample: [] }).note, /keeps this answer \(1 row\) as/);
});

verifies("ENV-11 ENV-5", "buildEnvelope() shows small context whole and names what is large", () => {
  const context: ContextItem[] = [
    { path: "warnings", json: JSON.stringify(Array.from({ length: 900 }, (_, at) => `warning ${at}`)) },
    { path: "nextCursor", json: '"abc=="' },
    { path: "total", json: "18446744073709551615" },
    { path: "text before", json: JSON.stringify("Long story. ".repeat(2_000)) },
  ];
  const around = built({ context }).context;
  assert.equal(around.nextCursor, "abc==");
  assert.equal(around.total, "18446744073709551615");
  assert.deepEqual(around.warnings, { kind: "array", members: 900, chars: context[0]?.json.length });
  assert.equal(around["text before"].chars, 24_000);
  assert.match(around["text before"].start, /^Long story\./);
  assert.deepEqual(Object.keys(around), context.map(({ path }) => path), "the order is kept");
});

verifies("ENV-11", "buildEnvelope() shows a short text that its name would outweigh on the wire", () => {
  for (let chars = 1; chars < 60; chars++) {
    const text = "x".repeat(chars);
    assert.deepEqual(built({ context: [{ path: "content[1]", json: JSON.stringify(text) }] }).context, {
      "content[1]": text,
    });
  }
});

verifies("ENV-11", "buildEnvelope() names every item before it begins any text", () => {
  const context: ContextItem[] = [
    ...Array.from({ length: 60 }, (_, at) => ({ path: `note_${at}`, json: JSON.stringify("A sentence. ".repeat(20)) })),
    { path: "next", json: '"abc=="' },
  ];
  const envelope = built({ context });
  assert.deepEqual(Object.keys(envelope.context), context.map(({ path }) => path));
  assert.equal(envelope.omitted, undefined);
  assert.equal(envelope.context.next, "abc==");
  assert.ok(Object.values(envelope.context).some((item) => typeof item === "object" && !("start" in Object(item))));
  assert.ok(Object.values(envelope.context).some((item) => "start" in Object(item)));
});
