/** What the texts of a result say beside its `structuredContent`: often they only repeat it. @module */

import type { ContextItem } from "../dataset.ts";
import { blockItems } from "./content_blocks.ts";
import { stringAt } from "./inspect.ts";
import { type Member, membersOf } from "./leftovers.ts";
import type { Outline } from "./outline.ts";
import { attempted, Refusal } from "./refusal.ts";
import { sameJson } from "./same_json.ts";
import { aroundValue, jsonValuesIn } from "./text.ts";

/** `structuredContent` and its outline. */
export interface Structured {
  readonly text: string;
  readonly root: Outline;
}

/** Objects with more members than this are not compared member by member. */
const MAX_COMPARED_MEMBERS = 20;

/** Whether a string of `structuredContent` is what the text says. */
export function isEcho(inner: string, texts: readonly string[]): boolean {
  return texts.includes(inner) || inner === texts.join("\n");
}

/** Whether the value at `start` in a context item's JSON is a string that the text says. */
export function isEchoItem({ json }: ContextItem, texts: readonly string[]): boolean {
  const value = stringAt(json, 0);
  return value !== undefined && isEcho(value, texts);
}

/** A content block and its place. */
export interface Block {
  readonly text: string;
  readonly index: number;
}

/** The blocks that say something which `structuredContent` does not. */
export function freshBlocks(structured: Structured, texts: readonly string[]): Block[] {
  const blocks = texts.map((text, index) => ({ text, index }));
  const elements = blocks.length > 1 ? withoutElements(structured, blocks) : undefined;
  return elements ?? blocks.filter(({ text }) => !repeats(structured, text));
}

/** Whether a text is `structuredContent`, or one of its members. */
function repeats({ text, root }: Structured, block: string): boolean {
  if (sameJson(text, root.start, root.end, block)) return true;
  return membersIn({ text, root }).some(({ start, end }) => sameJson(text, start, end, block));
}

function membersIn({ text, root }: Structured): Member[] {
  if (root.kind !== "object" || root.members > MAX_COMPARED_MEMBERS) return [];
  return [...membersOf(text, root)].filter(({ node }) => node !== undefined);
}

/** The blocks that are not the elements of a list in `structuredContent`, one by one; undefined when no list is there. */
function withoutElements({ text, root }: Structured, blocks: readonly Block[]): Block[] | undefined {
  const lists = [root, ...root.inner].filter((node) =>
    node.kind === "array" && node.members > 1 && node.members <= blocks.length
  );
  for (const list of lists) {
    const elements = membersOf(text, list);
    let element = elements.next();
    const rest = blocks.filter((block) => {
      if (element.done || !sameJson(text, element.value.start, element.value.end, block.text)) return true;
      element = elements.next();
      return false;
    });
    if (element.done) return rest;
  }
  return undefined;
}

/** What the blocks say that `structuredContent` does not; of one that repeats it among sentences, the sentences. */
export function blocksBeside(structured: Structured, texts: readonly string[]): ContextItem[] {
  return freshBlocks(structured, texts).flatMap(({ text, index }) =>
    sentencesAround(structured, text) ?? blockItems(text, index)
  );
}

function sentencesAround(structured: Structured, text: string): ContextItem[] | undefined {
  const values = attempted(() => jsonValuesIn(text), { alsoFinal: true });
  if (values instanceof Refusal) return undefined;
  const echo = values.find(({ start, end }) => repeats(structured, text.slice(start, end)));
  return echo && aroundValue(text, values, echo);
}
