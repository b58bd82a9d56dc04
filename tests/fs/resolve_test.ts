/** The gate: order of its rules, links of every kind, targets that do not exist yet, and what its messages say. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { LINKS_MAX, LOOKS_MAX } from "../../lib/fs/resolve.ts";
import { accesses, createWorld, type Place, safeAccesses, SECRET, textOf, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const IGNORED = { ignore: Deno.build.os === "windows" };

function each(
  rules: string,
  name: string,
  before: (place: Place) => void,
  check: (world: World) => Promise<void>,
): void {
  for (const access of accesses()) {
    verifies(rules, `${name}, with ${access.opening}`, async () => {
      using world = await createWorld({ access, before });
      const outside = world.outside();
      await check(world);
      equal(world.outside(), outside);
    }, IGNORED);
  }
}

const content = async (world: World, path: string) => (await world.answer("read_file", { root: "r", path })).content;
const refused = (world: World, path: string, tool = "read_file", more = {}) => {
  return world.refusal(tool, { root: "r", path, ...more });
};

verifies(
  "FS-6",
  "the gate asks for permission first, then for confinement, then for patterns, then for the file",
  async () => {
    using world = await createWorld();
    const write = (root: string, path: string) => world.refusal("write_file", { root, path, content: "x" });
    equal(await write("ref", "../outside/.env"), "root 'ref' (role reference) grants [read], not write");
    match(await write("r", "../outside/.env"), /path escapes the root/);
    equal(await write("r", "nope/.env"), "'nope/.env' matches deny pattern '.env'");
    equal(await refused(world, "nope/.env"), "'nope/.env' matches deny pattern '.env'");
    equal(await refused(world, "nope/x"), "'nope/x' does not exist");
    equal(await refused(world, "a.txt/x"), "'a.txt/x' is not a folder, or a part of its path is not one");
    match(
      await world.refusal("read_file", { root: "../r", path: "a.txt" }),
      /there is no root of that name: roots are r, ref/,
    );
  },
);

verifies("FS-6 FS-3", "a narrowed root names what it grants", async () => {
  using world = await createWorld({
    settings: (top) => ({
      roots: [
        { name: "drop", path: `${top}/root`, role: "workspace", permissions: ["write"] },
        { name: "ref", path: `${top}/ref`, role: "workspace", permissions: ["read", "delete"] },
      ],
    }),
  });
  const grants = "root 'drop' (role workspace) grants [write], not";
  equal(await world.refusal("read_file", { root: "drop", path: "a.txt" }), `${grants} read`);
  equal(await world.refusal("delete", { root: "drop", path: "a.txt" }), `${grants} delete`);
  equal(
    await world.refusal("write_file", { root: "ref", path: "x", content: "" }),
    "root 'ref' (role workspace) grants [read, delete], not write",
  );
  ok(!world.server.tools.some(({ name }) => name === "edit_file"), "no root grants read and write together");
});

each("FS-8", "links inside the root are followed, however they are spelled", (place) => {
  place.link("a.txt", "root/file");
  place.link("sub", "root/way");
  place.link("../a.txt", "root/sub/up");
  place.link(place.path("root/sub"), "root/absolute");
  place.link("../../root/sub/b.txt", "root/sub/round");
  place.link(".", "root/self");
  place.link("self/self/way/../file", "root/long");
  for (let index = 0; index < LINKS_MAX - 1; index++) place.link(`chain${index + 1}`, `root/chain${index}`);
  place.link("a.txt", `root/chain${LINKS_MAX - 1}`);
}, async (world) => {
  for (const path of ["file", "sub/up", "self/self/a.txt", "long", "chain0", "absolute/up", "way/up"]) {
    equal(await content(world, path), "hello\n", path);
  }
  for (const path of ["way/b.txt", "absolute/b.txt", "sub/round", "self/way/b.txt"]) {
    equal(await content(world, path), "world\n", path);
  }
});

each("FS-8", "links that lead out are refused, whatever they lead through", (place) => {
  place.link(place.path("outside/secret.txt"), "root/file");
  place.link("../outside", "root/way");
  place.link("way", "root/again");
  place.link("again/secret.txt", "root/chain");
  place.link(place.path("root-evil"), "root/twin");
  place.write("root-evil/x.txt", SECRET);
  place.link("/", "root/slash");
  place.link("/proc/self/root/etc/hostname", "root/magic");
  place.link("sub/../../outside/secret.txt", "root/climb");
  place.link("/dev/stdin", "root/stdin");
  place.link("../../../../../../../../../..", "root/top");
  place.link("../ref/doc.md", "root/other");
}, async (world) => {
  const out = [
    "file",
    "way/secret.txt",
    "again/secret.txt",
    "chain",
    "twin/x.txt",
    "slash",
    "slash/etc/passwd",
    "magic",
    "climb",
    "stdin",
    "top",
    "top/etc/passwd",
    "other",
    "way/nope/x",
  ];
  for (const path of out) {
    match(await refused(world, path), /^path escapes the root: /, path);
    match(await refused(world, path, "list_directory"), /^path escapes the root: /, path);
    match(await refused(world, path, "write_file", { content: "X" }), /^path escapes the root: /, path);
    match(await refused(world, path, "create_directory"), /^path escapes the root: /, path);
    match(await refused(world, path, "delete"), /^path escapes the root: /, path);
    match(await world.refusal("move", { root: "r", from: path, to: "x" }), /^path escapes the root: /, path);
    match(await world.refusal("move", { root: "r", from: "a.txt", to: path }), /^path escapes the root: /, path);
  }
});

each("FS-8", "a chain of more links than are followed, and one that never ends, are errors", (place) => {
  for (let index = 0; index <= LINKS_MAX; index++) place.link(`chain${index + 1}`, `root/chain${index}`);
  place.write(`root/chain${LINKS_MAX + 1}`, "x");
  place.link("two", "root/one");
  place.link("one", "root/two");
}, async (world) => {
  equal(await content(world, "chain1"), "x");
  match(await refused(world, "chain0"), /is or became a link/);
  match(await refused(world, "one"), /is or became a link/);
  match(await refused(world, "one/x"), /is or became a link/);
});

each("FS-8", "links that are long and crooked are followed up to a number of names", (place) => {
  const crooked = (count: number, end: string) => `${"sub/../".repeat(count)}${end}`;
  for (let index = 0; index < 9; index++) place.link(crooked(500, `l${index + 1}`), `root/l${index}`);
  place.link("a.txt", "root/l9");
}, async (world) => {
  // Each link is 500 looks at sub and one at the next link.
  equal(LOOKS_MAX, 4_096);
  equal(await content(world, "l1"), "hello\n");
  match(await refused(world, "l0"), /is or became a link/);
});

each("FS-8 FS-10", "patterns are asked of the names that a link leads to", (place) => {
  place.write("root/.ssh/config", "K");
  place.write("root/.env", "K");
  place.link(".ssh", "root/pub");
  place.link(".env", "root/plain");
  place.link("a.txt", "root/x.pem");
}, async (world) => {
  equal(await refused(world, "pub/config"), "'pub/config' matches deny pattern '.ssh'");
  equal(await refused(world, "pub", "list_directory"), "'pub' matches deny pattern '.ssh'");
  equal(await refused(world, "plain"), "'plain' matches deny pattern '.env'");
  equal(await refused(world, "plain", "delete"), "'plain' matches deny pattern '.env'");
  equal(await refused(world, "x.pem"), "'x.pem' matches deny pattern '*.pem'");
});

each("FS-9", "what does not exist yet is judged by the part that does", (place) => {
  place.link("../outside/new.txt", "root/dangling");
  place.link("../outside", "root/way");
  place.link("made/later.txt", "root/later");
}, async (world) => {
  for (const path of ["dangling", "dangling/x", "way/x/y/new.txt"]) {
    match(await refused(world, path, "write_file", { content: "X" }), /^path escapes the root: /, path);
  }
  equal((await world.answer("write_file", { root: "r", path: "x/y/new.txt", content: "X" })).created, true);
  equal(world.read("root/x/y/new.txt"), "X");
  equal((await world.answer("write_file", { root: "r", path: "later", content: "L" })).path, "made/later.txt");
  equal(world.read("root/made/later.txt"), "L");
});

each(
  "FS-9",
  "a root that is a link, a root with odd characters and the path through either spelling work",
  () => {},
  async (world) => {
    for (const name of ["with space", "100%25", "\u00fcn\u00efc\u00f6de", "new\nline", "a'b\"c"]) {
      world.folder(name);
      world.write(`${name}/x.txt`, "inside");
      world.link(world.path(name), `${name}-link`);
      world.link(`${world.path(name)}-link/x.txt`, `${name}/spelled`);
      world.link(`${world.path(name)}/x.txt`, `${name}/real`);
      using other = await createWorld({
        settings: () => ({ roots: [{ name: "r", path: `${world.path(name)}-link`, role: "workspace" }] }),
      });
      for (const path of ["x.txt", "spelled", "real"]) equal(await content(other, path), "inside", `${name} ${path}`);
      match(await refused(other, `../${name}/x.txt`), /path escapes the root/);
    }
  },
);

Deno.test("the root of the file system can be a root", async () => {
  using world = await createWorld({ settings: () => ({ roots: [{ name: "all", path: "/", role: "reference" }] }) });
  const path = world.path("root/a.txt").slice(1);
  equal((await world.answer("read_file", { root: "all", path })).content, "hello\n");
  world.link("/", "root/slash");
  equal(
    (await world.answer("read_file", { root: "all", path: path.replace("a.txt", `slash/${path}`) })).content,
    "hello\n",
  );
  match(await world.refusal("read_file", { root: "all", path: "../etc/passwd" }), /path escapes the root/);
});

verifies("FS-15", "no message holds a path of the host, not even one that was sent", async () => {
  using world = await createWorld({
    before(place) {
      place.link(place.path("outside/secret.txt"), "root/l");
      place.folder("root/full");
    },
  });
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ["read_file", { path: `${world.top}/root/a.txt` }],
    ["read_file", { path: `${world.top}/outside/secret.txt` }],
    ["read_file", { path: "l" }],
    ["read_file", { path: "nope" }],
    ["read_file", { path: "sub" }],
    ["list_directory", { path: "a.txt" }],
    ["write_file", { path: "sub", content: "x" }],
    ["write_file", { path: "a.txt/x", content: "x" }],
    ["create_directory", { path: "a.txt" }],
    ["delete", { path: "nope" }],
    ["move", { from: "a.txt", to: "sub" }],
    ["move", { from: "full", to: "full/in" }],
    ["search_files", { pattern: `${world.top}/*` }],
  ];
  for (const [tool, args] of calls) {
    const text = await world.refusal(tool, { root: "r", ...args });
    ok(!text.includes(world.top), `${tool}: ${text}`);
    ok(!text.includes("/proc/"), `${tool}: ${text}`);
  }
});

verifies("FS-11", "a root that is replaced by a link after the start leads nowhere else", async () => {
  for (const access of accesses()) {
    using world = await createWorld({ access });
    const outside = world.outside();
    Deno.renameSync(world.path("root"), world.path("root.old"));
    world.link(world.path("outside"), "root");
    for (const path of ["secret.txt", "a.txt"]) {
      ok(!textOf(await world.call("read_file", { root: "r", path })).includes("SECRET"), access.opening);
    }
    await world.call("write_file", { root: "r", path: "new.txt", content: "x" });
    await world.call("delete", { root: "r", path: "secret.txt" });
    await world.call("create_directory", { root: "r", path: "made" });
    equal(world.outside(), outside, access.opening);
    deepEqual(world.names("outside"), ["secret.txt"]);
  }
}, IGNORED);

verifies("FS-14 FS-8", "a hard link to a file outside is one more name: read, but never written through", async () => {
  for (const access of safeAccesses()) {
    using world = await createWorld({
      access,
      before: (place) => Deno.linkSync(place.path("outside/secret.txt"), place.path("root/h")),
    });
    equal(await content(world, "h"), SECRET);
    const result = await world.call("write_file", { root: "r", path: "h", content: "CHANGED" });
    match(textOf(result), /other names \(hard links\); they keep the old content/);
    deepEqual([world.read("root/h"), world.read("outside/secret.txt")], ["CHANGED", SECRET]);
    equal((await world.answer("write_file", { root: "r", path: "h", content: "AGAIN" })).note, null);
  }
}, IGNORED);

Deno.test("property: whatever is asked is inside the root or refused", async () => {
  using world = await createWorld({
    before(place) {
      place.link("../outside", "root/out");
      place.link("sub", "root/in");
      place.link(place.path("outside/secret.txt"), "root/sub/s");
    },
  });
  const words = [
    "..",
    ".",
    "",
    "a.txt",
    "sub",
    "in",
    "out",
    "s",
    "secret.txt",
    "outside",
    "root",
    "\u2024\u2024",
    "b.txt",
    "~",
  ];
  const outside = world.outside();
  for (let turn = 0; turn < 2_000; turn++) {
    const count = 1 + Math.floor(Math.random() * 6);
    const path = Array.from({ length: count }, () => words[Math.floor(Math.random() * words.length)]).join("/");
    const tool = ["read_file", "list_directory"][turn % 2] ?? "";
    const text = textOf(await world.call(tool, { root: "r", path }));
    ok(!text.includes("SECRET") && !text.includes('"secret.txt"'), `${tool} ${path}: ${text}`);
  }
  equal(world.outside(), outside);
});
