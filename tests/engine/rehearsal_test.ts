import { deepEqual, equal, rejects } from "node:assert/strict";
import { rehearse } from "../../lib/engine/rehearsal.ts";
import type { Store } from "../../lib/store/mod.ts";
import { ingest, rowsOf, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

verifies("ENG-13", "rehearse() stores tables and queries, and leaves nothing of it", () =>
  withStore(async (store) => {
    const rehearsed: number[] = [];
    const watched: Pick<Store, "rehearse" | "query"> = {
      rehearse: async (table) => {
        await store.rehearse(table);
        rehearsed.push(table.rowCount, table.columns.length);
      },
      query: (sql, options) => store.query(sql, options),
    };
    await rehearse(watched);
    deepEqual(rehearsed, [200, 9, 200, 9, 200, 9, 200, 9]);
    deepEqual(store.list(), []);
    await rejects(rowsOf(store, "SELECT * FROM loom_rehearsal"), { code: "DATASET_NOT_FOUND" });
    equal((await ingest(store, tableOf({ a: [1, 2] }))).ref, "ds_crm_users_1");
    deepEqual(await rowsOf(store, "SELECT sum(a) AS sum FROM ds_crm_users_1"), [{ sum: 3 }]);
  }));
