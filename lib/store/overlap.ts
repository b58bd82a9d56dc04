/** How much of one column occurs in another: exact for few values, by a sample chosen by hash on both sides for many. @module */

import type { JoinHint } from "../dataset.ts";
import type { Candidate, KeyColumn, Normalisation } from "./hints.ts";
import { quoteIdentifier } from "./sql.ts";

/** Distinct values of the smaller side up to which the count is exact; of more, a sample of about so many is compared. */
export const EXACT_VALUES_MAX = 4_096;

/** What a comparison counts, on values or on the sample of them. */
export interface OverlapCounts {
  readonly leftDistinct: number;
  readonly rightDistinct: number;
  readonly common: number;
  /** The most rows that one value has. */
  readonly leftRepeats: number;
  readonly rightRepeats: number;
}

/**
 * One statement that gives the five counts of {@link OverlapCounts} in their order. A value is in the sample when its
 * hash is: the same values on both sides, so that equal columns score 1 and disjoint ones 0 at any size.
 */
export function overlapSql({ left, right, via }: Candidate): string {
  const common = commonType(left, right, via);
  const every = sampleStep(left, right, via);
  const side = (key: KeyColumn, how: Normalisation, counts: string) => {
    const value = `CAST(${normalised(quoteIdentifier(key.column.name), how, key)} AS ${common})`;
    const rows = `SELECT ${value} AS v, ${counts} FROM ${quoteIdentifier(key.ref)}`;
    return every > 1 ? `${rows} WHERE hash(${value}) % ${every} = 0` : rows;
  };
  const both = `${side(left, via[0], "1 AS l, 0 AS r")} UNION ALL ${side(right, via[1], "0 AS l, 1 AS r")}`;
  const counted = `SELECT sum(l) AS l, sum(r) AS r FROM (${both}) WHERE v IS NOT NULL GROUP BY v`;
  return `SELECT count(*) FILTER (l > 0), count(*) FILTER (r > 0), count(*) FILTER (l > 0 AND r > 0), ` +
    `coalesce(max(l), 0), coalesce(max(r), 0) FROM (${counted})`;
}

/** One statement for several candidates: a row for each, its number first. One plan costs less than ten. */
export function overlapsSql(candidates: readonly Candidate[]): string {
  return candidates.map((candidate, i) => `SELECT ${i}, * FROM (${overlapSql(candidate)})`).join(" UNION ALL ");
}

/** One value in so many is compared; all of them where a normalisation may make few out of many. */
function sampleStep(left: KeyColumn, right: KeyColumn, via: Candidate["via"]): number {
  if (via.some((how) => how === "email-domain" || how === "host" || how === "url-tail")) return 1;
  const fewest = Math.min(left.column.approxDistinct, right.column.approxDistinct);
  return Math.max(1, 2 ** Math.floor(Math.log2(Math.max(1, fewest / EXACT_VALUES_MAX))));
}

/** The hint that the counts amount to; undefined when a side has no values. */
export function hintFrom(candidate: Candidate, counts: OverlapCounts): JoinHint | undefined {
  const { left, right, via } = candidate;
  if (counts.leftDistinct === 0 || counts.rightDistinct === 0) return undefined;
  const hint = {
    column: left.column.name,
    otherRef: right.ref,
    otherColumn: right.column.name,
    containment: rounded(counts.common / counts.leftDistinct),
    reverseContainment: rounded(counts.common / counts.rightDistinct),
    relation: `${counts.leftRepeats > 1 ? "n" : "1"}:${
      counts.rightRepeats > 1 ? (counts.leftRepeats > 1 ? "m" : "n") : "1"
    }`,
  } as Omit<JoinHint, "via" | "sql">;
  if (via[0] === "none" && via[1] === "none") return hint;
  return { ...hint, via: WORDS[via[0] === "number" || via[0] === "host" ? via[1] : via[0]], sql: joinSql(candidate) };
}

const WORDS: Readonly<Record<Normalisation, string>> = {
  none: "as they are",
  case: "lower case, trimmed",
  number: "number as text, without #",
  "email-domain": "domain of the e-mail address",
  host: "host name",
  "url-tail": "last part of the URL",
};

/** A join under the normalisation, ready to run. */
function joinSql({ left, right, via }: Candidate): string {
  const a = normalised(`a.${quoteIdentifier(left.column.name)}`, via[0], left);
  const b = normalised(`b.${quoteIdentifier(right.column.name)}`, via[1], right);
  return `SELECT * FROM ${quoteIdentifier(left.ref)} a JOIN ${quoteIdentifier(right.ref)} b ON ${a} = ${b} LIMIT 100`;
}

function normalised(column: string, how: Normalisation, { family }: KeyColumn): string {
  const text = family === "text" ? column : `CAST(${column} AS VARCHAR)`;
  switch (how) {
    case "none":
      return column;
    case "case":
      return `lower(trim(${text}))`;
    case "number":
      return `ltrim(trim(${text}), '#')`;
    case "email-domain":
      return `nullif(lower(trim(split_part(${text}, '@', 2))), '')`;
    case "host":
      return `nullif(${hostOf(text)}, '')`;
    case "url-tail":
      return `nullif(regexp_extract(${text}, '([^/?#]+)/?(?:[?#].*)?$', 1), '')`;
  }
}

/** String functions, since a regular expression would take most of the time of a scoring. */
function hostOf(text: string): string {
  const after = `CASE WHEN contains(${text}, '://') THEN split_part(${text}, '://', 2) ELSE ${text} END`;
  const host = `lower(trim(split_part(split_part(${after}, '/', 1), ':', 1)))`;
  return `CASE WHEN starts_with(${host}, 'www.') THEN substr(${host}, 5) ELSE ${host} END`;
}

/** Both sides need one type, or equal values would hash differently. */
function commonType(left: KeyColumn, right: KeyColumn, via: Candidate["via"]): string {
  if (via[0] !== "none" || left.family === "text") return "VARCHAR";
  if (left.family === "integer") return left.column.type === right.column.type ? left.column.type : "HUGEINT";
  return left.family === "uuid" ? "UUID" : "DATE";
}

function rounded(share: number): number {
  // Never rounded to 1 or 0 unless it is: 1 promises that every value occurs, 0 that none does.
  if (share > 0.9995 && share < 1) return 0.999;
  if (share > 0 && share < 0.0005) return 0.001;
  return Math.round(share * 1_000) / 1_000;
}
