import { deepEqual, equal, ok } from "node:assert/strict";
import { BACKLOG_BYTES_HIGH, bytesOf, LineWriter, textOf } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

/** A stream whose writes wait until they are let through. */
function gatedStream() {
  const writes: string[] = [];
  const gates: (() => void)[] = [];
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) => {
      writes.push(textOf(chunk));
      return new Promise<void>((resolve) => gates.push(resolve));
    },
  });
  return { writable, writes, open: () => gates.shift()?.() };
}

/** Lets everything run that is ready to. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

verifies("WIRE-7", "LineWriter.send() writes what comes up in one turn at once", async () => {
  const { writable, writes, open } = gatedStream();
  const writer = new LineWriter(writable, () => {});
  writer.send([bytesOf("a"), bytesOf("b")]);
  writer.send([bytesOf("c")]);
  equal(writes.length, 0);
  await settled();
  deepEqual(writes, ["ab\nc\n"]);
  writer.send([bytesOf("d")]);
  writer.send([bytesOf("e")]);
  await settled();
  deepEqual(writes, ["ab\nc\n"]);
  open();
  await settled();
  deepEqual(writes, ["ab\nc\n", "d\ne\n"]);
  open();
  await writer.close();
});

verifies("WIRE-7", "LineWriter.ready() waits while more than 8 MiB are waiting", async () => {
  equal(BACKLOG_BYTES_HIGH, 8 * 1024 * 1024);
  const { writable, open } = gatedStream();
  const writer = new LineWriter(writable, () => {});
  writer.send([new Uint8Array(BACKLOG_BYTES_HIGH - 1)]);
  ok(!writer.isFull);
  writer.send([]);
  ok(writer.isFull);
  let ready = false;
  const waiting = writer.ready().then(() => ready = true);
  await settled();
  ok(!ready);
  open();
  await waiting;
  let isClosed = false;
  const closing = writer.close().then(() => isClosed = true);
  for (; !isClosed; await settled()) open();
  await closing;
});

Deno.test("LineWriter.close() writes what is waiting", async () => {
  const writes: string[] = [];
  const writer = new LineWriter(new WritableStream({ write: (chunk) => void writes.push(textOf(chunk)) }), () => {});
  writer.send([bytesOf("last")]);
  await writer.close();
  deepEqual(writes, ["last\n"]);
});

Deno.test("LineWriter tells of a failed stream once and swallows what follows", async () => {
  const errors: unknown[] = [];
  const writable = new WritableStream<Uint8Array>({ write: () => Promise.reject(new Error("broken pipe")) });
  const writer = new LineWriter(writable, (error) => errors.push(error));
  writer.send([bytesOf("a")]);
  await settled();
  writer.send([bytesOf("b")]);
  await writer.close();
  equal(errors.length, 1);
  equal(writer.backlogBytes, 0);
  await writer.ready();
});

Deno.test("LineWriter.abort() lets nobody wait", async () => {
  const { writable } = gatedStream();
  const writer = new LineWriter(writable, () => {});
  writer.send([new Uint8Array(BACKLOG_BYTES_HIGH + 1)]);
  const ready = writer.ready();
  writer.abort();
  await ready;
});

verifies("WIRE-7", "what waits for an open line holds up its own sources, and not the line's", async () => {
  const { writable, writes, open } = gatedStream();
  const writer = new LineWriter(writable, () => {});
  const line = writer.begin();
  ok(line && !line.isAwaited && !line.isBlocked);
  line.push(bytesOf("abc"));
  writer.send([new Uint8Array(BACKLOG_BYTES_HIGH).fill(0x78)]);
  ok(line.isAwaited && !writer.isHoldingMuch && !writer.isFull);
  writer.send([bytesOf("y")]);
  ok(writer.isHoldingMuch && !writer.isFull && !line.isBlocked);
  let isOver = false;
  const over = writer.lineEnded().then(() => isOver = true);
  await settled();
  ok(!isOver);
  line.end();
  await over;
  ok(!writer.isHoldingMuch && writer.isFull);
  let isClosed = false;
  const closing = writer.close().then(() => isClosed = true);
  for (; !isClosed; await settled()) open();
  await closing;
  equal(writes.join("").length, 4 + BACKLOG_BYTES_HIGH + 1 + 2);
  equal(writer.writtenBytes, 4 + BACKLOG_BYTES_HIGH + 1 + 2);
});

verifies("WIRE-7", "a large line is written in parts, so that it is seen whether the reader still reads", async () => {
  const { writable, writes, open } = gatedStream();
  const writer = new LineWriter(writable, () => {});
  writer.send([new Uint8Array(1024 * 1024 - 1).fill(0x78)]);
  for (let part = 1; part <= 4; part++) {
    await settled();
    equal(writes.length, part);
    equal(writes.at(-1)?.length, 256 * 1024 - (part === 4 ? 1 : 0));
    open();
    await settled();
    equal(writer.writtenBytes, part * 256 * 1024 - (part === 4 ? 1 : 0));
  }
});
