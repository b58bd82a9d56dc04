/** What is said of a function that a query may not call: why, and how DuckDB writes what was meant. @module */

import { nearestFew } from "../nearest.ts";
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS, REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS } from "./functions.ts";
import { rejected } from "./scan.ts";

/** Names that are shown as being close to one that is not known. */
const NEAR_NAMES_MAX = 3;

/** The refusal of a call, with what to write instead. */
export function refusedCall(name: string, inFrom: boolean): Error {
  if (/^`/.test(name)) {
    return rejected("names are quoted with \"double quotes\" and texts with 'single quotes'; ` is not possible");
  }
  const place = inFrom ? " in FROM" : "";
  const verdict = isOfEngine(name) ? "not allowed" : "not known";
  return rejected(`the function "${name}" is ${verdict}${place}; ${insteadOf(name, inFrom)}`);
}

function isOfEngine(name: string): boolean {
  return [REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS, ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS].some((names) =>
    names.has(name)
  );
}

function insteadOf(name: string, inFrom: boolean): string {
  if (READER_REGEXP.test(name)) return "only datasets can be read; loom_list_datasets lists them";
  if (Object.hasOwn(INSTEAD, name)) return INSTEAD[name] ?? "";
  if (inFrom) return `FROM can name datasets and ${[...ALLOWED_TABLE_FUNCTIONS].join(", ")}`;
  if (isOfEngine(name)) {
    return "the usual functions on numbers, text, dates, lists and JSON are, and aggregates and windows";
  }
  if (!/^[a-z]/.test(name)) {
    return "the operators are DuckDB's; ~ and regexp_matches match patterns, -> and ->> read JSON";
  }
  const words = [...ALLOWED_FUNCTIONS].filter((known) => /^[a-z]/.test(known));
  return `the functions are DuckDB's; names like it: ${nearestFew(name, words, NEAR_NAMES_MAX).join(", ")}`;
}

/** Functions that read files or other databases. */
const READER_REGEXP = /^(?:read_|parquet_|glob$|sniff_csv$)|_scan$/;

const AS_STRPTIME = "write strptime(text, '%Y-%m-%d'), or text::DATE for ISO dates";
const AS_STRFTIME = "write strftime(time, '%Y-%m-%d %H:%M')";
const AS_DATE_SUM = "write date + INTERVAL 1 DAY";
const AS_DATE_DIFF = "write date_diff('day', earlier, later)";
const AS_ELEMENTS = "write unnest(column::JSON[]) in SELECT, or json_each(column) in FROM";
const AS_COALESCE = "write coalesce(value, instead)";

/** For functions that are refused and for those of other databases: how to get what they give. */
const INSTEAD: Readonly<Record<string, string>> = {
  "~*": "write regexp_matches(text, pattern, 'i')",
  "!~*": "write NOT regexp_matches(text, pattern, 'i')",
  json_structure: "json_keys and json_type show what a JSON value holds",
  json_group_structure: "json_keys and json_type show what JSON values hold",
  json_contains: "json_extract and json_exists find a value by its path",
  json_merge_patch: "json_object builds a new value",
  approx_top_k: "SELECT x, count(*) … GROUP BY x ORDER BY 2 DESC LIMIT n counts exactly",
  histogram_values: "write SELECT x // 10 AS bin, count(*) … GROUP BY ALL",
  query: "write the statement itself",
  query_table: "write the name of the dataset itself",
  duckdb_tables: "SHOW TABLES and information_schema.tables list the datasets",
  duckdb_columns: "DESCRIBE and information_schema.columns list columns",
  approx_top_count: "SELECT x, count(*) … GROUP BY x ORDER BY 2 DESC LIMIT n counts exactly",
  array_join: "write array_to_string(list, ', ')",
  charindex: "write strpos(text, part)",
  collect_list: "write list(column)",
  collect_set: "write list(DISTINCT column)",
  convert: "write CAST(value AS type)",
  curdate: "write current_date",
  current_timestamp: "write current_timestamp without brackets, or now()",
  date_format: AS_STRFTIME,
  dateadd: AS_DATE_SUM,
  datetime: "write text::TIMESTAMP, or now()",
  eomonth: "write last_day(date)",
  every: "write bool_and(condition)",
  explode: "write unnest(list)",
  find_in_set: "write list_position(string_split(text, ','), part)",
  format_date: AS_STRFTIME,
  format_datetime: AS_STRFTIME,
  format_timestamp: AS_STRFTIME,
  from_unixtime: "write to_timestamp(seconds)",
  generate_array: "write generate_series(from, to)",
  generate_date_array: "write generate_series(from, to, INTERVAL 1 DAY)",
  get_json_object: "write json_extract_string(column, '$.path')",
  getdate: "write now()",
  iif: "write if(condition, yes, no)",
  initcap: "write upper(text[1]) || lower(text[2:])",
  isnull: "write x IS NULL, or coalesce(x, instead)",
  json_agg: "write json_group_array(value), or list(value)",
  json_array_elements: AS_ELEMENTS,
  json_array_elements_text: AS_ELEMENTS,
  json_build_array: "write json_array(value, …)",
  json_build_object: "write json_object('key', value)",
  json_extract_scalar: "write json_extract_string(column, '$.path')",
  json_object_agg: "write json_group_object(key, value)",
  json_object_keys: "write unnest(json_keys(column))",
  json_query: "write json_extract(column, '$.path')",
  json_table: "write json_each(column) in FROM",
  json_typeof: "write json_type(column)",
  json_unquote: "write column->>'$.path'",
  jsonb_agg: "write json_group_array(value), or list(value)",
  jsonb_array_elements: AS_ELEMENTS,
  jsonb_array_elements_text: AS_ELEMENTS,
  jsonb_array_length: "write json_array_length(column)",
  jsonb_build_object: "write json_object('key', value)",
  jsonb_each: "write json_each(column)",
  jsonb_extract_path: "write column->'$.path'",
  jsonb_extract_path_text: "write column->>'$.path'",
  jsonb_path_query: "write unnest(json_extract(column, ['$.path']))",
  jsonb_object_keys: "write unnest(json_keys(column))",
  jsonb_typeof: "write json_type(column)",
  locate: "write strpos(text, part)",
  newid: "write uuid()",
  nvl: AS_COALESCE,
  object_keys: "write json_keys(column), or map_keys(map)",
  openjson: "write json_each(column)",
  overlaps: "write a_start < b_end AND b_start < a_end",
  overlay: "write text[:3] || 'new' || text[6:]",
  parse_date: AS_STRPTIME,
  parse_datetime: AS_STRPTIME,
  parse_json: "write text::JSON",
  parse_timestamp: AS_STRPTIME,
  percentile_cont: "write quantile_cont(column, 0.5)",
  percentile_disc: "write quantile_disc(column, 0.5)",
  percentile: "write quantile_cont(column, 0.5)",
  percentile_approx: "write approx_quantile(column, 0.5)",
  rand: "write random()",
  regexp_contains: "write regexp_matches(text, pattern)",
  regexp_count: "write len(regexp_extract_all(text, pattern))",
  regexp_like: "write regexp_matches(text, pattern)",
  regexp_substr: "write regexp_extract(text, pattern)",
  replicate: "write repeat(text, count)",
  safe_cast: "write TRY_CAST(value AS type)",
  safe_divide: "write a / nullif(b, 0)",
  size: "write len(list)",
  split_to_table: "write unnest(string_split(text, ','))",
  str_to_date: AS_STRPTIME,
  string_to_table: "write unnest(string_split(text, ','))",
  substring_index: "write split_part(text, ',', 1)",
  sysdate: "write now()",
  timestamp_diff: AS_DATE_DIFF,
  timestamp_trunc: "write date_trunc('day', time)",
  timestampadd: AS_DATE_SUM,
  timestampdiff: AS_DATE_DIFF,
  to_char: `${AS_STRFTIME}, or format('{:,.2f}', number)`,
  to_date: AS_STRPTIME,
  to_json_string: "write to_json(value)",
  to_number: "write CAST(text AS DECIMAL(18,2)), or ::DOUBLE",
  to_unixtime: "write epoch(time)",
  unix_timestamp: "write epoch(time), or epoch(now())",
};
