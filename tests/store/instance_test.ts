/** Tests of lib/store/instance.ts. @module */

import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { LoomError } from "../../lib/errors.ts";
import { assertSealed, memoryBytes, openInstance, threadsFor } from "../../lib/store/instance.ts";
import { openStoreWith } from "../../lib/store/store.ts";
import { verifies } from "../support/verifies.ts";

verifies("STORE-3", "threadsFor() feeds each thread and never goes below one", () => {
  equal(threadsFor(memoryBytes("512MB"), 16), 7);
  equal(threadsFor(memoryBytes("512MB"), 2), 2);
  equal(threadsFor(memoryBytes("1KB"), 8), 1);
  equal(threadsFor(memoryBytes("1.5GB"), 64), 22);
  throws(() => memoryBytes("lots"), /memory limit/);
});

verifies("STORE-1", "openInstance() opens with every lock closed", async () => {
  const folder = await Deno.makeTempDir();
  const instance = await openInstance({ memoryLimit: "128MB", spillFolder: folder });
  const connection = await instance.connect();
  try {
    const names = "enable_external_access, autoinstall_known_extensions, autoload_known_extensions, " +
      "allow_community_extensions, allow_unsigned_extensions, allow_persistent_secrets, allow_unredacted_secrets, " +
      "preserve_insertion_order, lock_configuration, threads";
    const selected = names.split(", ").map((name) => `current_setting('${name}')`).join(", ");
    const rows = await (await connection.run(`SELECT ${selected}`)).getRows();
    deepEqual(rows[0]?.map(String), [...Array(8).fill("false"), "true", "1"]);
    for (const sql of ["SET threads = 4", "SET enable_external_access = true", "LOAD httpfs", "INSTALL httpfs"]) {
      await rejects(connection.run(sql), /locked|disabled/i, sql);
    }
    await rejects(connection.run("COPY (SELECT 1) TO '/tmp/loom-escape.csv'"), /disabled by configuration/);
  } finally {
    connection.closeSync();
    instance.closeSync();
    await Deno.remove(folder, { recursive: true });
  }
});

verifies("STORE-2", "assertSealed() fails on an engine that is open", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await rejects(assertSealed(connection), (error: unknown) => {
      equal(error instanceof LoomError && error.code, "ENGINE_NOT_SEALED");
      match(String(error), /read a file of the host/);
      return true;
    });
    await rejects(
      assertSealed(connection, () => Promise.reject(new Error("IO Error: no such file"))),
      /another reason: IO Error/,
    );
    await assertSealed(
      connection,
      () => Promise.reject(new Error("file system operations are disabled by configuration")),
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

verifies("STORE-2", "openStore() leaves nothing behind when the self-test fails", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const opening = openStoreWith({
      memoryLimit: "64MB",
      memoryBudgetBytes: 1e6,
      queryTimeoutMs: 1_000,
      spillParent: folder,
      exportDir: folder,
    }, { probe: () => Promise.resolve("the file's text") });
    await rejects(opening, (error: unknown) => error instanceof LoomError && error.code === "ENGINE_NOT_SEALED");
    deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
