import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { type Child, startChild } from "../../lib/gateway/child.ts";
import { textOf } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

/** Starts Deno on a program; what it says on stderr is thrown away. */
function started(program: string): Child {
  const child = startChild(Deno.execPath(), { args: ["eval", "--no-lock", program], cwd: Deno.cwd(), env: {} });
  void child.stderr.getReader().cancel();
  return child;
}

async function outputOf({ stdout }: Child): Promise<string> {
  const reader = stdout.getReader();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += textOf(next.value);
  return text;
}

verifies("PROC-1", "startChild() gives a process the environment it is given and nothing else", async () => {
  Deno.env.set("NODE_V8_COVERAGE", "/nowhere");
  try {
    // Deno as a child puts variables of its own into its environment; this program shows what it was given.
    const [command, args] = Deno.build.os === "windows" ? ["cmd.exe", ["/d", "/c", "set"]] : ["/usr/bin/env", []];
    const child = startChild(command, { args, cwd: Deno.cwd(), env: { GIVEN: "1" } });
    void child.stderr.getReader().cancel();
    void child.stdin.getWriter().close();
    const names = (await outputOf(child)).trim().split(/\r?\n/).map((line) => line.split("=", 1).join());
    // What the system itself adds to every process.
    deepEqual(names.filter((name) => !["PATHEXT", "PROMPT", "COMSPEC", "SystemRoot"].includes(name)), ["GIVEN"]);
    equal((await child.status).code, 0);
  } finally {
    Deno.env.delete("NODE_V8_COVERAGE");
  }
});

Deno.test("a child carries bytes both ways, and tells its exit code", async () => {
  const child = started("await Deno.stdin.readable.pipeTo(Deno.stdout.writable, { preventClose: true }); Deno.exit(7)");
  const writer = child.stdin.getWriter();
  const output = outputOf(child);
  await writer.write(new Uint8Array(300_000).fill(0x61));
  await writer.close();
  equal(await output, "a".repeat(300_000));
  equal((await child.status).code, 7);
});

Deno.test("a killed child tells that it was, and its output has ended for who reads it late", async () => {
  const child = started("setTimeout(() => {}, 60_000)");
  child.kill("SIGKILL");
  const { code, signal } = await child.status;
  ok(signal === "SIGKILL" || Deno.build.os === "windows" && code !== 0);
  equal(await outputOf(child), "");
  void child.stdin.getWriter().abort();
});

/** Shows what may be done, by a program that is run without a permission. */
const SHOW_PERMISSION = 'console.log(Deno.permissions.querySync({ name: "net" }).state)';

for (
  const [what, command, args, env, output] of [
    [
      "the runtime itself",
      Deno.execPath(),
      ["run", "--no-prompt", `data:text/javascript,${encodeURIComponent(SHOW_PERMISSION)}`],
      {},
      "prompt\n",
    ],
    [
      "a program that is given the runtime's path",
      "/usr/bin/env",
      ["printf", "%s.", "--runtime", Deno.execPath(), "x.mjs", "--port"],
      {},
      `--runtime.${Deno.execPath()}.x.mjs.--port.`,
    ],
    [
      "a shell that is given the runtime's path",
      "/bin/sh",
      ["-c", `${Deno.execPath()} run --no-prompt 'data:text/javascript,${encodeURIComponent(SHOW_PERMISSION)}'`],
      {},
      "prompt\n",
    ],
    [
      "a shell that has the runtime's path in a variable",
      "/bin/sh",
      ["-c", `"$D" run --no-prompt 'data:text/javascript,${encodeURIComponent(SHOW_PERMISSION)}'`],
      { D: Deno.execPath() },
      "prompt\n",
    ],
  ] as const
) {
  verifies("PROC-1", `arguments reach ${what} as they are`, async () => {
    if (Deno.build.os === "windows" && command !== Deno.execPath()) return;
    const child = startChild(command, { args, cwd: Deno.cwd(), env });
    void child.stderr.getReader().cancel();
    void child.stdin.getWriter().close();
    equal(await outputOf(child), output);
    equal((await child.status).code, 0);
  });
}

Deno.test("startChild() throws, and says what was not found", () => {
  const options = { args: [], cwd: Deno.cwd(), env: {} };
  throws(() => startChild("/nowhere/command", options), (error: Error) => {
    match(error.message, /\/nowhere\/command/);
    return true;
  });
  throws(() => startChild(Deno.execPath(), { ...options, cwd: "/nowhere/folder" }), (error: Error) => {
    match(error.message, /\/nowhere\/folder/);
    return true;
  });
});
