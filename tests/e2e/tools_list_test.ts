import { deepEqual, equal, match, ok } from "node:assert/strict";
import { OWN_TOOLS } from "../../lib/own_tools.ts";
import { fakeServer, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

const OWN_NAMES = OWN_TOOLS.map((tool) => tool.name as string);

function named(...names: string[]): string[] {
  return names.map((name) => `{"name":${JSON.stringify(name)},"inputSchema":{"type":"object"}}`);
}

verifies(
  "NAME-7 RELAY-15",
  "the list is one page: servers as configured, each in its order, then loom's tools",
  async () => {
    await using rig = new Rig([fakeServer("b", { initializeMs: 150 }), fakeServer("a", { pageSize: 7 })]);
    await rig.initialize();
    const names = await rig.toolNames();
    const servers = names.map((name) => name.split("_")[0]);
    deepEqual([...new Set(servers)], ["b", "a", "loom"]);
    deepEqual(names.slice(-OWN_NAMES.length), OWN_NAMES);
    deepEqual(
      names.filter((name) => name.startsWith("a_")).map((name) => name.slice(2)),
      names.filter((name) => name.startsWith("b_")).map((name) => name.slice(2)),
    );
    deepEqual(await rig.toolNames(), names);
  },
);

verifies("NAME-3 NAME-4", "names that collide are told apart by configuration order, and routed", async () => {
  await using rig = new Rig([
    fakeServer("a", {
      initializeMs: 150,
      tools: named("b_c", "files/read", "files.read", "Case", "case", "__proto__"),
    }),
    fakeServer("a_b", { tools: named("c") }),
  ]);
  await rig.initialize();
  const names = await rig.toolNames();
  equal(new Set(names).size, names.length);
  const called = async (name: string) => textOfResult(await rig.call(name));
  equal(await called("a_b_c"), "called a:b_c");
  equal(await called("a_b_c_2"), "called a_b:c");
  equal(await called("a_files_read"), "called a:files/read");
  equal(await called("a_files_read_2"), "called a:files.read");
  equal(await called("a_Case"), "called a:Case");
  equal(await called("a_case"), "called a:case");
  equal(await called("a___proto__"), "called a:__proto__");
  ok(rig.log.some((line) => line.startsWith("warn") && line.includes("a_b_c_2")));
});

verifies("NAME-2 NAME-5", "long names are cut and loom's own stay loom's", async () => {
  const long = "x".repeat(120);
  await using rig = new Rig([fakeServer("loom_", { tools: named(`${long}A`, `${long}B`, "query") })], {
    config: { toolNameMaxLength: 48 },
  });
  await rig.initialize();
  const names = await rig.toolNames();
  const cut = names.filter((name) => name.includes("xxx"));
  equal(new Set(cut).size, 2);
  for (const name of cut) match(name, /^loom__x+_[0-9a-f]{8}$/);
  ok(names.every((name) => name.length <= 48));
  equal(textOfResult(await rig.call(cut[1] ?? "")), `called loom_:${long}B`);
  equal(textOfResult(await rig.call("loom_query", "{}")), "own loom_query");
});

verifies("NAME-9", "a server's own name is taken when it is unique, an unknown one is refused", async () => {
  await using rig = new Rig([fakeServer("a", { tools: named("only_here") }), fakeServer("b")]);
  await rig.initialize();
  // Both servers must be there: what is unique among one may not be among two.
  await rig.toolNames();
  equal(textOfResult(await rig.call("only_here")), "called a:only_here");
  for (const name of ["echo", "no_such_tool", "loom_nothing"]) {
    equal((await rig.call(name)).message.error.code, -32602);
  }
  equal((await rig.request("tools/call", "{}")).message.error.code, -32602);
});

verifies("NAME-8", "tools that no client would accept don't take the others down", async () => {
  const tools = ['{"name":"bare"}', '{"name":7}', '"text"', '{"name":"odd","inputSchema":{"anyOf":[]},"title":[]}'];
  await using rig = new Rig([fakeServer("a", { tools: [...tools, ...named("bare", "fine")] })]);
  await rig.initialize();
  const { message } = await rig.request("tools/list", "{}");
  const mine = message.result.tools.filter(({ name }: { name: string }) => /bare|odd|fine/.test(name));
  deepEqual(mine, [
    { name: "a_bare", inputSchema: { type: "object" } },
    { name: "a_odd", inputSchema: { type: "object", anyOf: [] } },
    { name: "a_fine", inputSchema: { type: "object" } },
  ]);
  equal(textOfResult(await rig.call("a_bare")), "called a:bare");
});

verifies("NAME-6", "a definition crosses as it is, but for name and outputSchema", async () => {
  const rich = (name: string, more: string) =>
    `{"title":"\\u00e9","name":"${name}",${more}"inputSchema":{"type":"object","x":1.10},"_meta":{"n":9007199254740993}}`;
  await using rig = new Rig([fakeServer("a", { tools: [rich("rich", '"outputSchema":{"type":"object"},')] })]);
  await rig.initialize();
  ok((await rig.request("tools/list", "{}")).text.includes(rich("a_rich", "")));
});

verifies("RELAY-9 NAME-7", "a tool that is added later is told of and listed where its server is", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  const before = await rig.toolNames();
  await rig.call("a_mutate", '{"list":"tools"}');
  await rig.seen(({ message }) => message.method === "notifications/tools/list_changed");
  const after = await rig.toolNames();
  equal(after.indexOf("a_added_1"), before.findIndex((name) => name.startsWith("b_")));
  deepEqual(after.filter((name) => name !== "a_added_1"), before);
});

verifies("RELAY-17 RELAY-18 RELAY-19", "initialize tells what the servers have, and waits 2 s at most", async () => {
  await using rig = new Rig([
    fakeServer("a", { prompts: ["p"], instructions: "Call echo first." }),
    fakeServer("late", { initializeMs: 3_000, resources: {} }),
  ]);
  const started = performance.now();
  const { message } = await rig.initialize();
  const waited = performance.now() - started;
  ok(waited >= 1_900 && waited < 3_000, `${waited} ms`);
  ok(message.result.instructions.includes("## a\nCall echo first."));
  ok(message.result.capabilities.prompts && message.result.capabilities.resources);
  const early = await rig.request("tools/call", '{"name":"a_echo"}');
  ok(textOfResult(early).includes("tools/call"));
  // The list waits for the late one.
  ok((await rig.toolNames()).includes("late_echo"));
});

verifies(
  "RELAY-18",
  "servers are told the client's capabilities, name and revision as the client wrote them",
  async () => {
    await using rig = new Rig([fakeServer("a", { protocolVersion: "2024-11-05" })]);
    const { message } = await rig.initialize("2025-03-26", '{"roots":{"listChanged":true},"x":1.10}');
    equal(message.result.protocolVersion, "2025-03-26");
    const received: string[] = JSON.parse(textOfResult(await rig.call("a_received")));
    ok(
      received[0]?.includes(
        '"params":{"protocolVersion":"2025-03-26","capabilities":{"roots":{"listChanged":true},"x":1.10},' +
          '"clientInfo":{"name":"rig","version":"1.10"}}',
      ),
    );
  },
);

verifies("RELAY-21 ERA-5", "a client that only probes starts nothing", async () => {
  await using rig = new Rig([{ name: "a", command: "/nonexistent/command" }]);
  const meta = '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
    '"io.modelcontextprotocol/clientCapabilities":{}}}';
  const { message } = await rig.request("server/discover", meta);
  deepEqual(message.result.supportedVersions, ["2026-07-28"]);
  equal(message.result.resultType, "complete");
  equal((await rig.request("ping")).message.error, undefined);
  deepEqual(rig.log, []);
});
