/** A `tools/call` result taken apart into the channels in which rows may stand, every byte accounted for. @module */

import type { ContextItem } from "../dataset.ts";
import { skipBlank } from "./chars.ts";
import { afterMember, checkKey, checkValue } from "./json_check.ts";
import type { ResultParts } from "./mod.ts";

/** What a result is made of, or why it is none of the results that may be replaced. */
export type PartedResult =
  | {
    readonly kind: "parts";
    readonly parts: ResultParts;
    /** UTF-16 units of all text blocks. */
    readonly textChars: number;
    /** UTF-16 units of `structuredContent` as JSON. */
    readonly structuredChars: number;
    /** JSON text of the result's `_meta`, which an envelope carries on. */
    readonly meta?: string | undefined;
  }
  | { readonly kind: "passed"; readonly reason: string };

// Members that say something about the answer and hold no data of it.
const CLOSE_BRACE = 125;

/** Takes a result apart (steps 1 and 2 of the interception rule). `json` is the result's text; throws when it is no JSON. */
export function partResult(json: string): PartedResult {
  const result: unknown = JSON.parse(json);
  if (!isObject(result)) return passed("not-an-object");
  if (result.isError !== undefined && result.isError !== false) return passed("is-error");
  if (result.task !== undefined) return passed("task-handle");
  if (result.resultType !== undefined && result.resultType !== "complete") return passed("not-complete");
  const content = result.content ?? [];
  if (!Array.isArray(content)) return passed("no-content-list");
  const texts: string[] = [];
  const rest: ContextItem[] = [];
  for (const [at, block] of content.entries()) {
    if (!isObject(block) || block.type !== "text" || typeof block.text !== "string") return passed("block-not-text");
    texts.push(block.text);
    for (const [key, value] of Object.entries(block)) {
      if (key !== "type" && key !== "text") rest.push({ path: `content[${at}].${key}`, json: JSON.stringify(value) });
    }
  }
  const spans = topLevelMembers(json, Object.keys(result));
  if (spans === undefined) return passed("duplicate-member");
  for (const [key, value] of spans) {
    if (!KNOWN_MEMBERS.has(key)) rest.push({ path: key, json: value });
  }
  const structured = spans.get("structuredContent");
  return {
    kind: "parts",
    parts: { texts, ...(structured === undefined ? {} : { structured }), ...(rest.length === 0 ? {} : { rest }) },
    textChars: texts.reduce((sum, text) => sum + text.length, 0),
    structuredChars: structured?.length ?? 0,
    ...(spans.has("_meta") ? { meta: spans.get("_meta") } : {}),
  };
}

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(["content", "structuredContent", "isError", "resultType", "_meta"]);

/**
 * The source text of each member beside `content`; undefined when a member stands there twice. The walk is saved when
 * `content` is all there is: a quoted name inside a string has a backslash before its closing quote.
 */
function topLevelMembers(json: string, keys: readonly string[]): Map<string, string> | undefined {
  const members = new Map<string, string>();
  const first = json.indexOf('"content"');
  if (keys.length === 1 && keys[0] === "content" && json.indexOf('"content"', first + 1) < 0) return members;
  let at = skipBlank(json, skipBlank(json, 0) + 1);
  const seen = new Set<string>();
  while (json.charCodeAt(at) !== CLOSE_BRACE) {
    const afterKey = checkKey(json, at);
    const key = String(JSON.parse(json.slice(at, json.lastIndexOf('"', afterKey) + 1)));
    if (seen.has(key)) return undefined;
    seen.add(key);
    const from = skipBlank(json, afterKey);
    const to = checkValue(json, from, 0);
    if (key !== "content") members.set(key, json.slice(from, to));
    at = afterMember(json, to, CLOSE_BRACE);
  }
  return members;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function passed(reason: string): PartedResult {
  return { kind: "passed", reason };
}
