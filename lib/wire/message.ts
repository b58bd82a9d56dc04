/** One JSON-RPC message as it stands on the wire: its bytes, and where its parts are. @module */

import { nameIs, skipBlank, type Span, stringAt, walkMembers } from "./slices.ts";

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

/** Reads the frame of a message. Undefined when the bytes are no JSON object, or an object that is no message. */
export function readMessage(bytes: Uint8Array): Message | undefined {
  let id: Span | undefined;
  let method: Span | undefined;
  let params: Span | undefined;
  let result: Span | undefined;
  let error: Span | undefined;
  const end = walkMembers(bytes, 0, (nameStart, nameEnd, start, valueEnd) => {
    if (nameIs(bytes, nameStart, nameEnd, "id")) id = { start, end: valueEnd };
    else if (nameIs(bytes, nameStart, nameEnd, "method")) method = { start, end: valueEnd };
    else if (nameIs(bytes, nameStart, nameEnd, "params")) params = { start, end: valueEnd };
    else if (nameIs(bytes, nameStart, nameEnd, "result")) result = { start, end: valueEnd };
    else if (nameIs(bytes, nameStart, nameEnd, "error")) error = { start, end: valueEnd };
  });
  if (end < 0 || skipBlank(bytes, end) < bytes.length) return undefined;
  if (method) {
    const name = stringAt(bytes, method);
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

/** The edit that takes a member out of an object, together with the comma that goes with it. */
export function memberRemoved(bytes: Uint8Array, nameStart: number, valueEnd: number): Edit {
  const after = skipBlank(bytes, valueEnd);
  if (bytes[after] === 44) return { start: nameStart, end: after + 1, bytes: NOTHING };
  let before = nameStart - 1;
  while (before > 0 && (bytes[before] ?? 0) <= 32) before--;
  return { start: bytes[before] === 44 ? before : nameStart, end: valueEnd, bytes: NOTHING };
}

const NOTHING = new Uint8Array(0);
