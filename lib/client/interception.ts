/** Which results are worth showing to the engine. Cheap: most results never leave the relay. @module */

import type { ToolRoute } from "../gateway/mod.ts";
import type { CallFact } from "../ledger.ts";
import { elementsOf, memberOf, type Message, type Span } from "../wire/mod.ts";
import { ownResult } from "./answers.ts";
import type { ClientCall } from "./call.ts";
import type { ClientSession } from "./session.ts";
import type { ResultOrigin } from "./task_table.ts";

/** Characters that a token stands for. */
const CHARS_PER_TOKEN = 4;

/** A backslash, and the openings of rows in JSON, in Python, in HTML and XML. */
const ROW_MARKS = [0x5c, 0x7b, 0x5b, 0x3c];

/** Whether a result may be large enough to be replaced. Bytes are never fewer than characters. */
export function mayBeLarge(answer: Message, tokenThreshold: number): boolean {
  const span = answer.outcome;
  return answer.kind === "result" && span !== undefined && (span.end - span.start) / CHARS_PER_TOKEN > tokenThreshold;
}

/** Results up to this size are looked at block by block; larger ones by their bytes alone. */
const SEARCH_BYTES = 16 * 1024;
/** What stands at the start of every result and says nothing. */
const HEAD_BYTES = 1024;
/** From this size on, only a window out of each stretch is searched: rows leave their marks everywhere. */
const SAMPLED_BYTES = 1024 * 1024;
const WINDOW_BYTES = 8 * 1024;
const STRETCH_BYTES = 64 * 1024;

/**
 * Whether a result can hold rows at all: structured content, or a text that has an escape (a line break, a quotation
 * mark) or a bracket in it. Huge plain text fails here after a search of some of its bytes by native code.
 */
export function mayHoldRows(answer: Message): boolean {
  const { bytes, outcome } = answer;
  if (!outcome) return false;
  const length = outcome.end - outcome.start;
  if (length <= SEARCH_BYTES) return mayHoldRowsInBlocks(bytes, outcome);
  const body = bytes.subarray(outcome.start + HEAD_BYTES, outcome.end);
  if (length < SAMPLED_BYTES) return hasRowMarks(body);
  return sampleHasRowMarks(body);
}

function sampleHasRowMarks(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    if (hasRowMarks(bytes.subarray(at, at + WINDOW_BYTES))) return true;
  }
  return false;
}

/** Whether the beginning of a large answer has anything in it that rows have. */
export function startsLikeRows(head: Uint8Array): boolean {
  return hasRowMarks(head.subarray(HEAD_BYTES));
}

function mayHoldRowsInBlocks(bytes: Uint8Array, outcome: Span): boolean {
  if (memberOf(bytes, outcome.start, "structuredContent")) return true;
  const content = memberOf(bytes, outcome.start, "content");
  const blocks = content ? elementsOf(bytes, content.start) ?? [] : [];
  return blocks.some((block) => {
    const text = memberOf(bytes, block.start, "text");
    return text !== undefined && hasRowMarks(bytes.subarray(text.start + 1, text.end - 1));
  });
}

function hasRowMarks(bytes: Uint8Array): boolean {
  return ROW_MARKS.some((byte) => bytes.indexOf(byte) >= 0);
}

/** Passes a result on, or lets the engine put an envelope in its place. */
export function offerResult(
  client: ClientSession,
  waiting: ClientCall,
  answer: Message,
  { route, args }: ResultOrigin,
  passOn: () => void,
): void {
  const { server, own } = route;
  const { tokenThreshold, interceptModeOf, provenanceDenylist } = server.config;
  const pass = () => {
    recordCall(client, route, answer, "passed");
    passOn();
  };
  if (!answer.outcome || !mayBeLarge(answer, tokenThreshold)) return pass();
  if (interceptModeOf(own) === "never" || !mayHoldRows(answer)) return pass();
  const { start, end } = answer.outcome;
  const result = lasting(answer.bytes.subarray(start, end));
  const omitArgs = provenanceDenylist.includes(own);
  const origin = { server: server.name, tool: own, args: args()?.slice(), tokenThreshold, omitArgs };
  client.parts.engine.intercept(origin, result).then(
    (envelope) => {
      if (!envelope) return pass();
      recordCall(client, route, answer, "replaced");
      waiting.respond(...ownResult(envelope, waiting.era));
    },
    pass,
  );
}

/** Bytes that are kept should not keep a whole read alive with them. */
function lasting(bytes: Uint8Array): Uint8Array {
  return bytes.length * 2 < bytes.buffer.byteLength ? bytes.slice() : bytes;
}

/** Tells the ledger of a call that a server answered. */
export function recordCall(
  client: ClientSession,
  route: ToolRoute,
  { outcome: span }: Message,
  outcome: CallFact["outcome"],
): void {
  recordBytes(client, route, outcome, span ? span.end - span.start : 0);
}

/** Tells the ledger of an answer of so many bytes. */
export function recordBytes(
  { parts }: ClientSession,
  { server, own }: ToolRoute,
  outcome: CallFact["outcome"],
  bytes: number,
): void {
  parts.ledger.record({ kind: "call", server: server.name, tool: own, outcome, bytes });
}
