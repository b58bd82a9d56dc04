/** Files beneath a folder: what every way to open them must do, and that none leaves anything open. @module */

import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { strongestAccess } from "../../lib/fs/access.ts";
import { libcAccess } from "../../lib/fs/beneath.ts";
import type { FileAccess, Folder } from "../../lib/fs/folder.ts";
import { SystemError } from "../../lib/fs/refusal.ts";
import { accesses, Place } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

/** The codes that a call may fail with. */
function failsWith(call: () => unknown, ...codes: readonly string[]): void {
  throws(call, (error) => {
    ok(error instanceof SystemError, String(error));
    ok(codes.includes(error.code), `${error.code} is none of ${codes}`);
    return true;
  });
}

function each(rules: string, name: string, check: (folder: Folder, place: Place, access: FileAccess) => void): void {
  for (const access of accesses()) {
    verifies(rules, `a folder opened with ${access.opening} ${name}`, () => {
      using place = new Place();
      using folder = access.openRoot(place.path("root")).folder;
      check(folder, place, access);
    }, { ignore: Deno.build.os === "windows" });
  }
}

const reading = (folder: Folder, parts: readonly string[]) => {
  using file = folder.file(parts);
  const bytes = new Uint8Array(100);
  return new TextDecoder().decode(bytes.subarray(0, file.read(bytes, 0)));
};

each("FS-11", "reads files below it", (folder) => {
  equal(reading(folder, ["a.txt"]), "hello\n");
  equal(reading(folder, ["sub", "b.txt"]), "world\n");
  using file = folder.file(["a.txt"]);
  equal(file.read(new Uint8Array(10), 6), 0);
  equal(file.read(new Uint8Array(3), 4), 2);
  using sub = folder.folder(["sub"]);
  equal(reading(sub, ["b.txt"]), "world\n");
});

each("FS-11", "refuses links wherever they stand", (folder, place) => {
  place.link("a.txt", "root/file");
  place.link("sub", "root/way");
  place.link(place.path("outside"), "root/out");
  for (const parts of [["file"], ["way", "b.txt"], ["out", "secret.txt"]]) {
    failsWith(() => folder.file(parts), "ELOOP", "ENOTDIR");
  }
  failsWith(() => folder.folder(["way"]), "ELOOP", "ENOTDIR");
  failsWith(() => folder.folder(["out"]), "ELOOP", "ENOTDIR");
  failsWith(() => folder.stat(["out", "secret.txt"]), "ELOOP", "ENOTDIR");
  failsWith(() => folder.create("file"), "EEXIST");
  equal(folder.stat(["out"]).kind, "link");
  equal(folder.link(["out"]), place.path("outside"));
  equal(folder.link(["file"]), "a.txt");
});

each("FS-11", "refuses names that would be paths", (folder) => {
  for (const name of ["..", "", "sub/x", "../x", "/x"]) {
    failsWith(() => folder.create(name), "EINVAL");
    failsWith(() => folder.makeFolder(name), "EINVAL");
    failsWith(() => folder.remove(name), "EINVAL");
    failsWith(() => folder.rename("a.txt", folder, name, "replace"), "EINVAL");
  }
  failsWith(() => folder.file(["..", "outside", "secret.txt"]), "EXDEV", "EINVAL");
  failsWith(() => folder.folder([".."]), "EXDEV", "EINVAL");
  failsWith(() => folder.file(["a.txt\0.png"]), "EINVAL");
});

each("FS-13", "recognises what is no regular file and waits for nothing", (folder, place) => {
  new Deno.Command("mkfifo", { args: [place.path("root/pipe")] }).outputSync();
  failsWith(() => folder.file(["pipe"]), "ENOTREG");
  failsWith(() => folder.file(["sub"]), "EISDIR");
  equal(folder.stat(["pipe"]).kind, "other");
  deepEqual(folder.entries().entries.filter(({ kind }) => kind === "other"), [{ name: "pipe", kind: "other" }]);
});

each("FS-11", "tells what an entry is", (folder, place) => {
  Deno.chmodSync(place.path("root/a.txt"), 0o640);
  Deno.linkSync(place.path("root/a.txt"), place.path("root/b"));
  Deno.utimeSync(place.path("root/a.txt"), 1_000, 1_000.5);
  const stat = folder.stat(["a.txt"]);
  deepEqual([stat.kind, stat.size, stat.mode, stat.links, stat.modifiedMs], ["file", 6, 0o640, 2, 1_000_500]);
  equal(folder.stat(["b"]).inode, stat.inode);
  equal(folder.stat([]).kind, "folder");
  failsWith(() => folder.stat(["nope"]), "ENOENT");
  failsWith(() => folder.stat(["nope", "x"]), "ENOENT");
  failsWith(() => folder.stat(["a.txt", "x"]), "ENOTDIR");
  failsWith(() => folder.stat(["x".repeat(300)]), "ENAMETOOLONG");
});

each("FS-11", "makes, renames and removes", (folder, place, access) => {
  {
    using file = folder.create("new");
    file.write(new TextEncoder().encode("abc"), 0);
    file.write(new TextEncoder().encode("X"), 1);
    file.dressAs({ ...file.stat(), mode: 0o604 });
    file.sync();
  }
  equal(place.read("root/new"), "aXc");
  equal((Deno.statSync(place.path("root/new")).mode ?? 0) & 0o777, 0o604);
  failsWith(() => folder.create("new"), "EEXIST");
  folder.makeFolder("made");
  failsWith(() => folder.makeFolder("made"), "EEXIST");
  using made = folder.folder(["made"]);
  folder.rename("new", made, "moved", "keep");
  failsWith(() => folder.rename("a.txt", made, "moved", "keep"), "EEXIST");
  failsWith(() => folder.rename("sub", made, "moved", "keep"), "EEXIST", "ENOTDIR");
  folder.rename("a.txt", made, "moved", "replace");
  equal(place.read("root/made/moved"), "hello\n");
  made.remove("moved");
  deepEqual(place.files("root"), ["sub/b.txt"]);
  folder.rename("sub", made, "sub", "keep");
  equal(place.read("root/made/sub/b.txt"), "world\n");
  if (access.canExchange) {
    folder.create("one")[Symbol.dispose]();
    folder.rename("one", folder, "made", "exchange");
    equal(folder.stat(["one"]).kind, "folder");
  } else failsWith(() => folder.rename("made", folder, "made", "exchange"), "ENOSYS");
});

each("FS-19", "lists names, and apart from them those that are not UTF-8", (folder, place) => {
  place.write("root/\u00fc \n.txt", "x");
  place.write("root/\ufffd", "x");
  place.link("nowhere", "root/dangling");
  const file = new TextEncoder().encode(`${place.path("root")}/`);
  const script = 'printf x > "$(printf "%s\\377odd" "$0")"';
  new Deno.Command("sh", { args: ["-c", script, new TextDecoder().decode(file)] }).outputSync();
  const { entries, unreadable, cut } = folder.entries();
  deepEqual(entries.map(({ name }) => name).sort(), ["a.txt", "dangling", "sub", "\u00fc \n.txt", "\ufffd"]);
  deepEqual(entries.filter(({ kind }) => kind === "link").map(({ name }) => name), ["dangling"]);
  deepEqual([unreadable, cut], [["\ufffdodd"], false]);
  deepEqual(folder.entries().entries.length, 5, "a second listing starts anew");
});

each("FS-19", "reads as many names as are asked for, and says when there are more", (folder) => {
  const counts = (max: number) => {
    const { entries, cut } = folder.entries(max);
    return [entries.length, cut];
  };
  deepEqual([counts(0), counts(1), counts(2), counts(3)], [[0, true], [1, true], [2, false], [2, false]]);
});

each("FS-11", "goes as deep as the system does", (folder, place) => {
  const names = Array.from({ length: 60 }, (_, index) => `folder-with-a-long-name-${String(index).padStart(3, "0")}`);
  let at: Folder = folder.folder([]);
  for (const name of names) {
    at.makeFolder(name);
    const next = at.folder([name]);
    at[Symbol.dispose]();
    at = next;
  }
  at.create("deep")[Symbol.dispose]();
  at[Symbol.dispose]();
  equal(folder.stat([...names, "deep"]).kind, "file");
  place.write("root/a.txt", "still here");
});

Deno.test({
  name: "an opened folder leaves no descriptor behind, whatever fails",
  ignore: Deno.build.os !== "linux",
  fn: () => {
    using place = new Place();
    place.link("sub", "root/way");
    const count = () => [...Deno.readDirSync("/proc/self/fd")].length;
    for (const access of accesses()) {
      using folder = access.openRoot(place.path("root")).folder;
      const before = count();
      for (let turn = 0; turn < 20; turn++) {
        reading(folder, ["sub", "b.txt"]);
        folder.entries();
        folder.stat(["a.txt"]);
        folder.link(["way"]);
        failsWith(() => folder.file(["sub"]), "EISDIR");
        failsWith(() => folder.file(["way", "x", "y"]), "ELOOP", "ENOTDIR");
        failsWith(() => folder.file(["sub", "nope", "x"]), "ENOENT");
        failsWith(() => folder.link(["a.txt"]), "EINVAL", "ENOENT");
        failsWith(() => folder.create("a.txt"), "EEXIST");
      }
      equal(count(), before, access.opening);
    }
  },
});

verifies("FS-11", "strongestAccess() takes openat2 where it can, and each weaker way says what it is", async () => {
  equal((await strongestAccess()).opening, "openat2");
  equal(libcAccess({ walk: true })?.opening, "openat");
  equal(libcAccess({ libc: ["/nowhere/libc.so"] }), undefined);
}, { ignore: Deno.build.os !== "linux" });
