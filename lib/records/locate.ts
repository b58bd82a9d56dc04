/** Where the rows of a result are: `structuredContent`, then the text. @module */

import type { ContextItem } from "../dataset.ts";
import { blockItems, prospectOfBlocks } from "./content_blocks.ts";
import { skipBlank } from "./chars.ts";
import { prospectOfDocument } from "./document.ts";
import { stringAt } from "./inspect.ts";
import { JsonFault } from "./json_check.ts";
import { membersOf, wholeItems } from "./leftovers.ts";
import type { Located, ResultParts } from "./mod.ts";
import { type Outline, outlineValue } from "./outline.ts";
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

interface Structured {
  readonly text: string;
  readonly root: Outline;
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
  const fuller = fullerText(structured, found, texts);
  if (fuller) return { prospect: fuller, around: () => structuredItems(structured, texts) };
  const others = texts.filter((text) => !repeatsStructured(structured, text));
  if (lengthOf(others) > MAX_TEXT_BESIDE * structured.text.length && !repeatsElements(structured, texts)) {
    throw new Refusal("small-share: the text says far more than structuredContent");
  }
  return { prospect: found, around: () => textItems(structured, texts) };
}

/** Text so many times longer than `structuredContent`, and no repetition of it, is the answer itself. */
const MAX_TEXT_BESIDE = 3;

function prospectOfStructured({ text, root }: Structured, texts: readonly string[]): Prospect {
  return prospectOfDocument(text, root, "structuredContent", (inner) => {
    if (isEcho(inner, texts)) throw new Refusal("no-rows: structuredContent repeats the text");
    return prospectOfText(inner, 1);
  });
}

/** Whether a string of `structuredContent` is what the text says. */
function isEcho(inner: string, texts: readonly string[]): boolean {
  return texts.includes(inner) || inner === texts.join("\n");
}

/** The texts are asked when `structuredContent` has no rows, or is too small to be what they say. */
function mayAskTexts(refusal: Refusal, { text }: Structured, texts: readonly string[]): boolean {
  return refusal.reason.startsWith("no-rows") || 2 * text.length < lengthOf(texts);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** The table in the texts when `structuredContent` only sums it up: much shorter, and of fewer rows. */
function fullerText(structured: Structured, found: Prospect, texts: readonly string[]): Prospect | undefined {
  if (2 * structured.text.length >= lengthOf(texts)) return undefined;
  const prospect = attempted(() => prospectOfBlocks(texts));
  return prospect instanceof Refusal || prospect.rows <= found.rows ? undefined : prospect;
}

/** What `structuredContent` says beside a table that was read from the texts, without what the texts say as well. */
function structuredItems({ text, root }: Structured, texts: readonly string[]): ContextItem[] {
  if (texts.some((block) => sameJson(text, 0, text.length, block))) return [];
  const items = wholeItems(text, root, "structuredContent").filter(({ json }) => {
    const value = stringAt(json, 0);
    return value === undefined || !isEcho(value, texts);
  });
  return items;
}

/** What the texts say beside a table that was read from `structuredContent`, without those that repeat it. */
function textItems(structured: Structured, texts: readonly string[]): ContextItem[] {
  if (repeatsElements(structured, texts)) return [];
  return texts.flatMap((text, index) => repeatsStructured(structured, text) ? [] : blockItems(text, index));
}

function repeatsStructured({ text, root }: Structured, block: string): boolean {
  if (sameJson(text, root.start, root.end, block)) return true;
  const [only, ...more] = root.kind === "object" && root.members === 1 ? membersOf(text, root) : [];
  return only !== undefined && more.length === 0 && sameJson(text, only.start, only.end, block);
}

/** Whether each block is one element of the list in `structuredContent`. */
function repeatsElements({ text, root }: Structured, texts: readonly string[]): boolean {
  const list = root.kind === "array" ? root : root.members === 1 ? root.inner[0] : undefined;
  if (list?.kind !== "array" || list.members !== texts.length) return false;
  let index = 0;
  for (const { start, end } of membersOf(text, list)) {
    if (!sameJson(text, start, end, texts[index++] ?? "")) return false;
  }
  return true;
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
