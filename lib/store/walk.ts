/** Walks the engine's parse tree of a statement and refuses whatever is not on a list. @module */

import type { LoomError } from "../errors.ts";
import { checkCall } from "./calls.ts";
import { checkType } from "./cast_types.ts";
import { checkPivot, checkSample, isUnorderedLimit } from "./clauses.ts";
import { NAMED_REFS_MAX } from "./limits.ts";
import type { Node } from "./parse_tree.ts";
import { rejected } from "./scan.ts";

/** Nodes of one parse tree. */
export const NODES_MAX = 60_000;
/** Nesting of expressions, tables and queries together. */
export const NODE_DEPTH_MAX = 300;
/** Joins of one statement, comma joins included: the planner's stack and time grow with them. */
export const JOINS_MAX = 60;
/** UNION, EXCEPT and INTERSECT of one statement. */
export const SET_OPERATIONS_MAX = 200;
/** Subqueries inside expressions, nested in each other: the binder takes exponential time over them. */
export const SUBQUERY_DEPTH_MAX = 8;
/** Common table expressions of one statement. */
export const CTES_MAX = 100;
/** Queries after every reference to a common table expression has been replaced by its text. */
export const EXPANDED_QUERIES_MAX = 2_000;

/** Lambdas inside lambdas. */
export const LAMBDA_DEPTH_MAX = 3;

/** What the walk needs to know about tables. */
export interface KnownTables {
  /** The ref of the dataset of this name (without regard to case), or undefined. */
  refOf(name: string): string | undefined;
  /** What to say about a name that is no dataset. */
  unknown(name: string): LoomError;
}

/** Common table expressions in scope: name in lower case, and how many queries a reference to it stands for. */
type Scope = ReadonlyMap<string, number>;

const QUERY_NODES = new Set(["SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"]);
const TABLE_NODES = new Set([
  "BASE_TABLE",
  "SUBQUERY",
  "JOIN",
  "TABLE_FUNCTION",
  "EXPRESSION_LIST",
  "EMPTY",
  "PIVOT",
  "SHOW_REF",
]);
const MODIFIER_NODES = new Set(["ORDER_MODIFIER", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "DISTINCT_MODIFIER"]);
const EXPRESSION_CLASSES = new Set([
  "BETWEEN",
  "CASE",
  "CAST",
  "COLLATE",
  "COLUMN_REF",
  "COMPARISON",
  "CONJUNCTION",
  "CONSTANT",
  "FUNCTION",
  "LAMBDA",
  "OPERATOR",
  "POSITIONAL_REFERENCE",
  "STAR",
  "SUBQUERY",
  "WINDOW",
]);
/** `type` of the entries of ORDER BY. */
const ORDER_TYPES = new Set(["ORDER_DEFAULT", "ASCENDING", "DESCENDING"]);

/** What SHOW may name: the list of tables, short and long. */
const SHOWN_NAMES = new Set(['"tables"', "__show_tables_expanded"]);
/** Catalog views that list datasets and their columns, and nothing else. */
const CATALOG_VIEWS = new Set(["information_schema.tables", "information_schema.columns"]);
/** Functions that answer differently each time or each day. */
const VOLATILE_FUNCTIONS = new Set(
  ("random uuid uuidv4 uuidv7 gen_random_uuid now today current_date get_current_time get_current_timestamp " +
    "current_localtime current_localtimestamp current_time current_timestamp localtime localtimestamp transaction_timestamp reservoir_quantile age ago")
    .split(" "),
);
/** Names that the engine itself gives a meaning: no common table expression may borrow one. */
const RESERVED_NAME_REGEXP = /^(?:duckdb_|pragma_|sqlite_|pg_|information_schema)|[/\\.:*?~]/i;

/** Where in the statement a part stands. */
interface Place {
  readonly scope: Scope;
  readonly depth: number;
  /** Subqueries in expressions around it. */
  readonly subqueries: number;
  /** Lambdas around it. */
  readonly lambdas: number;
}

/** Walks one statement. It collects the datasets that are read. */
export class Walk {
  readonly #tables: KnownTables;
  readonly #refs = new Set<string>();
  #nodes = 0;
  #joins = 0;
  #setOperations = 0;
  #ctes = 0;
  #queries = 0;
  #volatile = false;

  constructor(tables: KnownTables) {
    this.#tables = tables;
  }

  /** What the statement reads. Throws `QUERY_REJECTED` or `DATASET_NOT_FOUND`. */
  run(statement: Node): { readonly refs: string[]; readonly volatile: boolean } {
    this.#visit(statement["node"], { scope: new Map(), depth: 0, subqueries: 0, lambdas: 0 });
    return { refs: [...this.#refs], volatile: this.#volatile };
  }

  #visit(value: unknown, at: Place): void {
    if (typeof value !== "object" || value === null) return;
    if (at.depth > NODE_DEPTH_MAX) throw rejected(`it is nested deeper than ${NODE_DEPTH_MAX}`);
    if (++this.#nodes > NODES_MAX) throw rejected(`it has more than ${NODES_MAX} parts`);
    if (Array.isArray(value)) {
      for (const item of value) this.#visit(item, at);
      return;
    }
    const node = value as Node;
    if (typeof node["class"] === "string") return this.#visitExpression(node, node["class"], at);
    if (typeof node["type"] === "string") return this.#visitTyped(node, node["type"], at);
    // Entries without a type (CASE checks, pivot columns, samples) mean only what their members mean.
    this.#visitMembers(node, at);
  }

  #visitMembers(node: Node, at: Place): void {
    if ("function_name" in node && node["class"] !== "FUNCTION" && node["class"] !== "WINDOW") {
      throw rejected("a function is called in a place that is not known");
    }
    if ("sample" in node) {
      checkSample(node["sample"]);
      this.#volatile = true;
    }
    if ("at_clause" in node) throw rejected("AT (…) is not possible: datasets have one version");
    const inside = { ...at, depth: at.depth + 1 };
    for (const key in node) if (key !== "cte_map") this.#visit(node[key], inside);
  }

  #visitExpression(node: Node, kind: string, at: Place): void {
    if (kind === "PARAMETER") {
      throw rejected("parameters such as $1 or ? have no values here; write the values themselves");
    }
    if (!EXPRESSION_CLASSES.has(kind)) throw rejected(`an expression of kind ${kind} is not allowed`);
    if (kind === "CONSTANT") return checkType(typeOf(node["value"]));
    if (kind === "CAST") checkType(node["cast_type"]);
    if (kind === "FUNCTION" || kind === "WINDOW") checkCall(node, at);
    if (isVolatile(node, kind)) this.#volatile = true;
    const { cast_type: _, ...rest } = node;
    this.#visitMembers(kind === "CAST" ? rest : node, this.#inside(kind, at));
  }

  #inside(kind: string, at: Place): Place {
    const subqueries = at.subqueries + (kind === "SUBQUERY" ? 1 : 0),
      lambdas = at.lambdas + (kind === "LAMBDA" ? 1 : 0);
    if (subqueries > SUBQUERY_DEPTH_MAX) {
      throw rejected(`subqueries are nested deeper than ${SUBQUERY_DEPTH_MAX}; use WITH`);
    }
    if (lambdas > LAMBDA_DEPTH_MAX) {
      throw rejected(`lambdas are nested deeper than ${LAMBDA_DEPTH_MAX}; unnest the lists`);
    }
    return { ...at, subqueries, lambdas };
  }

  #visitTyped(node: Node, type: string, at: Place): void {
    if (QUERY_NODES.has(type)) return this.#visitQuery(node, type, at);
    if (TABLE_NODES.has(type)) return this.#visitTable(node, type, at);
    if (!MODIFIER_NODES.has(type) && !ORDER_TYPES.has(type)) throw rejected(`a part of kind ${type} is not allowed`);
    this.#visitMembers(node, at);
  }

  #visitQuery(node: Node, type: string, at: Place): void {
    if (type === "SET_OPERATION_NODE" && ++this.#setOperations > SET_OPERATIONS_MAX) {
      throw rejected(`it has more than ${SET_OPERATIONS_MAX} set operations`);
    }
    this.#count(1);
    if (isUnorderedLimit(node)) this.#volatile = true;
    let inner = this.#withCtes(node, at);
    if (type === "RECURSIVE_CTE_NODE" || type === "CTE_NODE") {
      inner = this.#with(inner, String(node["cte_name"] ?? ""), 1);
    }
    this.#visitMembers(node, { ...at, scope: inner });
  }

  /** The scope with the expressions of a WITH, each of which sees those before it. */
  #withCtes(node: Node, at: Place): Scope {
    const map = (node["cte_map"] as Node | undefined)?.["map"];
    if (!Array.isArray(map)) return at.scope;
    let inner = at.scope;
    for (const entry of map as Node[]) {
      if (++this.#ctes > CTES_MAX) throw rejected(`it has more than ${CTES_MAX} common table expressions`);
      const before = this.#queries;
      this.#visit(entry["value"], { ...at, scope: inner, depth: at.depth + 1 });
      inner = this.#with(inner, String(entry["key"]), this.#queries - before);
    }
    return inner;
  }

  #with(scope: Scope, name: string, queries: number): Scope {
    if (RESERVED_NAME_REGEXP.test(name)) throw rejected(`"${name}" cannot be the name of a common table expression`);
    return new Map(scope).set(name.toLowerCase(), queries);
  }

  #count(queries: number): void {
    this.#queries += queries;
    if (this.#queries > EXPANDED_QUERIES_MAX) {
      throw rejected(
        "its common table expressions refer to each other too often; use fewer, or loom_materialize one of them",
      );
    }
  }

  #visitTable(node: Node, type: string, at: Place): void {
    if (type === "JOIN" && ++this.#joins > JOINS_MAX) throw rejected(`it has more than ${JOINS_MAX} joins`);
    if (type === "BASE_TABLE") this.#checkTable(node, at.scope);
    if (type === "TABLE_FUNCTION") {
      const call = node["function"] as Node | undefined;
      if (!call || call["class"] !== "FUNCTION") throw rejected("FROM calls something that is not known");
      checkCall(call, { inFrom: true });
      const { function: _, ...rest } = node;
      return this.#visitMembers({ ...rest, children: call["children"], order_bys: call["order_bys"] }, at);
    }
    if (type === "SHOW_REF" && !("query" in node) && !isShownList(node)) {
      throw rejected("SHOW TABLES, SHOW ALL TABLES and DESCRIBE are what SHOW can show");
    }
    if (type === "PIVOT") checkPivot(node);
    this.#visitMembers(node, at);
  }

  #checkTable(node: Node, scope: Scope): void {
    const name = String(node["table_name"] ?? "");
    const schema = String(node["schema_name"] ?? "").toLowerCase();
    const catalog = String(node["catalog_name"] ?? "").toLowerCase();
    if (schema === "" && catalog === "") {
      const queries = scope.get(name.toLowerCase());
      if (queries !== undefined) return this.#count(queries);
    }
    if ((catalog === "" || catalog === "memory") && CATALOG_VIEWS.has(`${schema}.${name.toLowerCase()}`)) return;
    const here = (catalog === "" || catalog === "memory") && (schema === "" || schema === "main");
    // `memory.ds_x` names the schema main of the catalog memory.
    const short = catalog === "" && schema === "memory";
    const ref = here || short ? this.#tables.refOf(name) : undefined;
    if (ref === undefined) throw this.#unknown(name, [catalog, schema].filter((part) => part !== ""));
    this.#refs.add(ref);
  }

  #unknown(name: string, qualifiers: readonly string[]): LoomError {
    const ref = qualifiers.length > 0 ? this.#tables.refOf(name) : undefined;
    if (ref === undefined) return this.#tables.unknown([...qualifiers, name].join("."));
    return rejected(`there is no "${qualifiers.join(".")}" with datasets in it; write the name alone: ${ref}`);
  }
}

/** The list of tables, of all or of the schema in which the datasets are. */
function isShownList(node: Node): boolean {
  if (node["show_type"] !== "SHOW_FROM") return SHOWN_NAMES.has(String(node["table_name"]));
  const from = [node["catalog_name"], node["schema_name"]].filter((part) => part !== undefined);
  return ["main", "memory", "memory.main"].includes(from.join(".").toLowerCase());
}

/** `current_date` and its like are written without brackets and look like columns to the parser. */
function isVolatile(node: Node, kind: string): boolean {
  if (kind !== "COLUMN_REF") return VOLATILE_FUNCTIONS.has(String(node["function_name"]).toLowerCase());
  const names = node["column_names"];
  return Array.isArray(names) && names.length === 1 && VOLATILE_FUNCTIONS.has(String(names[0]).toLowerCase());
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as Node)["type"] : undefined;
}

/** A list of refs for a message, cut when it is long. */
export function namedRefs(refs: readonly string[]): string {
  if (refs.length === 0) return "there are none yet";
  const more = refs.length - NAMED_REFS_MAX;
  const named = refs.slice(-NAMED_REFS_MAX).join(", ");
  return more > 0 ? `${named} and ${more} more (loom_list_datasets lists them)` : named;
}
