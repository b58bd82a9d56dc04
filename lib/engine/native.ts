/** DuckDB's shared library inside an executable: laid out on disk and loaded before the addon that needs it. @module */

import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** The name of DuckDB's shared library on each system. */
export const LIBRARY_NAMES: Readonly<Record<string, string>> = {
  linux: "libduckdb.so",
  darwin: "libduckdb.dylib",
  windows: "duckdb.dll",
};

/** What the place of the library on disk depends on. */
export interface LibraryPlace {
  readonly os: string;
  readonly env: (name: string) => string | undefined;
}

/** The folder for caches of this user, or undefined when the environment does not say. */
export function cacheFolder({ os, env }: LibraryPlace): string | undefined {
  if (os === "windows") return env("LOCALAPPDATA");
  const home = env("HOME");
  if (os === "darwin") return home === undefined ? undefined : join(home, "Library", "Caches");
  return env("XDG_CACHE_HOME") || (home === undefined ? undefined : join(home, ".cache"));
}

/** The library as it lies in the executable, beside the addon. */
function embeddedLibrary(os: string): string {
  const fromHere = createRequire(import.meta.url);
  const fromBindings = createRequire(fromHere.resolve("@duckdb/node-bindings"));
  const platform = os === "windows" ? "win32" : os;
  const arch = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  const addon = fromBindings.resolve(`@duckdb/node-bindings-${platform}-${arch}/duckdb.node`);
  return join(dirname(addon), LIBRARY_NAMES[os] ?? "libduckdb.so");
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Puts a copy of `source` into a private folder under `parent`, unless a whole one is there.
 *
 * @returns The path of the copy.
 */
export async function layOut(source: string, parent: string): Promise<string> {
  const size = await sizeOf(source);
  const folder = join(parent, "loom", `duckdb-${size}`);
  const path = join(folder, basename(source));
  if (await sizeOf(path) === size) return path;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const beside = `${path}.${crypto.randomUUID()}`;
  // Another process may do the same: each renames a whole copy.
  await Deno.writeFile(beside, await Deno.readFile(source), { mode: 0o700 });
  await Deno.rename(beside, path);
  return path;
}

/**
 * Loads the library at `source` from a real file under `parent`. An addon that asks for a library of this name then
 * finds it in the process, wherever the addon itself lies.
 */
export async function loadLibrary(source: string, parent: string): Promise<void> {
  // Left open: it must stay as long as the addon does.
  Deno.dlopen(await layOut(source, parent), {});
}

/** In an executable, loads DuckDB's library; elsewhere the addon finds it beside itself. */
export async function loadEmbeddedLibrary(): Promise<void> {
  if (!Deno.build.standalone) return;
  const { os } = Deno.build;
  const parent = cacheFolder({ os, env: (name) => Deno.env.get(name) }) ?? await Deno.makeTempDir({ prefix: "loom-" });
  await loadLibrary(embeddedLibrary(os), parent);
}
