/**
 * A long run: callers with random calls before three servers that are killed now and then. Every call must get its own
 * answer or a clean error, memory must stay flat, and no process may be left.
 *
 *     deno run -A tests/soak.ts [MINUTES] [CALLERS]
 *
 * @module
 */

// A program for a person at a terminal.
// deno-lint-ignore-file no-console
import { loomPeer, type StdioPeer } from "./support/stdio_peer.ts";
import { descendantsOf, residentMbOf } from "./support/process_tree.ts";

const minutes = Number(Deno.args[0] ?? "10");
const callers = Number(Deno.args[1] ?? "10");
const SERVERS = ["one", "two", "three"];
const KILL_EVERY_MS = 4_000;

const counts = { answers: 0, errors: 0, datasets: 0, queries: 0, kills: 0, wrong: 0 };
const faults: string[] = [];

function fault(text: string): void {
  counts.wrong++;
  if (faults.length < 20) faults.push(text);
}

async function callOnce(loom: StdioPeer, tag: string): Promise<void> {
  const server = SERVERS[Math.floor(Math.random() * SERVERS.length)];
  const dice = Math.random();
  if (dice < 0.7) {
    const answer = await loom.call(`${server}_echo`, { tag });
    if (answer !== `ok ${tag}`) fault(`${tag} got ${answer.slice(0, 80)}`);
    return;
  }
  if (dice < 0.85) {
    const kb = 1 + Math.floor(Math.random() * 500);
    const answer = await loom.call(`${server}_text`, { kb });
    if (!answer.startsWith("plain words")) fault(`${tag} got ${answer.slice(0, 80)}`);
    return;
  }
  const n = 50 + Math.floor(Math.random() * 3_000);
  const answer = await loom.call(`${server}_rows`, { n });
  const value = JSON.parse(answer);
  if (Array.isArray(value) ? value.length !== n : value.rows !== n) fault(`${tag} got other rows than ${n}`);
  if (Array.isArray(value)) return;
  counts.datasets++;
  const asked = JSON.parse(
    await loom.call("loom_query", { sql: `SELECT count(*) AS n, max(id) AS top FROM ${value.ref}` }),
  );
  counts.queries++;
  if (asked.rows[0].n !== n || asked.rows[0].top !== n - 1) {
    fault(`${tag}: ${value.ref} answered ${JSON.stringify(asked.rows)}`);
  }
}

/** Errors that say what happened are answers; anything else is a fault. */
const CLEAN_REGEXP = /"(one|two|three)"|evicted|dropped|engine|DATASET_(NOT_FOUND|LOST)/;

async function caller(loom: StdioPeer, name: number, until: number): Promise<void> {
  for (let turn = 0; Date.now() < until; turn++) {
    try {
      await callOnce(loom, `${name}.${turn}`);
      counts.answers++;
    } catch (error) {
      counts.errors++;
      const message = error instanceof Error ? error.message : String(error);
      if (!CLEAN_REGEXP.test(message)) fault(`${name}.${turn}: ${message.slice(0, 200)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function killer(loom: StdioPeer, until: number): Promise<void> {
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS));
    const servers = descendantsOf(loom.pid).filter(({ command }) => command.includes("bench_server"));
    const victim = servers[Math.floor(Math.random() * servers.length)];
    if (!victim) continue;
    counts.kills++;
    try {
      Deno.kill(victim.pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

const loom = await loomPeer(SERVERS, {
  memoryBudgetBytes: 33_554_432,
  restart: { maxAttempts: 1_000, baseDelayMs: 50 },
});
const started = Date.now();
const until = started + minutes * 60_000;
const memory: string[] = [];
const watch = setInterval(() => {
  const all = [
    { pid: loom.pid, command: "relay" },
    ...descendantsOf(loom.pid).filter(({ command }) => command.includes("engine/main")),
  ];
  const line = `${Math.round((Date.now() - started) / 1000)} s: ${
    all.map(({ pid, command }) => `${command === "relay" ? "relay" : "engine"} ${residentMbOf(pid)} MB`).join(", ")
  }`;
  memory.push(line);
  console.error(`${line}; ${JSON.stringify(counts)}`);
}, Math.max(2_000, minutes * 60_000 / 20));
await Promise.all([killer(loom, until), ...Array.from({ length: callers }, (_, name) => caller(loom, name, until))]);
clearInterval(watch);
const tree = descendantsOf(loom.pid);
await loom[Symbol.asyncDispose]();
await new Promise((resolve) => setTimeout(resolve, 500));
const left = tree.filter(({ pid }) => residentMbOf(pid) > 0);
if (left.length > 0) fault(`left: ${left.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`);
console.log(JSON.stringify({ minutes, callers, ...counts, memory, faults }, null, 1));
Deno.exit(counts.wrong === 0 ? 0 : 1);
