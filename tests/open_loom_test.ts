/** A whole loom inside a program, with the engine beside it or in a process of its own. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { tableServer } from "./support/table_server.ts";
import { parseConfig } from "../lib/config.ts";
import { LoomError } from "../lib/errors.ts";
import { openLoom } from "../lib/open_loom.ts";
import { openSession } from "../lib/session.ts";

const CONFIG = parseConfig(JSON.stringify({ servers: [tableServer("t")] }), { path: `${Deno.cwd()}/loom.json` });

/** One dataset, one query. */
async function useIt(inProcess: boolean): Promise<unknown> {
  await using session = await openSession(openLoom(CONFIG, { inProcess }));
  const envelope = JSON.parse((await session.callTool("t_rows", { count: 500 })).content?.[0]?.text ?? "");
  equal(envelope.kind, "loom_dataset_ref");
  const answer = await session.callTool("loom_query", { sql: `SELECT count(*) AS n FROM ${envelope.ref}` });
  return JSON.parse(answer.content?.[0]?.text ?? "").rows;
}

verifies("DIST-7", "openLoom() makes datasets and answers queries, with the engine outside or inside", async () => {
  deepEqual(await useIt(false), [{ n: 500 }]);
  deepEqual(await useIt(true), [{ n: 500 }]);
});

verifies("DIST-7", "openSession() keeps digits both ways", async () => {
  await using session = await openSession(openLoom(CONFIG));
  const text = await session.request("tools/call", '{"name":"t_rows","arguments":{"count":1}}');
  ok(text.includes("90071992547409930"));
  deepEqual(await session.callTool("t_say", '{"text":"a"}'), { content: [{ type: "text", text: "a" }] });
});

verifies("DIST-7", "openSession() says why no server could be started", async () => {
  const config = parseConfig(`{"servers":[{"name":"gone","command":"/nowhere/x"}]}`, { path: "/etc/loom.json" });
  const error = await openSession(openLoom(config)).catch((thrown: unknown) => thrown);
  ok(error instanceof LoomError && error.code === "SERVER_UNAVAILABLE");
  match(error.message, /gone/);
});

verifies("DIST-7", "a session whose servers all fail after its start says why, once", async () => {
  const args = ["eval", "setTimeout(() => Deno.exit(3), 2_500)"];
  const config = parseConfig(
    JSON.stringify({ servers: [{ name: "late", command: Deno.execPath(), args }], restart: { maxAttempts: 0 } }),
    { path: "/etc/loom.json" },
  );
  const use = async () => {
    await using session = await openSession(openLoom(config, { inProcess: true }));
    return await session.callTool("late_x");
  };
  const error = await use().catch((thrown: unknown) => thrown);
  ok(error instanceof LoomError && error.code === "SERVER_UNAVAILABLE", String(error));
  match(error.message, /"late" exited with code 3/);
});

verifies("DIST-7", "a request that fails rejects with the error's message", async () => {
  await using session = await openSession(openLoom(CONFIG));
  const error = await session.request("tools/call", '{"name":"no_such"}').catch((thrown: unknown) => thrown);
  ok(error instanceof LoomError);
  match(error.message, /no_such/);
});

Deno.test("a loom that is stopped before it serves ends at once", async () => {
  const loom = openLoom(CONFIG);
  loom.stop();
  const down = new TransformStream<Uint8Array, Uint8Array>();
  await loom.serve({ readable: down.readable, writable: new WritableStream() });
});
