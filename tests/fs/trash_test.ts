/** Deleting: everything goes to the trash of its root, nothing meets there, and what is denied stays. @module */

import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { refuseDeniedInside, SUBTREE_DEPTH_MAX } from "../../lib/fs/subtree.ts";
import { deleteEntry, TRASH_FOLDERS_PER_INSTANT_MAX } from "../../lib/fs/trash.ts";
import { Gate } from "../../lib/fs/resolve.ts";
import { openRoots } from "../../lib/fs/roots.ts";
import { NO_AUDIT } from "../../lib/fs/audit.ts";
import { accesses, createWorld, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const erase = (world: World, path: string) => world.answer("delete", { root: "r", path });
const refused = (world: World, path: string) => world.refusal("delete", { root: "r", path });

for (const access of accesses()) {
  verifies("FS-25", `delete moves to the trash and says where and how back, with ${access.opening}`, async () => {
    using world = await createWorld({ access });
    world.link("a.txt", "root/link");
    world.link("nowhere", "root/sub/dangling");
    const answer = await erase(world, "sub/b.txt");
    match(String(answer.trash), /^\.mcp-trash\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(-\d+)?\/sub\/b\.txt$/);
    equal(world.read(`root/${answer.trash}`), "world\n");
    ok(!world.has("root/sub/b.txt"));
    match(
      String(answer.restore),
      /^A person can move '\.mcp-trash\/.*' in the folder of root 'r' back to 'sub\/b\.txt'/,
    );
    equal(Deno.readLinkSync(world.path(`root/${(await erase(world, "link")).trash}`)), "a.txt");
    equal(world.read("root/a.txt"), "hello\n");
    ok(world.has(`root/${(await erase(world, "sub")).trash}/dangling`));
    deepEqual(world.names("root"), [".mcp-trash", "a.txt"]);
  }, { ignore: Deno.build.os === "windows" });
}

function gateOf(world: World): { readonly gate: Gate } & Disposable {
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  const roots = openRoots(world.server.config, access);
  return {
    gate: new Gate(roots, NO_AUDIT),
    [Symbol.dispose]: () => roots.forEach((root) => root.folder[Symbol.dispose]()),
  };
}

verifies("FS-25", "deletes in one instant do not meet, and a later one does not replace an earlier one", async () => {
  using world = await createWorld();
  using opened = gateOf(world);
  const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  const erased = (text: string) => {
    world.write("root/same.txt", text);
    return deleteEntry(opened.gate.resolve({ root: "r", path: "same.txt", operation: "delete", itself: true }), now)
      .trash;
  };
  const places = ["one", "two", "three"].map(erased);
  const stamp = ".mcp-trash/2026-01-02T03-04-05-006Z";
  deepEqual(places, [`${stamp}/same.txt`, `${stamp}-2/same.txt`, `${stamp}-3/same.txt`]);
  deepEqual(places.map((place) => world.read(`root/${place}`)), ["one", "two", "three"]);
  for (let turn = 4; turn < TRASH_FOLDERS_PER_INSTANT_MAX; turn++) world.folder(`root/${stamp}-${turn}`);
  equal(erased("last"), `${stamp}-${TRASH_FOLDERS_PER_INSTANT_MAX}/same.txt`);
  throws(() => erased("one more"), /too many deletes in one instant/);
  equal(world.read("root/same.txt"), "one more");
});

verifies("FS-26", "a folder that goes deeper than any path of a tool is neither moved nor deleted", async () => {
  using world = await createWorld();
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  let at = access.openRoot(world.path("root")).folder;
  const deepen = (levels: number) => {
    for (let depth = 0; depth < levels; depth++) {
      at.makeFolder("d");
      const next = at.folder(["d"]);
      at[Symbol.dispose]();
      at = next;
    }
  };
  using opened = gateOf(world);
  const look = () =>
    refuseDeniedInside(opened.gate.resolve({ root: "r", path: "d", operation: "delete", itself: true }));
  deepen(SUBTREE_DEPTH_MAX);
  look();
  deepen(1);
  at[Symbol.dispose]();
  throws(look, /holds more than 2048 folders within each other/);
}, { ignore: Deno.build.os !== "linux" });

verifies("FS-26", "refuseDeniedInside() looks through so many entries, and refuses a folder with more", async () => {
  using world = await createWorld({
    before: (place) => ["1", "2", "x/3"].forEach((name) => place.write(`root/d/${name}`, "")),
  });
  using opened = gateOf(world);
  const path = opened.gate.resolve({ root: "r", path: "d", operation: "delete", itself: true });
  refuseDeniedInside(path, 4);
  throws(() => refuseDeniedInside(path, 3), /'d' holds more than 3 entries, too many to look through/);
});

verifies("FS-25", "delete refuses the root, the trash, what is missing, and a trash that is no folder", async () => {
  using world = await createWorld({ before: (place) => place.link(place.path("outside"), "root/out") });
  for (const path of ["", ".", "./", "sub/.."]) {
    match(await refused(world, path), /the root itself can be neither/, path);
  }
  match(await refused(world, "/"), /path escapes the root/);
  match(await refused(world, ".."), /path escapes the root/);
  match(await refused(world, "out"), /path escapes the root/);
  match(await refused(world, ".mcp-trash"), /matches deny pattern '\.mcp-trash'/);
  match(await refused(world, "nope"), /does not exist/);
  for (
    const plant of [
      () => world.link(world.path("outside"), "root/.mcp-trash"),
      () => world.write("root/.mcp-trash", "x"),
    ]
  ) {
    plant();
    match(await refused(world, "a.txt"), /'\.mcp-trash' in this root is not a folder/);
    Deno.removeSync(world.path("root/.mcp-trash"));
  }
  equal(world.read("root/a.txt"), "hello\n");
  deepEqual(world.names("outside"), ["secret.txt"]);
});

verifies(
  "FS-26",
  "a folder that holds something denied is neither deleted nor moved, and which it is stays unsaid",
  async () => {
    using world = await createWorld({
      before(place) {
        place.write("root/proj/deep/er/.env", "K");
        place.write("root/proj/x.txt", "x");
        place.write("root/fine/x.txt", "x");
        place.link(place.path("outside"), "root/fine/link");
      },
    });
    for (
      const message of [await refused(world, "proj"), await world.refusal("move", { root: "r", from: "proj", to: "p" })]
    ) {
      match(message, /^'proj' holds an entry that matches deny pattern, so it stays$/);
    }
    equal(world.read("root/proj/deep/er/.env"), "K");
    await world.answer("move", { root: "r", from: "fine", to: "good" });
    await erase(world, "good");
    await erase(world, "proj/x.txt");
    deepEqual(world.names("outside"), ["secret.txt"]);
  },
);

verifies("FS-26 FS-21", "what a crash left behind is hidden, and keeps no folder from being deleted", async () => {
  using world = await createWorld({ before: (place) => place.write("root/d/.mcp-unfinished-1", "half") });
  deepEqual((await world.answer("list_directory", { root: "r", path: "d" })).entries, []);
  deepEqual((await world.answer("search_files", { root: "r", pattern: "d/*" })).matches, []);
  match(await world.refusal("read_file", { root: "r", path: "d/.mcp-unfinished-1" }), /matches deny pattern/);
  await erase(world, "d");
  ok(!world.has("root/d"));
});

verifies("FS-26", "a folder with a name that is not UTF-8 is looked through as well", async () => {
  using world = await createWorld();
  const make = (name: string) => {
    const script = `mkdir -p "$0/odd"; printf x > "$(printf "$0/odd/${name}")"`;
    new Deno.Command("sh", { args: ["-c", script, world.path("root")] }).outputSync();
  };
  make(".env.\\377");
  match(await refused(world, "odd"), /matches deny pattern/);
  Deno.removeSync(world.path("root/odd"), { recursive: true });
  make("\\377");
  match(String((await erase(world, "odd")).trash), /\/odd$/);
}, { ignore: Deno.build.os !== "linux" });
