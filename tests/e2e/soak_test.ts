import { equal, ok } from "node:assert/strict";
import { fakeServer, isRunning, Rig, textOfResult } from "../support/loom_rig.ts";
import { Random } from "../support/random.ts";
import { verifies } from "../support/verifies.ts";

const CALLS = 1_000;
const CALLERS = 20;
const KILLS = 5;

verifies(
  "RELAY-3 RELAY-4 PROC-2 PROC-4 PROC-5",
  "1,000 mixed calls of 20 callers each get their own answer or a clean error",
  async () => {
    const servers = ["a", "b", "c"];
    const rig = new Rig(servers.map((name) => fakeServer(name)), {
      config: { restart: { maxAttempts: 100, baseDelayMs: 20 } },
    });
    await rig.initialize();
    await rig.toolNames();
    const random = new Random(11);
    const pids = new Set<number>();
    let made = 0;
    let errors = 0;
    const callOnce = async (caller: number) => {
      const n = made++;
      const server = servers[random.below(3)] ?? "a";
      const tag = `${caller}-${n}`;
      if (n > 0 && n % (CALLS / KILLS) === 0) {
        const pid = Number(textOfResult(await rig.call(`${server}_pid`)));
        if (pid > 0) {
          pids.add(pid);
          Deno.kill(pid, "SIGKILL");
        }
        return;
      }
      const big = random.chance(0.05);
      const token = `,"_meta":{"progressToken":"${tag}"}`;
      const answer = big
        ? await rig.call(`${server}_echo`, JSON.stringify({ tag, filler: "x".repeat(100_000) }))
        : await rig.call(`${server}_slow`, JSON.stringify({ ms: random.below(15), steps: 2, tag }), token);
      const text = textOfResult(answer);
      if (answer.message.result.isError) {
        errors++;
        ok(text.startsWith(`Server "${server}" `), text);
      } else if (big) ok(text.includes(`"tag":"${tag}"`) && text.length > 100_000);
      else equal(text, `slept ${tag}`);
    };
    await Promise.all(Array.from({ length: CALLERS }, async (_, caller) => {
      while (made < CALLS) await callOnce(caller);
    }));
    ok(errors < CALLS / 2, `${errors} errors`);
    const progress = rig.lines.filter(({ message }) => message.method === "notifications/progress");
    ok(progress.every(({ message }) => /^\d+-\d+$/.test(message.params.progressToken)));
    await rig.close();
    ok(pids.size > 0 && [...pids].every((pid) => !isRunning(pid)));
  },
);
