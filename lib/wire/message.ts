/** One JSON-RPC message as it stands on the wire: its bytes, and where its parts are. @module */

import { MemberNames, membersOf, skipBlank, type Span, stringAt, walkMembers } from "./slices.ts";

/** What a message is, by the members it has. */
export type MessageKind = "request" | "notification" | "result" | "error";

/** A message: the bytes its writer wrote and the places of its members. */
export interface Message {
  readonly kind: MessageKind;
  readonly bytes: Uint8Array;
  /** Present in requests and, but for broken ones, in answers. */
  readonly id: Span | undefined;
  /** The method, decoded; empty in answers. */
  readonly method: string;
  readonly params: Span | undefined;
  /** The result of a result message or the error of an error message. */
  readonly outcome: Span | undefined;
}

const QUOTE = 34;

const MEMBERS = new MemberNames(["jsonrpc", "id", "method", "params", "result", "error"]);
/** The methods that come often: their names are not made anew for each message. */
const METHODS = new MemberNames(["tools/call", "notifications/progress", "notifications/message"]);

/** Reads the frame of a message. Undefined when the bytes are no JSON object, or an object that is no message. */
export function readMessage(bytes: Uint8Array): Message | undefined {
  let id: Span | undefined;
  let method: Span | undefined;
  let params: Span | undefined;
  let result: Span | undefined;
  let error: Span | undefined;
  const end = walkMembers(bytes, 0, (nameStart, nameEnd, start, valueEnd) => {
    const name = MEMBERS.at(bytes, nameStart, nameEnd);
    if (name === undefined || name === "jsonrpc") return;
    const span = { start, end: valueEnd };
    if (name === "id") id = span;
    else if (name === "method") method = span;
    else if (name === "params") params = span;
    else if (name === "result") result = span;
    else error = span;
  });
  if (end < 0 || skipBlank(bytes, end) < bytes.length) return undefined;
  if (method) {
    const isText = bytes[method.start] === QUOTE;
    const name = isText ? METHODS.at(bytes, method.start, method.end) ?? stringAt(bytes, method) : undefined;
    if (name === undefined) return undefined;
    return { kind: id ? "request" : "notification", bytes, id, method: name, params, outcome: undefined };
  }
  if (error) return { kind: "error", bytes, id, method: "", params: undefined, outcome: error };
  if (result && id) return { kind: "result", bytes, id, method: "", params: undefined, outcome: result };
  return undefined;
}

/** A change to a message: what stands at a span is replaced. An empty span inserts. */
export interface Edit extends Span {
  readonly bytes: Uint8Array;
}

/** The pieces of a text with edits made to it. Edits may come in any order and must not overlap. */
export function spliced(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array[] {
  const ordered = edits.length > 1 ? [...edits].sort((a, b) => a.start - b.start || a.end - b.end) : edits;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const edit of ordered) {
    if (edit.start > at) pieces.push(bytes.subarray(at, edit.start));
    if (edit.bytes.length > 0) pieces.push(edit.bytes);
    at = edit.end;
  }
  if (at < bytes.length) pieces.push(bytes.subarray(at));
  return pieces;
}

const NOTHING = new Uint8Array(0);

/** The edits that take members out of the object at `at`, together with the commas that go with them. */
export function membersRemoved(bytes: Uint8Array, at: number, isRemoved: (name: string) => boolean): Edit[] {
  const members = membersOf(bytes, at) ?? [];
  const edits: Edit[] = [];
  // Where the last member that stays has ended; what goes at the end takes the comma before it along.
  let keptEnd: number | undefined;
  for (const [i, member] of members.entries()) {
    if (!isRemoved(member.name)) {
      keptEnd = member.end;
      continue;
    }
    const next = members[i + 1];
    if (next) {
      edits.push({ start: member.nameStart, end: next.nameStart, bytes: NOTHING });
      continue;
    }
    const start = keptEnd ?? member.nameStart;
    const before = edits.filter((edit) => edit.start < start);
    return [...before, { start, end: member.end, bytes: NOTHING }];
  }
  return edits;
}
