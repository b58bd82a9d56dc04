import assert from "node:assert/strict";
import { createEngine, type Engine, INTERCEPT_BYTES_MAX, type Origin } from "../../lib/engine/mod.ts";
import { EngineProcess } from "../../lib/engine/process.ts";
import { verifies } from "../support/verifies.ts";

const FAKE = new URL("../support/fake_engine.ts", import.meta.url).pathname;
const RESULT = new TextEncoder().encode('{"content":[]}');

interface Rig {
  readonly engine: Engine;
  readonly started: EngineProcess[];
  readonly log: string[];
}

async function withEngine(
  options: { modes?: readonly string[]; queryTimeoutMs?: number; interceptMsMax?: number },
  run: (rig: Rig) => Promise<void>,
): Promise<void> {
  const { modes = [""], queryTimeoutMs = 10_000, interceptMsMax = 10_000 } = options;
  const started: EngineProcess[] = [];
  const log: string[] = [];
  const engine = createEngine(
    {
      memoryBudgetBytes: 1e8,
      duckdbMemoryLimit: "512MB",
      exportDir: "/nowhere",
      queryTimeoutMs,
      tokenThreshold: 2_000,
    },
    {
      log: (level, _component, message) => void (level === "debug" || log.push(`${level}: ${message}`)),
      interceptMsMax,
      spawn: (onFrame, onText) => {
        const mode = modes[Math.min(started.length, modes.length - 1)] ?? "";
        const process = new EngineProcess(
          { command: Deno.execPath(), args: ["run", "--quiet", "-A", FAKE, mode] },
          onFrame,
          onText,
        );
        started.push(process);
        return process;
      },
    },
  );
  try {
    await run({ engine, started, log });
  } finally {
    await engine.stop();
  }
  await Promise.all(started.map((process) => process.ended));
}

const origin = (tool: string): Origin => ({ server: "s", tool, tokenThreshold: 1, omitArgs: false });
const text = (bytes: Uint8Array | undefined) => bytes === undefined ? undefined : new TextDecoder().decode(bytes);
const query = (engine: Engine, sql: string) =>
  engine.call("loom_query", new TextEncoder().encode(JSON.stringify({ sql })));
const refsOf = async (engine: Engine): Promise<string[]> =>
  JSON.parse(text(await engine.call("loom_list_datasets", undefined)) ?? "").refs;

verifies(
  "ENG-1",
  "Engine.intercept() gives the envelope, or nothing when the result is to pass",
  () =>
    withEngine({}, async ({ engine }) => {
      assert.equal(text(await engine.intercept(origin("replace"), RESULT)), `{"envelope":${RESULT.length}}`);
      assert.equal(await engine.intercept(origin("pass"), RESULT), undefined);
    }),
);

for (const how of ["die", "noise"]) {
  verifies(
    "ENG-1 ENG-6 ENG-7",
    `Engine.intercept() passes when the process ${how}s, and the datasets are back`,
    () =>
      withEngine({}, async ({ engine, started, log }) => {
        await engine.intercept(origin("replace"), RESULT);
        assert.equal(await engine.intercept(origin(how), RESULT), undefined);
        assert.deepEqual(await refsOf(engine), ["ds_s_replace_1"]);
        assert.equal(text(await engine.intercept(origin("replace"), RESULT)), `{"envelope":${RESULT.length}}`);
        assert.deepEqual(await refsOf(engine), ["ds_s_replace_1", "ds_s_replace_2"], "numbers never repeat");
        assert.equal(started.length, 2);
        assert.match(log.join("\n"), /the engine's process is replaced/);
      }),
  );
}

verifies(
  "ENG-6 ENG-7",
  "a call after the answer of an engine that damaged itself waits for the next process",
  () =>
    withEngine({}, async ({ engine, started }) => {
      await engine.intercept(origin("replace"), RESULT);
      for (let count = 1; count <= 3; count++) {
        assert.match(text(await query(engine, "break")) ?? "", /"tool":"loom_query"/);
        assert.deepEqual(await refsOf(engine), ["ds_s_replace_1"]);
        assert.equal(started.length, count + 1);
      }
      assert.match(await started[0]?.ended ?? "", /damaged itself/);
    }),
);

verifies(
  "ENG-3",
  "Engine.intercept() passes a late answer and drops its table",
  () =>
    withEngine({ interceptMsMax: 450 }, async ({ engine, started }) => {
      await engine.call("loom_list_datasets", undefined);
      assert.equal(await engine.intercept(origin("slow"), RESULT), undefined);
      await new Promise((resolve) => setTimeout(resolve, 400));
      assert.deepEqual(await refsOf(engine), []);
      assert.equal(started.length, 1);
    }),
);

verifies(
  "ENG-3",
  "Engine.intercept() passes when the process hangs, which costs it its life",
  () =>
    withEngine({ interceptMsMax: 400 }, async ({ engine, started }) => {
      await engine.call("loom_list_datasets", undefined);
      assert.equal(await engine.intercept(origin("hang"), RESULT), undefined);
      assert.match(await started[0]?.ended ?? "", /past its time limit/);
      assert.deepEqual(await refsOf(engine), []);
    }),
);

verifies(
  "ENG-4 ENG-6",
  "Engine.call() answers with words when the query outlives its limit, and goes on",
  () =>
    withEngine({ queryTimeoutMs: 200 }, async ({ engine }) => {
      const answer = JSON.parse(text(await query(engine, "hang")) ?? "");
      assert.equal(answer.isError, true);
      assert.match(answer.content[0].text, /loom_query ran past its time limit of 200 ms.*built again/s);
      assert.equal(JSON.parse(text(await query(engine, "")) ?? "").tool, "loom_query");
    }),
);

verifies(
  "ENG-7",
  "Engine reports a dataset as lost whose restoration kills the process, and keeps the others out of it",
  () =>
    withEngine({ modes: ["", "restore-dies", ""] }, async ({ engine, log }) => {
      await engine.intercept(origin("replace"), RESULT);
      await engine.intercept(origin("replace"), RESULT);
      assert.equal(await engine.intercept(origin("die"), RESULT), undefined);
      assert.deepEqual(await refsOf(engine), ["lost:ds_s_replace_1", "ds_s_replace_2"]);
      assert.match(log.join("\n"), /dataset ds_s_replace_1 is lost/);
    }),
);

verifies(
  "ENG-2",
  "Engine goes on without interception when the seal cannot be proved, and says so once",
  () =>
    withEngine({ modes: ["unsealed"] }, async ({ engine, log }) => {
      assert.equal(await engine.intercept(origin("replace"), RESULT), undefined);
      assert.equal(await engine.intercept(origin("replace"), RESULT), undefined);
      assert.match(text(await query(engine, "")) ?? "", /engine is not running.*ENGINE_NOT_SEALED/s);
      assert.deepEqual(log, ["warn: loom goes on without interception: ENGINE_NOT_SEALED: it read the host"]);
    }),
);

verifies(
  "ENG-2 ENG-8",
  "Engine gives up after the last attempt of a process that dies while it opens",
  () =>
    withEngine({ modes: ["dies-at-open"] }, async ({ engine, started, log }) => {
      assert.match(text(await query(engine, "")) ?? "", /engine is not running.*failed to open 5 times/s);
      assert.equal(started.length, 5);
      assert.equal(log.filter((line) => line.includes("without interception")).length, 1);
    }),
);

verifies(
  "ENG-11",
  "Engine.intercept() looks at a result of 192 MiB and passes a larger one unseen",
  () =>
    withEngine({ interceptMsMax: 60_000 }, async ({ engine, started }) => {
      const bytes = new Uint8Array(INTERCEPT_BYTES_MAX + 1);
      assert.equal(await engine.intercept(origin("replace"), bytes), undefined);
      assert.equal(started.length, 0);
      assert.equal(
        text(await engine.intercept(origin("replace"), bytes.subarray(1))),
        `{"envelope":${INTERCEPT_BYTES_MAX}}`,
      );
    }),
);
