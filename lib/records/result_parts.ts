/** A `tools/call` result taken apart into the channels in which rows may stand, every byte accounted for. @module */

import type { ContextItem } from "../dataset.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, skipBlank } from "./chars.ts";
import { afterMember, checkKey, checkValue } from "./json_check.ts";
import type { ResultParts } from "./located.ts";

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
  let plain = true;
  for (const block of content) {
    if (!isObject(block) || block.type !== "text" || typeof block.text !== "string") return passed("block-not-text");
    texts.push(block.text);
    plain &&= Object.keys(block).length === 2;
  }
  const spans = plain && isOnlyContent(json, result) ? new Map<string, string>() : membersOf(json);
  if (spans === undefined) return passed("duplicate-member");
  if (!plain) rest.push(...blockMembers(spans.get("content") ?? "[]"));
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

/** Whether `content` is all there is: inside a string a quoted name has a backslash before its closing quote. */
function isOnlyContent(json: string, result: object): boolean {
  if (Object.keys(result).join() !== "content") return false;
  return json.indexOf('"content"', json.indexOf('"content"') + 1) < 0;
}

/** The source text of each member of the object that `json` is; undefined when one stands there twice. */
export function membersOf(json: string): Map<string, string> | undefined {
  const members = new Map<string, string>();
  let at = skipBlank(json, skipBlank(json, 0) + 1);
  while (json.charCodeAt(at) !== CLOSE_BRACE) {
    const afterKey = checkKey(json, at);
    const key = String(JSON.parse(json.slice(at, json.lastIndexOf('"', afterKey - 1) + 1)));
    if (members.has(key)) return undefined;
    const from = skipBlank(json, afterKey);
    const to = checkValue(json, from, 0);
    members.set(key, json.slice(from, to));
    at = afterMember(json, to, CLOSE_BRACE);
  }
  return members;
}

/** What text blocks hold beside their text. */
function blockMembers(content: string): ContextItem[] {
  const items: ContextItem[] = [];
  let at = skipBlank(content, 1);
  for (let block = 0; content.charCodeAt(at) !== CLOSE_BRACKET; block++) {
    const to = checkValue(content, at, 0);
    for (const [key, json] of membersOf(content.slice(at, to)) ?? []) {
      if (key !== "type" && key !== "text") items.push({ path: `content[${block}].${key}`, json });
    }
    at = afterMember(content, to, CLOSE_BRACKET);
  }
  return items;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function passed(reason: string): PartedResult {
  return { kind: "passed", reason };
}
