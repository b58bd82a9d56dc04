import { equal } from "node:assert/strict";
import { mayBeLarge, mayHoldRows } from "../../lib/client/interception.ts";
import { bytesOf, type Message, readMessage } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

function answer(result: string): Message {
  const message = readMessage(bytesOf(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  if (!message) throw new Error("no message");
  return message;
}

const text = (value: string) => answer(JSON.stringify({ content: [{ type: "text", text: value }] }));

verifies("RELAY-22", "mayBeLarge() begins above the threshold, four bytes to a token", () => {
  const sized = (bytes: number) => answer(`"${"x".repeat(bytes - 2)}"`);
  equal(mayBeLarge(sized(400), 100), false);
  equal(mayBeLarge(sized(401), 100), true);
  const error = readMessage(bytesOf(`{"id":1,"error":{"message":"${"x".repeat(1000)}"}}`));
  equal(error && mayBeLarge(error, 100), false);
});

const CASES: readonly { what: string; message: Message; may: boolean }[] = [
  { what: "plain text", message: text("lorem ipsum. ".repeat(50)), may: false },
  { what: "JSON rows", message: text('[{"a":1}]'), may: true },
  { what: "lines", message: text("a,b\n1,2"), may: true },
  { what: "HTML", message: text("<table>"), may: true },
  { what: "numbers in brackets", message: text("[1,2]"), may: true },
  { what: "a quotation mark", message: text('he said "x"'), may: true },
  { what: "structured content", message: answer('{"content":[],"structuredContent":{"a":[]}}'), may: true },
  { what: "no content", message: answer("{}"), may: false },
  { what: "an image", message: answer('{"content":[{"type":"image","data":"QUJD"}]}'), may: false },
];

const SIZES = [15_000, 17_000, 900_000, 1_100_000];

for (const size of SIZES) {
  verifies("RELAY-22", `mayHoldRows() tells rows from plain text of ${size} bytes`, () => {
    equal(mayHoldRows(text("lorem ipsum. ".repeat(size / 13))), false);
    equal(mayHoldRows(text('{"id":1,"name":"x"}\n'.repeat(size / 20))), true);
    equal(mayHoldRows(text("id,name\n1,x\n".repeat(size / 12))), true);
    const rows = Array.from({ length: size / 10 }, (_, id) => ({ id }));
    equal(mayHoldRows(answer(JSON.stringify({ content: [], structuredContent: rows }))), true);
  });
}

for (const { what, message, may } of CASES) {
  verifies("RELAY-22", `mayHoldRows() of ${what} is ${may}`, () => equal(mayHoldRows(message), may));
}
