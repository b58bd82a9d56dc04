/** The types that a query may name. VARIANT, GEOMETRY and BIGNUM crash or stall the pinned engine. @module */

import { rejected } from "./scan.ts";

/** Nesting of one type: STRUCT in LIST in MAP. */
export const TYPE_DEPTH_MAX = 32;

const ALLOWED_TYPES: ReadonlySet<string> = new Set(
  (`ARRAY BIGINT BIT BLOB BOOLEAN CHAR DATE DECIMAL DOUBLE ENUM FLOAT HUGEINT INTEGER INTERVAL LIST MAP NULL SMALLINT ` +
    `STRING_LITERAL INTEGER_LITERAL STRUCT TIME TIMESTAMP TIMESTAMP_MS TIMESTAMP_NS TIMESTAMP_S TINYINT UBIGINT UHUGEINT ` +
    `UINTEGER UNION USMALLINT UTINYINT UUID VARCHAR TIME_NS`).split(" ").concat([
      "TIME WITH TIME ZONE",
      "TIMESTAMP WITH TIME ZONE",
    ]),
);

/** Types that the parser leaves to the binder, by name. */
const ALLOWED_NAMES: ReadonlySet<string> = new Set(["json", ...[...ALLOWED_TYPES].map((name) => name.toLowerCase())]);

/** Elements of one value of an ARRAY type, those of the arrays in it included: they are allocated even for NULL. */
export const ARRAY_ITEMS_MAX = 100_000;

/** Refuses a type of the parse tree that is not allowed, at whatever depth. An absent type is none. */
export function checkType(type: unknown, depth = 0, around = 1): void {
  if (typeof type !== "object" || type === null) return;
  if (depth > TYPE_DEPTH_MAX) throw rejected(`a type is nested deeper than ${TYPE_DEPTH_MAX}`);
  const { id, type_info: details } = type as { id?: unknown; type_info?: unknown };
  if (id === "UNBOUND" || id === "USER") checkNamed(details, depth);
  else if (typeof id === "string" && !ALLOWED_TYPES.has(id)) throw refusedType(id);
  // GEOMETRY is a BLOB under another name.
  const alias = (details as { alias?: unknown } | undefined)?.alias;
  if (typeof alias === "string" && !ALLOWED_NAMES.has(alias.toLowerCase())) throw refusedType(alias);
  const size = id === "ARRAY" ? Number((details as { size?: unknown } | undefined)?.size ?? 1) : 1;
  const items = around * size;
  if (items > ARRAY_ITEMS_MAX) throw rejected(`an array type holds more than ${ARRAY_ITEMS_MAX} elements; use a list`);
  checkDetails(details, depth, items);
}

function checkNamed(details: unknown, depth: number): void {
  const { name, schema, catalog } = details as { name?: unknown; schema?: unknown; catalog?: unknown };
  if (schema !== undefined || catalog !== undefined) throw rejected("a type with a schema is not allowed");
  if (typeof name !== "string" || !ALLOWED_NAMES.has(name.toLowerCase()) || depth > TYPE_DEPTH_MAX) {
    throw refusedType(String(name));
  }
}

/** Member types stand at different places for each kind of type: wherever an object has an `id`, it is one. */
function checkDetails(details: unknown, depth: number, items: number): void {
  if (typeof details !== "object" || details === null) return;
  if (depth > TYPE_DEPTH_MAX * 4) throw rejected(`a type is nested deeper than ${TYPE_DEPTH_MAX}`);
  for (const value of Object.values(details)) {
    if (typeof value !== "object" || value === null) continue;
    if ("id" in value) checkType(value, depth + 1, items);
    else checkDetails(value, depth + 1, items);
  }
}

/** Types that DuckDB has, by the names that other databases give them. */
const MEANT: Readonly<Record<string, string>> = {
  bigdecimal: "DECIMAL(38,9)",
  bignumeric: "DECIMAL(38,9)",
  clob: "VARCHAR",
  float32: "FLOAT",
  float64: "DOUBLE",
  jsonb: "JSON",
  money: "DECIMAL(18,2)",
  number: "DECIMAL(18,2), BIGINT or DOUBLE",
  object: "JSON",
  timestamp_ntz: "TIMESTAMP",
  timestamp_tz: "TIMESTAMPTZ",
  unsigned: "UBIGINT",
  varchar2: "VARCHAR",
};

function refusedType(name: string): Error {
  const meant = Object.hasOwn(MEANT, name.toLowerCase()) ? MEANT[name.toLowerCase()] : undefined;
  return rejected(
    `type ${name} is not allowed; cast to ${
      meant ?? "VARCHAR, JSON, BIGINT, DOUBLE, DECIMAL(18,2), DATE, TIMESTAMP or BOOLEAN"
    }`,
  );
}
