/** One life of a server: who waits for which answer, and what the server says unasked. @module */

import { LoomError } from "../errors.ts";
import { bytesOf, type LineTaker, memberOf, type Message, readMessage, type Span, textOf } from "../wire/mod.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { CODE, type Era } from "./revisions.ts";

/** Bytes that may wait for a server that doesn't read its input, beyond which calls to it fail. */
export const SERVER_BACKLOG_BYTES_MAX = 64 * 1024 * 1024;
/** Answered requests whose progress token stays valid, since they started a task. */
const LASTING_TOKENS_MAX = 200;

/** Something that waits for a server's answer. Exactly one of `answered` and `lost` is called, once. */
export interface Exchange {
  /** The answer: a result or an error message. */
  answered(message: Message): void;
  /** The server ended first; the reason in words. */
  lost(reason: string): void;
  /**
   * The answer is large and arriving; it can be taken as it comes. `head` is its beginning, `id` where the id stands in
   * it. After a taken answer has ended, neither `answered` nor `lost` is called.
   */
  streamed?(head: Uint8Array, id: Span): LineTaker | undefined;
  /** Progress of this request; `token` is where the token stands in the notification. */
  progressed?(message: Message, token: Span): void;
}

/** What a session tells its owner. */
export interface SessionEvents {
  request(session: Session, message: Message): void;
  notification(session: Session, message: Message): void;
  noise(sample: string): void;
}

/** What a server said of itself. */
export interface Hello {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/** A session with a running server. */
export class Session {
  /** Set once the handshake is done. */
  hello: Hello = { era: "legacy", protocolVersion: "", capabilities: {}, instructions: undefined };
  /** The `_meta` members of every request, JSON text without braces; empty in the legacy era. */
  requestMeta = "";
  readonly #connection: Connection;
  readonly #pending = new Map<number, Exchange>();
  readonly #lasting = new Map<number, Exchange>();
  #nextId = 1;
  #ended: string | undefined;

  /**
   * @param open Opens the connection; it gets what the session wants to hear.
   * @param events What the server says unasked goes here.
   */
  constructor(open: (events: ConnectionEvents) => Connection, events: SessionEvents) {
    this.#connection = open({
      message: (message) => this.#receive(message, events),
      large: (head) => this.#large(head),
      oversized: (head, tail, byteLength) => this.#oversized(head, tail, byteLength),
      noise: (sample) => events.noise(sample),
    });
    this.#connection.closed.then((reason) => this.#end(reason));
  }

  /** Resolves with the reason in words when the server is gone. */
  get closed(): Promise<string> {
    return this.#connection.closed;
  }

  /** Whether the server is gone. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Whether the server is too far behind with reading to be given more. */
  get isStuffed(): boolean {
    return this.#connection.backlogBytes > SERVER_BACKLOG_BYTES_MAX;
  }

  /** Sets what reading from this server waits for. */
  set pause(pause: () => Promise<void> | undefined) {
    this.#connection.pause = pause;
  }

  /** Requests that wait for an answer. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Takes a request's id, which is its progress token as well. The request itself is sent with {@link send}. */
  register(exchange: Exchange): number {
    const id = this.#nextId++;
    if (this.#ended === undefined) this.#pending.set(id, exchange);
    else queueMicrotask(() => exchange.lost(this.#ended ?? ""));
    return id;
  }

  /** The request is given up: its answer, if one comes, vanishes. */
  forget(id: number): void {
    this.#pending.delete(id);
  }

  /** The request was answered with a task, whose progress comes under the same token later. */
  keepProgress(id: number, exchange: Exchange): void {
    this.#lasting.set(id, exchange);
    const oldest = this.#lasting.keys().next();
    if (this.#lasting.size > LASTING_TOKENS_MAX && !oldest.done) this.#lasting.delete(oldest.value);
  }

  /** Sends a message, given in pieces. */
  send(pieces: readonly Uint8Array[]): void {
    this.#connection.send(pieces);
  }

  /** Sends a notification; `params` is JSON text. */
  notify(method: string, params?: string): void {
    this.send([bytesOf(`{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params ? `,"params":${params}` : ""}}`)]);
  }

  /**
   * Asks on loom's own behalf. Resolves with a result or an error message.
   *
   * @param params JSON text of an object.
   * @throws LoomError `SERVER_UNAVAILABLE` when the server ends or `timeoutMs` passes first.
   */
  ask(method: string, params: string | undefined, timeoutMs: number): Promise<Message> {
    return new Promise((resolve, reject) => {
      const id = this.register({
        answered: (message) => (clearTimeout(timer), resolve(message)),
        lost: (reason) => (clearTimeout(timer), reject(new LoomError("SERVER_UNAVAILABLE", reason))),
      });
      const timer = setTimeout(() => {
        this.forget(id);
        // "initialize" is the one request that must not be cancelled.
        if (method !== "initialize") this.notify("notifications/cancelled", `{"requestId":${id}}`);
        reject(new LoomError("SERVER_UNAVAILABLE", `gave no answer to ${method} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.send([bytesOf(requestText(id, method, withMeta(params, this.requestMeta)))]);
    });
  }

  /** Ends the server. Resolves when it is gone. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Ends the server at once. */
  kill(): void {
    this.#connection.kill();
  }

  #receive(message: Message, events: SessionEvents): void {
    switch (message.kind) {
      case "result":
      case "error":
        return this.#settle(idNumber(message.bytes, message.id), message);
      case "request":
        return events.request(this, message);
      case "notification":
        if (message.method === "notifications/progress") return this.#progress(message);
        return events.notification(this, message);
    }
  }

  #settle(id: number, message: Message): void {
    const exchange = this.#pending.get(id);
    if (!exchange) return;
    this.#pending.delete(id);
    exchange.answered(message);
  }

  #progress(message: Message): void {
    if (!message.params) return;
    const token = memberOf(message.bytes, message.params.start, "progressToken");
    if (!token) return;
    const id = idNumber(message.bytes, token);
    (this.#pending.get(id) ?? this.#lasting.get(id))?.progressed?.(message, token);
  }

  /** An answer whose call can be told by its first bytes may pass as it arrives. */
  #large(head: Uint8Array): LineTaker | undefined {
    const match = HEAD_RESULT_REGEXP.exec(textOf(head.subarray(0, HEAD_CHARS)));
    const [start, end] = match?.indices?.[1] ?? [0, 0];
    const id = Number(match?.[1] ?? -1);
    const taker = this.#pending.get(id)?.streamed?.(head, { start, end });
    if (!taker) return undefined;
    return {
      push: (piece) => taker.push(piece),
      end: () => {
        this.#pending.delete(id);
        taker.end();
      },
    };
  }

  /** An answer beyond the size bound still ends its call, if the call can be made out. */
  #oversized(head: Uint8Array, tail: Uint8Array, byteLength: number): void {
    const found = HEAD_ID_REGEXP.exec(textOf(head))?.[1] ?? TAIL_ID_REGEXP.exec(textOf(tail))?.[1];
    if (found === undefined) return;
    const text = `The server's answer of ${byteLength} bytes is larger than loom passes on`;
    const error = `{"code":${CODE.internal},"message":${JSON.stringify(text)}}`;
    const message = readMessage(bytesOf(`{"jsonrpc":"2.0","id":${found},"error":${error}}`));
    if (message) this.#settle(Number(found), message);
  }

  #end(reason: string): void {
    this.#ended = reason;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    this.#lasting.clear();
    for (const exchange of waiting) exchange.lost(reason);
  }
}

/** Characters in which an answer's id is looked for. */
const HEAD_CHARS = 200;
const HEAD_RESULT_REGEXP = /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,\s*"result"\s*:\s*\{/d;
const HEAD_ID_REGEXP = /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/;
const TAIL_ID_REGEXP = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}$/;

/** The number at a span when it is one that loom could have given, else -1. */
function idNumber(bytes: Uint8Array, span: Span | undefined): number {
  if (!span || span.end - span.start > 15) return -1;
  let id = 0;
  for (let i = span.start; i < span.end; i++) {
    const digit = (bytes[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    id = id * 10 + digit;
  }
  return id;
}

/** JSON text of a request. */
function requestText(id: number, method: string, params: string | undefined): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params ? `,"params":${params}` : ""}}`;
}

/** `params` (JSON text of an object without `_meta`) with `_meta` put in. */
export function withMeta(params: string | undefined, meta: string): string | undefined {
  if (meta === "") return params;
  const rest = params === undefined || params === "{}" ? "}" : `,${params.slice(1)}`;
  return `{"_meta":{${meta}}${rest}`;
}
