import { deepEqual, equal } from "node:assert/strict";
import { bytesOf, concat, type Edit, membersRemoved, readMessage, spliced, textOf } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

Deno.test.each([
  { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}', kind: "request" },
  { text: '{"method":"x","params":{"id":7}}', kind: "notification" },
  { text: '{"result":{"method":"no"},"jsonrpc":"2.0","id":"a"}', kind: "result" },
  { text: '{"id":1,"error":{"code":1}}', kind: "error" },
  { text: '{"error":{"code":1}}', kind: "error" },
])("readMessage() tells a $kind by its members", ({ text, kind }) => equal(readMessage(bytesOf(text))?.kind, kind));

Deno.test.each([
  { text: '{"level":30,"msg":"a log line"}' },
  { text: '{"id":1}' },
  { text: '{"result":1}' },
  { text: '{"method":5,"id":1}' },
  { text: '{"id":1,"method":"x"' },
  { text: '{"id":1,"method":"x"} trailing' },
  { text: '{"id":1,"method":"x"}{"id":2,"method":"x"}' },
  { text: "[]" },
  { text: "null" },
])("readMessage() finds no message in $text", ({ text }) => equal(readMessage(bytesOf(text)), undefined));

verifies("WIRE-6", "spliced() changes only what the edits say, in whatever order they come", () => {
  const bytes = bytesOf("0123456789");
  const edits: Edit[] = [
    { start: 8, end: 10, bytes: bytesOf("Z") },
    { start: 0, end: 1, bytes: bytesOf("AAA") },
    { start: 4, end: 4, bytes: bytesOf("-") },
    { start: 5, end: 6, bytes: new Uint8Array() },
  ];
  equal(textOf(concat(spliced(bytes, edits))), "AAA123-467Z");
  deepEqual(spliced(bytes, []), [bytes]);
});

Deno.test.each([
  { removed: "a", left: '{ "b":2, "c":3}' },
  { removed: "b", left: '{"a":1, "c":3}' },
  { removed: "c", left: '{"a":1, "b":2}' },
  { removed: "ab", left: '{"c":3}' },
  { removed: "bc", left: '{"a":1}' },
  { removed: "ac", left: '{"b":2}' },
  { removed: "abc", left: "{}" },
  { removed: "", left: '{"a":1, "b":2, "c":3}' },
])("membersRemoved() takes $removed out with their commas", ({ removed, left }) => {
  const bytes = bytesOf('{"a":1, "b":2, "c":3}');
  const edits = membersRemoved(bytes, 0, (name) => removed.includes(name));
  equal(textOf(concat(spliced(bytes, edits))).replaceAll(" ", ""), left.replaceAll(" ", ""));
});

Deno.test("readMessage() finds no message where the method is no string, whatever stands in it", () => {
  for (const method of ["5", "xtools/callx", '["tools/call"]', '{"tools/call":1}', "null"]) {
    equal(readMessage(bytesOf(`{"jsonrpc":"2.0","id":1,"method":${method}}`)), undefined, method);
  }
  equal(readMessage(bytesOf('{"id":1,"method":"tools/call"}'))?.method, "tools/call");
  equal(readMessage(bytesOf('{"id":1,"method":"tools\\/call"}'))?.method, "tools/call");
});
