/** Tests of lib/store/lanes.ts. @module */

import { deepEqual, equal, rejects } from "node:assert/strict";
import { Lane, runAlone } from "../../lib/store/lanes.ts";
import { verifies } from "../support/verifies.ts";

verifies("STORE-5", "Lane.run() keeps the order of its own tasks and waits for no other lane", async () => {
  const read = new Lane(), write = new Lane();
  const log: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const slow = read.run(async () => {
    await gate;
    log.push("slow read");
  });
  const next = read.run(() => Promise.resolve(log.push("next read")));
  await write.run(() => Promise.resolve(log.push("write")));
  deepEqual(log, ["write"]);
  open();
  await Promise.all([slow, next]);
  deepEqual(log, ["write", "slow read", "next read"]);
});

Deno.test("Lane.run() goes on after a task that failed", async () => {
  const lane = new Lane();
  const failed = lane.run(() => Promise.reject(new Error("first")));
  equal(await lane.run(() => Promise.resolve("second")), "second");
  await rejects(failed, /first/);
});

verifies("STORE-5", "runAlone() waits for both lanes and holds both", async () => {
  const read = new Lane(), write = new Lane();
  const log: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const reading = read.run(() => gate.then(() => log.push("read")));
  const alone = runAlone(write, read, () => Promise.resolve(log.push("alone")));
  const after = write.run(() => Promise.resolve(log.push("write after")));
  open();
  await Promise.all([reading, alone, after]);
  deepEqual(log, ["read", "alone", "write after"]);
});
