/** Where the rows of a result are: `structuredContent`, then the text. @module */

import type { ContextItem } from "../dataset.ts";
import { prospectOfBlocks } from "./content_blocks.ts";
import { skipBlank } from "./chars.ts";
import { prospectOfDocument } from "./document.ts";
import { blocksBeside, freshBlocks, isEcho, isEchoItem, type Structured } from "./echo.ts";
import { JsonFault } from "./json_check.ts";
import { wholeItems } from "./leftovers.ts";
import { MAX_PROSE_CHARS } from "./limits.ts";
import type { Located, ResultParts } from "./located.ts";
import { outlineValue } from "./outline.ts";
import { countVisible } from "./prose.ts";
import type { Prospect } from "./prospect.ts";
import { attempted, Refusal } from "./refusal.ts";
import { sameJson } from "./same_json.ts";
import { prospectOfText, refuseLarge } from "./text.ts";

/** Finds the table of a result with all that stood around it; throws a Refusal when there is none. */
export function locate(parts: ResultParts): Located {
  const structured = parts.structured === undefined ? undefined : structuredOf(parts.structured);
  const { prospect, around } = structured ? bothChannels(structured, parts.texts) : onlyTexts(parts.texts);
  const { table, context } = prospect.read();
  return {
    kind: "table",
    table,
    source: prospect.source,
    context: uniquePaths([...context, ...around(), ...(parts.rest ?? [])]),
  };
}

/** A table, and what the channels beside it said. */
interface Choice {
  readonly prospect: Prospect;
  readonly around: () => readonly ContextItem[];
}

/** `structuredContent` outlined; undefined when it is a single number, string or constant. */
function structuredOf(text: string): Structured | undefined {
  refuseLarge(text);
  try {
    return { text, root: outlineValue(text, skipBlank(text, 0)) };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return undefined;
  }
}

function onlyTexts(texts: readonly string[]): Choice {
  return { prospect: prospectOfBlocks(texts), around: () => [] };
}

function bothChannels(structured: Structured, texts: readonly string[]): Choice {
  const found = attempted(() => prospectOfStructured(structured, texts));
  if (found instanceof Refusal) {
    const prospect = mayAskTexts(found, structured, texts) ? prospectOfBlocks(texts) : undefined;
    if (!prospect) throw found;
    return { prospect, around: () => structuredItems(structured, texts) };
  }
  const fresh = freshBlocks(structured, texts).map(({ text }) => text);
  const fuller = fullerText(structured, found, fresh);
  if (fuller) return { prospect: fuller, around: () => structuredItems(structured, texts) };
  if (lengthOf(fresh) > MAX_TEXT_BESIDE * structured.text.length) {
    throw new Refusal("small-share: the text says far more than structuredContent");
  }
  refuseOtherProse(structured.text, fresh);
  return { prospect: found, around: () => blocksBeside(structured, texts) };
}

/** Text so many times longer than `structuredContent`, and no repetition of it, is the answer itself. */
const MAX_TEXT_BESIDE = 3;

/** So many strings of `structuredContent` are looked for in a text to tell whether it speaks of the same. */
const MAX_SAMPLED_STRINGS = 50;
const VALUE_REGEXP = /"([^"\\]{5,60})"\s*[,}\]]/g;

/** A long text that has no string of `structuredContent` in it is no rendering of the rows: it says something of its own. */
function refuseOtherProse(structured: string, texts: readonly string[]): void {
  const prose = texts.filter((text) => !/^\s*[[{]/.test(text) && countVisible(text) > MAX_PROSE_CHARS);
  if (prose.length === 0) return;
  const values = structured.matchAll(VALUE_REGEXP).map(([, value = ""]) => value).take(MAX_SAMPLED_STRINGS).toArray();
  if (values.length === 0) return;
  const speaksOfOther = prose.some((text) => !values.some((value) => text.includes(value)));
  if (speaksOfOther) throw new Refusal("much-around: the text says other things than structuredContent");
}

function prospectOfStructured({ text, root }: Structured, texts: readonly string[]): Prospect {
  return prospectOfDocument(text, root, "structuredContent", (inner) => {
    if (isEcho(inner, texts)) throw new Refusal("no-rows: structuredContent repeats the text");
    return prospectOfText(inner, 1);
  });
}

/** The texts are asked when `structuredContent` has no rows, or is too small to be what they say. */
function mayAskTexts(refusal: Refusal, { text }: Structured, texts: readonly string[]): boolean {
  return refusal.reason.startsWith("no-rows") || 2 * text.length < lengthOf(texts);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/**
 * The table in the texts when `structuredContent` only sums it up: fewer rows in less than half of the characters, or
 * less than half of the rows where the text is JSON, which nothing else is mistaken for.
 */
function fullerText(structured: Structured, found: Prospect, texts: readonly string[]): Prospect | undefined {
  if (texts.length === 0) return undefined;
  const prospect = attempted(() => prospectOfBlocks(texts), { alsoFinal: true });
  if (prospect instanceof Refusal || prospect.rows <= found.rows) return undefined;
  const shorter = 2 * structured.text.length < lengthOf(texts);
  return shorter || (prospect.source === "text" && prospect.rows >= 2 * found.rows) ? prospect : undefined;
}

/** What `structuredContent` says beside a table that was read from the texts, without what the texts say as well. */
function structuredItems({ text, root }: Structured, texts: readonly string[]): ContextItem[] {
  if (texts.some((block) => sameJson(text, 0, text.length, block))) return [];
  return wholeItems(text, root, "structuredContent").filter((item) => !isEchoItem(item, texts));
}

/** The envelope shows context as one object, so that two items of one path would be one. */
function uniquePaths(items: readonly ContextItem[]): ContextItem[] {
  const taken = new Map<string, number>();
  return items.map(({ path, json }) => {
    const count = (taken.get(path) ?? 0) + 1;
    taken.set(path, count);
    return { path: count === 1 ? path : `${path} (${count})`, json };
  });
}
