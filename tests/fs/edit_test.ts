/** Editing: exact replacements, the diff, dry runs, and changes in between. @module */

import { createHash } from "node:crypto";
import { deepEqual, equal, match } from "node:assert/strict";
import { DIFF_CHARS_MAX, EDITS_MAX } from "../../lib/fs/edit.ts";
import { faultyAccess } from "../support/fs_faults.ts";
import { accesses, createWorld, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const edit = (old_text: string, new_text: string) => ({ old_text, new_text });
const args = (edits: unknown, more = {}) => ({ root: "r", path: "t.txt", edits, ...more });
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

async function worldWith(text: string | Uint8Array): Promise<World> {
  return await createWorld({ before: (place) => place.write("root/t.txt", text) });
}

verifies("FS-23", "edit_file replaces in order and shows a unified diff", async () => {
  using world = await worldWith("one\ntwo\nthree\n");
  Deno.chmodSync(world.path("root/t.txt"), 0o700);
  const answer = await world.answer("edit_file", args([edit("two", "zwei\n2"), edit("2\nthree", "drei")]));
  equal(world.read("root/t.txt"), "one\nzwei\ndrei\n");
  equal((Deno.statSync(world.path("root/t.txt")).mode ?? 0) & 0o777, 0o700);
  deepEqual([answer.written, answer.sha256, answer.note], [true, sha("one\nzwei\ndrei\n"), null]);
  const lines = String(answer.diff).split("\n").filter((line) => /^[-+ @]/.test(line));
  deepEqual(lines, ["--- t.txt", "+++ t.txt", "@@ -1,3 +1,3 @@", " one", "-two", "-three", "+zwei", "+drei"]);
});

verifies("FS-23", "edit_file with dry_run shows the diff and writes nothing", async () => {
  using world = await worldWith("one\n");
  const answer = await world.answer("edit_file", args([edit("one", "two")], { dry_run: true }));
  match(String(answer.diff), /-one\n\+two/);
  deepEqual([answer.written, answer.sha256, world.read("root/t.txt")], [false, sha("one\n"), "one\n"]);
});

verifies("FS-23", "edit_file makes all edits or none, and says which is wrong", async () => {
  const text = "a b a\nx\n\u00e4\u00e4\u00e4\n";
  using world = await worldWith(text);
  const refused = (...edits: readonly unknown[]) => world.refusal("edit_file", args(edits));
  match(
    await refused(edit("x", "y"), edit("nope", "z")),
    /^edit 2: old_text does not occur in 't\.txt': read the file again/,
  );
  match(await refused(edit("a", "c")), /^edit 1: old_text occurs more than once in 't\.txt' \(lines 1, 1\)/);
  match(await refused(edit("\u00e4\u00e4", "c")), /occurs more than once in 't\.txt' \(lines 3, 3\)/);
  match(await refused(edit("", "c")), /^edit 1: old_text is empty/);
  match(await refused(), /"edits" must have at least 1 item, got 0/);
  match(await refused({ old_text: "x" }), /"edits\[0\]\.new_text" is missing/);
  match(await refused({ old_text: "x", newText: "y", new_text: "z" }), /unknown argument "newText"/);
  match(await refused(edit("x", "\ud800")), /half of a surrogate pair/);
  equal(world.read("root/t.txt"), text);
});

verifies("FS-23", "edit_file names the first five places of a text that occurs more often", async () => {
  const places = async (count: number) => {
    using world = await worldWith("again\n".repeat(count));
    return /\(lines (.*)\)/.exec(await world.refusal("edit_file", args([edit("again", "x")])))?.[1];
  };
  deepEqual([await places(5), await places(6)], ["1, 2, 3, 4, 5", "1, 2, 3, 4, 5"]);
});

verifies("FS-23", "edit_file names line ends as the reason, and keeps those that are there", async () => {
  using world = await worldWith("one\r\ntwo\r\n");
  match(await world.refusal("edit_file", args([edit("one\ntwo", "x")])), /its lines end in \\r\\n/);
  await world.answer("edit_file", args([edit("two", "zwei")]));
  equal(world.read("root/t.txt"), "one\r\nzwei\r\n");
});

verifies("FS-23", "edit_file takes text literally", async () => {
  using world = await worldWith("price: $1 (a+b)\n");
  await world.answer("edit_file", args([edit("$1 (a+b)", "$& $1 \\n $$")]));
  equal(world.read("root/t.txt"), "price: $& $1 \\n $$\n");
});

verifies("FS-23", "edit_file refuses what it could damage", async () => {
  using latin = await worldWith(new Uint8Array([97, 0xfc]));
  match(await latin.refusal("edit_file", args([edit("a", "b")])), /is not UTF-8 text, so an edit would damage it/);
  using binary = await worldWith(new Uint8Array([97, 0]));
  match(await binary.refusal("edit_file", args([edit("a", "b")])), /is binary/);
  using world = await worldWith(`${"x".repeat(1_048_576)}y`);
  match(await world.refusal("edit_file", args([edit("y", "z")])), /more than the 1048576 bytes/);
  match(await world.refusal("edit_file", { ...args([edit("y", "z")]), path: "sub" }), /is a folder/);
  match(await world.refusal("edit_file", { ...args([edit("y", "z")]), path: "nope" }), /does not exist/);
});

verifies("FS-23", "edit_file takes 100 edits, says when they change nothing, and cuts a long diff", async () => {
  using world = await worldWith("x\n");
  equal(
    (await world.answer("edit_file", args(Array(EDITS_MAX).fill(edit("x", "x"))))).note,
    "the edits change nothing",
  );
  match(
    await world.refusal("edit_file", args(Array(EDITS_MAX + 1).fill(edit("x", "x")))),
    /"edits" must have at most 100 items, got 101/,
  );
  const long = await world.answer("edit_file", args([edit("x", "y".repeat(DIFF_CHARS_MAX))], { dry_run: true }));
  equal(String(long.diff).length, DIFF_CHARS_MAX);
  match(String(long.note), /the diff is cut: 50000 of \d+ characters/);
});

verifies("FS-23 FS-22", "edit_file writes nothing when the file changes before it writes", async () => {
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  const held: { world?: World } = {};
  using opened = await createWorld({
    access: faultyAccess(access, (call) => {
      if (call === "create") held.world?.write("root/t.txt", "theirs\n");
      return undefined;
    }),
    before: (place) => place.write("root/t.txt", "one\n"),
  });
  held.world = opened;
  match(await opened.refusal("edit_file", args([edit("one", "two")])), /its content has changed; nothing was written/);
  deepEqual([opened.read("root/t.txt"), opened.names("root")], ["theirs\n", ["a.txt", "sub", "t.txt"]]);
});
