/** A store whose engine fails at its first, second, third … call: nothing half done, nothing wrong, and it goes on. @module */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { DuckDBConnection } from "@duckdb/node-api";
import { LoomError } from "../../lib/errors.ts";
import type { Store } from "../../lib/store/mod.ts";
import { ingest, numbers, rowsOf, tableOf, withStore } from "../support/open_store.ts";
import { verifies } from "../support/verifies.ts";

/** Counts the calls of the methods that reach the engine, on connections and on what they give, and fails one of them. */
class Saboteur {
  /** Calls until one fails; negative: none does. */
  countdown = -1;
  error = new Error("IO Error: sabotage");

  readonly instrument = (connection: DuckDBConnection): DuckDBConnection => this.#watched(connection);

  #watched<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (!WATCHED.has(String(name))) return member.bind(target);
        return (...args: unknown[]) => {
          if (this.countdown >= 0 && this.countdown-- === 0) throw this.error;
          const result = member.apply(target, args);
          return WRAPPED.has(String(name)) ? Promise.resolve(result).then((made) => this.#watched(made)) : result;
        };
      },
    });
  }
}

const WATCHED = new Set(["run", "prepare", "createAppender", "appendDataChunk", "flushSync", "stream", "fetchChunk"]);
const WRAPPED = new Set(["prepare", "createAppender", "stream"]);

/** Everything that a store does, once. */
const OPERATIONS: readonly { readonly what: string; readonly run: (store: Store) => Promise<unknown> }[] = [
  { what: "ingest", run: (store) => ingest(store, tableOf({ n: numbers(5_000), t: numbers(5_000).map(String) })) },
  { what: "query", run: (store) => rowsOf(store, "SELECT count(*) AS n FROM ds_crm_users_1") },
  { what: "materialize", run: (store) => store.materialize("SELECT n FROM ds_crm_users_1", { kind: "query" }) },
  { what: "sample", run: (store) => store.sample("ds_crm_users_1", 5) },
  { what: "export", run: (store) => store.export("ds_crm_users_1", "csv") },
];

async function failEach(error: Error, code: RegExp): Promise<void> {
  for (const { what, run } of OPERATIONS) {
    for (let n = 0, failed = true; failed; n++) {
      ok(n < 60, `${what} never succeeds`);
      const saboteur = new Saboteur();
      await withStore(
        async (store, { exports }) => {
          await ingest(store, tableOf({ n: numbers(3_000) }));
          saboteur.error = error;
          saboteur.countdown = n;
          const outcome = await run(store).then(() => undefined, (reason: unknown) => reason);
          failed = outcome !== undefined;
          // A call that failed while something was being undone leaves the countdown behind it.
          saboteur.countdown = -1;
          if (failed) {
            ok(outcome instanceof LoomError, `${what} ${n}: ${outcome}`);
            ok(code.test(outcome.code), `${what} ${n}: ${outcome.code}`);
            deepEqual(store.list().map(({ ref }) => ref), ["ds_crm_users_1"], `${what} ${n}`);
            deepEqual(
              await Array.fromAsync(Deno.readDir(exports), ({ name }) => name).catch(() => []),
              [],
              `${what} ${n}`,
            );
          }
          const tables = (await rowsOf(store, "SHOW TABLES")).map(({ name }) => name);
          deepEqual(tables, store.list().map(({ ref }) => ref), `${what} ${n}`);
          deepEqual(await rowsOf(store, "SELECT count(*) AS n, sum(n) AS s FROM ds_crm_users_1"), [{
            n: 3_000,
            s: 4_498_500,
          }]);
          equal((await ingest(store, tableOf({ n: numbers(10) }))).rowCount, 10, `${what} ${n}`);
          equal(store.isUsable(), true);
        },
        {},
        { instrument: saboteur.instrument },
      );
    }
  }
}

verifies(
  "STORE-6 STORE-10 STORE-20",
  "a failure at any engine call leaves what was there, and the next operation works",
  async () => {
    await failEach(new Error("IO Error: sabotage"), /QUERY_FAILED|EXPORT_FAILED/);
  },
);

verifies("STORE-18", "running out of memory at any engine call fails that operation alone", async () => {
  await failEach(new Error("Out of Memory Error: sabotage"), /OUT_OF_MEMORY|EXPORT_FAILED|QUERY_FAILED/);
});

verifies("STORE-19", "after an internal error the engine is asked for a sign of life", async () => {
  const saboteur = new Saboteur();
  await withStore(
    async (store) => {
      await ingest(store, tableOf({ n: [1] }));
      saboteur.error = new Error("INTERNAL Error: sabotage");
      saboteur.countdown = 1;
      await rejects(rowsOf(store, "FROM ds_crm_users_1"), /INTERNAL Error/);
      equal(store.isUsable(), true);
      deepEqual(await rowsOf(store, "FROM ds_crm_users_1"), [{ n: 1 }]);
      saboteur.countdown = 1;
      await rejects(ingest(store, tableOf({ n: [1] })), /INTERNAL Error/);
      equal(store.isUsable(), true);
    },
    {},
    { instrument: saboteur.instrument },
  );
});
