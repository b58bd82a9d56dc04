/** Which function calls a query may make, and with which literal arguments. @module */

import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS, REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS } from "./functions.ts";
import { rejected } from "./scan.ts";
import type { Node } from "./walk.ts";

/** Wildcards of a GLOB pattern before its last character: matching takes the text's length to their power. */
export const GLOB_STARS_MAX = 2;
/** Digits of a width in a format text. */
export const FORMAT_DIGITS_MAX = 3;
/** Characters of a format text. */
export const FORMAT_CHARS_MAX = 1_000;
/** Nesting of the structure that `from_json` is given. */
export const JSON_STRUCTURE_DEPTH_MAX = 32;
/** Values that `approx_top_k` may keep: its memory is not bounded by the engine. */
export const TOP_VALUES_MAX = 1_000;

/** Refuses a call of a function that is not allowed, or with an argument that is known to do harm. */
export function checkCall(call: Node, inFrom: boolean): void {
  const name = String(call["function_name"] ?? "").toLowerCase();
  const schema = String(call["schema"] ?? "").toLowerCase(), catalog = String(call["catalog"] ?? "");
  if (catalog !== "" || (schema !== "" && schema !== "main")) {
    throw rejected(`the function "${name}" must be called without a schema`);
  }
  if (!(inFrom ? ALLOWED_TABLE_FUNCTIONS : ALLOWED_FUNCTIONS).has(name)) throw refusedCall(name, inFrom);
  const check = ARGUMENT_CHECKS[name];
  if (check && !inFrom) check(call, name);
}

function refusedCall(name: string, inFrom: boolean): Error {
  const exists = REFUSED_FUNCTIONS.has(name) || REFUSED_TABLE_FUNCTIONS.has(name) || ALLOWED_FUNCTIONS.has(name) ||
    ALLOWED_TABLE_FUNCTIONS.has(name);
  const place = inFrom ? " in FROM" : "";
  const instead = INSTEAD[name] ??
    (inFrom
      ? `FROM can name datasets and ${[...ALLOWED_TABLE_FUNCTIONS].join(", ")}`
      : "the usual functions on numbers, text, dates, lists and JSON are, and aggregates and windows");
  return rejected(`the function "${name}" is ${exists ? "not allowed" : "not known"}${place}; ${instead}`);
}

const INSTEAD: Readonly<Record<string, string>> = {
  json_structure: "json_keys and json_type show what a JSON value holds",
  json_group_structure: "json_keys and json_type show what JSON values hold",
  json_contains: "json_extract and json_exists find a value by its path",
  json_merge_patch: "json_object builds a new value",
  query: "write the statement itself",
  query_table: "write the name of the dataset itself",
  read_csv: "only datasets can be read; loom_list_datasets lists them",
  read_csv_auto: "only datasets can be read; loom_list_datasets lists them",
  read_json: "only datasets can be read; loom_list_datasets lists them",
  read_json_auto: "only datasets can be read; loom_list_datasets lists them",
  read_parquet: "only datasets can be read; loom_list_datasets lists them",
  duckdb_tables: "SHOW TABLES and information_schema.tables list the datasets",
  duckdb_columns: "DESCRIBE and information_schema.columns list columns",
};

type ArgumentCheck = (call: Node, name: string) => void;

const ARGUMENT_CHECKS: Readonly<Record<string, ArgumentCheck>> = {
  "~~~": checkGlob,
  format: checkFormat,
  printf: checkFormat,
  strftime: checkTimeFormat,
  from_json: checkStructure,
  from_json_strict: checkStructure,
  json_transform: checkStructure,
  json_transform_strict: checkStructure,
  list_aggr: checkAggregateName,
  list_aggregate: checkAggregateName,
  array_aggr: checkAggregateName,
  array_aggregate: checkAggregateName,
  aggregate: checkAggregateName,
  approx_top_k: checkTopValues,
};

/** The literal in an argument: a text, a number, or undefined when it is no literal. */
function literal(call: Node, index: number): string | number | undefined {
  const children = call["children"];
  const child = Array.isArray(children) ? children[index] as Node | undefined : undefined;
  if (!child || child["class"] !== "CONSTANT") return undefined;
  const value = (child["value"] as Node | undefined)?.["value"];
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function checkGlob(call: Node): void {
  const pattern = literal(call, 1);
  if (typeof pattern !== "string") throw rejected("GLOB needs its pattern as a literal; regexp_matches takes any");
  const stars = pattern.replace(/\*+$/, "").match(/\*+/g)?.length ?? 0;
  if (stars > GLOB_STARS_MAX) {
    throw rejected(`GLOB takes ${GLOB_STARS_MAX} * before the end of its pattern; use LIKE or regexp_matches`);
  }
}

function checkFormat(call: Node, name: string): void {
  const format = literal(call, 0);
  if (typeof format !== "string") throw rejected(`${name} needs its format as a literal`);
  const tooWide = new RegExp(`\\d{${FORMAT_DIGITS_MAX + 1}}`).test(format);
  // A width that is itself an argument ({:{}} or %*d) would not be bounded by the text.
  if (format.length > FORMAT_CHARS_MAX || tooWide || /\{[^}]*\{|%[^a-zA-Z%]*\*/.test(format)) {
    throw rejected(`${name} takes formats of ${FORMAT_CHARS_MAX} characters and widths of ${FORMAT_DIGITS_MAX} digits`);
  }
}

function checkTimeFormat(call: Node, name: string): void {
  const formats = [literal(call, 0), literal(call, 1)].filter((value) => typeof value === "string");
  if (formats.length === 0) throw rejected(`${name} needs its format as a literal`);
  if (formats.some((format) => format.length > FORMAT_CHARS_MAX)) {
    throw rejected(`${name} takes formats of ${FORMAT_CHARS_MAX} characters`);
  }
}

function checkStructure(call: Node, name: string): void {
  const structure = literal(call, 1);
  if (typeof structure !== "string") throw rejected(`${name} needs its structure as a literal, such as '["VARCHAR"]'`);
  let depth = 0;
  for (const char of structure) {
    if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    if (depth > JSON_STRUCTURE_DEPTH_MAX) {
      throw rejected(`${name} takes structures of depth ${JSON_STRUCTURE_DEPTH_MAX}`);
    }
  }
  if (/variant|bignum|geometry/i.test(structure)) throw rejected(`${name} cannot make a VARIANT, BIGNUM or GEOMETRY`);
}

function checkAggregateName(call: Node, name: string): void {
  const aggregate = literal(call, 1);
  if (typeof aggregate !== "string" || !ALLOWED_FUNCTIONS.has(aggregate.toLowerCase())) {
    throw rejected(`${name} needs the name of an allowed aggregate as a literal, such as 'sum'`);
  }
}

function checkTopValues(call: Node): void {
  const count = literal(call, 1);
  if (typeof count !== "number" || count > TOP_VALUES_MAX) {
    throw rejected(`approx_top_k needs a literal count of ${TOP_VALUES_MAX} at most`);
  }
}
