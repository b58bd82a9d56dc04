import { deepEqual, equal, match, ok } from "node:assert/strict";
import { fakeServer, idleEngine, receivedBy, resultText, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

const HARD_RESULTS = [
  '{"content":[{"type":"text","text":"x"}],"structuredContent":{"id":9007199254740993,"p":1.10,"z":-0,"h":1e400}}',
  '{ "content" : [ ] , "structuredContent":{"a":1,"a":2,"10":1,"9":2,"__proto__":{}} }',
  '{"content":[{"type":"x/unknown","future":[1]}],"isError":false,"x-vendor":{"deep":[1.0]}}',
  '{"content":[{"type":"text","text":"\\u00e9 \\/ \\ud800 \\u0000 raw: é😀 \u2028"}]}',
  "{}",
  "[1,2]",
  "null",
];

verifies("RELAY-1", "a result crosses as the bytes that were written", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  for (const result of HARD_RESULTS) {
    // The fake server answers with the text of an argument, decoded once.
    const answer = await rig.call("a_fixed", `{"result":${JSON.stringify(result)}}`);
    equal(resultText(answer), result);
  }
});

verifies("RELAY-2", "an error crosses with code, message, data and unknown members", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  const error = '{"code":-32602,"message":"no","data":{"id":9007199254740993,"x":[1.10]},"x-extra":null}';
  const answer = await rig.call("a_fail", `{"error":${JSON.stringify(error)}}`);
  ok(answer.text.endsWith(`"error":${error}}`), answer.text);
});

verifies(
  "RELAY-4 RELAY-13",
  "a task's progress and result belong to the server and the tool that began it",
  async () => {
    const engine = idleEngine();
    await using rig = new Rig([fakeServer("a", { tasks: true }), fakeServer("b", { tasks: true })], {
      engine,
      servers: { a: { tokenThreshold: 100 } },
    });
    await rig.initialize();
    await rig.toolNames();
    for (const server of ["a", "b"]) {
      const id = `${server}-${"[x] ".repeat(server === "a" ? 200 : 1)}`;
      await rig.call(`${server}_task`, JSON.stringify({ id }), ',"task":{}');
      equal(
        textOfResult(await rig.request("tasks/result", JSON.stringify({ taskId: id }))),
        `result of ${id} at ${server}`,
      );
      const status = await rig.request("tasks/get", JSON.stringify({ taskId: id }));
      equal(status.message.result.status, "completed");
    }
    deepEqual(engine.offered.map(([origin]) => origin.tool), ["task"]);
    equal((await rig.request("tasks/get", '{"taskId":"never"}')).message.error.code, -32602);
  },
);

verifies("RELAY-13", "a server can't answer for another one's task by taking its id", async () => {
  await using rig = new Rig([fakeServer("a", { tasks: true }), fakeServer("b", { tasks: true })]);
  await rig.initialize();
  await rig.toolNames();
  await rig.call("a_task", '{"id":"same"}', ',"task":{}');
  const { message } = await rig.call("b_task", '{"id":"same"}', ',"task":{}');
  match(message.error.message, /^Server "b" answered with a task whose id another server's task has: .*try again$/);
  equal(textOfResult(await rig.request("tasks/result", '{"taskId":"same"}')), "result of same at a");
  // Its own id it may use again.
  equal((await rig.call("a_task", '{"id":"same"}', ',"task":{}')).message.result.task.taskId, "same");
});

verifies("RELAY-6", "requests of two servers with equal ids get their own answers, as bytes", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  await rig.toolNames();
  const seen: string[] = [];
  rig.answers["elicitation/create"] = async ({ text, message }) => {
    seen.push(text);
    if (message.params.m === "a") await new Promise((resolve) => setTimeout(resolve, 60));
    return `"result":{"action":"accept","content":{"for":"${message.params.m}","n":1.10}}`;
  };
  const ask = (server: string) =>
    rig.call(`${server}_ask`, `{"method":"elicitation/create","askParams":{"m":"${server}","n":9007199254740993}}`);
  const [a, b] = await Promise.all([ask("a"), ask("b")]);
  ok(textOfResult(a).includes('"content":{"for":"a","n":1.10}'), textOfResult(a));
  ok(textOfResult(b).includes('"content":{"for":"b","n":1.10}'), textOfResult(b));
  ok(seen.every((text) => text.includes('"n":9007199254740993}')), seen.join());
  equal(new Set(seen.map((text) => JSON.parse(text).id)).size, 2);
});

verifies("RELAY-6", "the client's error reaches the server; a server's cancellation reaches the client", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  await rig.toolNames();
  rig.answers["sampling/createMessage"] = () => '"error":{"code":-1,"message":"rejected","data":{"x":1.10}}';
  const refused = await rig.call("a_ask", '{"method":"sampling/createMessage","askParams":{}}');
  ok(textOfResult(refused).includes('"error":{"code":-1,"message":"rejected","data":{"x":1.10}}'));
  delete rig.answers["sampling/createMessage"];
  await rig.call("a_ask", '{"method":"sampling/createMessage","askParams":{},"withdraw":true}');
  const asked = rig.lines.filter(({ message }) => message.method === "sampling/createMessage").at(-1);
  const cancelled = await rig.seen(({ message }) => message.method === "notifications/cancelled");
  equal(cancelled.message.params.requestId, asked?.message.id);
  equal(cancelled.message.params.reason, "enough");
});

verifies(
  "RELAY-9 PROC-10",
  "a flood of changes is told a few times only, and the tools are listed again as rarely",
  async () => {
    await using rig = new Rig([fakeServer("a", { prompts: ["p"] })]);
    await rig.initialize();
    await rig.toolNames();
    await rig.call("a_mutate", '{"list":"prompts","times":300}');
    await rig.call("a_mutate", '{"list":"tools","times":300}');
    await rig.seen(({ message }) => message.method === "notifications/tools/list_changed");
    await rig.seen(({ message }) => message.method === "notifications/prompts/list_changed");
    ok((await rig.toolNames()).includes("a_added_1"));
    const received = await receivedBy(rig, "a");
    ok(received.filter((line) => line.includes("tools/list")).length <= 4);
    ok(rig.lines.filter(({ message }) => message.method === "notifications/prompts/list_changed").length <= 3);
  },
);

verifies("RELAY-12", "updates carry the URI that the client knows", async () => {
  await using rig = new Rig([
    fakeServer("a", { resources: { "x://s": "a" } }),
    fakeServer("b", { resources: { "x://s": "b" } }),
  ]);
  await rig.initialize();
  await rig.request("resources/list", "{}");
  equal(resultText(await rig.request("resources/subscribe", '{"uri":"loom://b/x://s"}')), "{}");
  ok(textOfResult(await rig.call("b_received")).includes('\\"uri\\":\\"x://s\\"'));
  await rig.call("b_notify", '{"method":"notifications/resources/updated","params":{"uri":"x://s","x":1.5}}');
  ok(await rig.seen(({ text }) => text.includes('"params":{"uri":"loom://b/x://s","x":1.5}')));
  await rig.call("a_notify", '{"method":"notifications/resources/updated","params":{"uri":"x://s"}}');
  ok(await rig.seen(({ text }) => text.includes('"params":{"uri":"x://s"}')));
});

verifies("RELAY-22", "a large result goes to the engine, and what comes back is the answer", async () => {
  const envelope = '{"content":[{"type":"text","text":"envelope"}]}';
  const engine = idleEngine({
    intercept: (origin) => Promise.resolve(origin.tool === "rows" ? new TextEncoder().encode(envelope) : undefined),
  });
  await using rig = new Rig([fakeServer("a")], { engine, servers: { a: { intercept: { fixed: "never" } } } });
  await rig.initialize();
  equal(resultText(await rig.call("a_rows", '{"n":1000}')), envelope);
  ok(textOfResult(await rig.call("a_rows", '{"n":3}')).startsWith("["));
  equal(textOfResult(await rig.call("a_big", '{"length":100000}')).length, 100_000);
  const fixed = JSON.stringify({ content: [{ type: "text", text: "[1] ".repeat(5000) }] });
  equal(resultText(await rig.call("a_fixed", JSON.stringify({ result: fixed }))), fixed);
  equal(textOfResult(await rig.call("loom_query", '{"sql":"SELECT 1"}')), "own loom_query");
});

verifies("WIRE-2 WIRE-6", "10 MiB, one byte more and one less pass, and the next call works", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  for (const length of [10_485_759, 10_485_760, 10_485_761]) {
    equal(textOfResult(await rig.call("a_big", `{"length":${length}}`)).length, length);
    equal(textOfResult(await rig.call("a_slow", '{"tag":"next"}')), "slept next");
  }
});

verifies(
  "WIRE-9 RELAY-3",
  "a large plain answer passes as it arrives, byte for byte and to its own caller",
  async () => {
    const engine = idleEngine();
    await using rig = new Rig([fakeServer("a")], { engine });
    await rig.initialize();
    await rig.toolNames();
    const answer = await rig.request(
      "tools/call",
      '{"name":"a_big","arguments":{"length":3000000,"char":"é"}}',
      '"mine"',
    );
    equal(
      answer.text,
      `{"jsonrpc":"2.0","id":"mine","result":{"content":[{"type":"text","text":"${"é".repeat(3_000_000)}"}]}}`,
    );
    // With others waiting nothing is passed on before it is whole; the answers are the same.
    const [big, small] = await Promise.all([
      rig.call("a_big", '{"length":3000000}'),
      rig.call("a_slow", '{"tag":"s"}'),
    ]);
    equal(textOfResult(big).length, 3_000_000);
    equal(textOfResult(small), "slept s");
    equal(engine.offered.length, 0);
  },
);

for (const length of [300_000, 3_000_000, 30_000_000]) {
  verifies("WIRE-9 PROC-6", `an answer of ${length} characters reaches a client that has ended its input`, async () => {
    await using rig = new Rig([fakeServer("a")]);
    await rig.initialize();
    await rig.toolNames();
    const answer = rig.call("a_big", JSON.stringify({ length }));
    await rig.close();
    equal(textOfResult(await answer).length, length);
  });
}

verifies("WIRE-9 PROC-6", "an answer that is under way when loom is told to end becomes a sound line", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  await rig.toolNames();
  const head = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"';
  const answer = rig.call("a_emit", JSON.stringify({ chunks: [head + "x".repeat(300_000)] }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  rig.loom.stop();
  const { message } = await answer;
  equal(message.result.isError, true);
  match(message.result.content[0].text.slice(300_000), /^ \[loom is stopping: this call was given up\]$/);
});

verifies("WIRE-7 WIRE-9", "large answers of two servers at once arrive whole", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  await rig.toolNames();
  const head = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"';
  const part = "x".repeat(100_000);
  const chunks = [head, ...Array.from({ length: 30 }, () => part), '"}]}}\n'];
  const slow = rig.call("a_emit", JSON.stringify({ chunks, delayMs: 20 }));
  await new Promise((resolve) => setTimeout(resolve, 150));
  const large = rig.call("b_big", '{"length":20000000}');
  equal(textOfResult(await slow).length, 3_000_000);
  equal(textOfResult(await large).length, 20_000_000);
});

verifies("WIRE-9 PROC-4", "a server that dies within a large answer leaves a sound line that says so", async () => {
  await using rig = new Rig([fakeServer("a")]);
  await rig.initialize();
  await rig.toolNames();
  const answer = await rig.call("a_half", '{"length":600000}');
  equal(answer.message.result.isError, true);
  match(textOfResult(answer).slice(600_000), /^ \[Server "a" stopped in the middle of this answer\]$/);
  const cut = await rig.call("a_half", '{"length":1000}');
  match(textOfResult(cut), /^Server "a" /);
});

const CHUNKS: readonly { what: string; chunks: readonly string[] }[] = [
  {
    what: "a banner, blank lines and CRLF",
    chunks: ["hi \u001b[32mthere\n\r\n  \n", '{"jsonrpc":"2.0","id":$ID,"result":{"a":1}}\r\n'],
  },
  {
    what: "JSON that is no message",
    chunks: ['{"level":30}\n"x"\n42\n[1,2]\n[\n{"half":\n{"jsonrpc":"2.0","id":$ID,"result":{"a":1}}\n'],
  },
  { what: "a byte order mark", chunks: ['\ufeff{"jsonrpc":"2.0","id":$ID,"result":{"a":1}}\n'] },
  {
    what: "an answer byte by byte",
    chunks: ['{"jsonrpc":"2.0",', ...'"id":', "$ID", ...",", ...'"result":{"a":1}}', "\n"],
  },
  {
    what: "an answer to nobody first",
    chunks: ['{"jsonrpc":"2.0","id":"never","result":{}}\n{"jsonrpc":"2.0","id":$ID,"result":{"a":1}}\n'],
  },
  {
    what: "two answers",
    chunks: ['{"jsonrpc":"2.0","id":$ID,"result":{"a":1}}\n{"jsonrpc":"2.0","id":$ID,"result":{"a":2}}\n'],
  },
  { what: "a batch", chunks: ['[{"jsonrpc":"2.0","id":$ID,"result":{"a":1}}]\n'] },
];

for (const { what, chunks } of CHUNKS) {
  verifies("WIRE-1 PROC-8", `a server that writes ${what} is understood`, async () => {
    await using rig = new Rig([fakeServer("a")]);
    await rig.initialize();
    await rig.toolNames();
    const answer = await rig.call("a_emit", JSON.stringify({ chunks }));
    equal(resultText(answer), '{"a":1}');
    equal(textOfResult(await rig.call("a_slow", '{"tag":"next"}')), "slept next");
    ok(rig.log.filter((line) => line.includes("writes to stdout")).length <= 1);
  });
}

verifies(
  "RELAY-23",
  "what servers say reaches the log without effect, and a changed definition is warned of",
  async () => {
    await using rig = new Rig([fakeServer("a", { banner: "\u001b[31mred\u0007" })], {
      servers: { a: { env: { API_TOKEN: "very-secret" } } },
    });
    await rig.initialize();
    await rig.call("a_echo", '{"password":"also-secret"}');
    const log = rig.log.join("\n");
    ok(log.includes("red"));
    ok(!log.includes("very-secret") && !log.includes("also-secret"));
    await rig.toolNames();
    await rig.call("a_mutate", '{"list":"tools"}');
    await rig.seen(({ message }) => message.method === "notifications/tools/list_changed");
    ok(rig.log.some((line) => line.includes('tool "shifting" has changed its definition')));
  },
);
