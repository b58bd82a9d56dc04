/** What loom itself says: results of its own making and the fitting of foreign ones to the client's era. @module */

import { CODE, type Era, META } from "../gateway/mod.ts";
import { bytesOf, type Edit, memberOf, type Message, skipBlank, type Span, textOf, valueOf } from "../wire/mod.ts";

/** Milliseconds for which a client of the modern era may keep a list that is complete. */
const LIST_TTL_MS = 5_000;

/** A tool result that says what went wrong and what now. */
export function toolError(text: string, era: Era): Uint8Array {
  const type = era === "modern" ? '"resultType":"complete",' : "";
  return bytesOf(`{${type}"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true}`);
}

/** The head of a list result: what stands before its array. */
export function listHead(array: string, era: Era, complete: boolean, serverInfo: string): Uint8Array {
  if (era === "legacy") return bytesOf(`{"${array}":`);
  return bytesOf(
    `{"resultType":"complete","ttlMs":${complete ? LIST_TTL_MS : 0},"cacheScope":"private",` +
      `"_meta":{"${META.serverInfo}":${serverInfo}},"${array}":`,
  );
}

/** What has to be put into a legacy server's result so that it is one of the modern era. */
export function modernised(answer: Message, method: string): Edit[] {
  const span = answer.outcome;
  if (!span) return [];
  if (answer.kind === "error") return modernError(answer, method);
  const { bytes } = answer;
  if (bytes[span.start] !== 0x7b) return [];
  const added: string[] = [];
  if (!memberOf(bytes, span.start, "resultType")) added.push('"resultType":"complete"');
  if (method === "resources/read") {
    if (!memberOf(bytes, span.start, "ttlMs")) added.push('"ttlMs":0');
    if (!memberOf(bytes, span.start, "cacheScope")) added.push('"cacheScope":"private"');
  }
  if (added.length === 0) return [];
  return [insertion(bytes, span, added.join(","))];
}

/** The edit that puts members at the start of an object. */
export function insertion(bytes: Uint8Array, object: Span, members: string): Edit {
  const at = object.start + 1;
  const isEmpty = bytes[skipBlank(bytes, at)] === 0x7d;
  return { start: at, end: at, bytes: bytesOf(isEmpty ? members : `${members},`) };
}

/** An unknown resource has another code in the modern era. */
function modernError(answer: Message, method: string): Edit[] {
  const span = answer.outcome && memberOf(answer.bytes, answer.outcome.start, "code");
  if (!span || method !== "resources/read") return [];
  if (valueOf(answer.bytes, span) !== CODE.resourceNotFoundLegacy) return [];
  return [{ ...span, bytes: bytesOf(String(CODE.invalidParams)) }];
}

/** The result of an engine's answer as one of the client's era. */
export function ownResult(result: Uint8Array, era: Era): Uint8Array[] {
  if (era === "legacy" || memberOf(result, 0, "resultType")) return [result];
  const edit = insertion(result, { start: skipBlank(result, 0), end: result.length }, '"resultType":"complete"');
  return [result.subarray(0, edit.start), edit.bytes, result.subarray(edit.end)];
}

/** The code and message of an error answer, for a sentence. */
export function errorText(answer: Message): string {
  const value = valueOf(answer.bytes, answer.outcome);
  if (typeof value !== "object" || value === null) return "no reason given";
  return "message" in value ? String(value.message) : textOf(answer.bytes).slice(0, 200);
}
