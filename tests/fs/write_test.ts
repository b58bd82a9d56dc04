/** Writing: all or nothing at every point of failure, modes, hashes, folders and moves. @module */

import { createHash } from "node:crypto";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { READ_BYTES_MAX } from "../../lib/fs/config.ts";
import type { FileAccess } from "../../lib/fs/folder.ts";
import { WRITE_BYTES_MAX } from "../../lib/fs/write.ts";
import { faultyAccess, NthFails } from "../support/fs_faults.ts";
import { accesses, createWorld, textOf, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const write = (world: World, path: string, content: string, more = {}) => {
  return world.answer("write_file", { root: "r", path, content, ...more });
};
const mode = (world: World, path: string) => (Deno.statSync(world.path(path)).mode ?? 0) & 0o777;

function each(rules: string, name: string, check: (world: World, access: FileAccess) => Promise<void>): void {
  for (const access of accesses()) {
    verifies(rules, `${name}, with ${access.opening}`, async () => {
      using world = await createWorld({ access });
      await check(world, access);
    }, { ignore: Deno.build.os === "windows" });
  }
}

each("FS-21", "write_file makes and replaces files, and keeps their mode", async (world) => {
  deepEqual(await write(world, "new.txt", "\ufeffn\u00e4w\r\n"), {
    root: "r",
    path: "new.txt",
    created: true,
    bytes: 9,
    sha256: sha("\ufeffn\u00e4w\r\n"),
    created_folders: [],
    note: null,
  });
  equal(world.read("root/new.txt"), "\ufeffn\u00e4w\r\n");
  Deno.chmodSync(world.path("root/a.txt"), 0o750);
  equal((await write(world, "a.txt", "")).created, false);
  deepEqual([world.read("root/a.txt"), mode(world, "root/a.txt")], ["", 0o750]);
  deepEqual((await write(world, "x/y/z.txt", "z")).created_folders, ["x", "x/y"]);
  deepEqual(world.files("root"), ["a.txt", "new.txt", "sub/b.txt", "x/y/z.txt"]);
});

each("FS-21 FS-13", "write_file refuses what is no writable file", async (world) => {
  new Deno.Command("mkfifo", { args: [world.path("root/pipe")] }).outputSync();
  Deno.chmodSync(world.path("root/sub/b.txt"), 0o444);
  const refused = (path: string, content = "x") => world.refusal("write_file", { root: "r", path, content });
  equal(await refused("sub"), "'sub' is a folder");
  equal(await refused(""), "'.' is a folder");
  match(await refused("pipe"), /is not a regular file/);
  match(await refused("sub/b.txt"), /is marked read-only/);
  match(await refused("a.txt/x"), /is not a folder/);
  match(await refused("x".repeat(256)), /name or path that is too long/);
  match(await refused("s.txt", "\ud800"), /half of a surrogate pair/);
  match(await refused("new/"), /path ends in '\/', so it names a folder/);
  deepEqual(world.files("root"), ["a.txt", "pipe", "sub/b.txt"]);
});

verifies("FS-21", "write_file takes 1,000,000 bytes and no more", async () => {
  using world = await createWorld();
  equal((await write(world, "full", "x".repeat(WRITE_BYTES_MAX))).bytes, WRITE_BYTES_MAX);
  const refused = (content: string) => world.refusal("write_file", { root: "r", path: "a.txt", content });
  match(await refused("x".repeat(WRITE_BYTES_MAX + 1)), /1000001 bytes are more than the 1000000 of one write/);
  match(await refused("\u00fc".repeat(WRITE_BYTES_MAX / 2) + "x"), /are more than/);
  equal(world.read("root/a.txt"), "hello\n");
});

each("FS-22", "write_file with expected_sha256 writes only over what was seen", async (world) => {
  equal((await write(world, "a.txt", "one", { expected_sha256: sha("hello\n") })).sha256, sha("one"));
  equal((await write(world, "a.txt", "two", { expected_sha256: sha("one").toUpperCase() })).sha256, sha("two"));
  const refused = (path: string) =>
    world.refusal("write_file", { root: "r", path, content: "X", expected_sha256: sha("one") });
  match(await refused("a.txt"), /its content has changed; nothing was written, so read it again/);
  match(await refused("nope.txt"), /it does not exist any more/);
  match(
    await world.refusal("write_file", { root: "r", path: "a.txt", content: "X", expected_sha256: "abc" }),
    /64 hexadecimal/,
  );
  deepEqual([world.read("root/a.txt"), world.files("root")], ["two", ["a.txt", "sub/b.txt"]]);
});

verifies("FS-22", "write_file compares files up to the largest size that any root reads", async () => {
  using world = await createWorld();
  const zeros = new Uint8Array(1 << 20);
  const hash = createHash("sha256");
  for (let done = 0; done < READ_BYTES_MAX; done += zeros.length) hash.update(zeros);
  const args = { root: "r", path: "z", content: "new", expected_sha256: hash.digest("hex") };
  world.write("root/z", "");
  Deno.truncateSync(world.path("root/z"), READ_BYTES_MAX + 1);
  match(await world.refusal("write_file", args), /its content has changed/);
  Deno.truncateSync(world.path("root/z"), READ_BYTES_MAX);
  equal((await world.answer("write_file", args)).sha256, sha("new"));
});

verifies("FS-22", "write_file gives back what somebody wrote at the last instant", async () => {
  const [access] = accesses();
  if (!access?.canExchange) throw new Error("no exchange");
  const held: { world?: World } = {};
  let isWritten = false;
  // Right before the exchange, and after the hash was compared, somebody else writes.
  const late = faultyAccess(access, (call) => {
    if (call === "rename" && !isWritten) held.world?.write("root/a.txt", "theirs");
    isWritten ||= call === "rename";
    return undefined;
  });
  using opened = await createWorld({ access: late });
  held.world = opened;
  const args = { root: "r", path: "a.txt", content: "ours", expected_sha256: sha("hello\n") };
  const result = await opened.call("write_file", args);
  equal(result.isError, true, textOf(result));
  equal(opened.read("root/a.txt"), "theirs");
  deepEqual(opened.files("root"), ["a.txt", "sub/b.txt"]);
}, { ignore: Deno.build.os !== "linux" });

/** What a call does when the system fails it at its n-th step, for every n. */
async function failEverywhere(
  access: FileAccess,
  tool: string,
  args: Record<string, unknown>,
  check: (world: World, failed: boolean, nth: number) => void,
): Promise<void> {
  for (let nth = 1; nth < 100; nth++) {
    const held: { faults?: NthFails } = {};
    using world = await createWorld({ access: faultyAccess(access, (call) => held.faults?.fault(call)) });
    const faults = new NthFails(nth, "ENOSPC");
    held.faults = faults;
    const result = await world.call(tool, { root: "r", ...args });
    const failed = result.isError === true;
    if (failed) ok(!textOf(result).includes(world.top), textOf(result));
    check(world, failed, nth);
    if (!faults.hasFailed) return;
  }
  throw new Error("it never came to an end");
}

each(
  "FS-21",
  "write_file leaves the old content and nothing else, at whatever point the disk fails it",
  async (_, access) => {
    for (const more of [{}, { expected_sha256: sha("hello\n") }]) {
      await failEverywhere(
        access,
        "write_file",
        { path: "a.txt", content: "new content", ...more },
        (world, failed, nth) => {
          equal(world.read("root/a.txt"), failed ? "hello\n" : "new content", `step ${nth}`);
          deepEqual(world.files("root"), ["a.txt", "sub/b.txt"], `step ${nth}`);
        },
      );
    }
    await failEverywhere(access, "write_file", { path: "x/new.txt", content: "new" }, (world, failed, nth) => {
      deepEqual(
        world.files("root"),
        failed ? ["a.txt", "sub/b.txt"] : ["a.txt", "sub/b.txt", "x/new.txt"],
        `step ${nth}`,
      );
    });
  },
);

each("FS-21", "write_file says that the disk is full", async (_, access) => {
  using world = await createWorld({ access: faultyAccess(access, (call) => call === "write" ? "ENOSPC" : undefined) });
  equal(
    await world.refusal("write_file", { root: "r", path: "a.txt", content: "x" }),
    "'a.txt' could not be written: the disk is full",
  );
});

each("FS-24 FS-25", "move and delete lose nothing, at whatever point the disk fails them", async (_, access) => {
  const all = (world: World) => world.files("root").map((file) => file.split("/").at(-1)).sort();
  await failEverywhere(access, "move", { from: "a.txt", to: "x/y/c.txt" }, (world, failed, nth) => {
    deepEqual(all(world), failed ? ["a.txt", "b.txt"] : ["b.txt", "c.txt"], `step ${nth}`);
  });
  await failEverywhere(access, "delete", { path: "sub" }, (world, failed, nth) => {
    deepEqual(all(world), ["a.txt", "b.txt"], `step ${nth}`);
    equal(world.has("root/sub/b.txt"), failed, `step ${nth}`);
  });
});

each("FS-24", "create_directory makes what is missing and leaves what is there", async (world) => {
  const make = (path: string) => world.answer("create_directory", { root: "r", path });
  deepEqual(await make("x/y"), { root: "r", path: "x/y", created: true, created_folders: ["x", "x/y"] });
  deepEqual(await make("x/y"), { root: "r", path: "x/y", created: false, created_folders: [] });
  deepEqual((await make("")).created, false);
  equal(await world.refusal("create_directory", { root: "r", path: "a.txt" }), "'a.txt' exists already");
  match(await world.refusal("create_directory", { root: "r", path: "a.txt/x" }), /is not a folder/);
  match(await world.refusal("create_directory", { root: "r", path: "x/.git" }), /matches deny pattern '\.git'/);
});

each("FS-24", "move renames within the root, replaces nothing, and moves a link itself", async (world) => {
  const move = (from: string, to: string) => world.answer("move", { root: "r", from, to });
  const refused = (from: string, to: string) => world.refusal("move", { root: "r", from, to });
  world.link("a.txt", "root/link");
  deepEqual(await move("a.txt", "x/c.txt"), { root: "r", from: "a.txt", to: "x/c.txt", created_folders: ["x"] });
  equal(world.read("root/x/c.txt"), "hello\n");
  await move("sub", "x/sub");
  equal(world.read("root/x/sub/b.txt"), "world\n");
  await move("link", "x/link");
  equal(Deno.readLinkSync(world.path("root/x/link")), "a.txt");
  equal(await refused("x/c.txt", "x/sub/b.txt"), "'x/sub/b.txt' exists already");
  equal(await refused("x/c.txt", "x/link"), "'x/link' exists already");
  equal(await refused("x/c.txt", "x/c.txt"), "'x/c.txt' exists already");
  equal(await refused("nope", "y"), "'nope' does not exist");
  match(await refused("x", "x/inside"), /cannot be moved into itself/);
  match(await refused("", "y"), /the root itself can be neither moved nor deleted/);
  match(await refused("x", "."), /the root itself/);
  match(await refused("x", "../y"), /path escapes the root/);
  match(await refused("x/c.txt", ".env"), /matches deny pattern '\.env'/);
  deepEqual(world.files("root"), ["x/c.txt", "x/link", "x/sub/b.txt"]);
});

verifies("FS-24", "move keeps what a move of folders could lose: mode, links and content", async () => {
  for (const access of accesses()) {
    using world = await createWorld({ access });
    world.link("../b.txt", "root/sub/in/link");
    Deno.chmodSync(world.path("root/sub/b.txt"), 0o700);
    await world.answer("move", { root: "r", from: "sub", to: "far/away" });
    equal(Deno.readLinkSync(world.path("root/far/away/in/link")), "../b.txt");
    deepEqual([mode(world, "root/far/away/b.txt"), world.read("root/far/away/in/link")], [0o700, "world\n"]);
    ok(!world.has("root/sub"));
  }
}, { ignore: Deno.build.os === "windows" });

verifies("FS-22", "write_file and edit_file in parallel never mix", async () => {
  using world = await createWorld();
  const hash = sha("hello\n");
  const results = await Promise.all(Array.from({ length: 20 }, (_, index) => {
    return world.call("write_file", { root: "r", path: "a.txt", content: `writer ${index}\n`, expected_sha256: hash });
  }));
  equal(results.filter((result) => !result.isError).length, 1);
  match(world.read("root/a.txt"), /^writer \d+\n$/);
});
