/** The doctor: what it finds wrong, what it recommends, and that its permissions are enough. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { verifies } from "../support/verifies.ts";
import { tableServer } from "../support/table_server.ts";
import { parseConfig } from "../../lib/config.ts";
import { permissionFlags, variablesIn } from "../../lib/doctor/permissions.ts";
import { secretWarnings } from "../../lib/doctor/secrets.ts";
import {
  CLAUDE_DESCRIPTION_CHARS_MAX,
  CLAUDE_NAME_CHARS_MAX,
  CURSOR_NAME_CHARS_MAX,
  CURSOR_TOOLS_MAX,
  type ListedTool,
  toolWarnings,
  VSCODE_TOOLS_MAX,
} from "../../lib/doctor/tools.ts";
import { loomCommand } from "../../lib/commands/loom_command.ts";

const PLAIN: ListedTool = { name: "files_read", inputSchema: { type: "object" } };

function clientsOf(tool: Partial<ListedTool>): readonly string[] {
  return toolWarnings([{ ...PLAIN, ...tool }]).map(({ client }) => client);
}

verifies("DOC-2", "toolWarnings() has nothing to say about a plain tool", () => deepEqual(toolWarnings([PLAIN]), []));

Deno.test.each([
  { tool: { name: "a.b" }, clients: ["OpenAI, Claude, VS Code"] },
  { tool: { name: "1a" }, clients: ["Gemini"] },
  { tool: { name: "" }, clients: ["OpenAI, Claude, VS Code", "Gemini"] },
  { tool: { name: "a".repeat(CLAUDE_NAME_CHARS_MAX - 11) }, clients: [] },
  { tool: { name: "a".repeat(CLAUDE_NAME_CHARS_MAX - 10) }, clients: ["Claude Code"] },
  { tool: { name: "a".repeat(CURSOR_NAME_CHARS_MAX - 4) }, clients: ["Claude Code"] },
  { tool: { name: "a".repeat(CURSOR_NAME_CHARS_MAX - 3) }, clients: ["Claude Code", "Cursor"] },
  { tool: { inputSchema: undefined }, clients: ["every client"] },
  { tool: { inputSchema: { type: "string" } }, clients: ["every client"] },
  { tool: { inputSchema: { type: "object", oneOf: [] } }, clients: ["Claude"] },
  { tool: { inputSchema: { type: "object", properties: { a: { oneOf: [] } } } }, clients: [] },
  { tool: { description: "x".repeat(CLAUDE_DESCRIPTION_CHARS_MAX) }, clients: [] },
  { tool: { description: "x".repeat(CLAUDE_DESCRIPTION_CHARS_MAX + 1) }, clients: ["Claude Code"] },
])("toolWarnings() names who minds (case $#)", ({ tool, clients }) => deepEqual(clientsOf(tool), clients));

verifies("DOC-2", "toolWarnings() counts the tools", () => {
  const many = (count: number) => toolWarnings(Array.from({ length: count }, () => PLAIN)).map(({ client }) => client);
  deepEqual(many(CURSOR_TOOLS_MAX), []);
  deepEqual(many(CURSOR_TOOLS_MAX + 1), ["Cursor"]);
  deepEqual(many(VSCODE_TOOLS_MAX + 1), ["Cursor", "VS Code"]);
});

const KEY = `ghp_${"a1".repeat(18)}`;

Deno.test.each([
  { server: { args: ["--token", "abc"] }, found: /args\[1\] of "a"/ },
  { server: { args: ["--api-key=abc"] }, found: /args\[0\] of "a"/ },
  { server: { args: [KEY] }, found: /args\[0\] of "a"/ },
  { server: { url: "https://x.org/?api_key=abc" }, found: /url of "a"/ },
  { server: { url: "https://me:pw@x.org/" }, found: /url of "a"/ },
  { server: { envPassthrough: ["GITHUB_TOKEN"] }, found: /envPassthrough of "a" forwards GITHUB_TOKEN/ },
  { server: { env: { GITHUB_TOKEN: "abc" } }, found: /others may read this file/ },
  { server: { headers: { Authorization: "Bearer abc" } }, found: /others may read this file/ },
])("secretWarnings() finds $server", ({ server, found }) => {
  const forms = [{ servers: [{ name: "a", ...server }] }, { mcpServers: { a: server } }];
  for (const config of forms) {
    const warnings = secretWarnings(config, 0o100644);
    equal(warnings.length, 1);
    match(warnings[0] ?? "", found);
    ok(!warnings[0]?.includes("abc") && !warnings[0]?.includes(KEY));
  }
});

Deno.test.each([
  { args: ["--token", "${TOKEN}"] },
  { args: ["--token", "--verbose"] },
  { args: ["--path=/x", "/data/tokens"] },
  { url: "https://x.org/?api_key=${KEY}" },
  { envPassthrough: ["HTTPS_PROXY"] },
  { env: { GITHUB_TOKEN: "${T}" } },
])("secretWarnings() has nothing to say about %o", (server) => {
  deepEqual(secretWarnings({ servers: [{ name: "a", ...server }] }, 0o100644), []);
});

verifies("DOC-3", "secretWarnings() is content with a file that only its owner may read", () => {
  const config = { servers: [{ name: "a", env: { TOKEN: "abc" } }] };
  deepEqual(secretWarnings(config, 0o100600), []);
  deepEqual(secretWarnings(config, undefined), []);
  equal(secretWarnings(config, 0o100640).length, 1);
  deepEqual(secretWarnings("nothing", 0o100644), []);
});

verifies("DOC-4", "permissionFlags() grants what the config needs and nothing else", () => {
  const text = JSON.stringify({
    servers: [
      { name: "a", command: "npx", env: { K: "${KEY}" }, envPassthrough: ["HTTPS_PROXY"] },
      { name: "b", command: "npx" },
      { name: "c", url: "https://mcp.example.org:8443/x" },
      { name: "d", command: "off", enabled: false },
    ],
  });
  const config = parseConfig(text, { path: "/etc/loom.json", env: () => "x" });
  const place = { configPath: "/etc/loom.json", configText: text, execPath: "/bin/deno", inherited: ["PATH"] };
  const env = "--allow-env=PATH,LOOM_CONFIG,LOOM_DEBUG,NO_COLOR,DENO_DIR,XDG_CACHE_HOME,KEY,HTTPS_PROXY";
  deepEqual(permissionFlags(config, { ...place, os: "linux" }), [
    "--allow-read=/etc/loom.json",
    env,
    "--allow-run=npx,/bin/sh,/bin/kill,ps",
    "--allow-net=mcp.example.org:8443",
  ]);
  deepEqual(permissionFlags(config, { ...place, os: "windows" }).at(2), "--allow-run=npx,/bin/deno,taskkill");
  deepEqual(permissionFlags(config, { ...place, os: "darwin" }).at(2), "--allow-run=npx,/bin/deno,/bin/kill,ps");
  const local = parseConfig(`{"servers":[{"name":"a","command":"x"}]}`, { path: "/etc/loom.json" });
  ok(!permissionFlags(local, { ...place, os: "linux" }).some((flag) => /net|write/.test(flag)));
  deepEqual(variablesIn("${A} ${B:-c} ${A} $D ${1}"), ["A", "B"]);
});

Deno.test.each([
  { standalone: true, mainModule: "file:///x/cli.ts", args: ["--config", "/c.json"] },
  { standalone: false, mainModule: "file:///x/cli.ts", args: ["run", "-A", "/x/cli.ts", "--config", "/c.json"] },
  { standalone: false, mainModule: "file:///C:/x/cli.ts", args: ["run", "-A", "C:/x/cli.ts", "--config", "/c.json"] },
  {
    standalone: false,
    mainModule: "https://jsr.io/@loom/cli/1.0.0/cli.ts",
    args: ["run", "-A", "jsr:@loom/cli", "--config", "/c.json"],
  },
])("loomCommand() of $mainModule", ({ standalone, mainModule, args }) => {
  const program = { standalone, mainModule, execPath: "/bin/deno" };
  deepEqual(loomCommand("/c.json", { program }), { command: "/bin/deno", args });
});

verifies("DOC-1 DOC-4", "loom doctor finds all well, and loom works under the permissions it prints", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const path = `${folder}/loom.json`;
  const cli = await Deno.realPath(new URL("../../cli.ts", import.meta.url));
  const deno = (...args: readonly string[]) =>
    new Deno.Command(Deno.execPath(), { args: [...args], stdin: "null" }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  try {
    await Deno.writeTextFile(path, JSON.stringify({ servers: [tableServer("t")] }));
    const { code, stdout, stderr } = await deno("run", "-A", "--quiet", cli, "doctor", "--config", path);
    equal(code, 0, text(stderr));
    const out = text(stdout);
    match(out, /^engine +ok +answers and is sealed, \d+ ms to start$/m);
    match(out, /^t +ok +3 tools, \d+ ms to start$/m);
    const flags = /^--allow-read=.*$/m.exec(out)?.[0].split(" ") ?? [];
    ok(flags.length >= 3 && !flags.some((flag) => /net|ffi|sys/.test(flag)));
    const sql = "SELECT count(*) AS n FROM {ref}";
    const called = await deno(
      "run",
      "--quiet",
      "--no-prompt",
      ...flags,
      cli,
      "call",
      "t_rows",
      "{}",
      "--sql",
      sql,
      "--config",
      path,
    );
    equal(called.code, 0, text(called.stderr));
    match(text(called.stdout), /\n +n\n1000\n$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("DOC-1", "loom doctor ends in code 1 when a server does not start", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/loom.json`;
  try {
    await Deno.writeTextFile(
      path,
      JSON.stringify({ servers: [tableServer("t"), { name: "gone", command: "/nowhere/x" }] }),
    );
    const cli = new URL("../../cli.ts", import.meta.url).href;
    const args = ["run", "-A", "--quiet", cli, "doctor", "--config", path];
    const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, stdin: "null", stderr: "null" }).output();
    equal(code, 1);
    match(new TextDecoder().decode(stdout), /^gone +FAILED +.*\/nowhere\/x/m);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
