/** A request of the client on its way to a server and back: ids and tokens changed, eras fitted, the rest as written. @module */

import { type Exchange, META, modernMeta, type Server, type Session } from "../gateway/mod.ts";
import type { ClientProfile } from "../gateway/mod.ts";
import {
  bytesOf,
  concat,
  digitsOf,
  type Edit,
  type LineTaker,
  membersOf,
  membersRemoved,
  type Message,
  type Span,
  spliced,
} from "../wire/mod.ts";
import { insertion, modernised } from "./answers.ts";
import { AnswerStream } from "./answer_stream.ts";
import type { ClientCall } from "./call.ts";

/** What a relay tells the proxy. */
export interface RelayHooks {
  /** Takes the answer in place of passing it on. */
  answered?(relay: Relay, answer: Message): void;
  /** Whether a large answer that begins like this may pass as it arrives. */
  mayStream?(head: Uint8Array): boolean;
  /** An answer has passed as it arrived, with so many bytes. */
  streamed?(byteLength: number): void;
  /** The server has ended before it answered. */
  lost(relay: Relay, reason: string): void;
  /** Called once when the relay is over, whichever way. */
  ended?(relay: Relay): void;
}

/** What a relay needs to know. */
export interface RelayOptions {
  readonly server: Server;
  readonly session: Session;
  /** Changes to the client's message beside those that every relay makes. */
  readonly edits: readonly Edit[];
  readonly hooks: RelayHooks;
  readonly profile: ClientProfile;
  /** The log level that the client has set, for servers of the modern era. */
  readonly logLevel: string | undefined;
  /** Sends progress to the client. */
  readonly toClient: (pieces: readonly Uint8Array[]) => void;
}

/** Members of `_meta` that mean something in the modern era only. */
const MODERN_META: ReadonlySet<string> = new Set([
  META.protocolVersion,
  META.clientCapabilities,
  META.clientInfo,
  META.logLevel,
]);

/** Members of `params` that do. */
const MODERN_PARAMS: ReadonlySet<string> = new Set(["inputResponses", "requestState"]);

/** One request under way. */
export class Relay implements Exchange {
  /** The client's request that waits; a retry of the client takes its place. Undefined while nobody waits. */
  call: ClientCall | undefined;
  readonly method: string;
  readonly server: Server;
  readonly session: Session;
  readonly id: number;
  readonly #hooks: RelayHooks;
  readonly #toClient: (pieces: readonly Uint8Array[]) => void;
  #over = false;
  #stream: AnswerStream | undefined;

  constructor(call: ClientCall, options: RelayOptions) {
    this.call = call;
    this.method = call.message.method;
    this.server = options.server;
    this.session = options.session;
    this.#hooks = options.hooks;
    this.#toClient = options.toClient;
    this.id = this.session.register(this);
    const timeoutMs = this.server.config.callTimeoutMs;
    if (timeoutMs !== undefined) this.#limit(timeoutMs);
    this.adopt(call);
    this.session.send(spliced(call.message.bytes, this.#edits(call, options)));
  }

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A request of the client waits for this relay from now on. */
  adopt(call: ClientCall): void {
    this.call = call;
    call.onCancel = (notification) => this.cancel(notification);
  }

  /** Gives up: the server is told, its answer vanishes. */
  cancel(notification?: Message): void {
    if (this.#over) return;
    this.#finish();
    this.session.forget(this.id);
    this.session.send(cancellation(this.id, notification));
  }

  answered(answer: Message): void {
    if (this.#over) return;
    this.#finish();
    if (this.#hooks.answered) this.#hooks.answered(this, answer);
    else this.passOn(answer);
  }

  streamed(head: Uint8Array, id: Span): LineTaker | undefined {
    const { call } = this;
    if (this.#over || !call || !this.#hooks.mayStream?.(head)) return undefined;
    const line = call.begin(this.server, (why) => this.#stream?.breakOff(why));
    if (!line) return undefined;
    call.onCancel = undefined;
    this.#stream = new AnswerStream(line, call.id, id, this.server.name, this.#toClient);
    return {
      push: (piece) => this.#stream?.push(piece),
      end: () => {
        if (this.#stream) this.#hooks.streamed?.(this.#stream.byteLength);
        this.#stream?.end();
        if (!this.#over) this.#finish();
      },
    };
  }

  lost(reason: string): void {
    if (this.#over) return;
    if (this.#stream) {
      this.#stream.giveUp();
      return this.#finish();
    }
    this.#finish();
    this.#hooks.lost(this, reason);
  }

  progressed(message: Message, token: Span): void {
    const own = this.call?.parts.progressToken;
    if (!own || !this.call) return;
    const bytes = this.call.message.bytes.subarray(own.start, own.end);
    this.#toClient(spliced(message.bytes, [{ ...token, bytes }]));
  }

  /** Hands the server's answer to the client, fitted to its era. */
  passOn(answer: Message): void {
    const call = this.call;
    if (!call) return;
    const foreign = call.era === "modern" && this.session.hello.era === "legacy";
    call.passOn(answer, foreign ? modernised(answer, this.method) : []);
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#hooks.ended?.(this);
  }

  #limit(timeoutMs: number): void {
    this.#timer = setTimeout(() => {
      const call = this.call;
      this.cancel();
      call?.fail(-32001, `Server "${this.server.name}" gave no answer within ${timeoutMs} ms (callTimeoutMs)`);
    }, timeoutMs);
  }

  #edits(call: ClientCall, options: RelayOptions): Edit[] {
    const { message, parts } = call;
    const id = digitsOf(this.id);
    const edits: Edit[] = [...options.edits];
    if (message.id) edits.push({ ...message.id, bytes: id });
    const serverEra = this.session.hello.era;
    if (call.era === "modern" && serverEra === "legacy") edits.push(...withoutModernMembers(call, id));
    else if (parts.progressToken) edits.push({ ...parts.progressToken, bytes: id });
    if (call.era === "legacy" && serverEra === "modern") edits.push(withModernMeta(call, options));
    return edits;
  }
}

/** A notification that cancels a request of loom's, in the words of the client's own. */
function cancellation(id: number, notification: Message | undefined): Uint8Array[] {
  const span = notification?.params && membersOf(notification.bytes, notification.params.start)
    ?.find((member) => member.name === "requestId");
  if (!notification || !span) {
    return [bytesOf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`)];
  }
  return spliced(notification.bytes, [{ start: span.start, end: span.end, bytes: bytesOf(String(id)) }]);
}

/** Takes what only the modern era knows out of `params`, and `_meta` when nothing is left of it. */
function withoutModernMembers(call: ClientCall, token: Uint8Array): Edit[] {
  const { bytes } = call.message;
  const { meta, params } = call.parts;
  if (!params) return [];
  const kept: Uint8Array[] = [];
  for (const member of meta ? membersOf(bytes, meta.start) ?? [] : []) {
    if (MODERN_META.has(member.name)) continue;
    const value = member.name === "progressToken" ? token : bytes.subarray(member.start, member.end);
    kept.push(bytesOf(kept.length === 0 ? "{" : ","), bytes.subarray(member.nameStart, member.start), value);
  }
  const isRemoved = (name: string) => MODERN_PARAMS.has(name) || (name === "_meta" && kept.length === 0);
  const edits = membersRemoved(bytes, params.start, isRemoved);
  return meta && kept.length > 0 ? [...edits, { ...meta, bytes: concat([...kept, bytesOf("}")]) }] : edits;
}

/** Puts the members of the modern era into `_meta`. */
function withModernMeta(call: ClientCall, options: RelayOptions): Edit {
  const { bytes } = call.message;
  const { meta, params } = call.parts;
  const members = modernMeta(options.profile, options.logLevel);
  if (meta) return insertion(bytes, meta, members);
  if (params) return insertion(bytes, params, `"_meta":{${members}}`);
  const end = bytes.lastIndexOf(0x7d);
  return { start: end, end, bytes: bytesOf(`,"params":{"_meta":{${members}}}`) };
}
