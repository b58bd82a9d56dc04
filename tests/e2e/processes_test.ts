import { equal, match, ok } from "node:assert/strict";
import { fakeServer, isRunning, Rig, textOfResult } from "../support/loom_rig.ts";
import { verifies } from "../support/verifies.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;
const ON_LINUX = Deno.build.os === "linux";

async function pidOf(rig: Rig, server: string): Promise<number> {
  return Number(textOfResult(await rig.call(`${server}_pid`)));
}

/** Calls until the server answers again. */
async function recovered(rig: Rig, server: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (textOfResult(await rig.call(`${server}_slow`, '{"tag":"again"}')) === "slept again") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`"${server}" did not come back: ${rig.log.join("\n")}`);
}

verifies("PROC-1", "a server's process has the short environment and what the configuration adds", async () => {
  const tools = { env: { OWN: "1" }, envPassthrough: ["LOOM_TEST_PASSED"] };
  Deno.env.set("LOOM_TEST_PASSED", "yes");
  Deno.env.set("LOOM_TEST_KEPT", "secret");
  try {
    await using rig = new Rig([fakeServer("a")], { servers: { a: tools } });
    await rig.initialize();
    const environment = JSON.parse(textOfResult(await rig.call("a_env")));
    const known = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "OWN", "LOOM_TEST_PASSED"];
    ok(environment.PATH && environment.OWN === "1" && environment.LOOM_TEST_PASSED === "yes");
    equal(Object.keys(environment).filter((name) => !known.includes(name)).join(), "");
  } finally {
    Deno.env.delete("LOOM_TEST_PASSED");
    Deno.env.delete("LOOM_TEST_KEPT");
  }
});

verifies(
  "PROC-2 PROC-4 NAME-7",
  "a crash costs the call under way, and the server comes back with its tools",
  async () => {
    await using rig = new Rig([fakeServer("a"), fakeServer("b")]);
    await rig.initialize();
    const names = await rig.toolNames();
    const first = await pidOf(rig, "a");
    const [lost, other] = await Promise.all([
      rig.call("a_hang"),
      rig.call("b_slow", '{"ms":100,"tag":"b"}'),
      rig.call("a_crash"),
    ]);
    equal(lost.message.result.isError, true);
    match(textOfResult(lost), /^Server "a" exited with code 7 during this call.*restarted/);
    equal(textOfResult(other), "slept b");
    ok((await rig.toolNames()).includes("a_echo"));
    await recovered(rig, "a");
    ok(await pidOf(rig, "a") !== first);
    equal((await rig.toolNames()).join(), names.join());
    equal(rig.lines.filter(({ message }) => message.method === "notifications/tools/list_changed").length, 0);
  },
);

verifies("PROC-5 PROC-4", "twenty calls during a restart start one process and each get a clean error", async () => {
  await using rig = new Rig([fakeServer("a")], { config: { restart: { maxAttempts: 3, baseDelayMs: 300 } } });
  await rig.initialize();
  await rig.toolNames();
  await rig.call("a_crash");
  const answers = await Promise.all(Array.from({ length: 20 }, () => rig.call("a_echo")));
  for (const answer of answers) match(textOfResult(answer), /^Server "a" is down.*being restarted; try again/);
  await recovered(rig, "a");
  equal(rig.log.filter((line) => line.includes("restart 1 of 3")).length, 1);
});

verifies("PROC-3", "a server that keeps dying is given up, its tools go and the client is told", async () => {
  await using rig = new Rig([fakeServer("a"), fakeServer("b")], {
    config: { restart: { maxAttempts: 0, baseDelayMs: 1 } },
  });
  await rig.initialize();
  await rig.toolNames();
  await rig.call("a_crash");
  await rig.seen(({ message }) => message.method === "notifications/tools/list_changed");
  const names = await rig.toolNames();
  ok(!names.some((name) => name.startsWith("a_")) && names.includes("b_echo"));
  ok(rig.log.some((line) => line.startsWith("error") && line.includes('"a"')));
});

verifies("PROC-9", "loom ends with the reasons when no server can be started", async () => {
  const rig = new Rig([{ name: "gone", command: "/nonexistent/command" }, fakeServer("quits", { initializeMs: -2 })]);
  const { message } = await rig.request(
    "initialize",
    '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}',
  );
  match(message.error.message, /"gone".*not found.*"quits" exited with code 4/);
  await rig.served.then(() => ok(false), (error) => equal(error.code, "SERVER_UNAVAILABLE"));
  await rig.close();
});

verifies("PROC-9", "one server that can't be started leaves the others usable", async () => {
  await using rig = new Rig([{ name: "gone", command: "/nonexistent/command" }, fakeServer("a")]);
  await rig.initialize();
  ok(textOfResult(await rig.call("a_echo")).includes("tools/call"));
});

verifies("PROC-2", "a server that never answers initialize is given up after its time and tried again", async () => {
  await using rig = new Rig([fakeServer("a", { initializeMs: -1 }), fakeServer("b")], {
    servers: { a: { startTimeoutMs: 200 } },
  });
  await rig.initialize();
  await rig.until(() => rig.log.some((line) => line.includes("gave no answer to initialize within 200 ms")));
  ok((await rig.toolNames()).includes("b_echo"));
});

verifies("PROC-6", "the end of input ends servers and all that they started", async () => {
  const rig = new Rig([fakeServer("a"), fakeServer("b")]);
  await rig.initialize();
  await rig.toolNames();
  const pids = [await pidOf(rig, "a"), await pidOf(rig, "b")];
  const grandchild = async (command: string) =>
    Number(textOfResult(await rig.call("a_grandchild", `{"command":${command}}`)));
  pids.push(await grandchild('["sleep","300"]'));
  if (ON_LINUX) pids.push(await grandchild('["setsid","sleep","300"]'));
  pids.push(await grandchild(`["sh","-c","trap '' TERM; sleep 300 & wait"]`));
  ok(pids.every(isRunning));
  const open = rig.request("tools/call", '{"name":"a_hang","arguments":{}}');
  await rig.call("b_echo");
  await rig.close();
  equal((await open).message.error.message, "loom is stopping: this call was given up");
  equal(pids.filter(isRunning).join(), "");
}, { ignore: !ON_LINUX });

verifies("PROC-6", "a client that ends its input right behind its requests gets the answers", async () => {
  const rig = new Rig([fakeServer("a")]);
  const params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}';
  const greeting = rig.request("initialize", params);
  const call = rig.call("a_slow", '{"ms":100,"tag":"late"}');
  const own = rig.call("loom_query");
  await rig.close();
  equal((await greeting).message.result.serverInfo.name, "loom");
  equal(textOfResult(await call), "slept late");
  equal(textOfResult(await own), "own loom_query");
});

verifies("PROC-6", "a server that heeds neither the end of input nor SIGTERM is killed", async () => {
  const rig = new Rig([fakeServer("a", { stubborn: true })]);
  await rig.initialize();
  const pid = await pidOf(rig, "a");
  await rig.close();
  ok(!isRunning(pid));
}, { ignore: !ON_LINUX });

verifies("PROC-6", "a second stop kills at once", async () => {
  const rig = new Rig([fakeServer("a", { stubborn: true })]);
  await rig.initialize();
  const pid = await pidOf(rig, "a");
  rig.loom.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  rig.loom.stop();
  await rig.served;
  ok(!isRunning(pid));
  await rig.close();
}, { ignore: !ON_LINUX });

verifies("PROC-6", "the end of input during the start leaves no process", async () => {
  const rig = new Rig([fakeServer("a", { initializeMs: 5_000 }), {
    name: "b",
    command: "sh",
    args: ["-c", "sleep 300 & wait"],
  }]);
  rig.request("initialize", '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}').catch(() => {});
  await rig.request("ping");
  await rig.close();
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args"] }).output();
  ok(!new TextDecoder().decode(stdout).includes('"name":"a","initializeMs":5000'));
});

verifies("PROC-8", "a server's stderr is drained, logged in part and made harmless", async () => {
  const script = 'i=0; while [ $i -lt 5000 ]; do printf "\\033[31mline %d\\n" $i >&2; i=$((i+1)); done; exec "$0" "$@"';
  const { command, args } = fakeServer("a") as { command: string; args: string[] };
  await using rig = new Rig([{ name: "a", command: "sh", args: ["-c", script, command, ...args] }]);
  await rig.initialize();
  ok(textOfResult(await rig.call("a_echo")).includes("tools/call"));
  const lines = rig.log.filter((line) => line.startsWith("info a:"));
  ok(lines.length > 10 && lines.length <= 101, `${lines.length}`);
});

verifies("RELAY-23 PROC-8", "a value of env that a server prints on stderr reaches neither log nor error", async () => {
  const script = 'echo "cannot log in with $API_KEY" >&2; exit 1';
  const rig = new Rig([{ name: "a", command: "sh", args: ["-c", script], env: { API_KEY: "k-1234567" } }]);
  const { text } = await rig.request(
    "initialize",
    '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}',
  );
  match(text, /cannot log in with \[redacted\]/);
  await rig.close();
  ok(!rig.log.join("\n").includes("k-1234567") && !text.includes("k-1234567"));
});

/** Loom as a process of its own, greeted, with one server behind it. */
async function startedCli(settings = {}) {
  const folder = await Deno.makeTempDir();
  const config = `${folder}/loom.config.json`;
  await Deno.writeTextFile(config, JSON.stringify({ servers: [fakeServer("a", settings)] }));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", CLI, "--config", config],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  const ask = async (id: number, method: string, params: string) => {
    const line = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`;
    await writer.write(new TextEncoder().encode(line));
    for (;;) {
      for (const text of rest.split("\n")) if (text.includes(`"id":${id}`)) return JSON.parse(text);
      const { value, done } = await reader.read();
      if (done) throw new Error(`loom ended: ${rest}`);
      rest += decoder.decode(value, { stream: true });
    }
  };
  await ask(
    1,
    "initialize",
    '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}',
  );
  const answer = await ask(2, "tools/call", '{"name":"a_pid"}');
  const close = async () => {
    await writer.close().catch(() => {});
    await reader.cancel();
    await Deno.remove(folder, { recursive: true });
  };
  return { child, serverPid: Number(answer.result.content[0].text), close };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  verifies("PROC-6", `${signal} ends the command and its server in good order`, async () => {
    const { child, serverPid, close } = await startedCli();
    child.kill(signal);
    const status = await child.status;
    equal(status.code, 0);
    ok(!isRunning(serverPid));
    await close();
  }, { ignore: !ON_LINUX });
}

verifies("PROC-7", "a loom that is killed takes its server along", async () => {
  const { child, serverPid, close } = await startedCli({ stubborn: true });
  child.kill("SIGKILL");
  await child.status;
  for (let tries = 0; tries < 100 && isRunning(serverPid); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  ok(!isRunning(serverPid));
  await close();
}, { ignore: !ON_LINUX });

verifies("WIRE-8 PROC-6", "the end of input ends the command with code 0", async () => {
  const { child, serverPid, close } = await startedCli();
  await close();
  equal((await child.status).code, 0);
  ok(!isRunning(serverPid));
}, { ignore: !ON_LINUX });
