/** What a table must be to be stored, and the statement that makes room for it. @module */

import type { Table } from "../dataset.ts";
import { LoomError } from "../errors.ts";
import { COLUMNS_MAX, ROWS_MAX } from "./limits.ts";
import { quoteIdentifier } from "./sql.ts";

/**
 * The statement that creates the table of `ref`.
 * @throws LoomError `LIMIT_EXCEEDED` for more columns or rows than a dataset may have.
 */
export function createTableSql(ref: string, table: Table): string {
  assertWithinCaps(table);
  const columns = table.columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  return `CREATE TABLE ${quoteIdentifier(ref)} (${columns.join(", ")})`;
}

function assertWithinCaps(table: Table): void {
  if (table.columns.length === 0 || table.columns.length > COLUMNS_MAX) {
    throw new LoomError(
      "LIMIT_EXCEEDED",
      `Cannot store ${table.columns.length} columns: 1 to ${COLUMNS_MAX} are possible`,
    );
  }
  if (table.rowCount > ROWS_MAX) {
    throw new LoomError("LIMIT_EXCEEDED", `Cannot store ${table.rowCount} rows: ${ROWS_MAX} at most are possible`);
  }
}
