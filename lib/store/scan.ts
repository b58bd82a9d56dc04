/** A linear look at SQL text before any parser sees it: what would hurt the engine's own lexer is refused. @module */

import { LoomError } from "../errors.ts";
import { BRACKET_DEPTH_MAX, COMMENT_DEPTH_MAX, SQL_CHARS_MAX } from "./limits.ts";

/**
 * Refuses SQL text that is too long, that the engine's C interface would cut (NUL) or could not carry (lone surrogates),
 * and text that is nested so deeply that lexer or parser would take very long.
 * @throws LoomError `QUERY_REJECTED`
 */
export function scanSql(sql: string): void {
  if (sql.length > SQL_CHARS_MAX) {
    throw rejected(`the text has ${sql.length} characters and ${SQL_CHARS_MAX} at most are possible`);
  }
  if (sql.includes("\0")) throw rejected("the text holds a NUL character");
  if (!sql.isWellFormed()) throw rejected("the text holds half of a surrogate pair");
  let depth = 0;
  for (let at = 0; at < sql.length;) {
    const char = sql[at] ?? "";
    const skip = SKIPS[char]?.(sql, at);
    if (skip !== undefined && skip > at) {
      at = skip;
      continue;
    }
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") depth = Math.max(0, depth - 1);
    if (depth > BRACKET_DEPTH_MAX) throw rejected(`brackets are nested deeper than ${BRACKET_DEPTH_MAX}`);
    at++;
  }
}

/** The text of one statement without the semicolons around it: those in quoted texts and comments stay. */
export function withoutSemicolons(sql: string): string {
  let kept = "";
  for (let at = 0; at < sql.length;) {
    const char = sql[at] ?? "";
    const end = Math.max(at + 1, SKIPS[char]?.(sql, at) ?? 0);
    kept += char === ";" ? " " : sql.slice(at, end);
    at = end;
  }
  return kept;
}

/** Where the quoted text or comment that begins here ends; undefined when none begins. */
type Skip = (sql: string, at: number) => number | undefined;

const SKIPS: Readonly<Record<string, Skip>> = {
  "'": (sql, at) => endOfQuoted(sql, at, "'", /[eE]/.test(sql[at - 1] ?? "") && !/\w/.test(sql[at - 2] ?? "")),
  '"': (sql, at) => endOfQuoted(sql, at, '"', false),
  "-": (sql, at) => sql[at + 1] === "-" ? endOfLine(sql, at) : undefined,
  "/": (sql, at) => sql[at + 1] === "*" ? endOfComment(sql, at) : undefined,
  "$": endOfDollarQuoted,
};

/** A doubled quote reads as the end of one text and the begin of another, which comes to the same. */
function endOfQuoted(sql: string, at: number, quote: string, escapes: boolean): number {
  for (let i = at + 1; i < sql.length; i++) {
    if (escapes && sql[i] === "\\") i++;
    else if (sql[i] === quote) return i + 1;
  }
  return sql.length;
}

function endOfLine(sql: string, at: number): number {
  for (let i = at; i < sql.length; i++) if (sql[i] === "\n" || sql[i] === "\r") return i;
  return sql.length;
}

function endOfComment(sql: string, at: number): number {
  let depth = 0;
  for (let i = at; i < sql.length; i++) {
    if (sql[i] === "/" && sql[i + 1] === "*") {
      if (++depth > COMMENT_DEPTH_MAX) throw rejected(`comments are nested deeper than ${COMMENT_DEPTH_MAX}`);
      i++;
    } else if (sql[i] === "*" && sql[i + 1] === "/") {
      i++;
      if (--depth === 0) return i + 1;
    }
  }
  return sql.length;
}

const DOLLAR_TAG_REGEXP = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

function endOfDollarQuoted(sql: string, at: number): number | undefined {
  DOLLAR_TAG_REGEXP.lastIndex = at;
  const tag = DOLLAR_TAG_REGEXP.exec(sql)?.[0];
  if (tag === undefined) return undefined;
  const end = sql.indexOf(tag, at + tag.length);
  return end < 0 ? sql.length : end + tag.length;
}

/** The refusal of a query: what was wrong, and what is possible. */
export function rejected(reason: string): LoomError {
  return new LoomError("QUERY_REJECTED", `Cannot run this SQL: ${reason}`);
}
