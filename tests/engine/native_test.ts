/** DuckDB's shared library loads from a folder of its own, as an executable needs it. @module */

import { equal, match, notEqual } from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { verifies } from "../support/verifies.ts";
import { cacheFolder, layOut, LIBRARY_NAMES } from "../../lib/engine/native.ts";

const LIBRARY = LIBRARY_NAMES[Deno.build.os] ?? "libduckdb.so";

function addonPath(): string {
  const bindings = createRequire(createRequire(import.meta.url).resolve("@duckdb/node-bindings"));
  const arch = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  const platform = Deno.build.os === "windows" ? "win32" : Deno.build.os;
  return bindings.resolve(`@duckdb/node-bindings-${platform}-${arch}/duckdb.node`);
}

/** Runs a script in a Deno of its own and gives what it printed. */
async function run(script: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-lock", "--ext=ts", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  return { ok: success, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

verifies("DIST-6", "loadLibrary() lets an addon that lies alone find its library", async () => {
  const folder = await Deno.makeTempDir();
  try {
    // As an executable extracts it: the addon without what lies beside it.
    const addon = join(folder, "duckdb.node");
    await Deno.copyFile(addonPath(), addon);
    const source = join(dirname(addonPath()), LIBRARY);
    const load = `import { createRequire } from "node:module";
      const duckdb = createRequire(import.meta.url)(${JSON.stringify(addon)});
      console.log(duckdb.library_version());`;
    const alone = await run(load);
    notEqual(alone.ok, true);
    match(alone.text, /duckdb/);
    const module = new URL("../../lib/engine/native.ts", import.meta.url).href;
    const preload = `const { loadLibrary } = await import(${JSON.stringify(module)});
      await loadLibrary(${JSON.stringify(source)}, ${JSON.stringify(folder)});`;
    const loaded = await run(`${preload}\n${
      load.replace("import { createRequire }", "const { createRequire }").replace(
        `from "node:module"`,
        `= await import("node:module")`,
      )
    }`);
    equal(loaded.ok, true, loaded.text);
    match(loaded.text, /^v\d+\.\d+\.\d+/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("DIST-6", "loadEmbeddedLibrary() finds the library of this system by the addon's package", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const module = new URL("../../lib/engine/native.ts", import.meta.url).href;
    // As in an executable, with a cache folder of its own.
    const env = Deno.build.os === "windows" ? "LOCALAPPDATA" : Deno.build.os === "darwin" ? "HOME" : "XDG_CACHE_HOME";
    const loaded = await run(`
      Object.defineProperty(Deno, "build", { value: { ...Deno.build, standalone: true } });
      const { loadEmbeddedLibrary, cacheFolder } = await import(${JSON.stringify(module)});
      Deno.env.set(${JSON.stringify(env)}, ${JSON.stringify(folder)});
      await loadEmbeddedLibrary();
      const parent = cacheFolder({ os: Deno.build.os, env: (name) => Deno.env.get(name) });
      for await (const { name } of Deno.readDir(parent + "/loom")) console.log(name);
    `);
    equal(loaded.ok, true, loaded.text);
    match(loaded.text, /^duckdb-\d{7,}\n$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("DIST-6", "layOut() keeps a whole copy, and writes one that is missing or cut short again", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const source = join(folder, "lib.so");
    await Deno.writeTextFile(source, "library");
    const path = await layOut(source, folder);
    const { ino, mode } = await Deno.stat(path);
    if (Deno.build.os !== "windows") equal((mode ?? 0) & 0o077, 0);
    equal(await layOut(source, folder), path);
    equal((await Deno.stat(path)).ino, ino);
    await Deno.writeTextFile(path, "lib");
    equal(await layOut(source, folder), path);
    equal(await Deno.readTextFile(path), "library");
    const names = await Array.fromAsync(Deno.readDir(dirname(path)), ({ name }) => name);
    equal(names.length, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test.each([
  { os: "linux", env: { HOME: "/h" }, folder: "/h/.cache" },
  { os: "linux", env: { HOME: "/h", XDG_CACHE_HOME: "/c" }, folder: "/c" },
  { os: "darwin", env: { HOME: "/h" }, folder: "/h/Library/Caches" },
  { os: "windows", env: { LOCALAPPDATA: "C:\\L" }, folder: "C:\\L" },
  { os: "linux", env: {}, folder: undefined },
])("cacheFolder() on $os with $env is $folder", ({ os, env, folder }) => {
  equal(cacheFolder({ os, env: (name) => (env as Record<string, string>)[name] }), folder);
});
