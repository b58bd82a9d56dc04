/** The end of a transaction that is not to be committed, whatever state it is in. @module */

import type { DuckDBConnection } from "@duckdb/node-api";
import { messageOf } from "../errors.ts";

/** Times that a rollback is tried. */
const ROLLBACKS_MAX = 5;

/**
 * Ends the transaction of a connection and a stream that is not finished. One that the engine has ended is no error. A late
 * interrupt hits the rollback itself and leaves the transaction open, and then no other could begin: so it is tried again.
 */
export async function endTransaction(connection: DuckDBConnection): Promise<void> {
  for (let attempt = 0; attempt < ROLLBACKS_MAX; attempt++) {
    try {
      return void await connection.run("ROLLBACK");
    } catch (error) {
      if (/no transaction is active/i.test(messageOf(error))) return;
    }
  }
}
