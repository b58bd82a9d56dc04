/** Client configs on disk: written whole, kept as a copy, put back. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { verifies } from "../support/verifies.ts";
import { applyToFile, undoFile, writeNewFile } from "../../lib/import/mod.ts";
import { LoomError } from "../../lib/errors.ts";

verifies("IMP-4", "undoFile() keeps its hands off a file that was changed since", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/config`;
    await Deno.writeTextFile(path, "{}");
    deepEqual(await undoFile(path), { kind: "none" });
    const backup = await applyToFile(path, `{"mcpServers":{}}`);
    await Deno.writeTextFile(path, `{"mcpServers":{},"mine":1}`);
    deepEqual(await undoFile(path), { kind: "changed", backups: [await Deno.realPath(backup)] });
    equal(await Deno.readTextFile(path), `{"mcpServers":{},"mine":1}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("IMP-4", "applyToFile() writes through a link and keeps the link", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/real`, "{}");
    await Deno.symlink(`${folder}/real`, `${folder}/link`);
    await applyToFile(`${folder}/link`, `{"a":1}`);
    ok((await Deno.lstat(`${folder}/link`)).isSymlink);
    equal(await Deno.readTextFile(`${folder}/real`), `{"a":1}`);
    deepEqual(await undoFile(`${folder}/link`), { kind: "restored" });
    equal(await Deno.readTextFile(`${folder}/link`), "{}");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("IMP-5", "writeNewFile() makes a file for its owner alone and replaces none", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/new/loom.json`;
    equal(await writeNewFile(path, "{}"), true);
    equal(await writeNewFile(path, "{}"), false, "the same text stands there already");
    if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    const error = await writeNewFile(path, "[]").catch((thrown: unknown) => thrown);
    ok(error instanceof LoomError && error.code === "NAME_TAKEN");
    equal(await Deno.readTextFile(path), "{}");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
