import assert from "node:assert/strict";
import { OUT_OF_MEMORY_EXIT_CODE, watchMemory } from "../../lib/engine/watchdog.ts";
import { verifies } from "../support/verifies.ts";

function watch(residentBytes: number, residentBytesMax: number): Promise<number | "quiet"> {
  const { promise, resolve } = Promise.withResolvers<number | "quiet">();
  const stop = watchMemory(residentBytesMax, resolve, () => residentBytes);
  setTimeout(() => resolve("quiet"), 150);
  return promise.finally(stop).then(async (outcome) => {
    await new Promise((settled) => setTimeout(settled, 160));
    return outcome;
  });
}

verifies("ENG-5", "watchMemory() ends the process above the limit and not at it", async () => {
  assert.equal(await watch(1_001, 1_000), OUT_OF_MEMORY_EXIT_CODE);
  assert.equal(await watch(1_000, 1_000), "quiet");
});
