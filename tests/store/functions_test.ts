/** The frozen lists of functions agree with the engine that is pinned. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_TABLE_FUNCTIONS,
  BINDER_FUNCTIONS,
  FROZEN_ENGINE_VERSION,
  REFUSED_FUNCTIONS,
  REFUSED_TABLE_FUNCTIONS,
} from "../../lib/store/functions.ts";
import { GUARDED_FUNCTIONS } from "../../lib/store/guards.ts";
import { verifies } from "../support/verifies.ts";

/** Names of the engine's functions, in lower case. */
async function functionsOf(types: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const sql =
      `SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN (${types}) ORDER BY 1`;
    return (await (await connection.run(sql)).getRows()).map(([name]) => String(name));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const ASK =
  "decide for each whether a query may call it: pure, bounded or interruptible, silent about the host; then add " +
  "it to one of the lists in lib/store/functions.ts";

verifies("GATE-5", "the engine is the one for which the lists were made", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows = await (await connection.run("SELECT version()")).getRows();
  connection.closeSync();
  instance.closeSync();
  equal(rows[0]?.[0], FROZEN_ENGINE_VERSION, `run the attacks and the spill tests again, then ${ASK}`);
});

verifies("GATE-5", "every function of the engine is on exactly one list", async () => {
  const names = await functionsOf("'scalar', 'macro', 'aggregate'");
  ok(names.length > 700);
  deepEqual(names.filter((name) => !ALLOWED_FUNCTIONS.has(name) && !REFUSED_FUNCTIONS.has(name)), [], ASK);
  deepEqual([...ALLOWED_FUNCTIONS].filter((name) => REFUSED_FUNCTIONS.has(name)), []);
  deepEqual([...ALLOWED_FUNCTIONS, ...REFUSED_FUNCTIONS].filter((name) => !names.includes(name)), [], "these are gone");
});

verifies("GATE-5", "every function for FROM is on exactly one list", async () => {
  const names = await functionsOf("'table', 'table_macro'");
  ok(names.length > 80);
  deepEqual(names.filter((name) => !ALLOWED_TABLE_FUNCTIONS.has(name) && !REFUSED_TABLE_FUNCTIONS.has(name)), [], ASK);
  deepEqual([...ALLOWED_TABLE_FUNCTIONS].filter((name) => REFUSED_TABLE_FUNCTIONS.has(name)), []);
  deepEqual(
    [...ALLOWED_TABLE_FUNCTIONS, ...REFUSED_TABLE_FUNCTIONS].filter((name) => !names.includes(name)),
    [],
    "these are gone",
  );
});

verifies(
  "GATE-5",
  "the functions that only the binder knows are called, and the engine does not list them",
  async () => {
    const listed = await functionsOf("'scalar', 'macro', 'aggregate'");
    deepEqual([...BINDER_FUNCTIONS].filter((name) => listed.includes(name)), []);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      for (const name of BINDER_FUNCTIONS) {
        equal((await (await connection.run(`SELECT ${name}([1, 2])`)).getRows()).length, 2, name);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  },
);

Deno.test("every function behind a guard is one that a query may call", () => {
  deepEqual([...GUARDED_FUNCTIONS].filter((name) => !ALLOWED_FUNCTIONS.has(name)), []);
});

Deno.test("functions that change the engine or read the host are refused", () => {
  const refused = "write_log nextval current_setting getvariable sleep_ms json_serialize_sql error set_config".split(
    " ",
  );
  deepEqual(refused.filter((name) => ALLOWED_FUNCTIONS.has(name)), []);
  const tables =
    "enable_logging enable_profiling checkpoint force_checkpoint query query_table glob read_text read_blob " +
    "duckdb_settings duckdb_secrets json_execute_serialized_sql test_all_types histogram_values";
  deepEqual(tables.split(" ").filter((name) => ALLOWED_TABLE_FUNCTIONS.has(name)), []);
});
