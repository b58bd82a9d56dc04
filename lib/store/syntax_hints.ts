/** What a model means when it writes the syntax of another database, and how DuckDB writes it. @module */

/** UTF-16 units before and behind the place of an error in which its cause is looked for. */
const AROUND_CHARS = 80;

/** A pattern around the place of the error, and the form that works. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/`/, 'names are quoted with "double quotes", not with `'],
  [/\bTOP\s*\(?\s*\d+/i, "TOP is not possible: end the query with LIMIT n"],
  [/\bLIMIT\s+\d+\s*,\s*\d+/i, "LIMIT skip, count is written LIMIT count OFFSET skip"],
  [/\b(?:NOT\s+)?(?:RLIKE|REGEXP)\b/i, "write regexp_matches(text, pattern)"],
  [/\*\s*EXCEPT\s*\(/i, "SELECT * EXCEPT (…) is written SELECT * EXCLUDE (…)"],
  [
    /\b(?:FROM|JOIN)\s*\[|\bSELECT\s+(?:\w+\s*,\s*)*\[[A-Za-z_]\w*\]/i,
    'names are quoted with "double quotes", not with […]',
  ],
  [/\bSAFE_CAST\s*\(/i, "write TRY_CAST(value AS type)"],
  [/\b(?:TIMESTAMP|DATETIME|TIME)\s*\(\s*(?!\d+\s*\))/i, "write TIMESTAMP '2026-01-31 12:00:00', or text::TIMESTAMP"],
  [/#>>?/, "a path into JSON is written column->>'$.a.b'"],
  [/\bARRAY_AGG\s*\([^)]*\bLIMIT\b/i, "write list(value ORDER BY key)[1:3]"],
  [/\bSHOW\s+(?:COLUMNS|FIELDS)\b/i, "write DESCRIBE ds_…"],
  [/\(\s*MAX\s*\)/i, "a text of any length is VARCHAR"],
  [/::JSON\s*\./i, "write (text::JSON)->>'$.key'"],
  [/\bDISTINCT\s+ON\s+[^(\s]/i, "write DISTINCT ON (column)"],
  [/\bSTRUCT\s*\(/i, "a struct is written {'name': value} or struct_pack(name := value)"],
  [/\b(?:ARRAY|STRUCT)\s*</i, "types are written BIGINT[] and STRUCT(name BIGINT)"],
  [/\bINTERVAL\s+-\s*\d/i, "a negative interval is written -INTERVAL 1 DAY, or INTERVAL '-1 day'"],
  [/\bBETWEEN\s+SYMMETRIC\b/i, "BETWEEN SYMMETRIC is not possible: put the smaller bound first"],
  [/\b(?:I?LIKE)\s+(?:ANY|ALL|SOME)\b/i, "LIKE ANY is not possible: write regexp_matches(text, 'one|other'), or OR"],
  [/\bWITHIN\s+GROUP\b/i, "write quantile_cont(column, 0.5), or string_agg(column, ',' ORDER BY column)"],
  [/\bSEPARATOR\b/i, "GROUP_CONCAT … SEPARATOR is written string_agg(column, ', ' ORDER BY column)"],
  [/\bDIV\b/i, "whole division is written a // b"],
  [/\)\s*(?:IGNORE|RESPECT)\s+NULLS/i, "IGNORE NULLS stands in the brackets: lag(column IGNORE NULLS) OVER (…)"],
  [/\bLATERAL\s+VIEW\b/i, "LATERAL VIEW explode is written FROM table, unnest(table.list) AS t(element)"],
  [/\bFROM\s+UNNEST\b.*\bWITH\s+OFFSET\b/i, "WITH OFFSET is written WITH ORDINALITY"],
  [/\bSTRAIGHT_JOIN\b|\bCROSS\s+APPLY\b|\bOUTER\s+APPLY\b/i, "write JOIN LATERAL (SELECT …) ON true"],
  [/\bCONNECT\s+BY\b/i, "write WITH RECURSIVE"],
  [/\bFOR\s+(?:UPDATE|JSON|XML)\b|\bWITH\s*\(\s*NOLOCK\s*\)|\bINTO\s+OUTFILE\b/i, "leave that clause out"],
  [/[\u2018\u2019\u201c\u201d]/, "texts are quoted with ' and names with \", not with typographic quotes"],
  [/\\u[0-9a-f]{4}/i, "write the character itself instead of its escape"],
  [/\b(?:FROM|JOIN)\s+\w+(?:-\w+)+/i, 'a name with - is quoted with "double quotes"'],
  [
    /\bAS\s*\(\s*(?:DESCRIBE|SUMMARIZE|SHOW)\b/i,
    "DESCRIBE and SUMMARIZE stand in FROM: SELECT * FROM (SUMMARIZE ds_…)",
  ],
];

/** What is meant around the character `at`, as DuckDB writes it; undefined when nothing is known. */
export function syntaxHint(sql: string, at: number): string | undefined {
  const around = sql.slice(Math.max(0, at - AROUND_CHARS), at + AROUND_CHARS);
  return HINTS.find(([pattern]) => pattern.test(around))?.[1];
}
