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
  const fewest = Math.min(left.column.approxDistinct, right.column.approxDistinct);
  const every = Math.max(1, 2 ** Math.floor(Math.log2(Math.max(1, fewest / EXACT_VALUES_MAX))));
  const common = commonType(left, right, via);
  const side = (key: KeyColumn, how: Normalisation) => {
    const value = `CAST(${normalised(quoteIdentifier(key.column.name), how, key)} AS ${common})`;
    const sampled = every > 1 ? ` AND hash(v) % ${every} = 0` : "";
    return `SELECT v, count(*) AS n FROM (SELECT ${value} AS v FROM ${
      quoteIdentifier(key.ref)
    }) WHERE v IS NOT NULL${sampled} GROUP BY v`;
  };
  return `WITH l AS MATERIALIZED (${side(left, via[0])}), r AS MATERIALIZED (${side(right, via[1])}) ` +
    `SELECT (SELECT count(*) FROM l), (SELECT count(*) FROM r), (SELECT count(*) FROM l JOIN r USING (v)), ` +
    `(SELECT coalesce(max(n), 0) FROM l), (SELECT coalesce(max(n), 0) FROM r)`;
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
      return `regexp_replace(lower(trim(${text})), '^(?:[a-z]+://)?(?:www\\.)?([^/:?#]+).*$', '\\1')`;
    case "url-tail":
      return `nullif(regexp_extract(${text}, '([^/?#]+)/?(?:[?#].*)?$', 1), '')`;
  }
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
