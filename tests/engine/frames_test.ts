import assert from "node:assert/strict";
import { encodeFrame, FRAME_BODY_BYTES_MAX, FrameParser } from "../../lib/engine/frames.ts";
import { verifies } from "../support/verifies.ts";

interface Header {
  readonly name: string;
}

function bytesOf(...parts: readonly Uint8Array[][]): Uint8Array {
  return new Uint8Array(parts.flat().flatMap((part) => [...part]));
}

const first = encodeFrame({ name: "é" }, new Uint8Array([1, 2, 3]), new Uint8Array([4]));
const second = encodeFrame({ name: "empty" });

for (const size of [1, 2, 5, 11, 12, 13, 1_000]) {
  Deno.test(`FrameParser.push() puts frames together from chunks of ${size} bytes`, () => {
    const parser = new FrameParser<Header>();
    const all = bytesOf(first, second, first);
    const frames = Array.from(
      { length: Math.ceil(all.length / size) },
      (_, at) => parser.push(all.subarray(at * size, (at + 1) * size)),
    ).flat();
    assert.deepEqual(frames.map(({ header }) => header.name), ["é", "empty", "é"]);
    assert.deepEqual(frames.map(({ body }) => [...body]), [[1, 2, 3, 4], [], [1, 2, 3, 4]]);
  });
}

verifies("ENG-1", "FrameParser.push() refuses a byte that belongs to no frame", () => {
  const parser = new FrameParser<Header>();
  assert.equal(parser.push(bytesOf(first)).length, 1);
  assert.throws(() => parser.push(new TextEncoder().encode("printed by native code")), /no frame/);
});

Deno.test("encodeFrame() refuses a body above its limit", () => {
  const half = new Uint8Array(FRAME_BODY_BYTES_MAX / 2);
  assert.equal(encodeFrame({}, half, half).length, 3);
  assert.throws(() => encodeFrame({}, half, half, new Uint8Array(1)), RangeError);
});
