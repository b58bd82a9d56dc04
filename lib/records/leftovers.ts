/** What a document says around its rows, as context items with the server's own JSON text. @module */

import type { ContextItem } from "../dataset.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, skipBlank } from "./chars.ts";
import { cellEnd, closingQuote, decodeString, escapeSurrogates, KeySet, stepColon, stepMember } from "./json_cell.ts";
import { CONTEXT_SPLIT_CHARS, LONG_TEXT_CHARS, MAX_CONTEXT_ITEMS } from "./limits.ts";
import type { Outline } from "./outline.ts";

/** One member of a container: its place and its span. */
export interface Member {
  /** The key, or `[n]` in an array. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly node: Outline | undefined;
}

/** The members of an outlined container, in order. Refuses an object that has one key twice. */
export function* membersOf(text: string, node: Outline): Generator<Member> {
  const close = node.kind === "object" ? CLOSE_BRACE : CLOSE_BRACKET;
  const keys = new KeySet();
  const inner = new Map(node.inner.map((child) => [child.start, child]));
  let at = skipBlank(text, node.start + 1);
  for (let index = 0; text.charCodeAt(at) !== close; index++) {
    let name = `[${index}]`;
    if (node.kind === "object") {
      const quote = closingQuote(text, at);
      name = decodeString(text, at, quote);
      keys.add(name);
      at = stepColon(text, quote);
    }
    const child = inner.get(at);
    const end = child?.end ?? cellEnd(text, at, { loose: false });
    yield { name, start: at, end, node: child };
    at = stepMember(text, end);
  }
}

/** A stretch of the text: a container, a string. */
export type Span = Pick<Member, "start" | "end">;

/** Everything in `root` outside the `consumed` values, in order. Nothing is left out; large objects are split. */
export function leftoversOf(text: string, root: Outline, consumed: readonly Span[]): ContextItem[] {
  const collector = new Collector(text, consumed);
  collector.walk(root, "");
  return collector.items;
}

/** All of `root` as context: an object by its members, a list whole. */
export function wholeItems(text: string, root: Outline, path: string): ContextItem[] {
  const collector = new Collector(text, []);
  if (root.kind === "object" && root.members > 0) collector.walk(root, path);
  else collector.keep(path, root);
  return collector.items;
}

class Collector {
  readonly items: ContextItem[] = [];
  readonly #text: string;
  readonly #consumed: readonly Span[];

  constructor(text: string, consumed: readonly Span[]) {
    this.#text = text;
    this.#consumed = consumed;
  }

  walk(node: Outline, path: string): void {
    if (this.#isConsumed(node)) return;
    for (const member of membersOf(this.#text, node)) {
      const at = joinPath(path, member.name);
      if (member.node && this.#opens(member.node)) this.walk(member.node, at);
      else if (!this.#isConsumed(member)) this.keep(at, member);
    }
  }

  /** Keeps a value's own text; what is no strict JSON is kept as a string of it, so that the envelope stays JSON. */
  keep(path: string, { start, end }: Span): void {
    const traits = { loose: false };
    cellEnd(this.#text, start, traits);
    const source = escapeSurrogates(this.#text.slice(start, end));
    this.items.push({ path, json: traits.loose ? JSON.stringify(source) : source });
  }

  #isConsumed({ start }: Span): boolean {
    return this.#consumed.some((used) => used.start === start);
  }

  /** Whether a container is walked rather than kept whole: rows lie in it, or it is an object too long to show at once. */
  #opens(node: Outline): boolean {
    if (this.#consumed.some((used) => used.start >= node.start && used.end <= node.end)) return true;
    const long = node.end - node.start > CONTEXT_SPLIT_CHARS;
    return long && node.kind === "object" && this.items.length + node.members <= MAX_CONTEXT_ITEMS;
  }
}

/** The path of the member `name` of the container at `path`. */
function joinPath(path: string, name: string): string {
  return path === "" || name.startsWith("[") ? path + name : `${path}.${name}`;
}

/** Characters of a text's start and of its end that stay in sight when the text is too long to show whole. */
const END_CHARS = 400;

/**
 * Plain text as context. A long one is three items, so that its first and last words show even when the middle does not:
 * a cursor or a warning often stands at the end.
 */
export function textItems(path: string, text: string): ContextItem[] {
  const item = (where: string, part: string): ContextItem => ({ path: where, json: JSON.stringify(part) });
  if (text.length <= LONG_TEXT_CHARS) return [item(path, text)];
  const headEnd = text.slice(0, END_CHARS).search(/\s\S*$/);
  const tailStart = text.length - END_CHARS + text.slice(-END_CHARS).search(/\s/) + 1;
  if (headEnd <= 0 || tailStart === text.length - END_CHARS) return [item(path, text)];
  return [
    item(`${path} (start)`, text.slice(0, headEnd)),
    item(`${path} (middle)`, text.slice(headEnd, tailStart).trim()),
    item(`${path} (end)`, text.slice(tailStart)),
  ];
}
