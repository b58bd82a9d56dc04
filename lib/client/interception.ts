/** Which results are worth showing to the engine. Cheap: most results never leave the relay. @module */

import type { ToolRoute } from "../gateway/mod.ts";
import type { CallFact } from "../ledger.ts";
import { elementsOf, memberOf, type Message, type Span } from "../wire/mod.ts";
import { ownResult } from "./answers.ts";
import type { ClientCall } from "./call.ts";
import type { ClientSession } from "./session.ts";

/** Characters that a token stands for. */
const CHARS_PER_TOKEN = 4;

const BACKSLASH = 0x5c;
/** An opening brace or bracket, or an angle: the start of rows in JSON, in Python, in HTML or XML. */
const ROW_STARTS = [0x7b, 0x5b, 0x3c];

/** Whether a result may be large enough to be replaced. Bytes are never fewer than characters. */
export function mayBeLarge(answer: Message, tokenThreshold: number): boolean {
  const span = answer.outcome;
  return answer.kind === "result" && span !== undefined && (span.end - span.start) / CHARS_PER_TOKEN > tokenThreshold;
}

/**
 * Whether a result can hold rows at all: structured content, or a text that has an escape (a line break, a quotation
 * mark) or a bracket in it. Huge plain text fails here after a search by native code.
 */
export function mayHoldRows(answer: Message): boolean {
  const { bytes, outcome } = answer;
  if (!outcome) return false;
  if (memberOf(bytes, outcome.start, "structuredContent")) return true;
  const content = memberOf(bytes, outcome.start, "content");
  const blocks = content ? elementsOf(bytes, content.start) : undefined;
  if (!blocks) return false;
  return blocks.some((block) => {
    const text = memberOf(bytes, block.start, "text");
    return text !== undefined && textMayHoldRows(bytes, text);
  });
}

function textMayHoldRows(bytes: Uint8Array, text: Span): boolean {
  const inside = bytes.subarray(text.start + 1, text.end - 1);
  return inside.includes(BACKSLASH) || ROW_STARTS.some((byte) => inside.includes(byte));
}

/** Which tool a result comes from. */
export interface ResultOrigin {
  readonly route: ToolRoute;
  /** The call that named the arguments. */
  readonly call: ClientCall;
}

/** The arguments of a call, as the client wrote them. */
export function argumentsOf(call: ClientCall): Uint8Array | undefined {
  const span = call.parts.arguments;
  return span && call.message.bytes.subarray(span.start, span.end);
}

/** Passes a result on, or lets the engine put an envelope in its place. */
export function offerResult(
  client: ClientSession,
  waiting: ClientCall,
  answer: Message,
  { route, call }: ResultOrigin,
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
  const result = answer.bytes.subarray(answer.outcome.start, answer.outcome.end);
  const omitArgs = provenanceDenylist.includes(own);
  const origin = { server: server.name, tool: own, args: argumentsOf(call), tokenThreshold, omitArgs };
  client.parts.engine.intercept(origin, result).then(
    (envelope) => {
      if (!envelope) return pass();
      recordCall(client, route, answer, "replaced");
      waiting.respond(...ownResult(envelope, waiting.era));
    },
    pass,
  );
}

/** Tells the ledger of a call that a server answered. */
export function recordCall(
  { parts }: ClientSession,
  { server, own }: ToolRoute,
  { outcome: span }: Message,
  outcome: CallFact["outcome"],
): void {
  parts.ledger.record({
    kind: "call",
    server: server.name,
    tool: own,
    outcome,
    bytes: span ? span.end - span.start : 0,
  });
}
