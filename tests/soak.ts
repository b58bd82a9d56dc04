/**
 * A long run: callers with random calls before three servers that are killed now and then, as is the engine, and a memory
 * budget that evicts all the time. Every call must get its own, right answer or a clean error, memory must stay bounded,
 * and no process may be left.
 *
 *     deno run -A tests/soak.ts [MINUTES] [CALLERS]
 *
 * @module
 */

// A program for a person at a terminal.
// deno-lint-ignore-file no-console
import { descendantsOf, type ProcessEntry, residentMbOf } from "./support/process_tree.ts";
import { SoakCaller, SoakCounts } from "./support/soak_calls.ts";
import { loomPeer, type StdioPeer } from "./support/stdio_peer.ts";

const minutes = Number(Deno.args[0] ?? "10");
const callers = Number(Deno.args[1] ?? "10");
const SERVERS = ["one", "two", "three"];
const KILL_SERVER_EVERY_MS = 4_000;
const KILL_ENGINE_EVERY_MS = 23_000;
/** Small: some hundred of the results fit, so that every caller loses its older ones. */
const BUDGET_BYTES = 24 * 1024 * 1024;

const counts = new SoakCounts();
const kills = { servers: 0, engines: 0 };

async function caller(loom: StdioPeer, number: number, until: number): Promise<void> {
  const calls = new SoakCaller(loom, counts, number);
  while (Date.now() < until) await calls.turn();
}

function enginesOf(loom: StdioPeer): ProcessEntry[] {
  return descendantsOf(loom.pid).filter(({ command }) => command.includes("engine/main"));
}

async function killer(
  everyMs: number,
  until: number,
  victims: () => ProcessEntry[],
  killed: () => void,
): Promise<void> {
  while (Date.now() + everyMs < until) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    const among = victims();
    const victim = among[Math.floor(Math.random() * among.length)];
    if (!victim) continue;
    try {
      Deno.kill(victim.pid, "SIGKILL");
      killed();
    } catch {
      // It ended meanwhile.
    }
  }
}

const exportDir = await Deno.makeTempDir({ prefix: "loom-soak-" });
const loom = await loomPeer(SERVERS, {
  memoryBudgetBytes: BUDGET_BYTES,
  exportDir,
  restart: { maxAttempts: 1_000, baseDelayMs: 50 },
});
const started = Date.now();
const until = started + minutes * 60_000;
const memory: string[] = [];
const watch = setInterval(() => {
  const all = [
    { pid: loom.pid, command: "relay" },
    ...enginesOf(loom),
  ];
  const line = `${Math.round((Date.now() - started) / 1000)} s: ${
    all.map(({ pid, command }) => `${command === "relay" ? "relay" : "engine"} ${residentMbOf(pid)} MB`).join(", ")
  }`;
  memory.push(line);
  console.error(`${line}; wrong ${counts.wrong}, lost ${counts.lost}; ${JSON.stringify(counts.refused)}`);
}, Math.max(2_000, minutes * 60_000 / 20));
const servers = () => descendantsOf(loom.pid).filter(({ command }) => command.includes("bench_server"));
await Promise.all([
  killer(KILL_SERVER_EVERY_MS, until, servers, () => void kills.servers++),
  killer(KILL_ENGINE_EVERY_MS, until, () => enginesOf(loom), () => void kills.engines++),
  ...Array.from({ length: callers }, (_, number) => caller(loom, number, until)),
]);
clearInterval(watch);
const tree = descendantsOf(loom.pid);
await loom[Symbol.asyncDispose]();
await new Promise((resolve) => setTimeout(resolve, 500));
const left = tree.filter(({ pid }) => residentMbOf(pid) > 0);
if (left.length > 0) counts.fault(`left: ${left.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`);
// What a killed engine left is removed by the exports that come a minute later.
const files = [...Deno.readDirSync(exportDir)].map(({ name }) => name)
  .filter((name) => Date.now() - (Deno.statSync(`${exportDir}/${name}`).mtime?.getTime() ?? 0) > 90_000);
if (files.length > 0) counts.fault(`left in the export folder: ${files.join(", ")}`);
await Deno.remove(exportDir, { recursive: true });
console.log(JSON.stringify({ minutes, callers, kills, ...counts, memory }, null, 1));
Deno.exit(counts.faults.length === 0 ? 0 : 1);
