/**
 * A server behind a URL, over Streamable HTTP. The SDK's transport keeps the session, the streams and their reconnection;
 * it is shown stand-ins for the messages, whose bytes go past it unread, since it would round their numbers.
 * @module
 */

// The package names its types without the suffix that its code has.
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types";
import type { ServerConfig } from "../config.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import {
  bytesOf,
  concat,
  elementsOf,
  memberOf,
  type Message,
  MESSAGE_BYTES_MAX,
  readMessage,
  type Span,
  stringAt,
  textOf,
  valueAt,
  valueOf,
} from "../wire/mod.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { replaceEventData } from "./events.ts";
import { META } from "./revisions.ts";

/** Time that a server gets to end the session when loom stops. */
const GOODBYE_MS = 1_000;
const SAMPLE_CHARS = 120;
/** Streams are opened again for as long as loom runs, at most this far apart. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 1_000_000,
};

/** Which member of `params` names what a request of the modern era is about, for intermediaries. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/cancel": "taskId",
};

/** Opens a connection to a remote server. Nothing is sent before the first message. */
export function openRemote(config: ServerConfig, events: ConnectionEvents, log: Log): Connection {
  return new RemoteConnection(config, events, log);
}

class RemoteConnection implements Connection {
  readonly closed: Promise<string>;
  backlogBytes = 0;
  pause: () => Promise<void> | undefined = () => undefined;
  readonly #name: string;
  readonly #events: ConnectionEvents;
  readonly #log: Log;
  readonly #transport: StreamableHTTPClientTransport;
  readonly #end = Promise.withResolvers<string>();
  /** Messages on their way, by the number in their stand-in. */
  readonly #outgoing = new Map<number, Message>();
  readonly #incoming = new Map<number, Message>();
  #next = 1;
  #isEnded = false;
  #noiseReported = false;
  #initializeId = "";

  constructor(config: ServerConfig, events: ConnectionEvents, log: Log) {
    this.#name = config.name;
    this.#events = events;
    this.#log = log;
    this.closed = this.#end.promise;
    this.#transport = new StreamableHTTPClientTransport(new URL(config.url ?? ""), {
      requestInit: { headers: { ...config.headers } },
      fetch: (url, init) => this.#fetch(url, init ?? {}),
      reconnectionOptions: RECONNECTION,
    });
    this.#transport.onmessage = (standIn) => this.#receive(standIn);
    this.#transport.onerror = (error) => log("debug", "gateway", `server "${config.name}": ${messageOf(error)}`);
    this.#transport.start();
  }

  send(pieces: readonly Uint8Array[]): void {
    const message = readMessage(concat(pieces));
    if (!message || this.#isEnded) return;
    const number = this.#next++;
    const { length } = message.bytes;
    this.#outgoing.set(number, message);
    this.backlogBytes += length;
    if (message.method === "initialize") this.#initializeId = idText(message);
    this.#transport.send(standInOf(message, number)).catch((error) => this.#failed(message, error)).finally(() => {
      this.#outgoing.delete(number);
      this.backlogBytes -= length;
    });
  }

  async close(): Promise<void> {
    if (this.#isEnded) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, GOODBYE_MS));
    await Promise.race([this.#transport.terminateSession().catch(() => {}), limit]);
    clearTimeout(timer);
    this.#finish("was closed");
  }

  kill(): void {
    this.#finish("was closed");
  }

  #finish(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#transport.close().catch(() => {});
    this.#outgoing.clear();
    this.#incoming.clear();
    this.#end.resolve(reason);
  }

  /** The transport's own way out: stand-ins become messages, and messages that come back become stand-ins. */
  async #fetch(url: string | URL, init: RequestInit): Promise<Response> {
    const message = this.#messageOf(init.body);
    const headers = new Headers(init.headers);
    if (message) addModernHeaders(headers, message);
    const response = await fetch(url, {
      ...init,
      headers,
      ...(message ? { body: message.bytes.slice() } : {}),
    });
    if (message && !response.ok && !isRedirect(response)) return await this.#refused(message, response);
    if (!response.ok || !response.body) return response;
    return await this.#shielded(response, message);
  }

  #messageOf(body: unknown): Message | undefined {
    if (typeof body !== "string") return undefined;
    const standIn: unknown = JSON.parse(body);
    return this.#outgoing.get(numberIn(standIn));
  }

  /** A response whose messages are stand-ins. */
  async #shielded(response: Response, request: Message | undefined): Promise<Response> {
    const { status, headers } = response;
    const type = headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream") && response.body) {
      const answered = { yet: false, resumable: false };
      const replaced = response.body.pipeThrough(this.#watched(request, answered)).pipeThrough(
        replaceEventData((data) => this.#replace(data, request, answered)),
      );
      return new Response(replaced, { status, headers: plainHeaders(headers) });
    }
    if (!type.startsWith("application/json")) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > MESSAGE_BYTES_MAX) {
      if (request) this.#fail(request, `gave an answer of ${bytes.length} bytes, which is larger than loom passes on`);
      return new Response(null, { status: 202 });
    }
    const messages = (bytes[0] === 0x5b ? elementsOf(bytes, 0) ?? [] : [{ start: 0, end: bytes.length }])
      .map((span) => readMessage(trimmed(bytes, span)))
      .filter((message) => message !== undefined);
    if (messages.length === 0) this.#noise(bytes);
    return Response.json(messages.map((message) => JSON.parse(this.#standIn(message))), {
      headers: plainHeaders(headers),
    });
  }

  /** Notices when a stream ends before it brought the answer that it was opened for. */
  #watched(
    request: Message | undefined,
    answered: { yet: boolean; resumable: boolean },
  ): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, controller) => {
        if (!answered.resumable && textOf(chunk.subarray(0, 512)).includes("id:")) answered.resumable = true;
        controller.enqueue(chunk);
      },
      flush: () => {
        if (request && !answered.yet && !answered.resumable) {
          this.#fail(request, "closed the stream before it answered");
        }
      },
    });
  }

  #replace(data: Uint8Array, request: Message | undefined, answered: { yet: boolean }): string | undefined {
    const message = readMessage(trimmed(data, { start: 0, end: data.length }));
    if (!message) {
      this.#noise(data);
      return undefined;
    }
    if (request && message.method === "" && idText(message) === idText(request)) answered.yet = true;
    return this.#standIn(message);
  }

  #standIn(message: Message): string {
    const number = this.#next++;
    this.#incoming.set(number, message);
    return JSON.stringify(standInOf(message, number));
  }

  #receive(standIn: JSONRPCMessage): void {
    const number = numberIn(standIn);
    const message = this.#incoming.get(number);
    if (!message || this.#isEnded) return;
    this.#incoming.delete(number);
    if (message.kind === "result" && idText(message) === this.#initializeId) this.#noteVersion(message);
    this.#events.message(message);
  }

  /** From the first answer on, every request names the revision that was agreed on. */
  #noteVersion(message: Message): void {
    const span = message.outcome && memberOf(message.bytes, message.outcome.start, "protocolVersion");
    const version = stringAt(message.bytes, span);
    if (version !== undefined) this.#transport.setProtocolVersion(version);
  }

  /** An HTTP error: an answer of the server, a lost session, or a failure that only this request has. */
  async #refused(request: Message, response: Response): Promise<Response> {
    const bytes = new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
    const answer = readMessage(trimmed(bytes, { start: 0, end: bytes.length }));
    const isAnswer = answer?.kind === "error" && answer.id !== undefined && idText(answer) === idText(request);
    if (isAnswer) {
      this.#events.message(answer);
    } else if (response.status === 404 && this.#transport.sessionId !== undefined) {
      this.#fail(request, "has ended the session: a new one is being opened, and the call was not repeated");
      this.#finish("has ended the session (HTTP 404)");
    } else {
      const said = answer?.kind === "error" ? valueOf(answer.bytes, answer.outcome) : undefined;
      this.#fail(request, `answered with HTTP ${response.status}`, said);
    }
    return new Response(null, { status: 202 });
  }

  #failed(request: Message, error: unknown): void {
    if (!this.#isEnded) this.#fail(request, `could not be reached: ${messageOf(error)}`);
  }

  /** Answers a request in place of the server. */
  #fail(request: Message, what: string, said?: unknown): void {
    if (request.kind !== "request") return this.#log("warn", "gateway", `server "${this.#name}" ${what}`);
    const error = isError(said) ? said : { code: -32000, message: `Server "${this.#name}" ${what}` };
    const text = `{"jsonrpc":"2.0","id":${idText(request)},"error":${JSON.stringify(error)}}`;
    const message = readMessage(bytesOf(text));
    if (message) this.#events.message(message);
  }

  #noise(bytes: Uint8Array): void {
    if (this.#noiseReported) return;
    this.#noiseReported = true;
    this.#events.noise(textOf(bytes.subarray(0, SAMPLE_CHARS)));
  }
}

/** A message of the same kind and method, with nothing in it but a number. */
function standInOf(message: Message, number: number): JSONRPCMessage {
  switch (message.kind) {
    case "request":
      return { jsonrpc: "2.0", id: number, method: message.method, params: { number } };
    case "notification":
      return { jsonrpc: "2.0", method: message.method, params: { number } };
    case "result":
      return { jsonrpc: "2.0", id: number, result: { number } };
    case "error":
      return { jsonrpc: "2.0", id: number, error: { code: 0, message: "", data: { number } } };
  }
}

function numberIn(standIn: unknown): number {
  const bytes = bytesOf(JSON.stringify(standIn));
  for (const path of [["params", "number"], ["result", "number"], ["error", "data", "number"]]) {
    const number = valueOf(bytes, valueAt(bytes, 0, path));
    if (typeof number === "number") return number;
  }
  return -1;
}

function addModernHeaders(headers: Headers, message: Message): void {
  const { bytes, params, method, kind } = message;
  if (kind !== "request" || !params) return;
  const version = stringAt(bytes, valueAt(bytes, params.start, ["_meta", META.protocolVersion]));
  if (version === undefined) return;
  headers.set("mcp-protocol-version", version);
  headers.set("mcp-method", method);
  const member = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = member && stringAt(bytes, memberOf(bytes, params.start, member));
  if (name !== undefined && name !== "") headers.set("mcp-name", headerText(name));
}

/** A text as a header's value: as it is when it is plain, else wrapped as the protocol says. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");
  return isPlain ? text : `=?base64?${bytesOf(text).toBase64()}?=`;
}

function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete("content-length");
  plain.delete("content-encoding");
  return plain;
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

function isError(value: unknown): value is { code: number; message: string } {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

function idText(message: Message): string {
  return message.id ? textOf(message.bytes.subarray(message.id.start, message.id.end)) : "";
}

function trimmed(bytes: Uint8Array, { start, end }: Span): Uint8Array {
  while (end > start && (bytes[end - 1] ?? 0) <= 32) end--;
  return bytes.subarray(start, end);
}
