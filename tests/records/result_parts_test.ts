import assert from "node:assert/strict";
import { partResult } from "../../lib/records/result_parts.ts";
import { verifies } from "../support/verifies.ts";

function partsOf(json: string) {
  const parted = partResult(json);
  assert.equal(parted.kind, "parts", json);
  return parted.kind === "parts" ? parted : assert.fail();
}

for (
  const [reason, json] of [
    ["is-error", '{"content":[],"isError":true}'],
    ["task-handle", '{"task":{"taskId":"t"}}'],
    ["not-complete", '{"resultType":"input_required","content":[]}'],
    ["not-an-object", "[1]"],
  ]
) {
  verifies("ICPT-1", `partResult() passes ${json}`, () => {
    assert.deepEqual(partResult(json ?? ""), { kind: "passed", reason });
  });
}

for (
  const block of [
    '{"type":"image","data":""}',
    '{"type":"resource","resource":{}}',
    '{"type":"text"}',
    "7",
    '{"type":"x"}',
  ]
) {
  verifies("ICPT-2", `partResult() passes a result with the block ${block}`, () => {
    assert.deepEqual(partResult(`{"content":[{"type":"text","text":"a"},${block}]}`), {
      kind: "passed",
      reason: "block-not-text",
    });
  });
}

verifies("ICPT-3", "partResult() measures both channels in UTF-16 units", () => {
  const { textChars, structuredChars, parts } = partsOf(
    '{"content":[{"type":"text","text":"é\\n😀"},{"type":"text","text":"b"}],"structuredContent": {"a":1.10} }',
  );
  assert.equal(textChars, 5);
  assert.equal(structuredChars, 10);
  assert.equal(parts.structured, '{"a":1.10}');
  assert.deepEqual(parts.texts, ["é\n😀", "b"]);
});

verifies("ICPT-10", "partResult() keeps what is neither text nor rows", () => {
  const { parts, meta } = partsOf(
    '{"_meta":{"n":1.10},"content":[{"type":"text","text":"a","annotations":{"priority":1.50}}],"nextCursor":"c1","total":9007199254740993}',
  );
  assert.deepEqual(parts.rest, [
    { path: "content[0].annotations", json: '{"priority":1.50}' },
    { path: "nextCursor", json: '"c1"' },
    { path: "total", json: "9007199254740993" },
  ]);
  assert.equal(meta, '{"n":1.10}');
});

verifies("ICPT-11", "partResult() passes a result that has one member twice", () => {
  const twice = { kind: "passed", reason: "duplicate-member" };
  assert.deepEqual(partResult('{"content":[],"content":[]}'), twice);
  assert.deepEqual(partResult('{"content":[],"x":1,"x":2}'), twice);
  assert.equal(partsOf('{"content":[{"type":"text","text":"say \\"content\\" twice: \\"content\\""}]}').textChars, 30);
});
