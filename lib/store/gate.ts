/** The SQL gate: one statement that reads datasets passes, as the engine's own parser sees it, and nothing else. @module */

import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { LoomError } from "../errors.ts";
import { sanitized } from "./messages.ts";
import { rejected, scanSql } from "./scan.ts";
import { dynamicPivot } from "./clauses.ts";
import { syntaxHint } from "./syntax_hints.ts";
import type { Node } from "./parse_tree.ts";
import { type KnownTables, Walk } from "./walk.ts";

/** SQL that has passed the gate. Only {@link Gate.check} makes one. */
export interface CheckedSql {
  readonly sql: string;
  /** Datasets that it reads. */
  readonly refs: readonly string[];
  /** Its answer may differ when it runs again over the same data. */
  readonly volatile: boolean;
  readonly checked: unique symbol;
}

/** What a query can be, for the messages of refusals. */
export const READS = "one statement that reads: SELECT, WITH, FROM, VALUES, TABLE, SUMMARIZE, DESCRIBE, SHOW TABLES, " +
  "PIVOT … IN (…) or UNPIVOT";

/** Parses on an instance of its own, which holds no data, and judges the parse tree. */
export class Gate {
  readonly #connection: DuckDBConnection;
  readonly #parse: string = "SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, " +
    "skip_default := true)";

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async open(instance: DuckDBInstance): Promise<Gate> {
    return new Gate(await instance.connect());
  }

  /** Stops a parse that runs too long. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  /**
   * Lets one reading statement over known tables pass.
   * @throws LoomError `QUERY_REJECTED`, or what `tables.unknown` gives for a table that is not known.
   */
  async check(sql: string, tables: KnownTables): Promise<CheckedSql> {
    scanSql(sql);
    const statement = onlyStatement(await this.#treeOf(sql), sql);
    const { refs, volatile } = new Walk(tables).run(statement);
    return { sql, refs, volatile } as unknown as CheckedSql;
  }

  async #treeOf(sql: string): Promise<Node> {
    const result = await this.#connection.run(this.#parse, [sql]);
    const rows = await result.getRows();
    return treeOfText(String(rows[0]?.[0]));
  }

  close(): void {
    this.#connection.closeSync();
  }
}

function onlyStatement(tree: Node, sql: string): Node {
  if (tree["error"] === true) throw parseRefusal(tree, sql);
  const statements = tree["statements"];
  if (!Array.isArray(statements) || statements.length === 0) {
    throw rejected(`there is no statement in it; send ${READS}`);
  }
  if (statements.length > 1) throw rejected(`it holds ${statements.length} statements; send ${READS}`);
  return statements[0] as Node;
}

/** The engine writes a literal such as 1e400 as `Infinity`, which JSON does not know. */
function treeOfText(text: string): Node {
  return JSON.parse(text.replace(/("value":)-?(?:Infinity|NaN)/g, "$1null")) as Node;
}

/** The parser's own words for bad syntax; for a statement that is no read, what would be possible. */
function parseRefusal(tree: Node, sql: string): LoomError {
  const message = String(tree["error_message"] ?? "");
  if (tree["error_type"] === "not implemented") return noRead(message, sql);
  const at = Number(tree["position"]);
  const near = Number.isFinite(at) ? ` (at character ${at + 1})` : "";
  const hint = syntaxHint(sql, Number.isFinite(at) ? at : 0);
  if (hint === undefined) return rejected(`${sanitized(message, sql)}${near}`);
  // Some messages of the parser are about itself.
  return rejected(/NOT IMPLEMENTED/.test(message) ? hint : `${sanitized(message, sql)}${near}; ${hint}`);
}

function noRead(message: string, sql: string): LoomError {
  if (/\bpivot\b/i.test(sql)) return dynamicPivot();
  // The parser knows some expressions that the engine does not have.
  const hint = /^Expression type/.test(message) ? syntaxHint(sql, sql.length) : undefined;
  if (hint !== undefined) return rejected(hint);
  const verb = /^\s*([a-z]+)/i.exec(sql)?.[1]?.toUpperCase() ?? "";
  return rejected(`${/^(?:WITH|FROM|SELECT)?$/.test(verb) ? "" : `${verb} does not read; `}send ${READS}`);
}
