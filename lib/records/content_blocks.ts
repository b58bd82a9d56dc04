/** Rows in several content blocks: one JSON record per block, or the block that holds the table. @module */

import type { ContextItem } from "../dataset.ts";
import { OPEN_BRACE, skipBlank } from "./chars.ts";
import { JsonFault } from "./json_check.ts";
import { textItems, wholeItems } from "./leftovers.ts";
import { MAX_PROSE_CHARS, MIN_ROWS } from "./limits.ts";
import { type Outline, outlineValue } from "./outline.ts";
import { countVisible } from "./prose.ts";
import { bestOf, type Prospect, refuseHidden } from "./prospect.ts";
import { attempted, Refusal } from "./refusal.ts";
import { prospectOfSequence, recordsIn } from "./sequence.ts";
import { prospectOfText, refuseLarge } from "./text.ts";

/** The table in the content blocks `texts`. Throws a Refusal when there is none. */
export function prospectOfBlocks(texts: readonly string[]): Prospect {
  const [only, ...more] = texts;
  if (only === undefined) throw new Refusal("no-text");
  if (more.length === 0) return prospectOfText(only);
  const sequence = recordPerBlock(texts);
  if (sequence) return sequence;
  const found = texts.flatMap((text, index) => {
    const prospect = attempted(() => prospectOfText(text));
    return prospect instanceof Refusal ? [] : [{ ...prospect, index }];
  });
  const best = bestOf(found);
  if (!best) throw new Refusal("no-rows: in none of the content blocks");
  refuseHidden(best, found);
  refuseSideBlock(texts, found, best.index);
  const others = texts.map((text, index) => ({ text, index })).filter(({ index }) => index !== best.index);
  return withContext(best, () => others.flatMap(({ text, index }) => blockItems(text, index)));
}

/** A block with rows beside more text without any is an addition to that text. */
function refuseSideBlock(texts: readonly string[], found: readonly { readonly index: number }[], best: number): void {
  const withRows = new Set(found.map(({ index }) => index));
  const without = texts.filter((_text, index) => !withRows.has(index));
  refuseLongProse(without);
  const rest = without.reduce((sum, text) => sum + text.length, 0);
  if (rest > (texts[best]?.length ?? 0)) throw new Refusal("small-share: most of the content blocks is no table");
}

/** More sentences in other blocks than an envelope shows whole are a document with data in it. */
function refuseLongProse(others: readonly string[]): void {
  const prose = others.filter((text) => wholeContainer(text) === undefined);
  if (prose.reduce((sum, text) => sum + countVisible(text), 0) <= MAX_PROSE_CHARS) return;
  throw new Refusal("much-around: the content blocks are a document");
}

function withContext(prospect: Prospect, around: () => readonly ContextItem[]): Prospect {
  return {
    rows: prospect.rows,
    size: prospect.size,
    source: prospect.source,
    recordKeys: prospect.recordKeys,
    read: () => {
      const { table, context } = prospect.read();
      return { table, context: [...context, ...around()] };
    },
  };
}

/** One JSON object in each block, as lists come from servers that make a block of every element. */
function recordPerBlock(texts: readonly string[]): Prospect | undefined {
  const wholes = texts.map((text, index) => ({ text, index, isObject: wholeObject(text) !== undefined }));
  const records = wholes.filter((block) => block.isObject);
  const others = wholes.filter((block) => !block.isObject);
  if (records.length < MIN_ROWS) return undefined;
  const joined = records.map(({ text }) => text).join("\n");
  refuseLarge(joined);
  const visible = (blocks: readonly { readonly text: string }[]) =>
    blocks.reduce((sum, { text }) => sum + countVisible(text), 0);
  if (others.length > 0 && visible(others) > visible(records)) return undefined;
  let at = 0;
  const roots = new Map(records.map((block) => {
    const root = outlineValue(joined, skipBlank(joined, at + bomLength(block.text)));
    at += block.text.length + 1;
    return [block.index, root];
  }));
  const rows = new Set(recordsIn(joined, [...roots.values()]));
  const sequence = prospectOfSequence(joined, [...rows]);
  if (sequence) refuseLongProse(others.map(({ text }) => text));
  const beside = wholes.filter(({ index }) => {
    const root = roots.get(index);
    return root === undefined || !rows.has(root);
  });
  return sequence && withContext(sequence, () => beside.flatMap(({ text, index }) => blockItems(text, index)));
}

function bomLength(text: string): number {
  return text.charCodeAt(0) === 0xFEFF ? 1 : 0;
}

/** The outline of a text that is one JSON object and nothing else; undefined for any other. */
function wholeObject(text: string): Outline | undefined {
  const root = wholeContainer(text);
  return root?.kind === "object" ? root : undefined;
}

function wholeContainer(text: string): Outline | undefined {
  const at = skipBlank(text, bomLength(text));
  const c = text.charCodeAt(at);
  if (c !== OPEN_BRACE && c !== 91) return undefined;
  try {
    const root = outlineValue(text, at);
    return skipBlank(text, root.end) === text.length ? root : undefined;
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** A block that is not the table, as context: its members when it is JSON, else its text. */
export function blockItems(text: string, index: number): ContextItem[] {
  const path = `content[${index}]`;
  const root = wholeContainer(text);
  const items = root && attempted(() => wholeItems(text, root, path));
  return items && !(items instanceof Refusal) ? items : text.trim() === "" ? [] : textItems(path, text);
}
