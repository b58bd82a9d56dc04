/** An MCP client in the same process: the whole proxy is used, through streams in memory. @module */

import { LoomError, messageOf } from "./errors.ts";
import type { Loom } from "./loom.ts";
import { LineFramer, LineWriter, type Message, readMessage, type Span } from "./wire/mod.ts";

/** The revision that this client speaks. */
const REVISION = "2025-11-25";

/** What a tool answered. */
export interface ToolAnswer {
  /** The content blocks. */
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  /** Any JSON value. */
  readonly structuredContent?: unknown;
  /** Whether the tool failed. */
  readonly isError?: boolean;
}

/** A session with a loom in this program. Dispose of it to end loom and every server. */
export interface Session extends AsyncDisposable {
  /**
   * Sends one request and gives the JSON text of its result, digit for digit.
   *
   * @param method An MCP method: `tools/list`, `resources/read`, …
   * @param params The JSON text of the request's `params`.
   * @throws {LoomError} `SERVER_UNAVAILABLE` when the request is answered with an error, or loom ends first.
   */
  request(method: string, params: string): Promise<string>;
  /**
   * Calls a tool by its exposed name, or one of loom's own.
   *
   * @param args A JSON text where digits matter, else a plain object.
   * @throws {LoomError} As {@link Session.request}. A tool's own failure is an answer with `isError`.
   */
  callTool(name: string, args?: string | Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
}

type Waiter = PromiseWithResolvers<string>;

/** Requests that wait, and what becomes of each message that arrives. */
class Desk {
  readonly #waiting = new Map<string, Waiter>();
  /** What the requests that failed were told. */
  readonly #told = new Set<string>();
  #nextId = 1;

  open(): { readonly id: string; readonly answer: Promise<string> } {
    const id = String(this.#nextId++);
    const waiter = Promise.withResolvers<string>();
    this.#waiting.set(id, waiter);
    return { id, answer: waiter.promise };
  }

  settle(message: Message): void {
    const waiter = this.#waiting.get(textAt(message, message.id));
    this.#waiting.delete(textAt(message, message.id));
    const outcome = textAt(message, message.outcome);
    if (message.kind === "result") waiter?.resolve(outcome);
    else if (waiter) this.#fail(waiter, JSON.parse(outcome).message);
  }

  /** Loom has ended, for this reason if it gave one. */
  close(reason = "Loom ended before it answered: the log says why"): void {
    for (const waiter of this.#waiting.values()) this.#fail(waiter, reason);
    this.#waiting.clear();
  }

  /** Whether a request that failed was told this. */
  hasTold(message: string): boolean {
    return this.#told.has(message);
  }

  #fail(waiter: Waiter, message: string): void {
    this.#told.add(message);
    waiter.reject(new LoomError("SERVER_UNAVAILABLE", message));
  }
}

function textAt(message: Message, span: Span | undefined): string {
  return span ? new TextDecoder().decode(message.bytes.subarray(span.start, span.end)) : "";
}

/**
 * Starts a loom, greets it, and gives the session. The servers are started; those that take longer than two seconds
 * may not be there yet, and `tools/list` waits for them.
 *
 * @throws {LoomError} `SERVER_UNAVAILABLE` when no server could be started.
 */
export async function openSession(loom: Loom): Promise<Session> {
  const down = new TransformStream<Uint8Array, Uint8Array>();
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const served = loom.serve({ readable: down.readable, writable: up.writable });
  const writer = new LineWriter(down.writable, () => {});
  const desk = new Desk();
  const send = (text: string) => writer.send([new TextEncoder().encode(text)]);
  const reading = readMessages(up.readable, (message) => {
    if (message.kind === "result" || message.kind === "error") desk.settle(message);
    // Nothing that a server may ask of a client was offered.
    if (message.kind === "request") send(refusal(textAt(message, message.id)));
  }).then(() => served).then(() => desk.close(), (error) => desk.close(messageOf(error)));
  const request = (method: string, params: string) => {
    const { id, answer } = desk.open();
    // A message is one line; in JSON a line break can only stand between tokens.
    const line = params.replaceAll(/[\r\n]+/g, " ");
    send(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${line}}`);
    return answer;
  };
  const end = async () => {
    await writer.close();
    await reading;
    try {
      await served;
    } catch (error) {
      // What a request was told already would only stand in the way of that.
      if (!desk.hasTold(messageOf(error))) throw error;
    }
  };
  const greeting = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "loom-session", version: "1" } };
  try {
    // When no server starts, `served` fails first and says why.
    await Promise.race([request("initialize", JSON.stringify(greeting)), served.then(() => NEVER)]);
  } catch (error) {
    await end().catch(() => {});
    throw error;
  }
  send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`);
  return {
    request,
    callTool: async (name, args = {}) => {
      const text = typeof args === "string" ? args : JSON.stringify(args);
      return JSON.parse(await request("tools/call", `{"name":${JSON.stringify(name)},"arguments":${text}}`));
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Loom that ends without an error closes the stream, and the reader answers for all that wait. */
const NEVER = new Promise<never>(() => {});

function refusal(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"This client answers no requests"}}`;
}

async function readMessages(readable: ReadableStream<Uint8Array>, take: (message: Message) => void): Promise<void> {
  const framer = new LineFramer({
    line: (bytes) => {
      const message = readMessage(bytes);
      if (message) take(message);
    },
    noise: () => {},
    oversized: () => {},
  });
  for await (const chunk of readable) framer.push(chunk);
  framer.end();
}
