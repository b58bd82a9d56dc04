/** loom-fs as a process: its streams, its end, the permissions that it prints, and what it never loads. @module */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { checkFs, createFsServer, parseFsConfig, runFs } from "../../lib/fs/mod.ts";
import { createWorld, Place, tomlOf, usualSettings } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const CLI = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const MODULE = fileURLToPath(new URL("../../lib/fs/mod.ts", import.meta.url));
const ON_LINUX = { ignore: Deno.build.os !== "linux" };

const request = (id: number, method: string, params: unknown = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const call = (id: number, name: string, args: unknown) => request(id, "tools/call", { name, arguments: args });

interface Ran {
  readonly code: number;
  readonly answers: readonly {
    id: number;
    result?: { structuredContent?: Record<string, unknown>; isError?: boolean };
  }[];
  readonly stderr: string;
}

/** Runs the command with the given flags, writes all of `input`, closes it, and waits for the end. */
async function run(flags: readonly string[], config: string, input: string): Promise<Ran> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--quiet", ...flags, CLI, "fs", "--config", config],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const lines = new TextDecoder().decode(stdout).split("\n");
  equal(lines.pop(), "");
  return { code, answers: lines.map((line) => JSON.parse(line)), stderr: new TextDecoder().decode(stderr) };
}

function placed(settings = usualSettings): Place {
  const place = new Place();
  place.write("roots.toml", tomlOf(settings(place.top)));
  return place;
}

verifies(
  "FS-36 FS-39",
  "loom fs answers what it was asked, ends with its input, and says on stderr what it serves",
  async () => {
    using place = placed();
    const input = request(1, "initialize", { protocolVersion: "2025-11-25" }) +
      call(2, "read_file", { root: "r", path: "a.txt" }) +
      call(3, "search_files", { root: "r", pattern: "*" }) +
      call(4, "write_file", { root: "r", path: "n.txt", content: "n" });
    const { code, answers, stderr } = await run(["-A"], place.path("roots.toml"), input.slice(0, -1));
    equal(code, 0);
    deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3, 4]);
    equal(place.read("root/n.txt"), "n");
    match(stderr, /^info fs: root r: workspace \[read, write, delete\] \/.*\/root$/m);
    match(stderr, /^info fs: root ref: reference \[read\] \/.*\/ref$/m);
    match(stderr, /^info fs: opening files: openat2: the kernel opens every file beneath its root/m);
    match(stderr, /^info fs: serving MCP over stdio; nothing is fetched from the network$/m);
  },
  ON_LINUX,
);

verifies("FS-39 FS-12", "loom fs warns where files are opened by path alone", async () => {
  using place = placed();
  const { code, answers, stderr } = await run(
    [`--allow-read=${place.top}`, `--allow-write=${place.top}`],
    place.path("roots.toml"),
    call(1, "read_file", { root: "r", path: "a.txt" }),
  );
  equal(code, 0, stderr);
  equal(answers[0]?.result?.structuredContent?.content, "hello\n");
  match(stderr, /^warn fs: opening files: best-effort: .* at the right instant can get past$/m);
}, ON_LINUX);

verifies("FS-1", "loom fs starts nothing when the configuration is wrong", async () => {
  using place = placed(() => ({ roots: [{ name: "r", path: "/nowhere/at/all", role: "workspace", allow: [] }] }));
  const { code, answers, stderr } = await run(["-A"], place.path("roots.toml"), request(1, "initialize"));
  deepEqual([code, answers], [2, []]);
  match(stderr, /error fs: +roots\[0\]\.allow: unknown key; did you mean role\?/);
});

verifies("FS-36", "loom fs ends at SIGTERM, after it has answered", async () => {
  using place = placed();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, "fs", "--config", place.path("roots.toml")],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(call(1, "read_file", { root: "r", path: "a.txt" })));
  const reader = child.stdout.getReader();
  match(new TextDecoder().decode((await reader.read()).value), /^\{"jsonrpc":"2\.0","id":1,"result":/);
  child.kill("SIGTERM");
  const { code, signal } = await child.status;
  deepEqual([code, signal], [0, null]);
  await reader.cancel();
  await writer.abort().catch(() => {});
}, ON_LINUX);

verifies(
  "FS-21",
  "a server that is killed while it writes leaves whole files, and nothing that can be seen",
  async () => {
    using place = placed();
    const contents = ["a", "b"].map((letter) => letter.repeat(500_000));
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", CLI, "fs", "--config", place.path("roots.toml")],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    const writes = [...Array(40).keys()].map((n) => {
      return call(n, "write_file", { root: "r", path: "a.txt", content: contents[n % 2] });
    });
    const sent = writer.write(new TextEncoder().encode(writes.join(""))).catch(() => {});
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill("SIGKILL");
    await child.status;
    await sent;
    await reader.cancel();
    await writer.abort().catch(() => {});
    ok(contents.includes(place.read("root/a.txt")));
    const { answers } = await run(["-A"], place.path("roots.toml"), call(1, "list_directory", { root: "r" }));
    const entries = answers[0]?.result?.structuredContent?.entries as readonly { readonly name: string }[];
    deepEqual(entries.map(({ name }) => name), ["a.txt", "sub"]);
  },
  ON_LINUX,
);

verifies(
  "FS-40",
  "loom fs works with exactly the flags that --check prints, without run, net, env and sys",
  async () => {
    using place = placed();
    const text = await checkFs(place.path("roots.toml"));
    const flags = text.split("\n").find((line) => line.trim().startsWith("--allow-ffi="))?.trim().split(" ") ?? [];
    deepEqual(flags.map((flag) => flag.split("=")[0]), ["--allow-ffi", "--allow-read", "--allow-write"]);
    ok(!flags.join(" ").includes(place.path("root,")) && !flags.join(" ").endsWith("/root"), "no root is named");
    const { code, answers, stderr } = await run(
      flags,
      place.path("roots.toml"),
      call(1, "write_file", { root: "r", path: "n.txt", content: "n" }) +
        call(2, "delete", { root: "r", path: "a.txt" }) +
        call(3, "search_files", { root: "r", pattern: "*", contains: "n" }),
    );
    equal(code, 0, stderr);
    deepEqual(answers.map(({ result }) => result?.isError), [undefined, undefined, undefined]);
    match(stderr, /openat2/);
    equal(place.auditLines().length, 3);
  },
  ON_LINUX,
);

verifies(
  "FS-40",
  "checkFs() prints roots, roles, permissions, tools, limits, and what each choice of flags guarantees",
  async () => {
    using place = placed((top) => ({
      ...usualSettings(top),
      deny: ["*.bak"],
      roots: [{ name: "r", path: `${top}/root`, role: "workspace", permissions: ["read", "write"] }],
    }));
    const text = await checkFs(place.path("roots.toml"));
    match(
      text,
      /^ {2}r {2}workspace \[read, write\] {2}.*\/root {2}\(reads up to 1048576 bytes, also denied: \*\.bak\)$/m,
    );
    match(
      text,
      /^Tools +list_roots, list_directory, read_file, search_files, write_file, edit_file, create_directory, move$/m,
    );
    match(text, /^Search +at most 200 matches and 67108864 bytes read$/m);
    match(text, /^Audit log +.*audit\.log \(8388608 bytes, 3 backups\)$/m);
    match(text, /never needed: run, net, env, sys/);
    match(text, /--allow-read and --allow-write do not hold files inside a root/);
    match(text, new RegExp(`--allow-read=[^ ]*${place.path("root")}[^ ]* --allow-write=[^ ]*${place.path("root")}`));
  },
);

verifies("FS-40", "checkFs() quotes paths that a shell or a flag would cut", async () => {
  using place = placed((top) => ({ roots: [{ name: "r", path: `${top}/a b,c'd`, role: "workspace" }] }));
  await rejects(checkFs(place.path("roots.toml")), /does not exist/);
  place.folder("a b,c'd");
  match(await checkFs(place.path("roots.toml")), /'--allow-write=.*\/a b,,c'\\''d'/);
});

interface Graph {
  readonly modules: readonly { readonly specifier: string }[];
}

verifies("FS-41", "the module graph of loom-fs holds no engine and nothing of the proxy", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", MODULE] }).output();
  const graph: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const own = graph.modules.map(({ specifier }) => specifier).filter((each) => each.includes("/lib/"));
  ok(own.length > 20);
  const others = own.map((each) => each.replace(/^.*\/lib\//, "")).filter((each) => !each.startsWith("fs/"));
  deepEqual(others.filter((each) => !each.includes("node_modules")).sort(), [
    "argument_faults.ts",
    "byte_streams.ts",
    "errors.ts",
    "file_errors.ts",
    "log.ts",
    "nearest.ts",
    "rotating_file.ts",
    "writable.ts",
  ]);
  const packages = graph.modules.map(({ specifier }) => specifier).filter((each) => each.includes("npm:"));
  deepEqual(packages.map((each) => each.replace(/^npm:\/?|@[^@]*$/g, "")).sort(), ["diff", "smol-toml", "zod"]);
});

Deno.test("runFs() serves over any streams, in one process", async () => {
  using place = placed();
  const answers: string[] = [];
  const code = await runFs({
    configPath: place.path("roots.toml"),
    readable: ReadableStream.from([new TextEncoder().encode(request(1, "ping"))]),
    writable: new WritableStream({ write: (bytes) => void answers.push(new TextDecoder().decode(bytes)) }),
    log: () => {},
  });
  deepEqual([code, answers], [0, ['{"jsonrpc":"2.0","id":1,"result":{}}\n']]);
});

Deno.test("createFsServer() takes a configuration that came from no file", async () => {
  using world = await createWorld();
  const config = parseFsConfig(tomlOf({ roots: [{ name: "n", path: world.path("root"), role: "reference" }] }));
  using server = await createFsServer(config);
  equal((await server.call("read_file", { root: "n", path: "a.txt" })).content[0]?.text, "hello\n");
  equal((await server.call("delete", { root: "n", path: "a.txt" })).isError, true);
  ok(world.has("root/a.txt"));
});
