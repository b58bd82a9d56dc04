import { deepEqual, equal, ok } from "node:assert/strict";
import { fakeServer, idleEngine, modernMeta, resultText, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

for (const version of LEGACY) {
  verifies("ERA-1 ERA-2", `initialize ${version} is answered with it, and works with an older server`, async () => {
    await using rig = new Rig([fakeServer("a", { protocolVersion: "2024-11-05" })]);
    equal((await rig.initialize(version)).message.result.protocolVersion, version);
    ok(textOfResult(await rig.call("a_received")).includes(`\\"protocolVersion\\":\\"${version}\\"`));
  });
}

verifies("ERA-1", "an unknown revision is answered with the latest, or refused with what is supported", async () => {
  await using rig = new Rig([fakeServer("a")]);
  equal((await rig.initialize("2099-01-01")).message.result.protocolVersion, "2025-11-25");
  const meta = modernMeta().replace("2026-07-28", "2027-01-01");
  const { error } = (await rig.request("tools/list", `{${meta}}`)).message;
  equal(error.code, -32022);
  deepEqual(error.data, { supported: ["2026-07-28"], requested: "2027-01-01" });
});

verifies("ERA-11", "a modern request without capabilities is refused", async () => {
  await using rig = new Rig([fakeServer("a")]);
  const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
  equal((await rig.request("tools/list", `{${meta}}`)).message.error.code, -32602);
});

verifies("ERA-6", "lists for a modern client say how long they hold", async () => {
  await using rig = new Rig([fakeServer("a", { prompts: ["p"], resources: { "x://1": "1" } })]);
  for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]) {
    const { result } = (await rig.request(method, `{${modernMeta()}}`)).message;
    equal(result.resultType, "complete", method);
    ok(Number.isInteger(result.ttlMs) && result.cacheScope === "private", method);
  }
  const read = await rig.request("resources/read", `{"uri":"x://1",${modernMeta()}}`);
  equal(
    resultText(read),
    '{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[{"uri":"x://1","text":"1"}]}',
  );
  const missing = await rig.request("resources/read", `{"uri":"x://2",${modernMeta()}}`);
  equal(missing.message.error.code, -32602);
});

verifies("ERA-6 ERA-4", "a legacy server sees nothing of the modern era, and its result becomes complete", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.toolNames(`{${modernMeta()}}`);
  const meta = modernMeta("{}", ',"trace":1.10,"progressToken":"t"');
  const answer = await rig.call("a_echo", '{"id":9007199254740993}', `,${meta}`);
  ok(resultText(answer).startsWith('{"resultType":"complete","content":[{"type":"text"'));
  const seen = textOfResult(answer);
  ok(seen.includes('"arguments":{"id":9007199254740993},"_meta":{"trace":1.10,"progressToken":'), seen);
  ok(!seen.includes("modelcontextprotocol"));
  const bare = textOfResult(await rig.call("a_echo", "{}", `,${modernMeta()}`));
  ok(!bare.includes("_meta"), bare);
  const own = await rig.call("loom_query", '{"sql":"SELECT 1"}', `,${modernMeta()}`);
  equal(own.message.result.resultType, "complete");
});

verifies("ERA-6", "a modern server's result reaches a modern client as its bytes", async () => {
  await using rig = new Rig([fakeServer("a", { era: "dual" })]);
  await rig.toolNames(`{${modernMeta()}}`);
  const result = '{"content":[],"n":9007199254740993,"z":1.10}';
  const answer = await rig.call("a_fixed", `{"result":${JSON.stringify(result)}}`, `,${modernMeta()}`);
  equal(resultText(answer), `{"resultType":"complete",${result.slice(1)}`);
});

for (const strict of ["exit", "silent"] as const) {
  verifies(
    "ERA-4",
    `a server that ${strict === "exit" ? "exits at" : "ignores"} a probe is started afresh`,
    async () => {
      await using rig = new Rig([fakeServer("a", { strict })]);
      ok((await rig.toolNames(`{${modernMeta()}}`)).includes("a_echo"));
      ok(textOfResult(await rig.call("a_echo", "{}", `,${modernMeta()}`)).includes("tools/call"));
      equal(rig.log.filter((line) => line.includes("restart")).length, 0);
    },
  );
  verifies(
    "ERA-3",
    `a legacy client's server that would ${strict === "exit" ? "exit at" : "ignore"} a probe isn't probed`,
    async () => {
      await using rig = new Rig([fakeServer("a", { strict })]);
      await rig.initialize();
      ok((await rig.toolNames()).includes("a_echo"));
    },
  );
}

verifies("ERA-7", "a legacy server's question becomes input_required, and the retry answers it", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.toolNames(`{${modernMeta()}}`);
  const meta = modernMeta('{"elicitation":{}}');
  const args = '{"method":"elicitation/create","askParams":{"message":"who?","n":9007199254740993}}';
  const asked = await rig.call("a_ask", args, `,${meta}`);
  const { result } = asked.message;
  equal(result.resultType, "input_required");
  const [key = ""] = Object.keys(result.inputRequests);
  ok(asked.text.includes('{"method":"elicitation/create","params":{"message":"who?","n":9007199254740993}}'));
  const responses = `"inputResponses":{"${key}":{"action":"accept","content":{"who":1.10}}}`;
  const state = `"requestState":${JSON.stringify(result.requestState)}`;
  const done = await rig.call("a_ask", args, `,${meta},${responses},${state}`);
  equal(done.message.result.resultType, "complete");
  ok(textOfResult(done).includes('"result":{"action":"accept","content":{"who":1.10}}'));
  const again = await rig.call("a_ask", args, `,${meta},${responses},${state}`);
  equal(again.message.error.code, -32602);
});

verifies("ERA-7", "a question that the call's capabilities don't cover is refused", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.toolNames(`{${modernMeta()}}`);
  const args = '{"method":"sampling/createMessage","askParams":{}}';
  const answer = await rig.call("a_ask", args, `,${modernMeta('{"elicitation":{}}')}`);
  ok(textOfResult(answer).includes('"code":-32601'), answer.text);
});

verifies(
  "ERA-7",
  "a legacy server's error that asks for a URL becomes a question, and the retry is the call",
  async () => {
    await using rig = new Rig([fakeServer("a")]);
    await rig.toolNames(`{${modernMeta()}}`);
    const elicitation = '{"mode":"url","url":"https://example.com/?n=1.10","elicitationId":"e"}';
    const error = `{"code":-32042,"message":"log in","data":{"elicitations":[${elicitation}]}}`;
    const args = JSON.stringify({ error });
    const asked = await rig.call("a_fail", args, `,${modernMeta('{"elicitation":{"url":{}}}')}`);
    equal(
      resultText(asked),
      `{"resultType":"input_required","inputRequests":{"url_1":{"method":"elicitation/create","params":${elicitation}}}}`,
    );
    equal((await rig.call("a_fail", args, `,${modernMeta('{"elicitation":{}}')}`)).message.error.code, -32042);
    const retry = await rig.call("a_echo", "{}", `,"inputResponses":{"url_1":{"action":"accept"}},${modernMeta()}`);
    ok(!textOfResult(retry).includes("inputResponses"));
  },
);

verifies("ERA-7", "a retry without answers is asked the same again", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.toolNames(`{${modernMeta()}}`);
  const meta = modernMeta('{"elicitation":{}}');
  const args = '{"method":"elicitation/create","askParams":{}}';
  const { result } = (await rig.call("a_ask", args, `,${meta}`)).message;
  const retry = `{"name":"a_ask","arguments":${args},${meta},"requestState":${JSON.stringify(result.requestState)}}`;
  const again = await rig.request("tools/call", retry);
  equal(again.message.result.resultType, "input_required");
  equal(again.message.result.requestState, result.requestState);
});

verifies("ERA-3 ERA-8", "a legacy client works with a modern server, whose questions become requests", async () => {
  await using rig = new Rig([fakeServer("a", { era: "modern", prompts: ["p"] })]);
  await rig.initialize();
  ok((await rig.toolNames()).includes("a_question"));
  const seen = textOfResult(await rig.request("tools/call", '{"name":"a_echo"}'));
  ok(seen.includes('"io.modelcontextprotocol/clientInfo":{"name":"rig","version":"1.10"}'), seen);
  rig.answers["elicitation/create"] = ({ text }) => {
    ok(text.includes('"params":{"message":"who?","requestedSchema":{"type":"object"}}'), text);
    return '"result":{"action":"accept","content":{"n":9007199254740993}}';
  };
  const answer = await rig.call("a_question", '{"a":1}');
  equal(textOfResult(answer), '{"q":{"action":"accept","content":{"n":9007199254740993}}}"s é"');
  rig.answers["elicitation/create"] = () => '"error":{"code":-1,"message":"no thanks"}';
  const refused = await rig.call("a_question");
  equal(refused.message.result.isError, true);
  ok(textOfResult(refused).includes("the client refused elicitation/create: no thanks"));
});

verifies("ERA-9", "a modern client hears of a legacy server's changes under the id of its subscription", async () => {
  await using rig = new Rig([fakeServer("a", { resources: { "x://1": "1" }, prompts: [] })]);
  await rig.toolNames(`{${modernMeta()}}`);
  const filter = '{"toolsListChanged":true,"resourceSubscriptions":["x://1"]}';
  await rig.write(
    `{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":{"notifications":${filter},${modernMeta()}}}\n`,
  );
  const acknowledged = await rig.seen(({ message }) => message.method === "notifications/subscriptions/acknowledged");
  deepEqual(acknowledged.message.params.notifications, JSON.parse(filter));
  const id = "io.modelcontextprotocol/subscriptionId";
  const more = `,${modernMeta()}`;
  await rig.call("a_mutate", '{"list":"tools"}', more);
  const changed = await rig.seen(({ message }) => message.method === "notifications/tools/list_changed");
  equal(changed.message.params._meta[id], "sub");
  await rig.until(() => true);
  await rig.call("a_notify", '{"method":"notifications/resources/updated","params":{"uri":"x://1"}}', more);
  const updated = await rig.seen(({ message }) => message.method === "notifications/resources/updated");
  equal(updated.message.params._meta[id], "sub");
  await rig.call("a_notify", '{"method":"notifications/prompts/list_changed","params":{}}', more);
  await rig.notify("notifications/cancelled", '{"requestId":"sub"}');
  await rig.call("a_mutate", '{"list":"tools"}', more);
  await rig.call("a_echo", "{}", more);
  equal(rig.lines.filter(({ message }) => message.method?.endsWith("prompts/list_changed")).length, 0);
});

verifies("ERA-9", "a modern server's changes reach a legacy client without a mark of loom's subscription", async () => {
  await using rig = new Rig([fakeServer("a", { era: "modern" })]);
  await rig.initialize();
  await rig.toolNames();
  await rig.call("a_mutate", '{"list":"tools"}');
  const changed = await rig.seen(({ message }) => message.method === "notifications/tools/list_changed");
  ok(!changed.text.includes("subscriptionId"));
  ok((await rig.toolNames()).includes("a_added_1"));
  equal(rig.lines.filter(({ message }) => message.method?.includes("acknowledged")).length, 0);
});

verifies("ERA-10", "log messages reach a modern client for requests that asked for them", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.toolNames(`{${modernMeta()}}`);
  const say = (n: number, more: string) =>
    rig.call(
      "a_notify",
      `{"method":"notifications/message","params":{"level":"warning","data":${n}}}`,
      `,${modernMeta("{}", more)}`,
    );
  await say(1, "");
  await say(2, ',"io.modelcontextprotocol/logLevel":"info"');
  await say(3, ',"io.modelcontextprotocol/logLevel":"error"');
  await rig.seen(({ message }) => message.method === "notifications/message");
  const data = rig.lines.filter(({ message }) => message.method === "notifications/message");
  deepEqual(data.map(({ message }) => message.params.data), [2]);
});

verifies("ERA-6 RELAY-22", "an envelope for a modern client is complete", async () => {
  const engine = idleEngine({ intercept: () => Promise.resolve(new TextEncoder().encode('{"content":[]}')) });
  await using rig = new Rig([fakeServer("a")], { engine });
  await rig.toolNames(`{${modernMeta()}}`);
  const answer = await rig.call("a_rows", '{"n":1000}', `,${modernMeta()}`);
  equal(resultText(answer), '{"resultType":"complete","content":[]}');
});
