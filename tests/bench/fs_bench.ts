/** loom-fs: a search in a tree of 24,300 files of which 300 matter, beside a walk that visits everything. @module */

import { join } from "node:path";
import { createFsServer, parseFsConfig } from "../../lib/fs/mod.ts";
import type { SearchResult } from "../../lib/fs/search.ts";

const PACKAGES = 300;
const FILES_OF_A_PACKAGE = 40;
const USEFUL_FILES = 300;

const top = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "loom-fs-bench-" }));
addEventListener("unload", () => Deno.removeSync(top, { recursive: true }));

/** 12,000 files in node_modules, 12,000 in .venv, and 300 in src. */
function plant(): void {
  for (const noise of ["node_modules", ".venv/lib/site-packages"]) {
    for (let index = 0; index < PACKAGES; index++) {
      const folder = join(top, noise, `package-${index}`);
      Deno.mkdirSync(folder, { recursive: true });
      for (let file = 0; file < FILES_OF_A_PACKAGE; file++) {
        Deno.writeTextFileSync(join(folder, `file-${file}.py`), "x = 1\n");
      }
    }
  }
  for (let file = 0; file < USEFUL_FILES; file++) {
    const folder = join(top, "src", `part-${file % 10}`);
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(join(folder, `file-${file}.py`), `value = ${file}\n`);
  }
}

plant();
const config = parseFsConfig(
  `max_search_results = 1000\n[[roots]]\nname = "r"\npath = ${JSON.stringify(top)}\nrole = "reference"\n`,
);
const server = await createFsServer(config);

async function searched(args: Record<string, unknown>): Promise<SearchResult> {
  const result = await server.call("search_files", { root: "r", ...args });
  if (result.isError) throw new Error(result.content[0]?.text);
  return result.structuredContent as SearchResult;
}

/** What a search does that knows no pruning: every folder is read, and every file is looked at. */
async function visited(folder: string): Promise<number> {
  let found = 0;
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    const info = await Deno.lstat(path);
    if (info.isDirectory) found += await visited(path);
    else if (/\.py$/.test(entry.name)) found++;
  }
  return found;
}

const found = (await searched({ pattern: "*.py" })).matches.length;
if (found !== USEFUL_FILES) throw new Error(`found ${found}`);
if (await visited(top) !== USEFUL_FILES + 2 * PACKAGES * FILES_OF_A_PACKAGE) {
  throw new Error("the tree is not as planned");
}

Deno.bench({
  name: "search_files by name",
  group: "24,300 files",
  baseline: true,
  fn: async () => void await searched({ pattern: "*.py" }),
});
Deno.bench({
  name: "search_files by content",
  group: "24,300 files",
  fn: async () => void await searched({ pattern: "*.py", contains: "value = 299" }),
});
Deno.bench({
  name: "visiting everything",
  group: "24,300 files",
  n: 10,
  warmup: 1,
  fn: async () => void await visited(top),
});
