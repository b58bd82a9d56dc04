/** Keys that tell what a list is for: the names of columns, or something beside the data. @module */

/** `ColumnNames`, `column_names` and `column-names` are one key. */
function normalize(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Under these keys stand the names of columns, for rows that are plain arrays. The first that fits is taken. */
const NAME_LISTS: readonly string[] = [
  "columns",
  "columnnames",
  "fields",
  "fieldnames",
  "header",
  "headers",
  "columnheaders",
  "colnames",
  "cols",
  "columninfo",
  "columnmetadata",
  "columndefinitions",
  "rowtype",
  "schema",
  "meta",
  "names",
  "attributes",
  "variables",
  "vars",
  "keys",
];

/** Place of `key` among the keys of name lists, lower is better; undefined when it is none. */
export function nameListRank(key: string): number | undefined {
  const rank = NAME_LISTS.indexOf(normalize(key));
  return rank < 0 ? undefined : rank;
}

/** In a description of a column, its name stands under the first of these that every description has. */
export const COLUMN_NAME_KEYS: readonly string[] = [
  "name",
  "Name",
  "columnName",
  "column_name",
  "fieldName",
  "field_name",
  "field",
  "column",
  "id",
  "key",
  "label",
  "title",
];

const BESIDE_DATA: ReadonlySet<string> = new Set([
  ...NAME_LISTS,
  "links",
  "pagelinks",
  "pages",
  "pagination",
  "paging",
  "warnings",
  "errors",
  "notices",
  "messages",
  "hints",
  "facets",
  "filters",
  "aggregations",
  "sort",
  "suggestions",
  "summary",
  "stats",
  "statistics",
  "metadata",
  "columntypes",
  "types",
  "included",
]);

/** Whether lists under `key` usually stand beside the data: descriptions of columns, links to pages, warnings. */
export function standsBesideData(key: string): boolean {
  return BESIDE_DATA.has(normalize(key));
}

const ROW_LISTS: ReadonlySet<string> = new Set(
  "rows data values records results result items resultset rowset dataarray objects documents".split(" "),
);

/** Whether a list under `key` holds the rows wherever there are some. */
export function holdsRows(key: string): boolean {
  return ROW_LISTS.has(normalize(key));
}

/** Pairs of keys under which one cell stands as an object: its column and its value. */
export const PAIR_KEYS: readonly (readonly [string, string])[] = [
  ["field", "value"],
  ["name", "value"],
  ["key", "value"],
  ["column", "value"],
  ["Name", "Value"],
  ["Key", "Value"],
];
