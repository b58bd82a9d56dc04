/** Record blocks: one record per group of `Key: value` lines, under leads or between blank lines. @module */

import {
  type Block,
  groupBlocks,
  isRule,
  type Lead,
  LEAD_FORMS,
  leadBlocks,
  type LeadForm,
  lineBlocks,
  NO_LEAD,
} from "./block_bounds.ts";
import { contradictsCount } from "./box.ts";
import { cellKind } from "./cell_kinds.ts";
import { judge, refused, SAME_KEYS_SHARE_MIN } from "./coverage.ts";
import { type Pair, type PairMark, pairsOf } from "./key_lines.ts";
import { isBlank, isRemark, linesOf, piece, trimSpaces } from "./lines.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Blocks below which groups of lines are no records. */
export const BLOCKS_MIN = 5;

/** Blocks at each end of a text that may be something else: a heading, a count, advice. */
export const STRANGE_BLOCKS_MAX = 3;

/** Characters of the longest cell of a column that counts as short. Prose has no such column. */
export const SHORT_CELL_CHARS_MAX = 60;

/** Numbered records, headed records, and blank-line groups of pairs. */
export const blocksTier: Tier = { source: "text:record-blocks", plausible, read };

const NO_LEADS: LeadForm = { mark: undefined, names: [], match: () => undefined };

const GLANCE_LINES = 200;

// Of the first lines, half must be pairs; prose and code end here.
function plausible(text: string): boolean {
  let seen = 0;
  let pairs = 0;
  for (let start = 0, line = 0; start < text.length && line < GLANCE_LINES; line++) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    const content = text.slice(start, Math.min(stop, start + 400));
    if (!isBlank(content) && !isRule(content)) {
      seen++;
      const trimmed = content.trimEnd();
      if (pairsOf(trimmed, ":") ?? pairsOf(trimmed, "=") ?? pairsOf(trimmed, "|")) pairs++;
    }
    start = stop + 1;
  }
  return pairs >= BLOCKS_MIN && pairs * 2.2 >= seen;
}

function read(text: string): TierOutcome {
  const lines = linesOf(text);
  for (const form of LEAD_FORMS) {
    const leads = lines.flatMap((line) => form.match(line) ?? []);
    // A title may well be a word and a number; leads are one word and count on.
    if (leads[0]?.word !== undefined && !countOn(leads)) continue;
    if (leads.length >= BLOCKS_MIN) return readBlocks(text, lines, form, leadBlocks(lines, form));
  }
  return readBlocks(text, lines, NO_LEADS, eachLineIsOne(lines) ? lineBlocks(lines) : groupBlocks(lines));
}

// `id: 1 | name: x` on every line: the keys of a record share its only line.
function eachLineIsOne(lines: readonly string[]): boolean {
  let joined = 0;
  let first: string | undefined;
  for (const line of lines) {
    const pairs = pairsOf(line, ":");
    if (pairs === undefined || pairs.length < 2) continue;
    if (pairs[0]?.key !== (first ??= pairs[0]?.key)) return false;
    joined++;
  }
  return joined >= BLOCKS_MIN && joined >= lines.filter((line) => !isBlank(line)).length * SAME_KEYS_SHARE_MIN;
}

function countOn(leads: readonly Lead[]): boolean {
  return leads.every(({ word, number = 0 }, i) =>
    i === 0 || (word === leads[0]?.word && number === (leads[i - 1]?.number ?? 0) + 1)
  );
}

function readBlocks(text: string, lines: readonly string[], form: LeadForm, found: readonly Block[]): TierOutcome {
  if (found.length < BLOCKS_MIN) return refused("too-few-blocks");
  const leadLines = form.names.length > 0 || form.mark !== undefined ? 1 : 0;
  const mark = form.mark ?? markOf(lines, found);
  const blocks = leadLines === 0 ? withoutIntroduction(lines, found, mark) : found;
  const titled = leadLines === 0 && firstLinesAreTitles(lines, blocks, mark);
  const names = titled ? ["title"] : form.names;
  const flushRight = mark !== ":" || (form.mark === ":" && form.names.length === 0);
  const writing: Writing = { mark, titled, flushRight, joins: new Map() };
  const parsed = blocks.map((block) => pairsOfBlock(lines, block, writing));
  const common = commonKeys(parsed);
  const keyed = (block: Block) => pairsOf(lines[block.from] ?? "", mark)?.some(({ key }) => common?.has(key));
  if (titled && blocks.some(keyed)) return refused("title-missing");
  // `name:` over deeper lines is a map, as settings and lock files have them.
  if (titled && middleLine(lines, blocks).trimEnd().endsWith(":")) return refused("keys-nested");
  if (common === undefined) return refused(parsed.find((pairs) => typeof pairs === "string") ?? "no-common-keys");
  let first = 0;
  let last = blocks.length - 1;
  // A block that has a key of the records is one of them, readable or not.
  const foreign = (at: number) => !hasKey(lines, blocks[at], mark, common);
  while (first < STRANGE_BLOCKS_MAX && first < last && foreign(first)) first++;
  let cutLast = trimLast(lines, blocks[last], writing, common);
  while (blocks.length - 1 - last < STRANGE_BLOCKS_MAX && last > first && cutLast === undefined && foreign(last)) {
    last--;
    cutLast = trimLast(lines, blocks[last], writing, common);
  }
  // Without leads a blank line inside a value would begin a record: they all begin with one key.
  if (leadLines === 0 && !beginAlike(parsed.slice(first, last + 1))) return refused("first-keys-differ");
  const kept = blocks.slice(first, last + 1);
  if (kept.length < BLOCKS_MIN) return refused("too-few-blocks");
  // Without a title the lead of the first record would be none.
  const above = { from: 0, end: (kept[0]?.from ?? 0) - leadLines, lead: NO_LEAD };
  if (leadLines === 1 && hasKey(lines, above, mark, common)) return refused("rows-elsewhere");
  const records = parsed.slice(first, last + 1);
  const lastBlock = kept.at(-1);
  let end = lastBlock?.end ?? 0;
  if (cutLast !== undefined) {
    records[records.length - 1] = cutLast.pairs;
    end = cutLast.end;
  }
  for (let i = 1; i < kept.length; i++) {
    const number = kept[i]?.lead.number;
    if (number !== undefined && number !== (kept[i - 1]?.lead.number ?? 0) + 1) return refused("numbering-gap");
  }
  const table = tableOf(records, titled ? titles(lines, kept) : kept.map((block) => block.lead.cells), names);
  if (typeof table === "string") return refused(table);
  if (leadLines === 0 && hasThinRecord(table.rows)) return refused("record-thin");
  const left = [piece(lines, 0, (kept[0]?.from ?? 0) - leadLines), piece(lines, end, lines.length)];
  if (form.mark !== undefined && contradictsCount(left.join("\n"), table.rows.length)) return refused("rows-elided");
  return judge(text, { ...table, left });
}

// `Commit history:` right above the first pair of the first block speaks about all of them.
function withoutIntroduction(lines: readonly string[], blocks: readonly Block[], mark: PairMark): readonly Block[] {
  const [first, second, ...more] = blocks;
  if (first === undefined || second === undefined || first.end - first.from < 2) return blocks;
  const keyAt = (at: number) => pairsOf(lines[at] ?? "", mark)?.[0];
  const introduction = keyAt(first.from);
  if (!isRemark(lines[first.from] ?? "") || (introduction !== undefined && introduction.value !== "")) return blocks;
  const key = keyAt(first.from + 1)?.key;
  if (key === undefined || keyAt(second.from)?.key !== key) return blocks;
  return [{ ...first, from: first.from + 1 }, second, ...more];
}

// Between blank lines a paragraph that holds nothing but the first key may belong to the value above it.
function hasThinRecord(rows: readonly (readonly (string | undefined)[])[]): boolean {
  if ((rows[0]?.length ?? 0) < 3) return false;
  return rows.some((row) => row.filter((cell) => cell !== undefined).length === 1);
}

function titles(lines: readonly string[], blocks: readonly Block[]): string[][] {
  return blocks.map((block) => [trimSpaces(lines[block.from] ?? "")]);
}

// sqlite's line mode has `key = value` on every line; anything else is `Key: value`.
function markOf(lines: readonly string[], blocks: readonly Block[]): PairMark {
  const sample = blocks[Math.floor(blocks.length / 2)];
  if (sample === undefined) return ":";
  for (let at = sample.from; at < sample.end; at++) {
    if (pairsOf(lines[at] ?? "", "=") === undefined) return ":";
  }
  return "=";
}

/** How the blocks of one text are written. */
interface Writing {
  readonly mark: PairMark;
  /** The first line of each block is a title. */
  readonly titled: boolean;
  /** Keys end at one place, as in MySQL's and sqlite's output, rather than begin at one. */
  readonly flushRight: boolean;
  /** The keys that share a line, by the first of them. */
  readonly joins: Map<string, string>;
}

// The pairs of one block, or the code of what is wrong with it.
function pairsOfBlock(lines: readonly string[], block: Block, writing: Writing): Pair[] | string {
  const { mark, titled, joins, flushRight } = writing;
  const pairs: Pair[] = [];
  let indents = { line: 0, key: 0 };
  for (let at = block.from + (titled ? 1 : 0); at < block.end; at++) {
    const line = lines[at] ?? "";
    if (isBlank(line) || isRule(line)) continue;
    const found = pairsOf(line, mark);
    if (found === undefined) return "line-without-key";
    // A deeper key belongs to the one above it. Only writers that set their keys flush right indent them unevenly.
    const own = indentsOf(line);
    if (!flushRight && pairs.length > 0 && own.line !== indents.line && own.key !== indents.key) return "keys-nested";
    indents = own;
    // A value that holds ` | word: ` would be cut: a key shares its line with the same keys in every record.
    const keys = found.length === 1 ? "" : found.map(({ key }) => key).join("\n");
    const first = found[0]?.key ?? "";
    const known = joins.get(first);
    if (known === undefined) joins.set(first, keys);
    else if (known !== keys) return "pipes-differ";
    pairs.push(...found);
  }
  return pairs.length === 0 ? "block-empty" : pairs;
}

// A first line is a title when it is no pair, or when its key (`PROJ-12: Open the harbor`) is its own.
function firstLinesAreTitles(lines: readonly string[], blocks: readonly Block[], mark: PairMark): boolean {
  const counts = new Map<string, number>();
  for (const { from, end } of blocks) {
    const key = end - from > 1 ? pairsOf(lines[from] ?? "", mark)?.[0]?.key : undefined;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) * 2 < blocks.length && blocks.some(({ from, end }) => end - from > 1);
}

function middleLine(lines: readonly string[], blocks: readonly Block[]): string {
  return lines[blocks[Math.floor(blocks.length / 2)]?.from ?? 0] ?? "";
}

function beginAlike(records: readonly (Pair[] | string)[]): boolean {
  let first: string | undefined;
  for (const pairs of records) {
    if (typeof pairs === "string") continue;
    const key = pairs[0]?.key;
    if (key !== (first ??= key)) return false;
  }
  return true;
}

function hasKey(
  lines: readonly string[],
  block: Block | undefined,
  mark: PairMark,
  common: ReadonlySet<string>,
): boolean {
  for (let at = block?.from ?? 0; at < (block?.end ?? 0); at++) {
    if (pairsOf(lines[at] ?? "", mark)?.some(({ key }) => common.has(key))) return true;
  }
  return false;
}

// Where a line begins, and where its key does behind a bullet.
function indentsOf(line: string): { readonly line: number; readonly key: number } {
  const [whole = "", blanks = ""] = /^(\s*)(?:[-*•] +)?/.exec(line) ?? [];
  return { line: blanks.length, key: whole.length };
}

// Keys that at least half of the readable blocks have.
function commonKeys(parsed: readonly (Pair[] | string)[]): Set<string> | undefined {
  const counts = new Map<string, number>();
  let blocks = 0;
  for (const pairs of parsed) {
    if (typeof pairs === "string") continue;
    blocks++;
    for (const { key } of pairs) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const common = new Set<string>();
  for (const [key, count] of counts) if (count * 2 >= blocks && count > 1) common.add(key);
  return common.size === 0 ? undefined : common;
}

// `120 rows in set (0.01 sec)`, as MySQL says right below the last row.
const ROW_COUNT_REGEXP = /^\(?\d{1,9} rows?(?: in set\b.*)?\)?$/;

// The last record ends before a paragraph that has none of the common keys, and before a count.
function trimLast(
  lines: readonly string[],
  block: Block | undefined,
  writing: Writing,
  common: ReadonlySet<string>,
): { readonly pairs: Pair[]; readonly end: number } | undefined {
  if (block === undefined) return undefined;
  for (let at = block.from + 1; at < block.end; at++) {
    const apart = isBlank(lines[at - 1]) || isRule(lines[at - 1] ?? "") || ROW_COUNT_REGEXP.test(lines[at] ?? "");
    if (!apart) continue;
    const found = pairsOf(lines[at] ?? "", writing.mark);
    if (isBlank(lines[at]) || found?.some(({ key }) => common.has(key))) continue;
    if (hasKey(lines, { ...block, from: at }, writing.mark, common)) return undefined;
    const pairs = pairsOfBlock(lines, { ...block, end: at }, writing);
    return typeof pairs === "string" ? undefined : { pairs, end: at };
  }
  return undefined;
}

function tableOf(
  records: readonly (Pair[] | string)[],
  leads: readonly (readonly string[])[],
  names: readonly string[],
): { readonly header: string[]; readonly rows: (string | undefined)[][] } | string {
  const columns = new Map<string, number>();
  const rows: (string | undefined)[][] = [];
  for (const [index, pairs] of records.entries()) {
    if (typeof pairs === "string") return pairs;
    const row: (string | undefined)[] = [...leads[index] ?? []];
    for (const { key, value } of pairs) {
      let column = columns.get(key);
      if (column === undefined) columns.set(key, column = names.length + columns.size);
      if (row[column] !== undefined) return "key-twice";
      row[column] = value;
    }
    rows.push(row);
  }
  const header = [...names, ...columns.keys()];
  for (const row of rows) for (let i = 0; i < header.length; i++) row[i] ??= undefined;
  if (header.length < 2 || columns.size < 2 && names.length === 0) return "too-few-columns";
  // A key in one record of ten may be a line of the value above it.
  for (let i = names.length; i < header.length; i++) {
    if (rows.filter((row) => row[i] !== undefined).length < rows.length * SAME_KEYS_SHARE_MIN) return "key-rare";
  }
  if (!hasShortColumn(header.length, rows)) return "prose";
  return { header, rows };
}

// Records have a column of short or formed cells; a conversation between two people has not.
function hasShortColumn(width: number, rows: readonly (readonly (string | undefined)[])[]): boolean {
  for (let column = 0; column < width; column++) {
    let short = width > 2;
    let formed = true;
    for (const row of rows) {
      const cell = row[column] ?? "";
      if (cell.length > SHORT_CELL_CHARS_MAX) short = false;
      if (cell !== "" && cellKind(cell) === undefined) formed = false;
    }
    if (short || formed) return true;
  }
  return false;
}
