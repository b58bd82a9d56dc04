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
  open();
  await writer.close();
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
