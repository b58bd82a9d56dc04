/** Which columns of two datasets may join: a matter of names and types, decided before any value is looked at. @module */

import type { ColumnProfile, Dataset } from "../dataset.ts";

/** Pairs of columns whose values are compared for one dataset. */
export const SCORINGS_MAX = 20;
/** Rows above which a column of distinct values counts as a key, whatever its name. */
export const KEY_ROWS_MIN = 10;
/** Share of distinct values above which it does. */
export const KEY_UNIQUENESS_MIN = 0.95;
/** Rows above which the engine's count of distinct values is approximate, by up to an eighth. */
export const EXACT_DISTINCT_ROWS_MAX = 1_000;
/** Datasets that are looked at, the newest first, so that the three-hundredth costs no more than the hundredth. */
export const HINTED_DATASETS_MAX = 100;
/** Columns of one dataset that are considered. */
export const KEY_COLUMNS_MAX = 60;

/** Last words of names that are keys: `id`, `user_id`, `userId`, `Order SKU`. */
const KEY_WORDS = new Set(["id", "key", "uuid", "guid", "email", "slug", "sku", "code", "ref", "number", "no"]);
const LINK_WORDS = new Set(["url", "link", "href", "uri", "permalink"]);
const DOMAIN_WORDS = new Set(["domain", "website", "host", "hostname", "site"]);

/** What kind of values a column holds, as far as joining goes. */
export type Family = "integer" | "text" | "uuid" | "date";

/** How values are made comparable before they are compared. */
export type Normalisation = "none" | "case" | "number" | "email-domain" | "url-tail" | "host";

/** A column that may be one side of a join. */
export interface KeyColumn {
  readonly ref: string;
  readonly column: ColumnProfile;
  /** Rows of its dataset. */
  readonly rows: number;
  readonly family: Family;
  /** The words of its name in lower case. */
  readonly words: readonly string[];
  /** All of them, and the last of them. */
  readonly name: string;
  readonly last: string;
}

/** Two columns whose values are worth comparing. */
export interface Candidate {
  readonly left: KeyColumn;
  readonly right: KeyColumn;
  /** Normalisations of the left and the right side. */
  readonly via: readonly [Normalisation, Normalisation];
  /** Higher is tried first. */
  readonly priority: number;
}

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^U?(?:TINY|SMALL|BIG|HUGE)INT$|^U?INTEGER$/, "integer"],
  [/^DECIMAL\(\d+,0\)$/, "integer"],
  [/^(?:VARCHAR|ENUM\()/, "text"],
  [/^UUID$/, "uuid"],
  [/^DATE$/, "date"],
];

const keyColumns = new WeakMap<Dataset, readonly KeyColumn[]>();

/** The columns of a dataset that may join: key-like by name, or distinct in nearly every row. */
export function keyColumnsOf(dataset: Dataset): readonly KeyColumn[] {
  const known = keyColumns.get(dataset);
  if (known) return known;
  const keys: KeyColumn[] = [];
  for (const column of dataset.columns) {
    const family = FAMILIES.find(([pattern]) => pattern.test(column.type))?.[1];
    const words = wordsOf(column.name);
    if (family && (isKeyName(words) || isUnique(column, dataset.rowCount))) {
      const [name, last] = [words.join("_"), words.at(-1) ?? ""];
      keys.push({ ref: dataset.ref, column, rows: dataset.rowCount, family, words, name, last });
    }
    if (keys.length >= KEY_COLUMNS_MAX) break;
  }
  keyColumns.set(dataset, keys);
  return keys;
}

/**
 * The pairs to compare for `dataset`, best first; at most {@link SCORINGS_MAX}. Of several results of one tool the newest
 * stands for all: pages of one list join alike.
 */
export function joinCandidates(dataset: Dataset, others: readonly Dataset[]): Candidate[] {
  const found = new Map<string, Candidate>();
  others.slice(-HINTED_DATASETS_MAX).forEach((other, age) => {
    if (other.ref === dataset.ref || arePages(dataset, other)) return;
    const source = other.implicit || other.pinned ? other.ref : `${other.provenance.server} ${other.provenance.tool}`;
    for (const left of keyColumnsOf(dataset)) {
      for (const right of keyColumnsOf(other)) {
        if (left.last !== right.last && left.name !== right.name && !isSpecial(left) && !isSpecial(right)) continue;
        const match = matchOf(left, right, dataset, other);
        if (!match) continue;
        // Among equals the newest datasets come first.
        const priority = match.priority + age / (HINTED_DATASETS_MAX + 1);
        found.set(`${source}\n${left.column.name}\n${right.column.name}`, { left, right, ...match, priority });
      }
    }
  });
  return [...found.values()].sort((a, b) => b.priority - a.priority).slice(0, SCORINGS_MAX);
}

/** Results of one tool with the same columns are pages of one list: they belong under each other, not side by side. */
function arePages(a: Dataset, b: Dataset): boolean {
  if (a.implicit || b.implicit || a.pinned || b.pinned) return false;
  const [from, to] = [a.provenance, b.provenance];
  return from.server === to.server && from.tool === to.tool && a.columns.length === b.columns.length &&
    a.columns.every(({ name }, i) => name === b.columns[i]?.name);
}

function matchOf(
  left: KeyColumn,
  right: KeyColumn,
  dataset: Dataset,
  other: Dataset,
): Pick<Candidate, "via" | "priority"> | undefined {
  const domains = domainMatch(left, right) ?? tailMatch(left, right);
  if (domains) return { via: domains, priority: 3 };
  const named = nameMatch(left, right, dataset, other);
  if (named === 0) return undefined;
  if (left.family === right.family) return { via: ["none", "none"], priority: named };
  const families = new Set([left.family, right.family]);
  if (families.has("text") && families.has("integer")) return { via: ["number", "number"], priority: named - 1 };
  return families.has("text") && families.has("uuid") ? { via: ["case", "case"], priority: named - 1 } : undefined;
}

/** How well two names go together: 0 for not at all, 7 for the same name. */
function nameMatch(left: KeyColumn, right: KeyColumn, dataset: Dataset, other: Dataset): number {
  const [a, b] = [left.words, right.words];
  if (left.name === right.name) return isKeyName(a) ? (a.length > 1 ? 7 : 5) : 4;
  if (left.last !== right.last || !KEY_WORDS.has(left.last)) return 0;
  // `user_id` goes with the `id` of a dataset of users.
  if (b.length === 1 && speaksOf(other, a.slice(0, -1)) || a.length === 1 && speaksOf(dataset, b.slice(0, -1))) {
    return 6;
  }
  return a.length === 1 || b.length === 1 ? 3 : 2;
}

const spokenOf = new WeakMap<Dataset, string>();

function speaksOf(dataset: Dataset, words: readonly string[]): boolean {
  const text = spokenOf.get(dataset) ?? `${dataset.provenance.tool} ${dataset.ref}`.toLowerCase();
  spokenOf.set(dataset, text);
  return words.some((word) => word.length > 2 && text.includes(word.replace(/s$/, "")));
}

/** Columns that may go with one of another name. */
function isSpecial({ last }: KeyColumn): boolean {
  return LINK_WORDS.has(last) || DOMAIN_WORDS.has(last);
}

function domainMatch(left: KeyColumn, right: KeyColumn): Candidate["via"] | undefined {
  if (left.family !== "text" || right.family !== "text") return undefined;
  const [a, b] = [left.last, right.last];
  if (a === "email" && DOMAIN_WORDS.has(b)) return ["email-domain", "host"];
  if (b === "email" && DOMAIN_WORDS.has(a)) return ["host", "email-domain"];
  return undefined;
}

function tailMatch(left: KeyColumn, right: KeyColumn): Candidate["via"] | undefined {
  const [a, b] = [left.last, right.last];
  if (left.family === "text" && LINK_WORDS.has(a) && KEY_WORDS.has(b)) return ["url-tail", "number"];
  if (right.family === "text" && LINK_WORDS.has(b) && KEY_WORDS.has(a)) return ["number", "url-tail"];
  return undefined;
}

/**
 * A second look at a pair whose values hardly match as they are: the normalisation worth trying, if any. It costs several
 * times as much as the first look, so something in the values must speak for it.
 */
export function secondLook({ left, right, via }: Candidate): Candidate["via"] | undefined {
  if (via[0] !== "none" || left.family !== "text" || right.family !== "text") return undefined;
  const [a, b] = [extremes(left), extremes(right)];
  if (a.some(hasSign) !== b.some(hasSign)) return ["number", "number"];
  return [...a, ...b].some((text) => text !== text.trim().toLowerCase()) ? ["case", "case"] : undefined;
}

/** The least and the greatest value, as far as the profile shows them. */
function extremes({ column }: KeyColumn): string[] {
  return [column.min, column.max].filter((json) => json !== undefined).map((json) => String(JSON.parse(json)));
}

function hasSign(text: string): boolean {
  return text.startsWith("#");
}

/** The words of a column's name: `userId`, `user_id` and `User ID` have the same. */
export function wordsOf(name: string): string[] {
  return name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1_$2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2").toLowerCase()
    .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function isKeyName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return KEY_WORDS.has(last) || LINK_WORDS.has(last) || DOMAIN_WORDS.has(last);
}

function isUnique({ approxDistinct, nullCount }: ColumnProfile, rowCount: number): boolean {
  const filled = rowCount - nullCount;
  if (filled <= KEY_ROWS_MIN) return false;
  const slack = rowCount > EXACT_DISTINCT_ROWS_MAX ? 7 / 8 : 1;
  return approxDistinct / filled >= KEY_UNIQUENESS_MIN * slack;
}
