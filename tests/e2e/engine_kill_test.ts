import assert from "node:assert/strict";
import { createEngine } from "../../lib/engine/mod.ts";
import { engineCommand, EngineProcess } from "../../lib/engine/process.ts";
import { resultOf, someRows } from "../support/engine_rig.ts";
import { verifies } from "../support/verifies.ts";

/** Milliseconds between two moments at which the process is killed, and how many moments there are at most. */
const STEP_MS = 15;
const MOMENTS_MAX = 100;

verifies(
  "ENG-6 ENG-7 ICPT-6",
  "an interception passes whenever its process is killed, and all that was kept is there again",
  async () => {
    const folder = await Deno.makeTempDir({ prefix: "loom-test-" });
    const processes: EngineProcess[] = [];
    const engine = createEngine(
      {
        memoryBudgetBytes: 1e8,
        duckdbMemoryLimit: "512MB",
        exportDir: `${folder}/exports`,
        queryTimeoutMs: 10_000,
        tokenThreshold: 2_000,
      },
      {
        log: () => {},
        spawn: (onFrame, onText) => {
          const command = engineCommand({ folders: [folder, "/tmp"], dataBytesMax: 2e9 });
          const process = new EngineProcess(command, onFrame, onText);
          processes.push(process);
          return process;
        },
      },
    );
    const encoder = new TextEncoder();
    const origin = (tool: string) => ({ server: "crm", tool, tokenThreshold: 100, omitArgs: false });
    const count = async (ref: string) => {
      const answer = await engine.call(
        "loom_query",
        encoder.encode(JSON.stringify({ sql: `SELECT count(*) AS n FROM ${ref}` })),
      );
      return JSON.parse(JSON.parse(new TextDecoder().decode(answer)).content[0].text).rows[0].n;
    };
    try {
      const small = encoder.encode(resultOf(someRows(300)));
      const large = encoder.encode(resultOf(someRows(20_000)));
      assert.ok(await engine.intercept(origin("kept"), small));
      assert.ok(await engine.intercept(origin("whole"), large));
      let passed = 0;
      for (let at = 0; at < MOMENTS_MAX; at++) {
        const timer = setTimeout(() => processes.at(-1)?.kill("the test killed it"), at * STEP_MS);
        const envelope = await engine.intercept(origin(`attempt_${at}`), large);
        clearTimeout(timer);
        assert.equal(await count("ds_crm_kept_1"), 300, `after a kill at ${at * STEP_MS} ms`);
        assert.equal(await count("ds_crm_whole_2"), 20_000, `after a kill at ${at * STEP_MS} ms`);
        // The last moment comes after the work is done.
        if (envelope !== undefined) break;
        passed++;
      }
      assert.ok(passed > 0 && passed < MOMENTS_MAX, `${passed} kills came in time`);
      assert.ok(processes.length > passed, "each kill cost a process");
    } finally {
      await engine.stop();
      await Promise.all(processes.map((process) => process.ended));
      const left = [...Deno.readDirSync(folder)].filter(({ name }) => name.includes("spill"));
      assert.deepEqual(left, []);
      await Deno.remove(folder, { recursive: true });
    }
  },
  { timeout: 120_000 } as Partial<Deno.TestDefinition>,
);
