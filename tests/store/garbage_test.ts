/** Tests of lib/store/garbage.ts. @module */

import { equal } from "node:assert/strict";
import { ChunkGarbage } from "../../lib/store/garbage.ts";

Deno.test("ChunkGarbage sweeps after 32 MiB of chunks, and at once when memory is short", () => {
  let sweeps = 0;
  const garbage = new ChunkGarbage(() => void sweeps++);
  for (let i = 0; i < 128; i++) garbage.note(8);
  garbage.sweep();
  equal(sweeps, 0);
  garbage.note(1);
  garbage.sweep();
  garbage.sweep();
  equal(sweeps, 1);
  garbage.sweep(true);
  equal(sweeps, 2);
});

Deno.test("ChunkGarbage works where nothing can be swept", () => {
  new ChunkGarbage(undefined).sweep(true);
});
