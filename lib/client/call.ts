/** One request of the client, from its bytes to its one answer. @module */

import { type ClientProfile, type Era, LATEST_LEGACY_REVISION, META, MODERN_REVISION } from "../gateway/mod.ts";
import {
  bytesOf,
  type Edit,
  MemberNames,
  type Message,
  type OpenLine,
  type Span,
  spliced,
  stringAt,
  textOf,
  walkMembers,
} from "../wire/mod.ts";

/** Where the parts of a request's `params` stand that loom looks at. */
export interface RequestParts {
  params?: Span;
  /** `params.name`, `.uri`, `.arguments` and so on, by name. */
  name?: Span;
  uri?: Span;
  arguments?: Span;
  cursor?: Span;
  ref?: Span;
  task?: Span;
  taskId?: Span;
  level?: Span;
  notifications?: Span;
  inputResponses?: Span;
  requestState?: Span;
  meta?: Span;
  progressToken?: Span;
  protocolVersion?: Span;
  clientCapabilities?: Span;
  clientInfo?: Span;
  logLevel?: Span;
}

const PARAMS = new MemberNames([
  "name",
  "arguments",
  "uri",
  "cursor",
  "ref",
  "task",
  "taskId",
  "level",
  "notifications",
  "inputResponses",
  "requestState",
  "_meta",
]);

const META_PARTS = {
  progressToken: "progressToken",
  [META.protocolVersion]: "protocolVersion",
  [META.clientCapabilities]: "clientCapabilities",
  [META.clientInfo]: "clientInfo",
  [META.logLevel]: "logLevel",
} as const;

const META_MEMBERS = new MemberNames(Object.keys(META_PARTS) as (keyof typeof META_PARTS)[]);

/** Finds the parts of a message's `params`. */
export function partsOf(message: Message): RequestParts {
  const { bytes, params } = message;
  if (!params) return {};
  const parts: RequestParts = { params };
  walkMembers(bytes, params.start, (nameStart, nameEnd, start, end) => {
    const name = PARAMS.at(bytes, nameStart, nameEnd);
    if (name !== undefined) parts[name === "_meta" ? "meta" : name] = { start, end };
  });
  if (!parts.meta) return parts;
  walkMembers(bytes, parts.meta.start, (nameStart, nameEnd, start, end) => {
    const name = META_MEMBERS.at(bytes, nameStart, nameEnd);
    if (name !== undefined) parts[META_PARTS[name]] = { start, end };
  });
  return parts;
}

/** What an id is kept under: equal for ids that are equal, whatever escapes they were written with. */
export type IdKey = string | number;

/** Digits of a number that is kept as one. */
const NUMBER_DIGITS_MAX = 15;

/** The key of the id at a span. */
export function idKey(bytes: Uint8Array, span: Span): IdKey {
  const number = smallNumber(bytes, span);
  if (number >= 0) return number;
  const text = textOf(bytes.subarray(span.start, span.end));
  return text.includes("\\") ? JSON.stringify(stringAt(bytes, span) ?? text) : text;
}

function smallNumber(bytes: Uint8Array, { start, end }: Span): number {
  if (end - start > NUMBER_DIGITS_MAX || bytes[start] === 48 && end > start + 1) return -1;
  let number = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** Where the answers of a request go. */
export interface AnswerSink {
  /** The one answer to a request, as pieces of a line. */
  answer(pieces: readonly Uint8Array[]): void;
  /** The request gets no answer, since it was cancelled. */
  skip(): void;
  /** Begins an answer that is written as it comes, where that can be; `source` is what it comes from. */
  begin?(source: object): OpenLine | undefined;
}

const RESULT_HEAD = bytesOf('{"jsonrpc":"2.0","id":');
const RESULT_MIDDLE = bytesOf(',"result":');
const ERROR_MIDDLE = bytesOf(',"error":');
const END = bytesOf("}");

/** A request of the client that waits for its answer. It is answered at most once. */
export class ClientCall {
  readonly message: Message;
  readonly parts: RequestParts;
  readonly era: Era;
  /** The id as the client wrote it. */
  readonly id: Uint8Array;
  /** What is to be done when the client cancels the call; it gets the client's notification. */
  onCancel: ((notification: Message) => void) | undefined;
  readonly #sink: AnswerSink;
  readonly #onEnd: (call: ClientCall) => void;
  #ended = false;
  /** Brings an answer that is written as it comes to its end. */
  #breakOff: ((why: string) => void) | undefined;

  constructor(message: Message, parts: RequestParts, sink: AnswerSink, onEnd: (call: ClientCall) => void) {
    this.message = message;
    this.parts = parts;
    this.era = parts.protocolVersion ? "modern" : "legacy";
    this.id = message.id ? message.bytes.subarray(message.id.start, message.id.end) : bytesOf("null");
    this.#sink = sink;
    this.#onEnd = onEnd;
  }

  /** Whether it was answered or cancelled. */
  get isEnded(): boolean {
    return this.#ended;
  }

  /** The arguments of a call, as the client wrote them. */
  get arguments(): Uint8Array | undefined {
    const span = this.parts.arguments;
    return span && this.message.bytes.subarray(span.start, span.end);
  }

  /** A member of `params` as a string. */
  text(part: keyof RequestParts): string | undefined {
    return stringAt(this.message.bytes, this.parts[part]);
  }

  /** Answers with a result, given as bytes of its JSON text. */
  respond(...result: readonly Uint8Array[]): void {
    this.#answer([RESULT_HEAD, this.id, RESULT_MIDDLE, ...result, END]);
  }

  /** Answers with an error. */
  fail(code: number, message: string, data?: unknown): void {
    const error = JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) });
    this.#answer([RESULT_HEAD, this.id, ERROR_MIDDLE, bytesOf(error), END]);
  }

  /** Answers with a server's own line: only the id is the caller's, but for `edits`. */
  passOn(answer: Message, edits: readonly Edit[] = []): void {
    if (!answer.id) return this.fail(-32603, "The server's answer has no id");
    this.#answer(spliced(answer.bytes, [{ ...answer.id, bytes: this.id }, ...edits]));
  }

  /**
   * Begins an answer that is written as it comes; undefined where that can't be. Nothing else answers the call then, which
   * is open until the line has ended.
   *
   * @param source What the answer comes from.
   * @param breakOff Ends the answer early, for a reason in words.
   */
  begin(source: object, breakOff: (why: string) => void): OpenLine | undefined {
    const line = this.#ended ? undefined : this.#sink.begin?.(source);
    if (!line) return undefined;
    this.#ended = true;
    this.#breakOff = breakOff;
    return {
      push: (piece) => line.push(piece),
      end: () => {
        line.end();
        this.#onEnd(this);
      },
      get isAwaited() {
        return line.isAwaited;
      },
      get isBlocked() {
        return line.isBlocked;
      },
    };
  }

  /** Answers with an error, or brings an answer that is under way to its end. */
  giveUp(code: number, why: string): void {
    if (this.#breakOff) this.#breakOff(why);
    else this.fail(code, why);
  }

  /** The client cancels: no answer follows. */
  cancel(notification: Message): void {
    if (this.#ended) return;
    this.#end();
    this.#sink.skip();
    this.onCancel?.(notification);
  }

  #answer(pieces: readonly Uint8Array[]): void {
    if (this.#ended) return;
    this.#end();
    this.#sink.answer(pieces);
  }

  #end(): void {
    this.#ended = true;
    this.#onEnd(this);
  }
}

/** What a request of the modern era says of its client. */
export function profileOf(call: ClientCall): ClientProfile {
  const { bytes } = call.message;
  const textAt = (span: Span | undefined, otherwise: string) =>
    span ? textOf(bytes.subarray(span.start, span.end)) : otherwise;
  return {
    era: "modern",
    protocolVersion: LATEST_LEGACY_REVISION,
    capabilities: textAt(call.parts.clientCapabilities, "{}"),
    clientInfo: textAt(call.parts.clientInfo, '{"name":"unknown","version":"0"}'),
  };
}

/** Why a modern request can't be served, or undefined. */
export function modernProblem(call: ClientCall): { code: number; message: string; data?: unknown } | undefined {
  const requested = call.text("protocolVersion");
  if (requested !== MODERN_REVISION) {
    const data = { supported: [MODERN_REVISION], requested: requested ?? "unknown" };
    return { code: -32022, message: "Unsupported protocol version", data };
  }
  const { clientCapabilities } = call.parts;
  if (!clientCapabilities || call.message.bytes[clientCapabilities.start] !== 0x7b) {
    return { code: -32602, message: `Invalid params: _meta["${META.clientCapabilities}"] must be an object` };
  }
  return undefined;
}
