/** The protocol: every revision, each tool as it is listed, and what a client that errs is told. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { z } from "zod";
import { BATCH_MESSAGES_MAX, LEGACY_REVISIONS, Session } from "../../lib/fs/protocol.ts";
import type { FsServer } from "../../lib/fs/mod.ts";
import { OUTPUTS, type ToolName } from "../../lib/fs/schemas.ts";
import { linesOf, LineWriter } from "../../lib/fs/stdio.ts";
import { TOOLS } from "../../lib/fs/tools.ts";
import { createWorld, type Settings, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One client of a world. */
class Client {
  readonly #session: Session;
  #next = 1;

  constructor(world: World) {
    this.#session = new Session(world.server);
  }

  async send(text: string): Promise<Answer | undefined> {
    const answer = await this.#session.receive(text);
    return answer === undefined ? undefined : JSON.parse(answer);
  }

  async request(method: string, params?: unknown): Promise<Answer> {
    const answer = await this.send(JSON.stringify({ jsonrpc: "2.0", id: this.#next++, method, params }));
    ok(answer !== undefined);
    equal(answer.id, this.#next - 1);
    return answer;
  }

  async result(method: string, params?: unknown): Promise<Record<string, unknown>> {
    const { result, error } = await this.request(method, params);
    ok(result !== undefined, String(error?.message));
    return result;
  }
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const rooted = (role: string, permissions?: readonly string[]) => (top: string): Settings => ({
  roots: [{ name: "r", path: `${top}/root`, role, ...(permissions !== undefined && { permissions }) }],
});

const READ = ["list_roots", "list_directory", "read_file", "search_files"];
const WRITE = ["write_file", "edit_file", "create_directory", "move"];

verifies("FS-17", "the tools that are offered follow the configuration", async () => {
  const cases: readonly (readonly [string, readonly string[] | undefined, readonly string[]])[] = [
    ["reference", undefined, READ],
    ["sourcecode", undefined, [...READ, ...WRITE]],
    ["workspace", undefined, [...READ, ...WRITE, "delete"]],
    ["workspace", ["read", "delete"], [...READ, "delete"]],
    ["workspace", ["write"], ["list_roots", "write_file", "create_directory", "move"]],
    ["workspace", ["delete"], ["list_roots", "delete"]],
  ];
  for (const [role, permissions, names] of cases) {
    using world = await createWorld({ settings: rooted(role, permissions) });
    const { tools } = await new Client(world).result("tools/list");
    deepEqual((tools as { name: string }[]).map(({ name }) => name), names, `${role} ${permissions}`);
  }
});

verifies("FS-17", "a call to a tool that is not offered names what no root grants", async () => {
  using world = await createWorld({ settings: rooted("reference") });
  const client = new Client(world);
  const { error } = await client.request("tools/call", { name: "write_file", arguments: {} });
  deepEqual(error, {
    code: -32602,
    message: `unknown tool: no root grants [write], so it is not offered; this server has ${READ.join(", ")}`,
  });
  for (const name of ["nope", 42, null, "__proto__", undefined]) {
    equal((await client.request("tools/call", { name, arguments: {} })).error?.code, -32602);
  }
});

verifies("FS-18", "each tool has a title, all hints and both schemas", async () => {
  using world = await createWorld();
  const { tools } = await new Client(world).result("tools/list");
  for (const tool of tools as Record<string, Record<string, unknown>>[]) {
    equal(typeof tool.title, "string");
    deepEqual(Object.keys(tool.annotations ?? {}), [
      "title",
      "readOnlyHint",
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
    ]);
    equal(tool.inputSchema?.type, "object");
    equal(tool.inputSchema?.additionalProperties, false);
    equal(tool.outputSchema?.type, "object");
    ok(String(tool.description).length < 2_000);
  }
  const readers = TOOLS.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
  deepEqual(readers, READ);
});

verifies("FS-18", "every structured answer fits the schema that its tool shows", async () => {
  using world = await createWorld({ before: (place) => place.link("a.txt", "root/l") });
  const calls: readonly (readonly [ToolName, Record<string, unknown>])[] = [
    ["list_roots", {}],
    ["list_directory", { root: "r" }],
    ["read_file", { root: "r", path: "a.txt", end_line: 1 }],
    ["search_files", { root: "r", pattern: "*" }],
    ["search_files", { root: "r", pattern: "*", contains: "o" }],
    ["write_file", { root: "r", path: "n/x.txt", content: "x" }],
    ["edit_file", { root: "r", path: "n/x.txt", edits: [{ old_text: "x", new_text: "y" }] }],
    ["create_directory", { root: "r", path: "c" }],
    ["move", { root: "r", from: "n/x.txt", to: "n/y.txt" }],
    ["delete", { root: "r", path: "n" }],
  ];
  deepEqual([...new Set(calls.map(([name]) => name))], Object.keys(OUTPUTS));
  for (const [name, args] of calls) {
    const result = await world.call(name, args);
    ok(!result.isError, JSON.stringify(result));
    z.strictObject(OUTPUTS[name].shape).parse(result.structuredContent);
    if (name !== "read_file") equal(result.content[0]?.text, JSON.stringify(result.structuredContent));
  }
});

verifies("FS-18", "bad arguments are tool errors that name them", async () => {
  using world = await createWorld();
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ root: "r" }, /^Cannot call read_file: "path" is missing, it must be a text \(it takes root, path, start_line, /],
    [{ root: "r", path: 42 }, /: "path" must be a text, got 42 \(/],
    [{ root: "r", path: { a: 1 } }, /: "path" must be a text, got an object \(/],
    [{ root: "r", path: true }, /: "path" must be a text, got true \(/],
    [{ root: "r", path: null }, /: "path" must be a text, got null \(/],
    [{ root: "r", path: "a.txt", start_line: 1.5 }, /: "start_line" must be a whole number, got 1\.5 \(/],
    [
      { root: "r", path: "a.txt", start_line: 0, end_line: "2" },
      /be at least 1, got 0; "end_line" must be a number, got "2"/,
    ],
    [{ path: "a.txt" }, /: "root" is missing, it must be a text \(/],
    [
      { root: "r", path: "a.txt", encoding: "utf8" },
      /: unknown argument "encoding", the nearest is "[a-z_]+" \(it takes root, path, start_line, end_line\)$/,
    ],
    [[], /: the arguments must be an object, got a list \(/],
    ["x", /: the arguments must be an object, got "x" \(/],
    [null, /: the arguments must be an object, got null \(/],
  ];
  for (const [args, message] of cases) match(await world.refusal("read_file", args), message);
  match(
    await world.refusal("write_file", { root: "r", path: "x", content: "", expectedSha256: "x" }),
    /unknown argument "expectedSha256", the nearest is "expected_sha256"/,
  );
  match(
    await world.refusal("write_file", { root: "r", path: "x", content: "", expected_sha256: "x" }),
    /: "expected_sha256" must be 64 hexadecimal digits, got "x" \(/,
  );
  const edits = [{ old_text: "a", new_text: "b" }, { old_text: 1, new: "" }];
  match(
    await world.refusal("edit_file", { root: "r", path: "a.txt", edits }),
    /: "edits\[1\]\.old_text" must be a text, got 1; "edits\[1\]\.new_text" is missing, .*; unknown argument "new" in "edits\[1\]" \(/,
  );
  match(
    await world.refusal("edit_file", { root: "r", path: "a.txt", edits: [] }),
    /must have at least 1 item, got 0 \(/,
  );
  ok(!world.has("root/x"));
  const polluting = JSON.parse('{"root":"r","path":"a.txt","__proto__":{"x":1},"constructor":1}');
  equal((await world.answer("read_file", polluting)).content, "hello\n");
});

verifies("FS-36", "initialize speaks the revision that was asked for, or the latest", async () => {
  using world = await createWorld();
  for (
    const [asked, spoken] of [...LEGACY_REVISIONS.map((each) => [each, each]), ["1999-01-01", "2025-11-25"], [
      undefined,
      "2025-11-25",
    ]]
  ) {
    const result = await new Client(world).result("initialize", { protocolVersion: asked, capabilities: {} });
    equal(result.protocolVersion, spoken);
    deepEqual(result.capabilities, { tools: {} });
    match(String(result.instructions), /- r \(read, write, delete\)\n- ref \(read\)/);
  }
});

Deno.test("the instructions stay under the 2,000 characters that clients show", async () => {
  using world = await createWorld({
    settings: (top) => ({
      roots: [...Array(12).keys()].map((n) => ({
        name: `${"x".repeat(62)}${n + 10}`,
        path: `${top}/${n}`,
        role: "workspace",
        description: "y".repeat(1_000),
      })),
    }),
    before: (place) => [...Array(12).keys()].forEach((n) => place.folder(String(n))),
  });
  const { instructions } = world.server;
  ok(instructions.length < 2_000, String(instructions.length));
  match(instructions, /\nand 2 more: see list_roots\n/);
});

verifies("FS-36", "nothing is sent that a revision does not know", async () => {
  using world = await createWorld();
  const keys: Record<string, readonly string[]> = {
    "2024-11-05": ["name", "description", "inputSchema"],
    "2025-03-26": ["name", "description", "inputSchema", "annotations"],
    "2025-06-18": ["name", "description", "inputSchema", "annotations", "title", "outputSchema"],
    "2025-11-25": ["name", "description", "inputSchema", "annotations", "title", "outputSchema"],
  };
  for (const revision of LEGACY_REVISIONS) {
    const client = new Client(world);
    const { serverInfo } = await client.result("initialize", { protocolVersion: revision });
    const { tools, ...more } = await client.result("tools/list", {});
    deepEqual([Object.keys((tools as object[])[0] ?? {}), more], [keys[revision], {}]);
    const call = await client.result("tools/call", { name: "read_file", arguments: { root: "r", path: "a.txt" } });
    const isOld = revision < "2025-06-18";
    deepEqual(Object.keys(call), isOld ? ["content"] : ["content", "structuredContent"]);
    equal("title" in (serverInfo as object), !isOld);
    deepEqual(await client.result("ping"), {});
  }
});

verifies("FS-36", "batches are taken in revision 2025-03-26 and in no other", async () => {
  using world = await createWorld();
  const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
  const notice = { jsonrpc: "2.0", method: "notifications/initialized" };
  const client = new Client(world);
  await client.result("initialize", { protocolVersion: "2025-03-26" });
  const batch = async (messages: readonly unknown[]) => await client.send(JSON.stringify(messages)) as unknown;
  deepEqual(await batch([ping(1), notice, ping("b")]), [1, "b"].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  equal(await batch([notice]), undefined);
  equal((await batch([]) as Answer).error?.code, -32600);
  equal((await batch(Array(BATCH_MESSAGES_MAX).fill(ping(1))) as unknown[]).length, BATCH_MESSAGES_MAX);
  equal((await batch(Array(BATCH_MESSAGES_MAX + 1).fill(ping(1))) as Answer).error?.code, -32600);
  const later = new Client(world);
  await later.result("initialize", { protocolVersion: "2025-06-18" });
  equal((await later.send(JSON.stringify([ping(1)])))?.error?.code, -32600);
});

verifies("FS-37", "revision 2026-07-28 is spoken without initialize", async () => {
  using world = await createWorld();
  const client = new Client(world);
  const info = { "io.modelcontextprotocol/serverInfo": { name: "loom-fs", title: "loom-fs", version: "0.1.0" } };
  const found = await client.result("server/discover", { _meta: META });
  deepEqual([found.resultType, found.supportedVersions, found.capabilities], ["complete", ["2026-07-28"], {
    tools: {},
  }]);
  deepEqual(Object.keys(found._meta as object), Object.keys(info));
  deepEqual([found.ttlMs, found.cacheScope], [3_600_000, "private"]);
  const list = await client.result("tools/list", { _meta: META });
  deepEqual([(list.tools as unknown[]).length, list.resultType, list.ttlMs, list.cacheScope], [
    9,
    "complete",
    3_600_000,
    "private",
  ]);
  const call = await client.result("tools/call", {
    _meta: META,
    name: "read_file",
    arguments: { root: "r", path: "a.txt" },
  });
  deepEqual(Object.keys(call), ["resultType", "content", "structuredContent", "_meta"]);
  for (const method of ["ping", "initialize", "logging/setLevel", "subscriptions/listen"]) {
    equal((await client.request(method, { _meta: META })).error?.code, -32601, method);
  }
});

verifies(
  "FS-37",
  "a request of that revision that lacks its _meta, or asks for another revision, is told so",
  async () => {
    using world = await createWorld();
    const client = new Client(world);
    const error = async (meta: unknown, method = "server/discover") =>
      (await client.request(method, { _meta: meta })).error;
    equal((await error(undefined))?.code, -32602);
    equal((await error({ "io.modelcontextprotocol/protocolVersion": 1 }))?.code, -32602);
    equal((await error({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, "tools/list"))?.code, -32602);
    const unsupported = await error({ ...META, "io.modelcontextprotocol/protocolVersion": "2031-01-01" }, "tools/list");
    deepEqual([unsupported?.code, unsupported?.data], [-32022, { supported: ["2026-07-28"], requested: "2031-01-01" }]);
  },
);

verifies("FS-38", "what is no request is answered with the code for it, or not at all", async () => {
  using world = await createWorld();
  const client = new Client(world);
  const codes: readonly (readonly [string, number | undefined])[] = [
    ["nonsense", -32700],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    ['{"id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['"text"', -32600],
    ["null", -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"nope"}', -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}', -32602],
    ['{"jsonrpc":"2.0","method":"notifications/unknown"}', undefined],
    ['{"jsonrpc":"2.0","id":9,"result":{}}', undefined],
  ];
  for (const [text, code] of codes) equal((await client.send(text))?.error?.code, code, text);
});

verifies("FS-38", "a cancelled call is ended and not answered, and others are", async () => {
  using world = await createWorld();
  const started: string[] = [];
  const { config, opening, tools, instructions } = world.server;
  const slow: FsServer = {
    ...{ config, opening, tools, instructions },
    call(_name, args, signal) {
      const { name } = args as { readonly name: string };
      started.push(name);
      if (name === "quick") return Promise.resolve({ content: [] });
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    },
    [Symbol.dispose]() {},
  };
  const session = new Session(slow);
  const call = (id: number, name: string) => {
    const params = { name: "search_files", arguments: { name } };
    return session.receive(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
  };
  const cancelled = call(1, "slow");
  equal(JSON.parse(await call(2, "quick") ?? "").id, 2);
  await session.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}');
  await session.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
  equal(await cancelled, undefined);
  deepEqual(started, ["slow", "quick"]);
});

async function collected(chunks: readonly string[], bytesMax?: number): Promise<readonly unknown[]> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  return await Array.fromAsync(linesOf(ReadableStream.from(bytes), bytesMax));
}

verifies("FS-38", "linesOf() cuts lines however they arrive, and drops what is too long", async () => {
  const text = (line: string) => ({ text: line });
  deepEqual(await collected(["a\nb", "c\n\n \nd"]), [text("a"), text("bc"), text("d")]);
  deepEqual(await collected(["\n", ""]), []);
  deepEqual(await collected(["1234\n12345\n1\n"], 4), [text("1234"), { tooLong: true }, text("1")]);
  deepEqual(await collected(["12", "34", "5", "\n12"], 4), [{ tooLong: true }, text("12")]);
  const umlaut = new TextEncoder().encode("\u00e4\n");
  const split = await Array.fromAsync(linesOf(ReadableStream.from([umlaut.subarray(0, 1), umlaut.subarray(1)])));
  deepEqual(split, [text("\u00e4")]);
});

Deno.test("LineWriter writes in order, and stops when nobody reads", async () => {
  const written: string[] = [];
  const writer = new LineWriter(
    new WritableStream({ write: (bytes) => void written.push(new TextDecoder().decode(bytes)) }),
  );
  for (const line of ["a", "b", "c"]) writer.write(line);
  await writer.drained();
  equal(written.join(""), "a\nb\nc\n");
  await writer.drained();
  const broken = new LineWriter(new WritableStream({ write: () => Promise.reject(new Error("gone")) }));
  broken.write("a");
  await broken.room(0);
  equal(broken.isBroken, true);
});

Deno.test("LineWriter has room while few characters wait, and does not wait for ever for a client that reads nothing", async () => {
  const reads = Promise.withResolvers<void>();
  const writer = new LineWriter(new WritableStream({ write: () => reads.promise }));
  writer.write("12345");
  await writer.room(6);
  let hasRoom = false;
  const room = writer.room(5).then(() => hasRoom = true);
  await writer.drained(1);
  equal(hasRoom, false);
  reads.resolve();
  await room;
  equal(hasRoom, true);
});

verifies("FS-38", "a slip inside the server is an answer without its text", async () => {
  using world = await createWorld();
  const { config, opening, tools, instructions } = world.server;
  const session = new Session({
    ...{ config, opening, tools, instructions },
    call: () => Promise.reject(new Error(world.top)),
    [Symbol.dispose]() {},
  });
  const text = await session.receive('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_roots"}}');
  deepEqual(JSON.parse(text ?? "").error, { code: -32603, message: "the request failed inside the server" });
});
