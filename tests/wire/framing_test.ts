import { deepEqual, equal, ok } from "node:assert/strict";
import { LineFramer, MESSAGE_BYTES_MAX } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What a framer said, in order. */
function framed(chunks: readonly (string | Uint8Array)[], bytesMax?: number): string[] {
  const said: string[] = [];
  const framer = new LineFramer({
    line: (bytes) => said.push(`line ${decoder.decode(bytes)}`),
    noise: (head) => said.push(`noise ${decoder.decode(head)}`),
    oversized: (head, tail, length) =>
      said.push(`oversized ${length} ${decoder.decode(head.subarray(0, 9))} ${decoder.decode(tail.slice(-9))}`),
  }, bytesMax);
  for (const chunk of chunks) framer.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  framer.end();
  return said;
}

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{"a":"é😀 日本","b":[1.10,-0]}}';

for (const size of [1, 2, 3, 80, 1000]) {
  verifies("WIRE-1", `LineFramer.push() finds the same lines in reads of ${size} bytes`, () => {
    const bytes = encoder.encode(`${MESSAGE}\r\n\n  \n{"id":2}\n[1]\n`);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
    deepEqual(framed(chunks), [`line ${MESSAGE}`, 'line {"id":2}', "line [1]"]);
  });
}

verifies("WIRE-1", "LineFramer.push() ignores a byte order mark and blanks around a line", () => {
  deepEqual(framed(['\ufeff{"a":1}\n', ' \t{"b":2} \r\n', "\r\n"]), ['line {"a":1}', 'line {"b":2}']);
});

verifies("WIRE-8", "LineFramer.end() takes a last line without line feed", () => {
  deepEqual(framed(['{"a":1}\n{"b"', ":2}"]), ['line {"a":1}', 'line {"b":2}']);
  deepEqual(framed([""]), []);
});

verifies("WIRE-1", "LineFramer gives every line bytes of its own", () => {
  const lines: Uint8Array[] = [];
  const framer = new LineFramer({ line: (bytes) => lines.push(bytes), noise: () => {}, oversized: () => {} });
  for (let i = 0; i < 40_000; i++) {
    for (const byte of encoder.encode(`{"n":${i}}\n`)) framer.push(new Uint8Array([byte]));
  }
  equal(lines.length, 40_000);
  ok(lines.every((line, i) => decoder.decode(line) === `{"n":${i}}`));
});

verifies("WIRE-2", "LineFramer.push() takes a line at the bound and drops one beyond it", () => {
  const line = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`;
  equal(framed([`${line(100)}\n{"b":1}\n`], 100).length, 2);
  for (const chunks of [[`${line(101)}\n{"b":1}\n`], [line(101), '\n{"b":1}\n'], [...line(101), '\n{"b":1}\n']]) {
    deepEqual(framed(chunks, 100), ['oversized 101 {"a":"xxx xxxxxxx"}', 'line {"b":1}']);
  }
});

verifies("WIRE-2", "MESSAGE_BYTES_MAX is 320 MiB", () => equal(MESSAGE_BYTES_MAX, 335_544_320));

verifies("WIRE-4", "LineFramer.push() drops a line that is no message, however it is cut", () => {
  deepEqual(framed(["npm warn\n", '{"a":1}\n']), ["noise npm warn", 'line {"a":1}']);
  deepEqual(framed([..."hello", "\n", '{"a":1}\n']), ["noise h", 'line {"a":1}']);
});

verifies("WIRE-4", "LineFramer.push() keeps nothing of endless output without line feed", () => {
  const noise: Uint8Array[] = [];
  const framer = new LineFramer({
    line: () => {},
    noise: (head) => noise.push(head),
    oversized: () => noise.push(new Uint8Array()),
  });
  const chunk = new Uint8Array(1_000_000).fill(65);
  // More than a message may have: if it were kept, it would be reported as oversized.
  for (let i = 0; i < 400; i++) framer.push(chunk);
  framer.push(encoder.encode("\n"));
  equal(noise.length, 1);
  ok((noise[0]?.length ?? 0) <= 4096);
});

verifies("WIRE-3", "LineFramer.push() copies small reads together instead of keeping each", () => {
  let line = 0;
  const framer = new LineFramer({ line: (bytes) => line = bytes.length, noise: () => {}, oversized: () => {} });
  const byte = new Uint8Array([120]);
  framer.push(encoder.encode('{"a":"'));
  // A million reads would be a million pieces, or a million copies of a growing whole.
  for (let i = 0; i < 1_000_000; i++) framer.push(byte);
  framer.push(encoder.encode('"}\n'));
  equal(line, 1_000_008);
});
