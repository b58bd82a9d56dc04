/** The names that engines and data frames give to the types of columns. @module */

// Anchored, and no two neighbouring parts can match the same character.
const TYPE_REGEXP =
  /^(?:boolean|bool|u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|number|float\d*|real|double(?: precision)?|decimal(?:\(\d+, ?\d+\))?|numeric(?:\(\d+, ?\d+\))?|(?:var)?char(?:\(\d+\))?|character varying(?:\(\d+\))?|str|string|text|blob|bytea|object|bit|date\d*|time|datetime\d*(?:\(.*\))?|timestamp(?:tz|_\w+)?(?: with(?:out)? time zone)?|time with time zone|interval|uuid|jsonb?|[iuf](?:8|16|32|64)|datetime64\[.*\]|(?:nullable|lowcardinality|enum\d*|array|struct|map|union|list)\(.*\)|enum|null|"null"|variant|.+\[\d*\])$/i;

/** True when a cell is the name of a type: `BIGINT`, `varchar(20)`, `Nullable(String)`, `i64`. */
export function isTypeName(cell: string): boolean {
  return TYPE_REGEXP.test(cell.trim());
}
