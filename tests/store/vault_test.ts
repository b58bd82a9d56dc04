import assert from "node:assert/strict";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { textTable } from "../support/datasets.ts";
import { verifies } from "../support/verifies.ts";

interface Rig {
  readonly path: string;
  readonly warnings: string[];
  readonly open: (changes?: { storePath?: string; memoryBudgetBytes?: number }) => Promise<Store>;
}

async function withFolder(run: (rig: Rig) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "loom-test-" });
  const warnings: string[] = [];
  const path = `${folder}/pinned.duckdb`;
  try {
    await run({
      path,
      warnings,
      open: (changes) =>
        openStore({
          memoryLimit: "512MB",
          memoryBudgetBytes: 1e8,
          queryTimeoutMs: 10_000,
          spillParent: folder,
          exportDir: `${folder}/exports`,
          storePath: path,
          onWarning: (message) => void warnings.push(message),
          ...changes,
        }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const LIMITS = { rowLimit: 100, byteLimit: 100_000 };
const SQL =
  `SELECT 9007199254740993::BIGINT AS id, 1.10::DECIMAL(9,2) AS price, DATE '2026-01-02' AS day, [1, 2] AS list,
  {'a': 1} AS nested, 'ü😀' AS text, NULL AS nothing FROM range(3)`;

verifies(
  "STORE-23",
  "a store file brings pinned datasets back, with types, cells, provenance and refs, and nothing else",
  () =>
    withFolder(async ({ open, warnings }) => {
      const first = await open();
      const provenance = { server: "crm", tool: "users", createdAt: "2026-01-01T00:00:00.000Z", source: "text" };
      await first.ingest(textTable({ name: ["a", "b"] }), { server: "crm", tool: "users", provenance, bytes: 20 });
      await first.materialize("SELECT 1 AS one", { kind: "query" });
      const view = await first.materialize(SQL, { kind: "view", name: "typed" });
      const before = (await first.query(`FROM ${view.ref}`, LIMITS)).rows;
      await first.close();

      const second = await open();
      assert.deepEqual(second.list(), [JSON.parse(JSON.stringify(view))]);
      assert.deepEqual((await second.query(`FROM ${view.ref}`, LIMITS)).rows, before);
      const next = await second.materialize("SELECT 2 AS two", { kind: "view", name: "more" });
      assert.ok(Number(next.ref.split("_").at(-1)) > Number(view.ref.split("_").at(-1)), "numbers go on");
      await assert.rejects(second.materialize("SELECT 1 AS one", { kind: "view", name: "typed" }), {
        code: "NAME_TAKEN",
      });
      await second.close();

      const third = await open();
      assert.deepEqual(third.list().map(({ ref }) => ref), [view.ref, next.ref]);
      await third.close();
      assert.deepEqual(warnings, []);
    }),
);

verifies(
  "STORE-23",
  "a store file is sealed like the engine: it cannot be read by a query, nor anything else",
  () =>
    withFolder(async ({ open, path }) => {
      const store = await open();
      for (
        const sql of [
          `ATTACH '${path}' AS other`,
          `SELECT * FROM read_blob('${path}')`,
          `FROM '${path}'`,
          "FROM loom_datasets",
        ]
      ) {
        await assert.rejects(store.query(sql, LIMITS), { name: "LoomError" }, sql);
      }
      await store.close();
    }),
);

for (
  const [what, spoil, says] of [
    ["no DuckDB file", (path: string) => Deno.writeTextFile(path, "hello ".repeat(2_000)), /no DuckDB file or damaged/],
    ["of another maker", (path: string) => foreignFile(path), /database that loom did not make/],
    ["a folder", (path: string) => Deno.mkdir(path), /store file .*: it is a folder; loom goes on without it/],
  ] as const
) {
  verifies(
    "STORE-24",
    `a store file that is ${what} is told, left alone and done without`,
    () =>
      withFolder(async ({ open, path, warnings }) => {
        await spoil(path);
        const before = (await Deno.stat(path)).isFile ? await Deno.readFile(path) : undefined;
        const store = await open();
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? "", says);
        const view = await store.materialize("SELECT 1 AS one", { kind: "view", name: "kept" });
        assert.equal(store.get(view.ref)?.rowCount, 1);
        await store.close();
        if (before) assert.deepEqual(await Deno.readFile(path), before);
      }),
  );
}

verifies(
  "STORE-24",
  "a store file of a damaged block is told and left alone",
  () =>
    withFolder(async ({ open, path, warnings }) => {
      const store = await open();
      await store.materialize("SELECT range AS n FROM range(50000)", { kind: "view", name: "kept" });
      await store.close();
      const bytes = await Deno.readFile(path);
      bytes.fill(7, 4_096, 12_000);
      await Deno.writeFile(path, bytes);
      const again = await open();
      assert.match(warnings.join("\n"), /no DuckDB file or damaged/);
      await again.close();
    }),
);

verifies(
  "STORE-23",
  "a store file gives as many datasets as the memory budget holds",
  () =>
    withFolder(async ({ open }) => {
      const store = await open();
      for (const name of ["one", "two"]) {
        await store.materialize("SELECT range AS n FROM range(200000)", { kind: "view", name });
      }
      await store.close();
      const small = await open({ memoryBudgetBytes: 2_000_000 });
      assert.equal(small.list().length, 1);
      await small.close();
      const large = await open();
      assert.equal(large.list().length, 2);
      await large.close();
    }),
);

async function foreignFile(path: string): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run("CREATE TABLE other (a INTEGER)");
  connection.closeSync();
  instance.closeSync();
}
