/** Tests of lib/store/answer.ts: what is left of a run that comes to no good end. @module */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { BIGINT, DuckDBDataChunk } from "@duckdb/node-api";
import { LoomError } from "../../lib/errors.ts";
import { type AnswerRun, readAnswer } from "../../lib/store/answer.ts";
import { verifies } from "../support/verifies.ts";

/** Reads two rows of which the answer has room for one, and then meets `end`. */
function run(end: Error | undefined, rowLimit = 1, keep = true): Promise<AnswerRun> {
  const chunk = DuckDBDataChunk.create([BIGINT], 2);
  chunk.setColumnValues(0, [7n, 8n]);
  const chunks = [chunk];
  return readAnswer({ rowLimit, byteLimit: 1_000, keep })({ names: ["n"], types: [BIGINT] }, () => {
    const next = chunks.shift();
    return next === undefined && end !== undefined ? Promise.reject(end) : Promise.resolve(next);
  });
}

verifies(
  "STORE-14 TOOL-2",
  "an answer that met its cap outlives the end of time and memory, and is not kept",
  async () => {
    for (const end of [new LoomError("QUERY_TIMEOUT", "it took too long"), new Error("Out of Memory Error: no room")]) {
      const { rows, by, seen, ended, whole } = await run(end);
      deepEqual({ rows, by, seen, ended }, { rows: ['{"n":7}'], by: "rows", seen: 2, ended: "late" });
      ok(whole instanceof LoomError && ["QUERY_TIMEOUT", "OUT_OF_MEMORY"].includes(whole.code));
      await rejects(run(end, 2), end, "below its cap the answer would be short without saying so");
    }
  },
);

verifies("STORE-10", "a fault behind the cap of an answer is a fault of the query", async () => {
  await rejects(run(new Error("Conversion Error: no number")), /Conversion Error/);
});

verifies("STORE-15", "a run that came to its end holds the whole result where that was wanted", async () => {
  const { whole, seen, ended } = await run(undefined);
  ok(!(whole instanceof LoomError));
  deepEqual([whole.rowCount, seen, ended], [2, 2, "complete"]);
  ok((await run(undefined, 1, false)).whole instanceof LoomError);
  equal((await run(undefined, 1, false)).seen, 2);
});
