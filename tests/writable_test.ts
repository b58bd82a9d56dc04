import { deepEqual, doesNotThrow, equal, match, throws } from "node:assert/strict";
import { join } from "node:path";
import { assertAppendable, assertFolder } from "../lib/writable.ts";
import { loom } from "./support/cli_rig.ts";
import { tableServer } from "./support/table_server.ts";
import { verifies } from "./support/verifies.ts";

/** Hands `run` a folder that holds a file, and proves that nothing else is in it afterwards. */
async function withFolder(run: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "file"), "kept");
    await run(folder);
    deepEqual(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["file"]);
    equal(await Deno.readTextFile(join(folder, "file")), "kept");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("assertAppendable() takes a file that is there or can be made, and leaves nothing", () =>
  withFolder((folder) => {
    doesNotThrow(() => assertAppendable(join(folder, "file")));
    doesNotThrow(() => assertAppendable(join(folder, "new")));
    throws(() => assertAppendable(join(folder, "none/new")), /^Error: its folder does not exist, make it first$/);
    throws(() => assertAppendable(join(folder, "file/new")), Deno.errors.NotADirectory);
    throws(() => assertAppendable(folder), /neither a regular file nor a character device/);
  }));

Deno.test("assertFolder() takes a folder that is there or can be made, and makes none", () =>
  withFolder((folder) => {
    doesNotThrow(() => assertFolder(folder));
    doesNotThrow(() => assertFolder(join(folder, "a/b/c")));
    throws(() => assertFolder(join(folder, "file")), /file" is not a folder$/);
    throws(() => assertFolder(join(folder, "file/a/b")), /file" is not a folder$/);
  }));

verifies(
  "CLI-6 LEDG-1",
  "loom check refuses the auditLog that loom serve refuses, in the same words",
  () =>
    withFolder(async (folder) => {
      const servers = [tableServer("t")];
      for (const auditLog of ["none/audit.jsonl", "file/audit.jsonl", "."]) {
        const path = await Deno.makeTempFile();
        await Deno.writeTextFile(path, JSON.stringify({ servers, auditLog: join(folder, auditLog) }));
        const [checked, served] = [await loom(["check", "--config", path]), await loom(["serve", "--config", path])];
        deepEqual([checked.code, checked.out], [2, ""]);
        match(checked.err, /^Cannot open the audit log ".*": it(s folder)? [a-z ,]+\n$/);
        deepEqual(served, checked);
        await Deno.writeTextFile(path, JSON.stringify({ servers, auditLog: join(folder, "new.jsonl") }));
        equal((await loom(["check", "--config", path])).code, 0);
        await Deno.remove(path);
      }
    }),
);

verifies(
  "CLI-6 STORE-24",
  "loom check names the store file and the export folder that loom goes on without",
  () =>
    withFolder(async (folder) => {
      const path = await Deno.makeTempFile();
      const places = { storePath: join(folder, "none/pinned.duckdb"), exportDir: join(folder, "file/exports") };
      await Deno.writeTextFile(path, JSON.stringify({ servers: [tableServer("t")], ...places }));
      const { code, out } = await loom(["check", "--config", path]);
      equal(code, 0);
      match(
        out,
        /^note: storePath cannot be used, loom would run without it: its folder does not exist, make it first$/m,
      );
      match(out, /^note: exportDir cannot be used, loom_export would fail: ".*file" is not a folder$/m);
      equal(JSON.parse((await loom(["check", "--json", "--config", path])).out).notes.length, 2);
      await Deno.remove(path);
    }),
);
