/** A table stored and taken away again, so that the first real one finds the engine's code and memory ready. @module */

import type { Table } from "../dataset.ts";
import { createTableSql } from "./ingest.ts";
import { profileTable } from "./profile.ts";
import type { Session } from "./session.ts";

/** No ref has this form, and the table is gone before its transaction ends. */
const TABLE = "loom_rehearsal";

/** Does to a table what is done to a dataset, and leaves nothing of it. */
export async function rehearseTable(session: Session, table: Table): Promise<void> {
  await session.write(createTableSql(TABLE, table), async (connection, rows) => {
    await rows.insert(connection, TABLE, table);
    await profileTable(connection, TABLE, table.columns, table.rowCount);
    await connection.run(`DROP TABLE ${TABLE}`);
  });
}
