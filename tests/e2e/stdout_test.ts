/** stdout is the protocol and nothing else, in real processes. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { verifies } from "../support/verifies.ts";
import { tableServer } from "../support/table_server.ts";

const CLI = new URL("../../cli.ts", import.meta.url).href;

/** One message of the client, without what all have. */
interface Said {
  readonly id?: number;
  readonly method: string;
  readonly params?: unknown;
}

/** Says these messages to a command, waits for the answer to the last, closes its input, and gives what came back. */
async function converse(args: readonly string[], messages: readonly Said[]) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    env: { LOOM_DEBUG: "1" },
  });
  const child = command.spawn();
  const err = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  const text = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  await writer.write(new TextEncoder().encode(text));
  const last = `"id":${messages.at(-1)?.id}`;
  let out = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const answered = out.includes(last);
    out += chunk;
    if (!answered && out.includes(last)) await writer.close();
  }
  const { code } = await child.status;
  return { code, lines: out.split("\n").filter((line) => line !== ""), err: await err };
}

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const INITIALIZED = { method: "notifications/initialized" };

verifies("CLI-3", "loom serve puts nothing but JSON-RPC on stdout, whatever a server prints", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const config = `${folder}/loom.json`;
    const table = tableServer("t");
    // A banner, blank lines, and then the protocol.
    const noisy = {
      name: "noisy",
      command: "sh",
      args: ["-c", `echo 'Welcome!'; echo; exec "$0" "$@"`, table.command, ...table.args],
    };
    const gone = { name: "gone", command: "/nowhere/x" };
    const servers = Deno.build.os === "windows" ? [table, gone] : [table, noisy, gone];
    await Deno.writeTextFile(config, JSON.stringify({ servers }));
    const { code, lines, err } = await converse(["serve", "--config", config], [
      INITIALIZE,
      INITIALIZED,
      { id: 2, method: "tools/list", params: {} },
      { id: 3, method: "tools/call", params: { name: "t_rows", arguments: {} } },
    ]);
    equal(code, 0);
    const messages = lines.map((line) => JSON.parse(line));
    ok(messages.every(({ jsonrpc }) => jsonrpc === "2.0"));
    deepEqual(messages.filter(({ id }) => id !== undefined).map(({ id }) => id).toSorted(), [1, 2, 3]);
    ok(err.includes("gone"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("CLI-3", "loom fs puts nothing but JSON-RPC on stdout", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const roots = `${folder}/roots.toml`;
    await Deno.mkdir(`${folder}/data`);
    const path = JSON.stringify(`${folder}/data`);
    await Deno.writeTextFile(roots, `[[roots]]\nname = "data"\npath = ${path}\nrole = "workspace"\n`);
    const { code, lines, err } = await converse(["fs", "--config", roots], [
      INITIALIZE,
      INITIALIZED,
      { id: 2, method: "tools/list", params: {} },
    ]);
    equal(code, 0);
    const messages = lines.map((line) => JSON.parse(line));
    deepEqual(messages.map(({ id }) => id), [1, 2]);
    ok(messages[1].result.tools.length > 4);
    ok(err.includes("data"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
