/** The gate of queries before two datasets, for its tests. @module */

import { LoomError } from "../../lib/errors.ts";
import { Gate } from "../../lib/store/gate.ts";
import { openParser } from "../../lib/store/instance.ts";

const TABLES = {
  refOf: (name: string) => ["ds_a_1", "ds_b_2"].find((ref) => ref.toLowerCase() === name.toLowerCase()),
  unknown: (name: string) => new LoomError("DATASET_NOT_FOUND", `No dataset is called "${name}"`),
};

/** Runs `test` with a gate that knows `ds_a_1` and `ds_b_2`. */
export async function withGate(
  test: (check: (sql: string) => ReturnType<Gate["check"]>) => Promise<void>,
): Promise<void> {
  const instance = await openParser();
  const gate = await Gate.open(instance);
  try {
    await test((sql) => gate.check(sql, TABLES));
  } finally {
    gate.close();
    instance.closeSync();
  }
}
