import assert from "node:assert/strict";
import { cutText, isSafeNumber, safeJson } from "../../lib/envelope/text.ts";
import { verifies } from "../support/verifies.ts";

verifies("ENV-5", "safeJson() turns numbers that a double changes into strings", () => {
  const rows: [string, string][] = [
    ["9007199254740991", "9007199254740991"],
    ["9007199254740993", '"9007199254740993"'],
    ["-0", '"-0"'],
    ["1.10", "1.10"],
    ["1e400", '"1e400"'],
    ["1E5", "1E5"],
    ["0.1", "0.1"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["0.1000000000000000055511151231257827", '"0.1000000000000000055511151231257827"'],
    [
      '{"a":[18446744073709551615,"18446744073709551616 stays"],"b":NaN}',
      '{"a":["18446744073709551615","18446744073709551616 stays"],"b":"NaN"}',
    ],
    ['{"In\\"f":-Infinity,"N":null,"t":true}', '{"In\\"f":"-Infinity","N":null,"t":true}'],
  ];
  for (const [json, safe] of rows) assert.equal(safeJson(json), safe, json);
});

verifies("ENV-4", "safeJson() leaves no lone surrogate and keeps pairs", () => {
  assert.equal(safeJson('["\\ud800","\\ud83d\\ude00"]'), '["\ufffd","😀"]');
  assert.equal(safeJson(`["${"\ud800"}"]`), '["\ufffd"]');
});

verifies("ENV-4", "cutText() never halves a character", () => {
  assert.equal(cutText("ab😀", 3), "ab…");
  assert.equal(cutText("ab😀", 4), "ab😀");
  assert.equal(cutText("a\ud800", 9), "a\ufffd");
});

Deno.test("isSafeNumber() agrees with the value a double has", () => {
  for (const safe of ["0", "-1", "1.5", "100", "1e21", "123456789.125", "1.0", "9007199254740992"]) {
    assert.ok(isSafeNumber(safe), safe);
  }
  for (const unsafe of ["-0", "-0.0", "1e-400", "9007199254740993", "0.1234567890123456789"]) {
    assert.ok(!isSafeNumber(unsafe), unsafe);
  }
});
