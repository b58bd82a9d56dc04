/** Search: what is found, in which order, what is never looked at, and what each limit says. @module */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { NO_AUDIT } from "../../lib/fs/audit.ts";
import { Gate } from "../../lib/fs/resolve.ts";
import { openRoots } from "../../lib/fs/roots.ts";
import {
  CONTAINS_CHARS_MAX,
  SEARCH_MS_MAX,
  searchFiles,
  type SearchQuery,
  type SearchResult,
} from "../../lib/fs/search.ts";
import { faultyAccess } from "../support/fs_faults.ts";
import { accesses, createWorld, type Place, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const search = async (world: World, args: Record<string, unknown>) => {
  return await world.answer("search_files", { root: "r", ...args }) as unknown as SearchResult;
};
const refused = (world: World, args: Record<string, unknown>) => world.refusal("search_files", { root: "r", ...args });
const paths = (result: SearchResult) => result.matches.map(({ path }) => path);

function tree(place: Place): void {
  for (const name of ["b/c/x.py", "b/x.py", "a/x.py", "x.py", "b/y.txt", "Z.py", ".hidden.py"]) {
    place.write(`root/${name}`, name);
  }
  for (
    const name of ["node_modules/m/x.py", ".venv/x.py", ".git/x.py", "b/__pycache__/x.py", ".env", ".mcp-trash/t/x.py"]
  ) {
    place.write(`root/${name}`, "NEEDLE");
  }
  place.link("x.py", "root/link.py");
  place.link("b", "root/way");
  place.link(place.path("outside"), "root/out");
}

for (const access of accesses()) {
  verifies(
    "FS-29 FS-27 FS-10",
    `search_files walks breadth first and sorted, past links and what is denied, with ${access.opening}`,
    async () => {
      using world = await createWorld({ access, before: tree });
      const all = await search(world, { pattern: "*.py" });
      deepEqual(paths(all), [".hidden.py", "Z.py", "x.py", "a/x.py", "b/x.py", "b/c/x.py"]);
      deepEqual(all.matches[0], { path: ".hidden.py", line: null, preview: null });
      deepEqual([all.truncated, all.note, all.scanned_bytes], [false, null, 0]);
      equal(all.examined_files, 9, "every file that is not denied: a.txt, sub/b.txt, b/y.txt and the six");
      deepEqual(paths(await search(world, { pattern: "b/*.py" })), ["b/x.py"]);
      deepEqual(paths(await search(world, { pattern: "b/**/*.py" })), ["b/x.py", "b/c/x.py"]);
      deepEqual(paths(await search(world, { pattern: "*", contains: "NEEDLE" })), []);
      deepEqual(paths(await search(world, { pattern: "**/secret*" })), []);
    },
  );
}

verifies("FS-28", "search_files enters no folder below which nothing can match, and no denied one", async () => {
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  let listed = 0;
  using world = await createWorld({
    access: faultyAccess(access, (call) => {
      if (call === "entries") listed++;
      return undefined;
    }),
    before: tree,
  });
  const lists = async (pattern: string) => {
    listed = 0;
    await search(world, { pattern });
    return listed;
  };
  equal(await lists("*.py"), 5, "the root, a, b, b/c, sub");
  equal(await lists("b/*.py"), 2);
  equal(await lists("b/c/*"), 3);
  equal(await lists("x.py/*"), 1);
  equal(await lists("node_modules/**"), 1);
});

verifies("FS-30", "search_files finds text byte for byte, once for each file, with its line", async () => {
  using world = await createWorld({
    before(place) {
      place.write("root/t/a.txt", "one\ntwo needle\nneedle again\n");
      place.write("root/t/b.txt", "NEEDLE\n");
      place.write("root/t/c.txt", "\u00fcber\r\nn\u00e4he\r\n");
      place.write("root/t/d.txt", new Uint8Array([0xff, 0x0a, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]));
    },
  });
  const found = await search(world, { pattern: "t/*", contains: "needle" });
  deepEqual(found.matches, [
    { path: "t/a.txt", line: 2, preview: "two needle" },
    { path: "t/d.txt", line: 2, preview: "needle" },
  ]);
  equal(found.scanned_bytes, 28 + 7 + 14 + 8);
  deepEqual((await search(world, { pattern: "*", contains: "n\u00e4he" })).matches, [{
    path: "t/c.txt",
    line: 2,
    preview: "n\u00e4he",
  }]);
  deepEqual(
    paths(await search(world, { pattern: "*", contains: "na\u0308he" })),
    [],
    "another Unicode form is other bytes",
  );
  deepEqual((await search(world, { pattern: "*", contains: "two needle\nneedle" })).matches[0]?.line, 2);
  match(await refused(world, { pattern: "*", contains: "" }), /contains is empty/);
  match(await refused(world, { pattern: "*", contains: "\ud800" }), /half of a surrogate pair/);
  await search(world, { pattern: "*", contains: "x".repeat(CONTAINS_CHARS_MAX) });
  match(await refused(world, { pattern: "*", contains: "x".repeat(CONTAINS_CHARS_MAX + 1) }), /longer than 4096/);
});

verifies("FS-30 FS-31", "search_files counts what is too large and what is binary", async () => {
  using world = await createWorld({
    settings: (top) => ({ roots: [{ name: "r", path: `${top}/root`, role: "reference", max_read_bytes: 5_010 }] }),
    before(place) {
      place.write("root/fits.txt", `${"a".repeat(5_000)}\0NEEDLE\n`);
      place.write("root/large.txt", "a".repeat(5_011));
      place.write("root/b.bin", new Uint8Array(5_000));
      place.write("root/sparse.txt", "");
      Deno.truncateSync(place.path("root/sparse.txt"), 1_099_511_627_776);
    },
  });
  const result = await search(world, { pattern: "*", contains: "NEEDLE" });
  deepEqual(paths(result), ["fits.txt"]);
  deepEqual([result.skipped_too_large, result.skipped_binary, result.truncated], [2, 1, false]);
  equal(result.scanned_bytes, 6 + 6 + 5_008 + 4_096);
});

verifies("FS-31", "search_files says when a limit ended it, and never when the list is complete", async () => {
  using world = await createWorld({
    settings: (top) => ({
      max_search_results: 3,
      max_search_bytes: 40,
      roots: [{ name: "r", path: `${top}/root`, role: "reference" }],
    }),
    before: (place) => ["1", "2", "3"].forEach((name) => place.write(`root/m/${name}`, "x".repeat(10))),
  });
  deepEqual((await search(world, { pattern: "m/*" })).truncated, false);
  const cut = await search(world, { pattern: "*" });
  deepEqual([paths(cut).length, cut.truncated], [3, true]);
  match(String(cut.note), /only the first 3 matches are shown/);
  equal((await search(world, { pattern: "m/*", max_results: 2 })).matches.length, 2);
  deepEqual([(await search(world, { pattern: "m/*", max_results: 1_000_000_000 })).truncated], [false]);
  for (const max_results of [0, -1, 1.5, "3"]) {
    match(await refused(world, { pattern: "*", max_results }), /"max_results" must be /);
  }
  deepEqual((await search(world, { pattern: "m/*", contains: "zz" })).truncated, false);
  const bytes = await search(world, { pattern: "*", contains: "zz" });
  deepEqual([bytes.truncated, bytes.scanned_bytes], [true, 36]);
  match(String(bytes.note), /before more than 40 bytes were read/);
});

/** Runs a search with limits that a call cannot set. */
async function limited(world: World, query: Partial<SearchQuery>): Promise<SearchResult> {
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  const roots = openRoots(world.server.config, access);
  try {
    const path = new Gate(roots, NO_AUDIT).resolve({ root: "r", path: "", operation: "search" });
    return await searchFiles(path, { pattern: "*", maxResults: 100, maxBytes: 1_000, ...query });
  } finally {
    for (const root of roots) root.folder[Symbol.dispose]();
  }
}

verifies("FS-31", "searchFiles() is bounded in names and time, and says so", async () => {
  using world = await createWorld();
  deepEqual((await limited(world, { maxNames: 3 })).note, null);
  const names = await limited(world, { maxNames: 2 });
  deepEqual([names.truncated, names.note], [true, "the search was ended after 2 names"]);
  const clock = (step: number) => {
    let time = 0;
    return () => (time += step) - step;
  };
  deepEqual((await limited(world, { now: clock(1) })).truncated, false);
  const late = await limited(world, { now: clock(SEARCH_MS_MAX + 1) });
  deepEqual([late.truncated, late.note], [true, "the search was ended after 10 seconds"]);
});

verifies("FS-38", "searchFiles() ends when it is aborted", async () => {
  using world = await createWorld();
  let time = 0;
  await rejects(limited(world, { signal: AbortSignal.abort(), now: () => time += 100 }), { name: "AbortError" });
});

verifies("FS-29", "search_files skips what cannot be read, and counts it", async () => {
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  let folders = 0;
  using world = await createWorld({
    access: faultyAccess(access, (call) => call === "folder" && ++folders > 2 ? "EACCES" : undefined),
    before: tree,
  });
  const result = await search(world, { pattern: "*.py" });
  deepEqual(paths(result), [".hidden.py", "Z.py", "x.py"]);
  equal(result.note, "folders and files that could not be read: 3");
  using vanishing = await createWorld({
    access: faultyAccess(access, (call) => call === "file" ? "ENOENT" : undefined),
  });
  deepEqual((await search(vanishing, { pattern: "*", contains: "x" })).note, null);
  using closed = await createWorld({
    access: faultyAccess(access, (call) => call === "folder" ? "EACCES" : undefined),
  });
  match(await refused(closed, { pattern: "*" }), /^'\.' is not accessible/);
});

verifies("FS-27", "search_files refuses patterns with the reason, and matches names in one Unicode form", async () => {
  using world = await createWorld({ before: (place) => place.write("root/prive\u0301.txt", "x") });
  for (const pattern of ["", "/x", "../*", "a/../b", "[abc", "a/"]) {
    match(await refused(world, { pattern }), /^pattern is refused: /);
  }
  deepEqual(paths(await search(world, { pattern: "priv\u00e9*" })), ["prive\u0301.txt"]);
});

verifies("FS-31", "search_files leaves out folders whose path no tool would take, and says so", async () => {
  using world = await createWorld();
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  const root = access.openRoot(world.path("root")).folder;
  let at = root.folder([]);
  for (let depth = 0; depth < 20; depth++) {
    const name = "d".repeat(250);
    at.makeFolder(name);
    const next = at.folder([name]);
    next.create("f")[Symbol.dispose]();
    at[Symbol.dispose]();
    at = next;
  }
  at[Symbol.dispose]();
  root[Symbol.dispose]();
  const result = await search(world, { pattern: "f" });
  equal(result.matches.length, 16);
  ok(result.matches.every(({ path }) => path.length <= 4_096));
  deepEqual([result.truncated, result.note], [true, "folders whose path is too long and were left out: 1"]);
}, { ignore: Deno.build.os !== "linux" });

verifies("FS-31", "search_files names no limit when exactly as many files fit as may be shown", async () => {
  using world = await createWorld({
    before: (place) => [...Array(200).keys()].forEach((n) => place.write(`root/m/${n}`, "")),
  });
  const full = await search(world, { pattern: "m/*" });
  deepEqual([full.matches.length, full.truncated, full.note], [200, false, null]);
  world.write("root/m/200", "");
  const cut = await search(world, { pattern: "m/*" });
  deepEqual([cut.matches.length, cut.truncated], [200, true]);
});
