/** The error by which a legacy server sends its user to a URL, as a question of the modern era. @module */

import { CODE, recordOf } from "../gateway/mod.ts";
import { bytesOf, elementsOf, type Message, valueAt, valueOf } from "../wire/mod.ts";
import type { ClientCall } from "./call.ts";

/**
 * The `input_required` result that stands for the error -32042, for a modern client that can open URLs. Its retry is the
 * call once more, which the server then serves. Undefined for every other answer.
 */
export function urlQuestions(call: ClientCall, answer: Message): Uint8Array[] | undefined {
  const { bytes, outcome } = answer;
  if (answer.kind !== "error" || !outcome || !opensUrls(call)) return undefined;
  if (recordOf(valueOf(bytes, outcome))["code"] !== CODE.urlElicitationRequired) return undefined;
  const elicitations = valueAt(bytes, outcome.start, ["data", "elicitations"]);
  const elements = elicitations ? elementsOf(bytes, elicitations.start) ?? [] : [];
  if (elements.length === 0) return undefined;
  const requests = elements.flatMap(({ start, end }, i) => [
    bytesOf(`${i === 0 ? "" : ","}"url_${i + 1}":{"method":"elicitation/create","params":`),
    bytes.subarray(start, end),
    bytesOf("}"),
  ]);
  return [bytesOf('{"resultType":"input_required","inputRequests":{'), ...requests, bytesOf("}}")];
}

function opensUrls({ message, parts }: ClientCall): boolean {
  const { elicitation } = recordOf(valueOf(message.bytes, parts.clientCapabilities));
  return recordOf(elicitation)["url"] !== undefined;
}
