/** Tests of lib/store/export.ts. @module */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import { BESIDE_MS_MAX, csvField, FILE_NAME_BYTES_MAX, safeBaseName, writeExport } from "../../lib/store/export.ts";
import { ingest, numbers, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test.each([
  { name: "report", safe: "report.csv" },
  { name: "report.csv", safe: "report.csv" },
  { name: "report.json", safe: "report.csv" },
  { name: "../../etc/passwd", safe: "passwd.csv" },
  { name: "..\\..\\windows\\win.ini", safe: "win.ini.csv" },
  { name: "/etc/cron.d/x", safe: "x.csv" },
  { name: "a:b*c?d|e", safe: "a_b_c_d_e.csv" },
  { name: "new\nline\u001b[31m\u202e", safe: "new_line__31m_.csv" },
  { name: ".hidden", safe: "hidden.csv" },
  { name: "dots...", safe: "dots.csv" },
  { name: "CON", safe: "_CON.csv" },
  { name: "nul.tar", safe: "_nul.tar.csv" },
  { name: "com1", safe: "_com1.csv" },
  { name: "console", safe: "console.csv" },
  { name: "naïve 日本", safe: "naïve 日本.csv" },
  { name: "lone \ud800", safe: "lone _.csv" },
  { name: "..", safe: undefined },
  { name: "", safe: undefined },
  { name: "///", safe: undefined },
  { name: "___", safe: undefined },
])("safeBaseName() of $name is $safe", ({ name, safe }) => equal(safeBaseName(name, "csv"), safe));

verifies("STORE-21", "a name is cut at its bytes between whole characters", () => {
  equal(safeBaseName("x".repeat(FILE_NAME_BYTES_MAX), "csv"), `${"x".repeat(FILE_NAME_BYTES_MAX)}.csv`);
  equal(safeBaseName("x".repeat(FILE_NAME_BYTES_MAX + 1), "csv"), `${"x".repeat(FILE_NAME_BYTES_MAX)}.csv`);
  equal(safeBaseName("日".repeat(41), "json"), `${"日".repeat(40)}.json`);
});

Deno.test.each([
  { text: "plain", field: "plain" },
  { text: "", field: '""' },
  { text: "a,b", field: '"a,b"' },
  { text: 'say "hi"', field: '"say ""hi"""' },
  { text: "a\rb", field: '"a\rb"' },
  { text: "a\nb", field: '"a\nb"' },
  { text: " padded", field: '" padded"' },
  { text: "a;b", field: "a;b" },
])("csvField() of $text is $field", ({ text, field }) => equal(csvField(text), field));

verifies("STORE-22", "CSV and JSON hold every cell exactly, and tell NULL from the empty string", async () => {
  await withStore(async (store, { exports }) => {
    const { ref } = await store.materialize(
      `SELECT * FROM (VALUES (1, 9007199254740993, 'a,"b"' || chr(13), [1, NULL], 1.50), (2, NULL, '', NULL, NULL)) t(n, "big ""x""", s, l, d)`,
      { kind: "query" },
    );
    const csv = await store.export(ref, "csv");
    const text = await Deno.readTextFile(csv.path);
    equal(text, `n,"big ""x""",s,l,d\r\n1,9007199254740993,"a,""b""\r","[1,null]",1.50\r\n2,,"",,\r\n`);
    deepEqual([csv.rows, csv.bytes], [2, new TextEncoder().encode(text).length]);
    const json = await store.export(ref, "json", { filename: "rows" });
    deepEqual(JSON.parse(await Deno.readTextFile(json.path)), [
      { n: 1, 'big "x"': "9007199254740993", s: 'a,"b"\r', l: [1, null], d: 1.5 },
      { n: 2, 'big "x"': null, s: "", l: null, d: null },
    ]);
    equal(json.path, `${await Deno.realPath(exports)}/rows.json`);
    const { ref: empty } = await ingest(store, tableOf({ t: [] }));
    equal(await Deno.readTextFile((await store.export(empty, "json")).path), "[\n]\n");
  });
});

verifies("STORE-22", "an export of many pages keeps the order of the rows", async () => {
  await withStore(async (store) => {
    const count = 50_001;
    const { ref } = await ingest(store, tableOf({ n: numbers(count) }));
    const { path, rows } = await store.export(ref, "csv");
    equal(rows, count);
    equal(await Deno.readTextFile(path), `n\r\n${numbers(count).join("\r\n")}\r\n`);
    const { ref: hidden } = await ingest(store, tableOf({ rowid: numbers(count) }));
    equal((await store.export(hidden, "csv")).rows, count);
  });
});

verifies("STORE-20", "nothing is ever replaced, not even a dangling link, and nothing is left beside", async () => {
  await withStore(async (store, { exports }) => {
    const { ref } = await ingest(store, tableOf({ n: [1] }));
    const taken = (error: unknown) => error instanceof LoomError && error.code === "NAME_TAKEN";
    await store.export(ref, "csv", { filename: "mine" });
    await rejects(store.export(ref, "csv", { filename: "mine" }), taken);
    await rejects(store.export(ref, "csv", { filename: "../mine.csv" }), taken);
    match((await store.export(ref, "csv")).path, /ds_crm_users_1\.csv$/);
    match((await store.export(ref, "csv")).path, /ds_crm_users_1_2\.csv$/);
    await Deno.symlink("/nowhere/at/all", `${exports}/dangling.csv`);
    await rejects(store.export(ref, "csv", { filename: "dangling" }), taken);
    const both = await Promise.allSettled(["same", "same"].map((filename) => store.export(ref, "json", { filename })));
    deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    deepEqual(namesIn(exports), [
      "dangling.csv",
      "ds_crm_users_1.csv",
      "ds_crm_users_1_2.csv",
      "mine.csv",
      "same.json",
    ]);
    await rejects(store.export(ref, "csv", { filename: ".." }), /needs a letter or a digit/);
    await rejects(store.export("ds_no_such_9", "csv"), /No dataset/);
  });
});

// deno-lint-ignore require-yield
async function* broken(): AsyncGenerator<never> {
  await Promise.resolve();
  throw new Error("write '/secret/path/file': No space left on device (os error 28)");
}

verifies(
  "STORE-20",
  "what a killed writer left goes with the next export, and what is being written stays",
  async () => {
    await withStore(async (store, { exports }) => {
      const { ref } = await ingest(store, tableOf({ n: [1] }));
      await Deno.mkdir(exports);
      const ages = { left: BESIDE_MS_MAX + 5_000, written: BESIDE_MS_MAX + 5_000, young: BESIDE_MS_MAX - 5_000 };
      for (const [name, age] of Object.entries(ages)) {
        const path = `${exports}/.loom-export-${name}`;
        await Deno.writeTextFile(path, "[");
        await Deno.utime(path, new Date(Date.now() - age), new Date(Date.now() - age));
      }
      await Deno.symlink("/nonexistent", `${exports}/.loom-export-link`);
      using writer = await Deno.open(`${exports}/.loom-export-written`, { write: true });
      ok(await writer.tryLock(true));
      await store.export(ref, "json");
      deepEqual(namesIn(exports), [
        ".loom-export-link",
        ".loom-export-written",
        ".loom-export-young",
        `${ref}.json`,
      ]);
    });
  },
);

verifies("STORE-20", "whatever fails leaves no file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const target = { ref: "ds_a_b_1", format: "csv", filename: "x" } as const;
    await rejects(writeExport(folder, target, ["n"], broken()), (error: unknown) => {
      ok(error instanceof LoomError && error.code === "EXPORT_FAILED");
      equal(error.message, 'Cannot export to "x.csv": the disk is full; nothing was written');
      return true;
    });
    deepEqual(namesIn(folder), []);
    await Deno.writeTextFile(`${folder}/file`, "");
    await rejects(writeExport(`${folder}/file/sub`, target, ["n"], broken()), /Cannot open the export folder/);
    deepEqual(namesIn(folder), ["file"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

verifies(
  "STORE-20",
  "an export whose caller gives up, or whose dataset is dropped meanwhile, leaves no file",
  async () => {
    await withStore(async (store, { exports }) => {
      const { ref } = await ingest(store, tableOf({ n: numbers(100_000) }));
      await rejects(store.export(ref, "csv", { signal: AbortSignal.abort() }), /gave it up/);
      const exporting = store.export(ref, "csv");
      const dropping = store.drop(ref);
      const outcome = await exporting.then(({ rows }) => rows, () => "failed");
      await dropping;
      ok(outcome === "failed" || outcome === 100_000, String(outcome));
      deepEqual(namesIn(exports), outcome === "failed" ? [] : [`${ref}.csv`]);
    });
  },
);
