// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { equal, match, ok } from "node:assert/strict";
import { HttpServer } from "../support/http_server.ts";
import { modernMeta, resultText, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

const DIGITS = '{ "content":[],"structuredContent":{"id":9007199254740993,"p":1.10,"h":1e400,"é":"😀"}}';

for (const mode of ["json", "stream"] as const) {
  verifies("PROC-11 RELAY-1", `a remote server's messages cross as bytes, answered as ${mode}`, async () => {
    await using http = new HttpServer();
    http.mode = mode;
    await using rig = new Rig([{ name: "r", url: http.url, headers: { authorization: "Bearer s3cret" } }]);
    await rig.initialize("2025-06-18");
    ok((await rig.toolNames()).includes("r_echo"));
    equal(resultText(await rig.call("r_digits")), DIGITS);
    const args = '{"id":9007199254740993,"p":1.10,"u":"\\u00e9"}';
    ok(textOfResult(await rig.call("r_echo", args)).includes(`"arguments":${args}`));
    const call = http.received.find(({ body }) => body.includes("tools/call"));
    equal(call?.headers.get("authorization"), "Bearer s3cret");
    equal(call?.headers.get("mcp-protocol-version"), "2025-06-18");
    if (mode === "stream") ok(await rig.seen(({ text }) => text.includes('"params":{"level":"info","data":1.10}')));
    ok(!rig.log.join("\n").includes("s3cret"));
    await rig.close();
    ok(http.received.some(({ method }) => method === "DELETE"));
  });
}

verifies(
  "PROC-11",
  "a session that the server has ended is opened again, and the call that met it isn't repeated",
  async () => {
    await using http = new HttpServer();
    await using rig = new Rig([{ name: "r", url: http.url }]);
    await rig.initialize();
    await rig.toolNames();
    http.forgetSessions();
    const met = await rig.call("r_echo", '{"mark":"once"}');
    match(met.message.error.message, /"r" has ended the session: a new one is being opened/);
    for (;;) {
      const answer = await rig.call("r_digits");
      if (answer.message.result?.structuredContent) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    equal(http.received.filter(({ body }) => body.includes('"mark":"once"')).length, 1);
    equal(http.received.filter(({ body }) => body.includes('"initialize"')).length, 2);
  },
);

verifies("PROC-11", "a stream that ends without the answer fails its call, and only that", async () => {
  await using http = new HttpServer();
  await using rig = new Rig([{ name: "r", url: http.url }]);
  await rig.initialize();
  await rig.toolNames();
  http.mode = "drop";
  match((await rig.call("r_echo")).message.error.message, /"r" closed the stream before it answered/);
  http.mode = "json";
  equal(resultText(await rig.call("r_digits")), DIGITS);
});

verifies("PROC-11 ERA-4", "a remote server without the modern era serves a modern client", async () => {
  await using http = new HttpServer();
  await using rig = new Rig([{ name: "r", url: http.url }]);
  ok((await rig.toolNames(`{${modernMeta()}}`)).includes("r_echo"));
  equal((await rig.call("r_digits", "{}", `,${modernMeta()}`)).message.result.resultType, "complete");
  const probe = http.received.find(({ body }) => body.includes("server/discover"));
  equal(probe?.headers.get("mcp-method"), "server/discover");
});

verifies("PROC-9", "a remote server that can't be reached is named", async () => {
  const rig = new Rig([{ name: "r", url: "http://127.0.0.1:9/mcp" }]);
  const { message } = await rig.request(
    "initialize",
    '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}',
  );
  match(message.error.message, /"r" .*could not be reached/);
  await rig.close();
});

verifies("PROC-11", "a server of the SDK works, with progress over its stream", async () => {
  const server = new McpServer({ name: "sdk", version: "1" });
  server.registerTool("count", { description: "counts" }, async (extra) => {
    const progressToken = extra._meta?.progressToken;
    if (progressToken !== undefined) {
      await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    }
    return { content: [{ type: "text", text: "counted" }] };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await server.connect(transport);
  const listener = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (r) => transport.handleRequest(r),
  );
  const rig = new Rig([{ name: "s", url: `http://127.0.0.1:${listener.addr.port}/mcp` }]);
  await rig.initialize();
  equal(textOfResult(await rig.call("s_count", "{}", ',"_meta":{"progressToken":"mine"}')), "counted");
  ok(await rig.seen(({ message }) => message.params?.progressToken === "mine"));
  await rig.close();
  await server.close();
  await listener.shutdown();
});
