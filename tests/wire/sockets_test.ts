import { deepEqual, equal, rejects } from "node:assert/strict";
import { createServer, type Server, Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { SocketReader, SocketWriter } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

/** Two sockets that are connected with each other. */
async function socketPair(): Promise<{ near: Socket; far: Socket; server: Server }> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const server = createServer(resolve);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const near = new Socket();
  near.connect((server.address() as AddressInfo).port, "127.0.0.1");
  return { near, far: await promise, server };
}

function closed({ near, far, server }: Awaited<ReturnType<typeof socketPair>>): Promise<void> {
  near.destroy();
  far.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function readAll(reader: SocketReader): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

verifies("WIRE-7", "SocketReader gives what SocketWriter was given, in order, and the end", async () => {
  const pair = await socketPair();
  const reader = new SocketReader(pair.far);
  const writer = new SocketWriter(pair.near);
  const sent = Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251);
  const all = readAll(reader);
  await writer.write(sent.subarray(0, 300_000));
  await writer.write(sent.subarray(300_000));
  await writer.close();
  deepEqual(await all, sent);
  deepEqual(await reader.read(), { done: true });
  await closed(pair);
});

verifies("WIRE-7", "SocketReader reads no more than it is asked for, but for one read ahead", async () => {
  const pair = await socketPair();
  const reader = new SocketReader(pair.far);
  const writer = new SocketWriter(pair.near);
  const bytes = new Uint8Array(64 * 1024 * 1024).fill(7);
  let isTaken = false;
  const writing = writer.write(bytes).then(() => isTaken = true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  equal(isTaken, false);
  let count = 0;
  while (count < bytes.length) {
    const next = await reader.read();
    if (next.done) break;
    count += next.value.length;
  }
  await writing;
  equal(count, bytes.length);
  await closed(pair);
});

Deno.test("SocketReader.cancel() ends a read that waits", async () => {
  const pair = await socketPair();
  const reader = new SocketReader(pair.far);
  const waiting = reader.read();
  await reader.cancel();
  deepEqual(await waiting, { done: true });
  await closed(pair);
});

Deno.test("SocketWriter.write() rejects when the peer is gone, and close() resolves all the same", async () => {
  const pair = await socketPair();
  const writer = new SocketWriter(pair.near);
  writer.closed.catch(() => {});
  pair.far.resetAndDestroy();
  await rejects(async () => {
    for (let i = 0; i < 1_000; i++) {
      await writer.write(new Uint8Array(1_000));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  await writer.close();
  await closed(pair);
});
