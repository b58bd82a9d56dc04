import { equal, match, ok } from "node:assert/strict";
import { messageOf } from "../lib/errors.ts";
import { failureText, fileReason } from "../lib/file_errors.ts";
import { loom } from "./support/cli_rig.ts";
import { verifies } from "./support/verifies.ts";

/** What `work` throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const FOLDER = Deno.makeTempDirSync();
const FILE = `${FOLDER}/file`;
Deno.writeTextFileSync(FILE, "");
globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));

Deno.test.each([
  { what: "no file", work: () => Deno.readTextFileSync(`${FOLDER}/nope`), reason: "it does not exist" },
  { what: "a folder", work: () => Deno.readTextFileSync(FOLDER), reason: "it is a folder" },
  {
    what: "a file within a file",
    work: () => Deno.readTextFileSync(`${FILE}/x`),
    reason: "it is not a folder, or a part of its path is not one",
  },
  {
    what: "a file again",
    work: () => Deno.openSync(FILE, { createNew: true, write: true }),
    reason: "it exists already",
  },
  {
    what: "too long a name",
    work: () => Deno.writeTextFileSync(`${FOLDER}/${"x".repeat(300)}`, ""),
    reason: "it has a name or path that is too long for the file system",
  },
])("fileReason() of $what is plain", ({ work, reason }) => {
  const error = thrownBy(work);
  equal(fileReason(error), reason);
  match(failureText(error), /^"\/.*" [a-z ,]+$/);
});

Deno.test("fileReason() leaves other messages as they are", () => {
  equal(fileReason(new Error("its roof leaks")), "its roof leaks");
  // A program that cannot be started is no file that does not exist.
  const spawning = thrownBy(() => new Deno.Command(`${FOLDER}/nope`).spawn());
  equal(fileReason(spawning), messageOf(spawning));
  equal(failureText("text"), "text");
});

Deno.test("failureText() of a rename names what was to be renamed", () => {
  const error = thrownBy(() => Deno.renameSync(`${FOLDER}/nope`, `${FOLDER}/new`));
  equal(failureText(error), `"${FOLDER}/nope" does not exist`);
});

Deno.test("fileReason() of a code without words says what the system said", () => {
  const error = Object.assign(new Error("Odd Thing happened (os error 99): open '/x'"), { code: "EODD" });
  equal(fileReason(error), "it could not be used: odd Thing happened");
});

verifies("CLI-9", "commands say in words why a file cannot be used", async () => {
  const toml = `${FOLDER}/roots.toml`;
  await Deno.writeTextFile(
    toml,
    `audit_log = "${FOLDER}/none/a.log"\n[[roots]]\nname="r"\npath="/usr"\nrole="reference"\n`,
  );
  const runs = [
    { args: ["check", "--config", FOLDER], says: `Cannot read the config ${FOLDER}: it is a folder` },
    { args: ["fs", "--check", "--config", `${FOLDER}/no.toml`], says: `no.toml": it does not exist` },
    { args: ["fs", "--check", "--config", toml], says: `a.log": its folder does not exist, make it first` },
    { args: ["stats", `${FOLDER}/none`], says: `none": it does not exist` },
    { args: ["stats", FOLDER], says: `"${FOLDER}": it is a folder` },
    { args: ["import", `${FILE}/x.json`], says: "there is no such file" },
    { args: ["import", FOLDER], says: "it is a folder" },
  ];
  for (const { args, says } of runs) {
    const { code, err } = await loom(args);
    ok(code !== 0 && err.includes(says), `${args.join(" ")}: ${err}`);
    ok(!err.includes("os error"), err);
  }
  // The C library, which loom-fs loads for good.
}, { sanitizeResources: false });

Deno.test("failureText() tells what went wrong first when clearing up failed as well", () => {
  equal(failureText(new SuppressedError(new Error("second"), new Error("first"))), "first");
});
