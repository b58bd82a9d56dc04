/** Which function calls a query may make, and with which literal arguments. @module */

import { SAMPLE_ROWS_MAX } from "./clauses.ts";
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS, BINDER_FUNCTIONS } from "./functions.ts";
import { refusedCall } from "./refused_calls.ts";
import { rejected } from "./scan.ts";
import type { Node } from "./parse_tree.ts";

/** Wildcards of a GLOB pattern before its last character: matching takes the text's length to their power. */
export const GLOB_STARS_MAX = 2;
/** Digits of a width in a format text. */
export const FORMAT_DIGITS_MAX = 3;
/** Characters of a format text. */
export const FORMAT_CHARS_MAX = 1_000;
/** Nesting of the structure that `from_json` is given. */
export const JSON_STRUCTURE_DEPTH_MAX = 32;
/** Wildcards of a LIKE pattern before its last character, where the engine tries every place for each of them. */
export const LIKE_WILDCARDS_MAX = 3;
/** Bits that `bitstring` may make, and that bits may be shifted by. */
export const BITS_MAX = 100_000;
/** Characters of the literal that `replace` puts in the place of each match. */
export const REPLACEMENT_CHARS_MAX = 1_000;
/** Rows that `lag` and `lead` may look away: the greatest offsets crash the engine. */
export const OFFSET_ROWS_MAX = 1_000_000;

/** What the engine takes for a schema or a catalog when it stands before the name of a function. */
const SCHEMAS: ReadonlySet<string> = new Set(["main", "memory", "system", "temp", "pg_catalog", "information_schema"]);

/** Refuses a call of a function that is not allowed, or with an argument that is known to do harm. */
export function checkCall(written: Node, place: CallPlace): void {
  const name = String(written["function_name"] ?? "").toLowerCase();
  const inFrom = place.inFrom ?? false;
  const call = inFrom ? written : asCallOnColumn(written);
  const schema = String(call["schema"] ?? "").toLowerCase(), catalog = String(call["catalog"] ?? "");
  if (catalog !== "" || (schema !== "" && schema !== "main")) {
    throw rejected(`the function "${name}" must be called without a schema`);
  }
  if (!isAllowed(name, inFrom)) throw refusedCall(name, inFrom);
  if (call["class"] === "WINDOW" && NO_WINDOW.has(name)) {
    throw rejected(`${name} cannot be used with OVER; GROUP BY instead`);
  }
  if ((place.lambdas ?? 0) > 0 && NO_LAMBDA.has(name)) {
    throw rejected(`${name} cannot be used inside a lambda; use it in FROM or outside`);
  }
  if (!inFrom && Object.hasOwn(ARGUMENT_CHECKS, name)) ARGUMENT_CHECKS[name]?.(call, name);
}

function isAllowed(name: string, inFrom: boolean): boolean {
  return inFrom ? ALLOWED_TABLE_FUNCTIONS.has(name) : ALLOWED_FUNCTIONS.has(name) || BINDER_FUNCTIONS.has(name);
}

/**
 * `title.upper()` and `s.title.upper()` are `upper(title)`: the parser takes the column for a schema, and the binder takes
 * it for a column since there is no such schema. The column becomes the first argument, so that the others are judged in
 * the places that they will have.
 */
function asCallOnColumn(call: Node): Node {
  const schema = String(call["schema"] ?? ""), catalog = String(call["catalog"] ?? "");
  const isColumn = schema !== "" && !SCHEMAS.has(schema.toLowerCase()) && !SCHEMAS.has(catalog.toLowerCase());
  if (!isColumn || call["class"] !== "FUNCTION") return call;
  const { schema: _, catalog: __, children, ...rest } = call;
  const column = {
    class: "COLUMN_REF",
    type: "COLUMN_REF",
    column_names: catalog === "" ? [schema] : [catalog, schema],
  };
  return { ...rest, children: [column, ...(Array.isArray(children) ? children as Node[] : [])] };
}

/** Where a call stands. */
export interface CallPlace {
  readonly inFrom?: boolean;
  /** Lambdas around it. */
  readonly lambdas?: number;
}

/** Aggregates whose value for each row would be as large as the frame. */
const NO_WINDOW: ReadonlySet<string> = new Set(["histogram", "histogram_exact", "entropy"]);
/** Makers of lists: inside a lambda their work multiplies, and one call cannot be interrupted. */
const NO_LAMBDA: ReadonlySet<string> = new Set(["range", "generate_series"]);

type ArgumentCheck = (call: Node, name: string) => void;

const ARGUMENT_CHECKS: Readonly<Record<string, ArgumentCheck>> = {
  "~~~": checkGlob,
  "~~": checkLike,
  "!~~": checkLike,
  "~~*": checkWildcards,
  "!~~*": checkWildcards,
  like_escape: checkWildcards,
  not_like_escape: checkWildcards,
  ilike_escape: checkWildcards,
  not_ilike_escape: checkWildcards,
  replace: checkReplacement,
  regexp_replace: checkReplacement,
  bitstring: checkBits,
  "<<": checkShift,
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
  reservoir_quantile: checkReservoir,
  lag: checkOffset,
  lead: checkOffset,
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

/** A literal pattern without `_` is matched in linear time. */
function checkLike(call: Node): void {
  if (String(literal(call, 1) ?? "").includes("_")) checkWildcards(call);
}

function checkWildcards(call: Node): void {
  const pattern = literal(call, 1);
  if (typeof pattern !== "string") return;
  const wildcards = pattern.replace(/%+$/, "").match(/%+/g)?.length ?? 0;
  if (wildcards > LIKE_WILDCARDS_MAX) {
    throw rejected(
      `ILIKE, ESCAPE and LIKE with _ take ${LIKE_WILDCARDS_MAX} % before the end of the pattern; ` +
        "regexp_matches(text, 'one.*two', 'is') takes any number of .* and is fast",
    );
  }
}

/** A replacement that is made long on purpose would multiply with the matches. */
function checkReplacement(call: Node, name: string): void {
  const children = call["children"];
  const replacement = Array.isArray(children) ? children[2] as Node | undefined : undefined;
  const text = literal(call, 2);
  const tooLong = typeof text === "string" && text.length > REPLACEMENT_CHARS_MAX;
  if (tooLong || (replacement && callsAny(replacement, GROWING))) {
    throw rejected(`${name} takes a column or a literal of ${REPLACEMENT_CHARS_MAX} characters as its replacement`);
  }
}

const GROWING: ReadonlySet<string> = new Set([
  "repeat",
  "lpad",
  "rpad",
  "string_agg",
  "group_concat",
  "listagg",
  "array_to_string",
  "list_aggregate",
  "list_aggr",
]);

function callsAny(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const name = (value as Node)["function_name"];
  if (typeof name === "string" && names.has(name.toLowerCase())) return true;
  return Object.values(value).some((member) => callsAny(member, names));
}

function checkBits(call: Node): void {
  const bits = literal(call, 1);
  if (typeof bits !== "number" || bits > BITS_MAX) {
    throw rejected(`bitstring needs a literal length of ${BITS_MAX} at most`);
  }
}

function checkShift(call: Node): void {
  const bits = literal(call, 1);
  if (typeof bits === "number" && bits > BITS_MAX) throw rejected(`<< shifts by ${BITS_MAX} bits at most`);
}

function checkFormat(call: Node, name: string): void {
  const format = literal(call, 0);
  if (typeof format !== "string") throw rejected(`${name} needs its format as a literal`);
  const tooWide = new RegExp(`\\d{${FORMAT_DIGITS_MAX + 1}}`).test(format);
  // A width that is itself an argument would not be bounded by the text.
  if (/\{[^}]*\{|%[^a-zA-Z%]*\*/.test(format)) {
    throw rejected(`${name} takes widths that stand in the format, such as {:>10} or %10s; lpad and rpad take any`);
  }
  if (format.length > FORMAT_CHARS_MAX || tooWide) {
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
  if (typeof aggregate === "string" && aggregate.toLowerCase() === "reservoir_quantile") {
    throw rejected(`${name} cannot take reservoir_quantile; quantile_cont is exact`);
  }
  if (typeof aggregate !== "string" || !ALLOWED_FUNCTIONS.has(aggregate.toLowerCase())) {
    throw rejected(`${name} needs the name of an allowed aggregate as a literal, such as 'sum'`);
  }
}

/** The reservoir is allocated at once, and an allocation that fails damages the engine. */
function checkReservoir(call: Node, name: string): void {
  const children = call["children"];
  if (!Array.isArray(children) || children.length < 3) return;
  const size = literal(call, 2);
  if (typeof size !== "number" || size > SAMPLE_ROWS_MAX) {
    throw rejected(`${name} needs a literal sample size of ${SAMPLE_ROWS_MAX} at most`);
  }
}

function checkOffset(call: Node, name: string): void {
  const children = call["children"];
  const count = Array.isArray(children) ? children.length : 0;
  // In a window the offset and the default stand apart from the arguments.
  const given = call["offset_expr"] ?? (count > 1 ? (children as Node[])[1] : undefined);
  if (given === undefined) return;
  const offset = literal({ children: [unsigned(given as Node)] }, 0);
  if (typeof offset !== "number" || Math.abs(offset) > OFFSET_ROWS_MAX) {
    throw rejected(`${name} needs a literal offset of ${OFFSET_ROWS_MAX} at most`);
  }
}

/** The operand of a minus sign. */
function unsigned(node: Node): unknown {
  const children = node["children"];
  return node["function_name"] === "-" && Array.isArray(children) && children.length === 1 ? children[0] : node;
}
