/** Reading: listings, whole files, ranges of lines, what is refused, and what a cut says. @module */

import { createHash } from "node:crypto";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { LINE_SCAN_BYTES_MAX, LIST_ENTRIES_MAX } from "../../lib/fs/read.ts";
import { Racer } from "../support/fs_racer.ts";
import { accesses, createWorld, type Place, textOf, type World } from "../support/fs_world.ts";
import { faultyAccess } from "../support/fs_faults.ts";
import { verifies } from "../support/verifies.ts";

const read = (world: World, path: string, more = {}) => world.answer("read_file", { root: "r", path, ...more });
const small = (top: string) => ({ roots: [{ name: "r", path: `${top}/root`, role: "reference", max_read_bytes: 20 }] });

verifies("FS-20 FS-18", "read_file gives a text as it is, with its hash and its lines", async () => {
  const texts = [
    "",
    "one",
    "one\n",
    "one\ntwo",
    "a\r\nb\r\n",
    "\ufefftext",
    "\u00fc\u{1f600}\n",
    "\u0007\u001b[31m\n",
    "\n\n",
  ];
  using world = await createWorld();
  for (const text of texts) {
    world.write("root/t.txt", text);
    const answer = await read(world, "t.txt");
    equal(answer.content, text);
    const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
    deepEqual([answer.total_lines, answer.end_line, answer.truncated, answer.note], [lines, lines, false, null]);
    equal(answer.sha256, createHash("sha256").update(text).digest("hex"));
    equal(textOf(await world.call("read_file", { root: "r", path: "t.txt" })), text);
  }
});

verifies("FS-20", "read_file gives the lines that are asked for", async () => {
  using world = await createWorld({ before: (place) => place.write("root/t.txt", "1\n2\n3\n4\n5") });
  const cases: readonly (readonly [Record<string, number>, string, number, number])[] = [
    [{ start_line: 1, end_line: 1 }, "1\n", 1, 1],
    [{ start_line: 2, end_line: 3 }, "2\n3\n", 2, 3],
    [{ start_line: 4 }, "4\n5", 4, 5],
    [{ end_line: 2 }, "1\n2\n", 1, 2],
    [{ start_line: 5, end_line: 99 }, "5", 5, 5],
  ];
  for (const [range, content, start, end] of cases) {
    const answer = await read(world, "t.txt", range);
    deepEqual([answer.content, answer.start_line, answer.end_line], [content, start, end]);
    deepEqual([answer.total_lines, answer.truncated, answer.note], [5, false, null]);
  }
  const beyond = await read(world, "t.txt", { start_line: 6 });
  deepEqual([beyond.content, beyond.start_line, beyond.note], ["", 0, "the file has only 5 lines"]);
  const wrong = (range: Record<string, number>) => world.refusal("read_file", { root: "r", path: "t.txt", ...range });
  match(await wrong({ start_line: 3, end_line: 2 }), /end_line 2 is before start_line 3/);
  match(await wrong({ start_line: 0 }), /"start_line" must be at least 1/);
  match(await wrong({ end_line: 1.5 }), /"end_line" must be a whole number/);
});

verifies(
  "FS-20",
  "read_file reads up to max_read_bytes whole, and beyond by lines that say where to go on",
  async () => {
    using world = await createWorld({ settings: small });
    world.write("root/fits.txt", "123456789\n123456789\n");
    equal((await read(world, "fits.txt")).content, "123456789\n123456789\n");
    world.write("root/large.txt", "123456789\n123456789\n1");
    match(
      await world.refusal("read_file", { root: "r", path: "large.txt" }),
      /'large\.txt' has 21 bytes, more than the 20 that one read of root 'r' gives: .*start_line/,
    );
    const lines = await read(world, "large.txt", { start_line: 2 });
    deepEqual([lines.content, lines.truncated, lines.total_lines], ["123456789\n1", false, 3]);
    const cut = await read(world, "large.txt", { start_line: 1 });
    deepEqual([cut.content, cut.truncated, cut.end_line, cut.sha256], ["123456789\n123456789\n", true, 2, null]);
    match(String(cut.note), /cut at the 20 bytes.*continue with start_line 3/);
    const blocks = (await world.call("read_file", { root: "r", path: "large.txt", start_line: 1 })).content;
    deepEqual(blocks.map(({ text }) => text), [cut.content, `[${cut.note}]`]);
  },
);

verifies("FS-20", "read_file cuts a line that is too long between whole characters", async () => {
  using world = await createWorld({ settings: small });
  world.write("root/long.txt", "\u{1f600}".repeat(10));
  const answer = await read(world, "long.txt", { start_line: 1 });
  deepEqual([answer.content, answer.truncated], ["\u{1f600}".repeat(5), true]);
  world.write("root/long.txt", `x${"\u{1f600}".repeat(10)}`);
  const odd = await read(world, "long.txt", { start_line: 1 });
  equal(odd.content, `x${"\u{1f600}".repeat(4)}`);
  match(String(odd.note), /within line 1, which is longer/);
});

verifies("FS-20", "read_file looks through a bounded part of a file for its lines", async () => {
  using world = await createWorld({
    before(place) {
      place.write("root/large.txt", "first\n");
      // All the rest is one line of letters, which cost nothing to make.
      const file = Deno.openSync(place.path("root/large.txt"), { append: true });
      const letters = new Uint8Array(1 << 20).fill(97);
      for (let done = 0; done < LINE_SCAN_BYTES_MAX; done += letters.length) file.writeSync(letters);
      file.writeSync(new TextEncoder().encode("\nlast"));
      file.close();
    },
  });
  equal((await read(world, "large.txt", { end_line: 1 })).content, "first\n");
  const beyond = await read(world, "large.txt", { start_line: 3 });
  deepEqual([beyond.content, beyond.truncated], ["", true]);
  match(String(beyond.note), /only the first 67108864 bytes of the file were looked through/);
});

verifies("FS-20", "read_file never reads more of a growing file than the limit and a byte", async () => {
  using world = await createWorld({ before: (place) => place.write("root/g.txt", "x") });
  await using racer = new Racer({ kind: "append", path: world.path("root/g.txt") });
  while (racer.steps < 10) await new Promise((resolve) => setTimeout(resolve, 1));
  for (let turn = 0; turn < 50; turn++) {
    const text = textOf(await world.call("read_file", { root: "r", path: "g.txt" }));
    ok(text.length <= 1_048_576);
  }
});

verifies("FS-20 FS-13", "read_file refuses what is no text file, and answers", async () => {
  for (const access of accesses()) {
    using world = await createWorld({
      access,
      before(place: Place) {
        place.write("root/b.bin", new Uint8Array([0, 1, 2]));
        place.write("root/late.bin", new Uint8Array(4_096).fill(97).with(4_095, 0));
        place.write("root/text.txt", new Uint8Array(4_097).fill(97).with(4_096, 0));
        place.write("root/utf16.txt", new Uint8Array([0xff, 0xfe, 97, 0]));
        new Deno.Command("mkfifo", { args: [place.path("root/pipe")] }).outputSync();
        place.write("root/sparse.bin", "");
        Deno.truncateSync(place.path("root/sparse.bin"), 1_099_511_627_776);
      },
    });
    using socket = Deno.listen({ transport: "unix", path: world.path("root/socket") });
    const refused = (path: string, more = {}) => world.refusal("read_file", { root: "r", path, ...more });
    equal(socket.addr.transport, "unix");
    for (const path of ["b.bin", "late.bin", "utf16.txt"]) match(await refused(path), /is binary/, path);
    match((await read(world, "text.txt")).content as string, /a\0$/);
    for (const path of ["pipe", "socket"]) match(await refused(path), /is not a regular file/, path);
    equal(await refused("sub"), "'sub' is a folder");
    equal(await refused(""), "'.' is a folder");
    equal(await refused("nope"), "'nope' does not exist");
    match(await refused("sparse.bin"), /has 1099511627776 bytes/);
    match(await refused("sparse.bin", { start_line: 1 }), /is binary/);
  }
}, { ignore: Deno.build.os === "windows" });

verifies("FS-20", "read_file says when bytes are not UTF-8", async () => {
  using world = await createWorld({ before: (place) => place.write("root/latin", new Uint8Array([97, 0xfc, 10])) });
  const answer = await read(world, "latin");
  equal(answer.content, "a\ufffd\n");
  match(String(answer.note), /not UTF-8 are shown as U\+FFFD, so do not write this text back/);
});

verifies("FS-15", "read_file and list_directory say what the system refused, without its own words", async () => {
  const [access] = accesses();
  if (access === undefined) throw new Error("no access");
  const said: Record<string, RegExp> = {
    EACCES: /^'a\.txt' is not accessible to the user this server runs as$/,
    EIO: /^'a\.txt' could not be used \(EIO\)$/,
    EMFILE: /too many files are open; try again/,
  };
  for (const [code, message] of Object.entries(said)) {
    using world = await createWorld({ access: faultyAccess(access, (call) => call === "file" ? code : undefined) });
    match(await world.refusal("read_file", { root: "r", path: "a.txt" }), message);
  }
  using world = await createWorld({ access: faultyAccess(access, (call) => call === "stat" ? "EACCES" : undefined) });
  match(await world.refusal("read_file", { root: "r", path: "a.txt" }), /is not accessible/);
  match(await world.refusal("read_file", { root: "r", path: ".env" }), /matches deny pattern/);
});

interface Told {
  readonly entries: readonly Record<string, unknown>[];
  readonly truncated: boolean;
  readonly note: string | null;
}

const list = async (world: World, path = "") =>
  await world.answer("list_directory", { root: "r", path }) as unknown as Told;

verifies("FS-19 FS-10", "list_directory gives what is there, sorted, and nothing that is denied", async () => {
  using world = await createWorld({
    before(place) {
      for (const name of [".env", ".git/x", "k.pem", "B", "\u00e4", "a b\n"]) place.write(`root/${name}`, "x");
      place.link("nowhere", "root/link");
      Deno.utimeSync(place.path("root/a.txt"), 0, 0.25);
    },
  });
  const { entries, truncated, note } = await list(world);
  deepEqual(entries.map(({ name, kind, size }) => [name, kind, size]), [
    ["B", "file", 1],
    ["a b\n", "file", 1],
    ["a.txt", "file", 6],
    ["link", "link", null],
    ["sub", "folder", null],
    ["\u00e4", "file", 1],
  ]);
  equal(entries[2]?.modified, "1970-01-01T00:00:00.250Z");
  deepEqual([truncated, note], [false, null]);
  deepEqual((await list(world, "sub")).entries.map(({ name }) => name), ["b.txt"]);
  equal(await world.refusal("list_directory", { root: "r", path: "nope" }), "'nope' does not exist");
  match(await world.refusal("list_directory", { root: "r", path: "a.txt" }), /is not a folder/);
});

verifies("FS-19", "list_directory shows 5,000 entries, and says when there are more", async () => {
  using world = await createWorld({
    before(place) {
      place.write("root/m/0", "");
      for (let index = 1; index < LIST_ENTRIES_MAX; index++) {
        Deno.linkSync(place.path("root/m/0"), place.path(`root/m/${index}`));
      }
      place.write("root/m/.env", "");
    },
  });
  const full = await list(world, "m");
  deepEqual([full.entries.length, full.truncated, full.note], [LIST_ENTRIES_MAX, false, null]);
  world.write("root/m/one-more", "");
  const cut = await list(world, "m");
  deepEqual([cut.entries.length, cut.truncated], [LIST_ENTRIES_MAX, true]);
  match(String(cut.note), /only the first 5000 entries are shown/);
});

verifies("FS-19", "list_directory counts names that are not UTF-8, and none that is denied", async () => {
  using world = await createWorld();
  const script = 'printf x > "$(printf "$0/\\377odd")"; printf x > "$(printf "$0/.env.\\377")"';
  new Deno.Command("sh", { args: ["-c", script, world.path("root")] }).outputSync();
  match(String((await list(world)).note), /^entries whose names are not valid UTF-8 and cannot be shown: 1$/);
}, { ignore: Deno.build.os !== "linux" });
