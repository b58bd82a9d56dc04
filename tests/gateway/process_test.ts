import { equal, match, throws } from "node:assert/strict";
import { parseConfig } from "../../lib/config.ts";
import { CLOSED_PIPE_GRACE_MS, openProcess } from "../../lib/gateway/process.ts";
import { bytesOf } from "../../lib/wire/mod.ts";
import { verifies } from "../support/verifies.ts";

const EVENTS = { message: () => {}, oversized: () => {}, noise: () => {}, large: () => undefined };

/** The process of a server that is a shell script. */
function scripted(script: string, cwd?: string) {
  const servers = [{ name: "s", command: "/bin/sh", args: ["-c", script], ...(cwd ? { cwd } : {}) }];
  const [server] = parseConfig(JSON.stringify({ servers }), { path: "/tmp/loom.json" }).servers;
  if (!server) throw new Error("unreachable: one server was configured");
  return openProcess(server, EVENTS, () => {});
}

for (
  const [pipe, script, reason] of [
    ["output", "exec 1>&-; sleep 60", /^closed its output, and so could not answer any more$/],
    ["input", "exec 0<&-; sleep 60", /^closed its input, and so could not be asked any more$/],
  ] as const
) {
  verifies("PROC-12", `a server that closes its ${pipe} and lives on is ended`, async () => {
    if (Deno.build.os === "windows") return;
    equal(CLOSED_PIPE_GRACE_MS, 1_000);
    const connection = scripted(script);
    // The end of an input is seen by writing to it.
    const writing = setInterval(() => connection.send([bytesOf("{}")]), 20);
    match(await connection.closed, reason);
    clearInterval(writing);
    await connection.close();
  });
}

verifies("PROC-12", "a server that closes its output and ends soon has ended by itself", async () => {
  if (Deno.build.os === "windows") return;
  const connection = scripted("exec 1>&-; sleep 0.2; exit 7");
  equal(await connection.closed, "exited with code 7");
  await connection.close();
});

Deno.test("openProcess() says that a cwd is no folder", () => {
  if (Deno.build.os === "windows") return;
  throws(() => scripted("true", "/nowhere/at/all"), {
    message: 'Cannot start "s": its cwd "/nowhere/at/all" is no folder',
  });
});

for (
  const [what, lines, words] of [
    [
      "an error above its stack",
      ["Error: no module", "    at load (x.js:1)", "", "Node.js v20.20.2"],
      "Error: no module",
    ],
    ["the last line where none names an error", ["starting", "bye"], "bye"],
    [
      "an error of Python",
      ["Traceback:", "  File x", "sqlite3.OperationalError: no table"],
      "sqlite3.OperationalError: no table",
    ],
    ["the last line long after an error", ["Error: old", ...Array.from({ length: 40 }, () => "work"), "end"], "end"],
  ] as const
) {
  Deno.test(`a server's last words are ${what}`, async () => {
    if (Deno.build.os === "windows") return;
    const connection = scripted(`printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} >&2; exit 1`);
    equal(await connection.closed, `exited with code 1 after saying: ${words}`);
    await connection.close();
  });
}
