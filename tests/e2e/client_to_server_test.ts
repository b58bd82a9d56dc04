import { deepEqual, equal, match, ok } from "node:assert/strict";
import { fakeServer, idleEngine, receivedBy, resultText, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

verifies("RELAY-1 RELAY-3", "arguments cross as the bytes that were written", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  const args = '{"id":9007199254740993,"price":1.10,"huge":1e400,"z":1,"a":{"b":[-0]},"10":1,"9":2,"u":"\\u00e9"}';
  const seen = textOfResult(await rig.call("a_echo", args, ',"_meta":{"trace":1.10},"x-vendor":{"a":1}'));
  ok(seen.includes(`"arguments":${args},"_meta":{"trace":1.10},"x-vendor":{"a":1}`), seen);
  ok(seen.includes('"name":"echo"'), seen);
  ok(!textOfResult(await rig.request("tools/call", '{"name":"a_echo"}')).includes("arguments"));
});

verifies("RELAY-3", "ids keep type and text, and many calls at once get their own answers", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  await rig.toolNames();
  const ids = ['"1"', "1", "0", "-5", "9007199254740993", `"${"x".repeat(300)}"`, '"é\\u0001"'];
  const answers = await Promise.all(
    ids.map((id) => rig.request("tools/call", `{"name":"a_slow","arguments":{"ms":20,"tag":${id}}}`, id)),
  );
  deepEqual(answers.map(textOfResult), ids.map((id) => `slept ${JSON.parse(id)}`));
  const many = await Promise.all(
    Array.from({ length: 200 }, (_, i) => rig.call(i % 2 ? "a_slow" : "b_slow", `{"ms":${(i * 7) % 40},"tag":"${i}"}`)),
  );
  deepEqual(many.map(textOfResult), many.map((_, i) => `slept ${i}`));
});

verifies(
  "RELAY-4",
  "equal progress tokens of two calls to two servers don't mix, and come back as written",
  async () => {
    await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
    await rig.initialize();
    await rig.toolNames();
    const token = '"_meta":{"progressToken":"t\\u00e9"}';
    const [, other] = await Promise.all([
      rig.call("a_slow", '{"ms":60,"steps":3}', `,${token}`),
      rig.call("b_echo", "{}", `,${token}`),
      rig.call("b_slow", '{"ms":60,"steps":2}', ',"_meta":{"progressToken":7}'),
    ]);
    const notes = rig.lines.filter(({ message }) => message.method === "notifications/progress").map(({ text }) =>
      text
    );
    equal(notes.filter((text) => text.includes('{"progressToken":"t\\u00e9","progress":')).length, 3);
    equal(notes.filter((text) => text.includes('{"progressToken":7,"progress":')).length, 2);
    // Downward no two calls have the same.
    match(textOfResult(other), /"progressToken":\d+/);
  },
);

verifies("RELAY-5", "a cancellation reaches the server under the id it knows, and no answer follows", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  await rig.toolNames();
  await rig.write('{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"a_hang"}}\n');
  await rig.call("a_echo");
  await rig.notify("notifications/cancelled", '{"requestId":"mine","reason":"enough \\u00e9"}');
  await rig.notify("notifications/cancelled", '{"requestId":"never"}');
  const received = await receivedBy(rig, "a");
  const hang = received.find((line) => line.includes('"name":"hang"')) ?? "";
  const cancelled = received.find((line) => line.includes("notifications/cancelled")) ?? "";
  equal(JSON.parse(cancelled).params.requestId, JSON.parse(hang).id);
  ok(cancelled.includes('"reason":"enough \\u00e9"'));
  equal(rig.lines.some(({ message }) => message.id === "mine"), false);
});

verifies("RELAY-7", "pings are answered, also before initialize, and cross upward", async () => {
  await using rig = new Rig([fakeServer("a")]);
  equal(resultText(await rig.request("ping")), "{}");
  await rig.initialize();
  await rig.toolNames();
  rig.answers["ping"] = () => '"result":{}';
  ok(textOfResult(await rig.call("a_ask", '{"method":"ping","askParams":{}}')).includes('"result":{}'));
});

verifies("RELAY-8", "the log level reaches every server, and messages pass as written", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  equal(resultText(await rig.request("logging/setLevel", '{"level":"error"}')), "{}");
  for (const server of ["a", "b"]) {
    ok(textOfResult(await rig.call(`${server}_received`)).includes("logging/setLevel"));
  }
  await rig.call("a_notify", '{"method":"notifications/message","params":{"level":"error","data":{"n":1.5}}}');
  ok(await rig.seen(({ text }) => text.includes('"params":{"level":"error","data":{"n":1.5}}')));
});

verifies(
  "RELAY-10 RELAY-11 NAME-11",
  "resources of several servers are one list, and each is read where it is",
  async () => {
    await using rig = new Rig([
      fakeServer("a", { resources: { "x://1": "one of a", "x://shared": "shared of a" } }),
      fakeServer("b", { resources: { "x://2": "two of b", "x://shared": "shared of b" }, templates: ["b://{id}"] }),
      fakeServer("c"),
    ]);
    await rig.initialize();
    const list = await rig.request("resources/list", "{}");
    deepEqual(list.message.result.resources.map(({ uri }: { uri: string }) => uri), [
      "x://1",
      "x://shared",
      "x://2",
      "loom://b/x://shared",
    ]);
    equal(list.text.split('"x":1.10').length, 5);
    const read = async (uri: string) =>
      (await rig.request("resources/read", JSON.stringify({ uri }))).message.result?.contents[0].text;
    equal(await read("x://1"), "one of a");
    equal(await read("x://2"), "two of b");
    equal(await read("x://shared"), "shared of a");
    equal(await read("loom://b/x://shared"), "shared of b");
    equal(await read("loom://b/x://2"), "two of b");
    equal(await read("b://7"), "made by b");
    const missing = await rig.request("resources/read", '{"uri":"x://none"}');
    equal(missing.message.error.code, -32002);
    equal(missing.message.error.data.uri, "x://none");
    const templates = await rig.request("resources/templates/list", "{}");
    deepEqual(templates.message.result.resourceTemplates, [{ uriTemplate: "b://{id}", name: "t" }]);
  },
);

verifies("RELAY-12 PROC-2", "subscriptions and the log level are told again to a server that came back", async () => {
  await using rig = new Rig([fakeServer("a", { resources: { "x://s": "a" } })]);
  await rig.initialize();
  await rig.toolNames();
  await rig.request("resources/subscribe", '{"uri":"x://s"}');
  await rig.request("logging/setLevel", '{"level":"error"}');
  await rig.call("a_crash");
  await rig.until(() => rig.log.filter((line) => line.includes("restart 1 of 3")).length === 1);
  for (;;) {
    const received = textOfResult(await rig.call("a_received"));
    if (received.includes("resources/subscribe") && received.includes("logging/setLevel")) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

verifies("NAME-10 RELAY-13", "prompts and completions reach their server under its own names", async () => {
  await using rig = new Rig([
    fakeServer("a", { prompts: ["greet", "only.a"] }),
    fakeServer("b", { prompts: ["greet"] }),
  ]);
  await rig.initialize();
  const list = await rig.request("prompts/list", "{}");
  const names = list.message.result.prompts.map(({ name }: { name: string }) => name);
  deepEqual(names, ["a_greet", "a_only_a", "b_greet"]);
  const get = async (name: string) => (await rig.request("prompts/get", JSON.stringify({ name }))).message;
  equal((await get("a_greet")).result.x, "a:greet");
  equal((await get("b_greet")).result.x, "b:greet");
  equal((await get("a_only_a")).result.x, "a:only.a");
  equal((await get("only.a")).result.x, "a:only.a");
  equal((await get("greet")).error.code, -32602);
  const complete = async (ref: string) =>
    (await rig.request("completion/complete", `{"ref":${ref},"argument":{"name":"n","value":""}}`)).message;
  deepEqual((await complete('{"type":"ref/prompt","name":"b_greet"}')).result.completion.values, ["b:greet"]);
});

verifies("RELAY-14", "notifications and methods that loom doesn't know go through", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  await rig.toolNames();
  await rig.notify("notifications/roots/list_changed");
  await rig.notify("notifications/x-vendor/thing", '{"n":1.10}');
  for (const server of ["a", "b"]) {
    const received = textOfResult(await rig.call(`${server}_received`));
    ok(received.includes("notifications/roots/list_changed"));
    ok(received.includes('{\\"n\\":1.10}'));
  }
  await rig.call("a_notify", '{"method":"notifications/x-vendor/up","params":{"n":2.5}}');
  ok(await rig.seen(({ text }) => text.includes('"method":"notifications/x-vendor/up","params":{"n":2.5}')));
  equal((await rig.request("x-vendor/who", "{}")).message.result.who, "a");
  equal((await rig.request("no/such/method", "{}")).message.error.code, -32601);
});

verifies("RELAY-15", "a made-up cursor is refused by every list", async () => {
  await using rig = new Rig([fakeServer("a", { prompts: [], resources: {} })]);
  await rig.initialize();
  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
    equal((await rig.request(method, '{"cursor":"made-up"}')).message.error.code, -32602, method);
  }
});

verifies("RELAY-16", "callTimeoutMs ends a call, and nothing else does", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")], { servers: { a: { callTimeoutMs: 80 } } });
  await rig.initialize();
  await rig.toolNames();
  const cut = await rig.call("a_hang");
  match(cut.message.error.message, /"a" gave no answer within 80 ms/);
  ok(textOfResult(await rig.call("a_received")).includes("notifications/cancelled"));
  equal(textOfResult(await rig.call("b_slow", '{"ms":200,"tag":"b"}')), "slept b");
});

verifies("RELAY-20", "a batch is answered as a batch, and refused by newer revisions", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize("2025-03-26");
  await rig.toolNames();
  await rig.write(
    '[{"jsonrpc":"2.0","id":501,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},' +
      '{"jsonrpc":"2.0","id":502,"method":"tools/call","params":{"name":"a_echo"}}]\n',
  );
  const { message } = await rig.seen(({ message }) => Array.isArray(message));
  deepEqual(message.map(({ id }: { id: number }) => id).sort(), [501, 502]);

  await using newer = new Rig([fakeServer("a")]);
  await newer.initialize("2025-06-18");
  await newer.write('[{"jsonrpc":"2.0","id":501,"method":"ping"}]\n');
  equal((await newer.seen(({ message }) => message.error !== undefined)).message.error.code, -32600);
});

verifies("RELAY-22", "the engine is told where a result comes from, arguments as written", async () => {
  const engine = idleEngine();
  await using rig = new Rig([fakeServer("a")], {
    engine,
    servers: { a: { tokenThreshold: 100, provenanceDenylist: ["rows"] } },
  });
  await rig.initialize();
  await rig.call("a_rows", '{ "n" : 100, "id":9007199254740993}');
  const [origin, bytes] = engine.offered[0] ?? [];
  equal(origin?.server, "a");
  equal(origin?.tool, "rows");
  equal(origin?.omitArgs, true);
  equal(origin?.tokenThreshold, 100);
  equal(new TextDecoder().decode(origin?.args), '{ "n" : 100, "id":9007199254740993}');
  ok(new TextDecoder().decode(bytes).startsWith('{"content":[{"type":"text","text":"[{'));
});

verifies(
  "WIRE-7",
  "calls to a server that reads no input are refused when it is 64 MiB behind, others go on",
  async () => {
    await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
    await rig.initialize();
    await rig.toolNames();
    await rig.call("a_deaf");
    const filler = "x".repeat(34 * 1024 * 1024);
    for (const id of ["one", "two"]) {
      const call = `{"name":"a_echo","arguments":{"filler":"${filler}"}}`;
      await rig.write(`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":${call}}\n`);
    }
    match(textOfResult(await rig.call("a_echo")), /^Server "a" doesn't read its input/);
    equal(textOfResult(await rig.call("b_slow", '{"tag":"b"}')), "slept b");
  },
);
