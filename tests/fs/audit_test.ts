/** The audit log: one line a decision, nothing that a name can forge, rotation, and disks that fail. @module */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import type { LoomError } from "../../lib/errors.ts";
import { AUDIT_TEXT_CHARS_MAX, auditLine, auditText, openAudit } from "../../lib/fs/audit.ts";
import { createWorld, Place, usualSettings } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

const AT = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
const silent = () => {};

verifies("FS-32", "auditLine() says time, verdict, root, operation, path and the rule of a refusal", () => {
  equal(
    auditLine({ root: "r", operation: "read", path: "sub/b.txt" }, AT),
    '2026-01-02T03:04:05.006Z ALLOW root=r op=read path="sub/b.txt"',
  );
  equal(
    auditLine({ root: "r", operation: "delete", path: "../x", rule: "confinement" }, AT),
    '2026-01-02T03:04:05.006Z DENY root=r op=delete path="../x" rule=confinement',
  );
  equal(
    auditLine({ root: "no such root", operation: "read", path: "", rule: "root" }, AT),
    '2026-01-02T03:04:05.006Z DENY root="no such root" op=read path="" rule=root',
  );
});

verifies("FS-32", "auditText() escapes all that could break a line, hide or turn the writing direction", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["plain \u00e4 \u65e5 \u{1f600}", '"plain \u00e4 \u65e5 \u{1f600}"'],
    ['a"b\\', '"a\\"b\\\\"'],
    ["a\nb\r\t\0", '"a\\nb\\r\\t\\u0000"'],
    ["\u202ea\u2066\u200f\u061c", '"\\u{202e}a\\u{2066}\\u{200f}\\u{61c}"'],
    ["\u2028\u2029\u0085\u007f", '"\\u{2028}\\u{2029}\\u{85}\\u{7f}"'],
    ["\u001b[31m", '"\\u001b[31m"'],
    ["\ud800", '"\\ud800"'],
    ["\\u{202e}", '"\\\\u{202e}"'],
    ["\u{e0041}", '"\\u{e0041}"'],
  ];
  for (const [text, line] of cases) equal(auditText(text), line);
  equal(auditText("x".repeat(AUDIT_TEXT_CHARS_MAX)).length, AUDIT_TEXT_CHARS_MAX + 2);
  equal(auditText("x".repeat(AUDIT_TEXT_CHARS_MAX + 1)), `"${"x".repeat(AUDIT_TEXT_CHARS_MAX)}\u2026"`);
});

verifies("FS-32", "each resolution is one line, whatever its path holds", async () => {
  using world = await createWorld();
  const forged = "x\n2026-01-01T00:00:00Z ALLOW root=r op=delete path=/etc";
  await world.call("read_file", { root: "r", path: "a.txt" });
  await world.call("read_file", { root: "r", path: forged });
  await world.call("write_file", { root: "ref", path: "../x", content: "" });
  await world.call("move", { root: "r", from: "a.txt", to: ".env" });
  await world.call("search_files", { root: "nope\nALLOW", pattern: "*" });
  await world.call("read_file", { root: "r", path: 42 });
  const lines = world.auditLines().map((line) => line.replace(/^\S+Z /, ""));
  deepEqual(lines, [
    'ALLOW root=r op=read path="a.txt"',
    `ALLOW root=r op=read path="x\\n2026-01-01T00:00:00Z ALLOW root=r op=delete path=/etc"`,
    'DENY root=ref op=write path="../x" rule=permission',
    'ALLOW root=r op=move path="a.txt"',
    'DENY root=r op=move path=".env" rule=pattern',
    'DENY root="nope\\nALLOW" op=search path="" rule=root',
  ]);
});

verifies("FS-33", "the log is rotated before a line would make it too large, and the oldest goes", async () => {
  const line = `${auditLine({ root: "r", operation: "read", path: "a.txt" }, AT)}\n`.length;
  for (
    const [backups, names] of [
      [2, ["audit.log", "audit.log.1", "audit.log.2"]],
      [1, ["audit.log", "audit.log.1"]],
      [0, ["audit.log"]],
    ] as const
  ) {
    using world = await createWorld({
      settings: (top) => ({ ...usualSettings(top), audit_log_max_bytes: 3 * line, audit_log_backups: backups }),
    });
    for (let turn = 0; turn < 3; turn++) await world.call("read_file", { root: "r", path: "a.txt" });
    deepEqual(world.names("log"), ["audit.log"]);
    for (let turn = 3; turn < 10; turn++) await world.call("read_file", { root: "r", path: "a.txt" });
    deepEqual(world.names("log"), names);
    equal(world.auditLines().length, 1);
    for (const name of names.slice(1)) equal(world.auditLines(`log/${name}`).length, 3);
  }
});

verifies("FS-33", "a log that is there already is gone on with, and counts", async () => {
  using world = await createWorld({
    settings: (top) => ({ ...usualSettings(top), audit_log_max_bytes: 100 }),
    before: (place) => place.write("log/audit.log", `${"x".repeat(79)}\n`),
  });
  await world.call("read_file", { root: "r", path: "a.txt" });
  deepEqual(world.names("log"), ["audit.log", "audit.log.1"]);
  equal(world.read("log/audit.log.1").length, 80);
});

verifies("FS-34", "a full disk does not stop the server, and is said once", async () => {
  const said: string[] = [];
  using world = await createWorld({
    settings: (top) => ({ ...usualSettings(top), audit_log: "/dev/full" }),
    onLog: (line) => said.push(line),
  });
  for (let turn = 0; turn < 5; turn++) {
    equal((await world.answer("read_file", { root: "r", path: "a.txt" })).content, "hello\n");
  }
  equal(said.length, 1);
  match(said[0] ?? "", /^error file: the audit log cannot be written, lines are lost: /);
}, { ignore: Deno.build.os !== "linux" });

verifies("FS-34", "a log that works again says how many lines are lost, and ends the one that was cut", () => {
  using place = new Place();
  const said: string[] = [];
  const original = Deno.FsFile.prototype.writeSync;
  let room = Infinity;
  // The disk takes what there is room for, and then nothing.
  Deno.FsFile.prototype.writeSync = function (bytes: Uint8Array): number {
    if (room <= 0) throw new Error("No space left on device (os error 28)");
    const taken = Math.min(room, bytes.length);
    room -= taken;
    return original.call(this, bytes.subarray(0, taken));
  };
  try {
    using audit = openAudit(
      { path: place.path("log/x.log"), maxBytes: 10_000, backups: 1 },
      (_, __, text) => said.push(text),
      () => AT,
    );
    const record = (path: string) => audit.record({ root: "r", operation: "read", path });
    record("one");
    room = 10;
    record("two");
    record("three");
    room = Infinity;
    record("four");
    record("five");
  } finally {
    Deno.FsFile.prototype.writeSync = original;
  }
  const time = "2026-01-02T03:04:05.006Z";
  deepEqual(place.auditLines("log/x.log"), [
    `${time} ALLOW root=r op=read path="one"`,
    time.slice(0, 10),
    `${time} LOST lines=2`,
    `${time} ALLOW root=r op=read path="four"`,
    `${time} ALLOW root=r op=read path="five"`,
  ]);
  deepEqual(said.map((text) => text.replace(/:? No space.*/, "")), [
    "the audit log cannot be written, lines are lost",
    "the audit log is written again; lines lost: 2",
  ]);
});

verifies("FS-34", "a log that cannot be rotated goes on growing, and that is said once", () => {
  using place = new Place();
  const said: string[] = [];
  // A folder stands where the first backup would go.
  place.write("log/x.log.1/in/the/way", "x");
  using audit = openAudit({ path: place.path("log/x.log"), maxBytes: 1, backups: 1 }, (_, __, text) => said.push(text));
  for (let turn = 0; turn < 3; turn++) audit.record({ root: "r", operation: "read", path: "" });
  equal(place.auditLines("log/x.log").length, 3);
  equal(said.length, 1);
  match(said[0] ?? "", /^the audit log cannot be rotated: /);
});

verifies("FS-35", "a log that cannot be opened, or is no file, stops the start and does not wait", async () => {
  const refused = async (audit_log: (top: string) => string, before: (place: Place) => void = silent) => {
    let message = "";
    await rejects(
      createWorld({ before, settings: (top) => ({ ...usualSettings(top), audit_log: audit_log(top) }) }),
      (error: LoomError) => {
        message = error.message;
        return error.code === "CONFIG_INVALID";
      },
    );
    return message;
  };
  match(await refused((top) => `${top}/nowhere/audit.log`), /Cannot open the audit log ".*nowhere\/audit\.log"/);
  match(await refused((top) => `${top}/log`), /neither a regular file nor a character device/);
  const fifo = await refused((top) => `${top}/pipe`, (place) => {
    new Deno.Command("mkfifo", { args: [place.path("pipe")] }).outputSync();
  });
  match(fifo, /neither a regular file nor a character device/);
  ok(!/root 'r'/.test(fifo));
}, { ignore: Deno.build.os === "windows" });

Deno.test("the log is readable by its owner alone", async () => {
  using world = await createWorld();
  equal((Deno.statSync(world.path("log/audit.log")).mode ?? 0) & 0o077, 0);
});
