/** Tests of lib/store/scan.ts. @module */

import { doesNotThrow, equal, throws } from "node:assert/strict";
import { BRACKET_DEPTH_MAX, COMMENT_DEPTH_MAX, SQL_CHARS_MAX } from "../../lib/store/limits.ts";
import { scanSql, withoutSemicolons } from "../../lib/store/scan.ts";
import { verifies } from "../support/verifies.ts";

const nested = (depth: number) => `SELECT ${"(".repeat(depth)}1${")".repeat(depth)}`;
const comments = (depth: number) => `SELECT 1 ${"/*".repeat(depth)}${"*/".repeat(depth)}`;

verifies("GATE-1", "scanSql() holds each bound on both sides", () => {
  doesNotThrow(() => scanSql(`SELECT '${"x".repeat(SQL_CHARS_MAX - 9)}'`));
  throws(() => scanSql(`SELECT '${"x".repeat(SQL_CHARS_MAX - 8)}'`), /65536 at most/);
  doesNotThrow(() => scanSql(nested(BRACKET_DEPTH_MAX)));
  throws(() => scanSql(nested(BRACKET_DEPTH_MAX + 1)), /brackets are nested/);
  doesNotThrow(() => scanSql(comments(COMMENT_DEPTH_MAX)));
  throws(() => scanSql(comments(COMMENT_DEPTH_MAX + 1)), /comments are nested/);
  throws(() => scanSql("SELECT 1 \0 x"), /NUL/);
  throws(() => scanSql("SELECT '\ud800'"), /surrogate/);
  doesNotThrow(() => scanSql("SELECT '\u{1f9f5}'"));
});

Deno.test.each([
  { what: "a string", text: `SELECT '${"(".repeat(300)}'` },
  { what: "a string with doubled quotes", text: `SELECT 'a''${"(".repeat(300)}'` },
  { what: "an escape string", text: `SELECT E'\\'${"(".repeat(300)}'` },
  { what: "a quoted name", text: `SELECT "${"(".repeat(300)}"` },
  { what: "dollar quotes", text: `SELECT $tag$ $$ ${"(".repeat(300)} $tag$` },
  { what: "a line comment", text: `SELECT 1 -- ${"(".repeat(300)}\n` },
  { what: "a block comment", text: `SELECT 1 /* ${"(".repeat(300)} */` },
])("scanSql() does not count brackets inside $what", ({ text }) => doesNotThrow(() => scanSql(text)));

Deno.test("scanSql() counts brackets behind text that looks like a comment or a quote", () => {
  throws(() => scanSql(`SELECT '--', '/*', $1 ${nested(300)}`), /brackets/);
  throws(() => scanSql(`SELECT 'it' ${")".repeat(300)} ${nested(300)}`), /brackets/);
  throws(() => scanSql(`SELECT 'a\\' ${nested(300)}`), /brackets/);
});

Deno.test("withoutSemicolons() keeps those in texts, names and comments", () => {
  equal(withoutSemicolons(";SELECT 1;;"), " SELECT 1  ");
  for (const sql of ["SELECT 'a;b', \";\", E'\\';', $$;$$, $x$;$x$", "SELECT 1 -- a;", "SELECT 1 /* ; /* ; */ ; */"]) {
    equal(withoutSemicolons(sql), sql);
  }
  equal(withoutSemicolons("SELECT 1 -- a;\n; /* b */"), "SELECT 1 -- a;\n  /* b */");
});
