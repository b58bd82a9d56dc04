/** The `loom` command, without a process: what it prints, where, and the code it ends with. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { fakeIo, loom, withConfig } from "./support/cli_rig.ts";
import { main } from "../cli.ts";
import { COMMANDS } from "../lib/commands/mod.ts";
import { withProgress } from "../lib/commands/io.ts";
import { renderTable } from "../lib/commands/table.ts";
import { nearestFew, nearestOf } from "../lib/nearest.ts";
import { fakeServer } from "./support/loom_rig.ts";
import { tableServer } from "./support/table_server.ts";
import { projectText } from "./support/tree.ts";

verifies("CLI-1", "loom --version prints the version of deno.json", async () => {
  const { version } = JSON.parse(await projectText("deno.json"));
  deepEqual(await loom(["--version"]), { code: 0, out: `loom ${version}\n`, err: "" });
});

verifies("CLI-1", "loom help lists every command with its summary", async () => {
  const { code, out } = await loom(["help"]);
  equal(code, 0);
  for (const [name, { summary }] of Object.entries(COMMANDS)) {
    const line = out.split("\n").find((each) => each.startsWith(`  ${name} `));
    ok(line?.endsWith(` ${summary}`), name);
  }
  equal((await loom(["--help"])).out, out);
});

Deno.test("loom help reads as it should", async (t) => {
  const pages = [await loom(["help"])];
  for (const name of Object.keys(COMMANDS)) pages.push(await loom(["help", name]));
  await t.assertSnapshot(pages.map(({ out }) => out).join("\n"));
});

verifies("CLI-1", "loom COMMAND --help says what loom help COMMAND says", async () => {
  for (const name of Object.keys(COMMANDS)) {
    const { code, out } = await loom([name, "--help"]);
    equal(code, 0);
    equal(out, (await loom(["help", name])).out);
    ok(out.includes(COMMANDS[name]?.usage ?? "?"));
  }
});

Deno.test.each([
  { args: ["chek"], says: `Cannot run "chek": there is no such command, the nearest is "check"` },
  { args: ["help", "tool"], says: `Cannot run "tool": there is no such command, the nearest is "tools"` },
  { args: ["toString"], says: `there is no such command` },
  { args: ["--confg", "x"], says: `Cannot read --confg: loom serve knows no such option, the nearest is --config` },
  { args: ["check", "--jsn"], says: `Cannot read --jsn: loom check knows no such option, the nearest is --json` },
  { args: ["check", "--config"], says: `Cannot read --config: it needs a value` },
  { args: ["check", "--json=yes"], says: `Cannot read --json: it takes no value` },
  { args: ["check", "extra"], says: `Cannot read "extra": usage is loom check [--config FILE] [--json]` },
  { args: ["call"], says: `Cannot call: name a tool` },
  { args: ["call", "x", "{"], says: `Cannot read the arguments: expected one JSON object` },
  { args: ["call", "x", "[]"], says: `Cannot read the arguments: expected one JSON object` },
  { args: ["call", "x", "{}", "y"], says: `Cannot read "y": usage is loom call` },
])("loom $args is a wrong use", async ({ args, says }) => {
  const { code, out, err } = await loom(args);
  equal(code, 2);
  equal(out, "");
  ok(err.startsWith(says) || err.includes(says), err);
});

verifies("CLI-2", "an unknown command or option ends in code 2 and names the nearest", async () => {
  const { code, err } = await loom(["tols"]);
  equal(code, 2);
  equal(err, `Cannot run "tols": there is no such command, the nearest is "tools"\nloom help says how it is used\n`);
  equal((await loom(["tools", "--josn"])).code, 2);
});

verifies("CLI-2 CONF-1 CONF-2", "a missing or bad config ends in code 2 and one message on stderr", async () => {
  const missing = await loom(["check", "--config", "/nowhere/loom.json"]);
  equal(missing.code, 2);
  match(missing.err, /^Cannot read the config \/nowhere\/loom\.json: there is no such file/);
  await withConfig({ server: [] }, async (path) => {
    for (const args of [["check"], ["serve"], ["tools"], ["call", "x"], []]) {
      const { code, out, err } = await loom([...args, "--config", path]);
      equal(code, 2);
      equal(out, "");
      match(err, /line 1: server: unknown key: the nearest known one is "servers"/);
    }
  });
});

verifies("CONF-1", "--config wins over LOOM_CONFIG", async () => {
  await withConfig({ servers: [{ name: "flagged", command: "x" }] }, async (flagged) => {
    await withConfig({ servers: [{ name: "variable", command: "x" }] }, async (variable) => {
      const env = { LOOM_CONFIG: variable };
      match((await loom(["check", "--config", flagged], { env })).out, /flagged/);
      match((await loom(["check"], { env })).out, /variable/);
    });
  });
});

verifies("CLI-6", "loom check prints what each server and setting means, and no secrets", async () => {
  const config = {
    servers: [
      { name: "a", command: "npx", args: ["-y", "s3cret"], env: { KEY: "s3cret" }, tools: { deny: ["rm*"] } },
      { name: "b", command: "x", env: { KEY: "${NOPE}" } },
      { name: "c", url: "https://example.org/s3cret", headers: { K: "s3cret" }, tokenThreshold: 500 },
    ],
    mcpServers: { "My-Files": { command: "x", timeout: 5 } },
    queryTimeoutMs: 1234,
  };
  await withConfig(config, async (path) => {
    const { code, out } = await loom(["check", "--config", path]);
    equal(code, 0);
    match(out, /^a +starts +npx \(2 arguments\); threshold 2000, deny rm\*$/m);
    match(out, /^b +disabled +env\.KEY needs the variable NOPE, which is not set$/m);
    match(out, /^c +starts +https:\/\/example\.org; threshold 500$/m);
    match(out, /^queryTimeoutMs +1234$/m);
    match(out, /^note: "My-Files" is called "my_files" here$/m);
    ok(!out.includes("s3cret"));
    const json = await loom(["check", "--json", "--config", path]);
    ok(!json.out.includes("s3cret"));
    const report = JSON.parse(json.out);
    deepEqual(report.servers.map(({ name }: { name: string }) => name), ["a", "b", "c", "my_files"]);
    deepEqual(report.servers[0].env, ["KEY"]);
  });
});

verifies("CLI-7", "loom tools lists the tools as a client would see them", async () => {
  await withConfig({ servers: [tableServer("t"), { name: "gone", command: "/nowhere/server" }] }, async (path) => {
    const { code, out } = await loom(["tools", "--config", path]);
    equal(code, 0);
    const lines = out.trimEnd().split("\n");
    deepEqual(lines.slice(0, 4).map((line) => line.replace(/ {2,}/, "|")), [
      "TOOL|DOES",
      "t_rows|Gives a table.",
      "t_say|Says a text.",
      "t_fail|Fails.",
    ]);
    ok(lines.some((line) => line.startsWith("loom_query ")));
    const json = JSON.parse((await loom(["tools", "--json", "--config", path])).out);
    deepEqual(json.tools[0].inputSchema, { type: "object" });
  });
});

verifies("CLI-8", "loom call prints texts, digits, envelopes and rows", async () => {
  await withConfig({ servers: [tableServer("t")] }, async (path) => {
    const call = (...args: readonly string[]) => loom(["call", ...args, "--config", path]);
    deepEqual(await call("t_say", '{"text":"hello"}'), { code: 0, out: "hello\n", err: "" });
    deepEqual(await call("t_fail", '{"text":"no such thing"}'), { code: 1, out: "", err: "no such thing\n" });
    const raw = await call("t_rows", '{"count":1}', "--json");
    equal(
      raw.out,
      `{"content":[{"type":"text","text":"[{\\"id\\":0,\\"big\\":90071992547409930,\\"city\\":\\"Rome\\"}]"}]}\n`,
    );
    const sql = "SELECT city, count(*) AS n, max(big) AS top FROM {ref} GROUP BY city ORDER BY city";
    const queried = await call("t_rows", "{}", "--sql", sql);
    equal(queried.code, 0);
    match(queried.out, /"kind": "loom_dataset_ref"/);
    deepEqual(queried.out.trimEnd().split("\n").slice(-3).map((line) => line.split(/ +/)), [
      ["city", "n", "top"],
      ["Oslo", "500", "9007199254740993999"],
      ["Rome", "500", "9007199254740993998"],
    ]);
    const small = await call("t_rows", '{"count":1}', "--sql", sql);
    equal(small.code, 1);
    match(small.err, /the call made no dataset/);
    const unknown = await call("t_nothing");
    equal(unknown.code, 1);
    match(unknown.err, /t_nothing/);
  });
});

verifies("CLI-8", "loom call reads its arguments from stdin", async () => {
  await withConfig({ servers: [tableServer("t")] }, async (path) => {
    const { out } = await loom(["call", "t_say", "-", "--config", path], { stdin: '{"text":"from stdin"}' });
    equal(out, "from stdin\n");
  });
});

verifies("CLI-8", "loom call takes arguments over several lines, and shows numbers as they are written", async () => {
  await withConfig({ servers: [tableServer("t")] }, async (path) => {
    const args = '{\r\n  "text":\n    "over lines"\n}';
    equal((await loom(["call", "t_say", args, "--config", path])).out, "over lines\n");
    const sql = "SELECT 1.10::DECIMAL(9,2) AS price, 2 AS n";
    const { out } = await loom(["call", "loom_query", JSON.stringify({ sql }), "--config", path]);
    ok(/^ *1\.10 +2$/m.test(out), out);
  });
});

verifies("CLI-8", "loom call shows structured content digit for digit", async () => {
  await withConfig({ servers: [fakeServer("a")] }, async (path) => {
    const result = '{"content":[],"structuredContent":{"id":9007199254740993,"price":1.10,"huge":1e400,"zero":-0}}';
    const { out } = await loom(["call", "a_fixed", JSON.stringify({ result }), "--config", path]);
    equal(out, '{\n  "id": 9007199254740993,\n  "price": 1.10,\n  "huge": 1e400,\n  "zero": -0\n}\n');
  });
});

verifies("CLI-5", "loom call escapes what could reach a terminal, and only there", async () => {
  await withConfig({ servers: [tableServer("t")] }, async (path) => {
    const args = ["call", "t_say", '{"text":"\\u001b[31mred\\nline"}', "--config", path];
    equal((await loom(args, { terminalColumns: 80 })).out, "\\u001b[31mred\nline\n");
    equal((await loom(args)).out, "\x1b[31mred\nline\n");
  });
});

verifies("CLI-2 CLI-7", "a command whose servers all fail ends in code 1 and says why", async () => {
  await withConfig({ servers: [{ name: "gone", command: "/nowhere/server" }] }, async (path) => {
    for (const command of [["tools"], ["call", "gone_x"]]) {
      const { code, out, err } = await loom([...command, "--config", path]);
      equal(code, 1);
      equal(out, "");
      match(err, /"gone".*\/nowhere\/server/);
    }
  });
});

verifies(
  "CLI-1 CLI-2",
  "loom fs --check prints what the roots mean, and a bad or missing file ends in code 2",
  async () => {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      const roots = `${folder}/roots.toml`;
      await Deno.mkdir(`${folder}/data`);
      await Deno.writeTextFile(
        roots,
        `[[roots]]\nname = "data"\npath = ${JSON.stringify(`${folder}/data`)}\nrole = "reference"\n`,
      );
      const { code, out } = await loom(["fs", "--check", "--config", roots]);
      equal(code, 0);
      match(out, /data +reference \[read\]/);
      const missing = await loom(["fs"]);
      equal(missing.code, 2);
      match(missing.err, /name the roots with --config/);
      await Deno.writeTextFile(roots, `[[roots]]\nnmae = "data"\n`);
      const bad = await loom(["fs", "--check", "--config", roots]);
      equal(bad.code, 2);
      match(bad.err, /nmae/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
  // The C library stays open as long as the process runs.
  { sanitizeResources: false },
);

Deno.test("main() ends in code 1 for what nobody foresaw, in one line", async () => {
  const io = fakeIo({}, [], []);
  const err: string[] = [];
  const failing = {
    ...io,
    env: () => {
      throw new Error("the disk is on fire");
    },
    remark: (text: string) => void err.push(text),
  };
  equal(await main(["check"], { ...failing, env: (name) => name === "LOOM_DEBUG" ? undefined : failing.env() }), 1);
  deepEqual(err, ["Failed: the disk is on fire\n"]);
});

verifies("CONF-9 CLI-1", "loom schema prints a JSON Schema", async () => {
  const { code, out } = await loom(["schema"]);
  equal(code, 0);
  equal(JSON.parse(out).properties.queryTimeoutMs.default, 30_000);
});

verifies("CLI-4", "help, check and schema load neither engine nor SDK", async () => {
  const info = new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "cli.ts"],
    cwd: new URL("..", import.meta.url),
    stderr: "null",
  });
  const graph = JSON.parse(new TextDecoder().decode((await info.output()).stdout));
  // Everything that is reached without a lazy import.
  const modules = new Map<string, readonly string[]>(graph.modules.map((module: GraphModule) => [
    module.specifier,
    (module.dependencies ?? []).filter(({ isDynamic, code }) => !isDynamic && code).map(({ code }) =>
      code?.specifier ?? ""
    ),
  ]));
  const reached = (roots: readonly string[]) => {
    const seen = new Set<string>();
    const visit = (specifier: string) => {
      if (seen.has(specifier)) return;
      seen.add(specifier);
      for (const next of modules.get(specifier) ?? []) visit(next);
    };
    roots.forEach(visit);
    return [...seen];
  };
  const of = (...paths: readonly string[]) => reached(paths.map((path) => new URL(`../${path}`, import.meta.url).href));
  const heavy = /duckdb|modelcontextprotocol|\/lib\/(store|records|envelope|tools|engine|gateway|fs)\//;
  deepEqual(of("cli.ts", "lib/commands/check.ts", "lib/commands/schema.ts").filter((path) => heavy.test(path)), []);
  ok(of("lib/commands/serve.ts").some((path) => path.endsWith("/lib/engine/mod.ts")));
  // What the relay runs, DuckDB and the worker's parts never.
  const worker = /duckdb|\/lib\/(store|records|envelope|tools)\//;
  deepEqual(of("lib/commands/serve.ts").filter((path) => worker.test(path)), []);
});

/** One module of `deno info --json`. */
interface GraphModule {
  readonly specifier: string;
  readonly dependencies?: readonly { readonly isDynamic?: boolean; readonly code?: { readonly specifier?: string } }[];
}

verifies("CLI-5", "withProgress() says what is waited for after a second, and not before", async () => {
  const err: string[] = [];
  const io = fakeIo({}, [], err);
  equal(await withProgress(io, "Short", Promise.resolve(1)), 1);
  equal(err.length, 0);
  const slow = Promise.withResolvers<number>();
  const answering = (text: string) => {
    err.push(text);
    slow.resolve(2);
  };
  const waited = withProgress({ ...io, remark: answering }, "Long work", slow.promise);
  equal(await waited, 2);
  deepEqual(err, ["Long work …\n"]);
});

verifies("CLI-5", "renderTable() aligns columns, escapes control characters and colours only when asked", () => {
  equal(renderTable(["NAME", "N"], [["a", "5"], ["long name", "12"]]), "NAME        N\na           5\nlong name  12\n");
  equal(renderTable(["A"], [["\x1b[31mred\nline"]]), "A\n\\u001b[31mred\\u000aline\n");
  equal(renderTable(["A", "B"], [["x", "y".repeat(50)]], { columns: 30 }), `A  B\nx  ${"y".repeat(26)}…\n`);
  ok(renderTable(["A"], [], { colours: true }).includes("\x1b[1mA"));
});

Deno.test("nearestOf() takes the closest without regard to case", () => {
  equal(nearestOf("Comand", ["args", "command", "cwd"]), "command");
  equal(nearestOf("x", []), undefined);
  equal(nearestOf("a".repeat(1_000_000), ["aa", "b"]), "aa");
  deepEqual(nearestFew("ab", ["x", "abc", "AB"], 2), ["AB", "abc"]);
});
