import { equal, match } from "node:assert/strict";
import { AnswerStream, STALL_MS, UNREAD_BYTES_MAX } from "../../lib/client/answer_stream.ts";
import { bytesOf, concat, textOf } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

const HEAD = '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"';

/** A stream whose line is gathered, with others waiting for its end; the answer's first piece has passed. */
function begun(stallMs?: number) {
  const pieces: Uint8Array[] = [];
  const ended = Promise.withResolvers<void>();
  const line = {
    push: (piece: Uint8Array) => void pieces.push(piece),
    end: () => ended.resolve(),
    isAwaited: true,
    isBlocked: false,
  };
  const id = { start: HEAD.indexOf("7"), end: HEAD.indexOf("7") + 1 };
  const stream = new AnswerStream(line, bytesOf('"mine"'), id, "srv", () => {}, stallMs);
  stream.push(bytesOf(HEAD));
  return { stream, line, ended: ended.promise, text: () => textOf(concat(pieces)) };
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

verifies("WIRE-9", "AnswerStream is given up after a time without a piece, and not before", async () => {
  equal(STALL_MS, 5_000);
  const { stream, ended, text } = begun(1_000);
  for (let i = 0; i < 20; i++) {
    await delay(60);
    stream.push(bytesOf("more "));
  }
  equal(text(), HEAD.replace("7", '"mine"') + "more ".repeat(20));
  await ended;
  const { id, result } = JSON.parse(text());
  equal(id, "mine");
  equal(result.isError, true);
  match(result.content[0].text, /^(more ){20} \[Server "srv" stopped in the middle of this answer\]$/);
});

for (const length of [UNREAD_BYTES_MAX - 1_000_000, UNREAD_BYTES_MAX + 1_000_000]) {
  verifies("WIRE-9", `AnswerStream ends an answer that stopped after ${length} bytes soundly`, () => {
    const { stream, text } = begun();
    const piece = bytesOf('say \\"é\\" '.repeat(5_000));
    let passed = 0;
    for (; passed < length; passed += piece.length) stream.push(piece);
    // In the middle of an escape.
    stream.push(bytesOf("\\u00"));
    stream.giveUp();
    const { result } = JSON.parse(text());
    equal(result.isError, true);
    match(result.content[0].text.slice(-80), /say "é" \0 \[Server "srv" stopped in the middle of this answer\]$/);
    equal(stream.byteLength, HEAD.length + passed + 4);
  });
}

Deno.test("AnswerStream.end() leaves the answer as it came", () => {
  const { stream, text } = begun();
  stream.push(bytesOf('x"}]}}'));
  stream.end();
  stream.giveUp();
  equal(text(), `${HEAD.replace("7", '"mine"')}x"}]}}`);
});

for (
  const [why, change] of [["nobody waits", { isAwaited: false }], ["the reader is slow", { isBlocked: true }]] as const
) {
  verifies("WIRE-9", `AnswerStream is not given up while ${why}`, async () => {
    const { stream, line, ended, text } = begun(100);
    Object.assign(line, change);
    await delay(600);
    stream.push(bytesOf("still "));
    equal(text(), `${HEAD.replace("7", '"mine"')}still `);
    Object.assign(line, { isAwaited: true, isBlocked: false });
    await ended;
    equal(JSON.parse(text()).result.isError, true);
  });
}

Deno.test("AnswerStream.breakOff() says why", () => {
  const { stream, text } = begun();
  stream.push(bytesOf("half "));
  stream.breakOff("loom is stopping");
  equal(JSON.parse(text()).result.content[0].text, "half  [loom is stopping]");
});
