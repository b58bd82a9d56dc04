/** Who hears of changes: the subscriptions of the client in either era, and those that loom holds with servers. @module */

import { META, type Server, type Session } from "../gateway/mod.ts";
import {
  bytesOf,
  concat,
  type Edit,
  memberOf,
  membersOf,
  type Message,
  type Span,
  spliced,
  stringAt,
  valueOf,
} from "../wire/mod.ts";
import { insertion } from "./answers.ts";
import type { ClientCall } from "./call.ts";
import type { Located } from "./uris.ts";

/** Subscriptions of one modern client at a time. */
export const LISTENS_MAX = 100;

/** Kinds of change that a modern client may listen to. */
export type Change = "toolsListChanged" | "promptsListChanged" | "resourcesListChanged";

/** The notification of each kind of change. */
export const CHANGES: Readonly<Record<string, Change>> = {
  "notifications/tools/list_changed": "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
};

/** A `subscriptions/listen` of a modern client. */
interface Listen {
  readonly call: ClientCall;
  readonly changes: ReadonlySet<string>;
  readonly uris: readonly string[];
}

/** The subscriptions of a client. */
export class Subscriptions {
  readonly #toClient: (pieces: readonly Uint8Array[]) => void;
  readonly #listens = new Set<Listen>();
  /** URIs that some server is subscribed to, with how many subscribers there are. */
  readonly #watched = new Map<string, { readonly located: Located; count: number }>();
  readonly #streams = new WeakMap<Session, number>();

  constructor(toClient: (pieces: readonly Uint8Array[]) => void) {
    this.#toClient = toClient;
  }

  /** Accepts a modern client's `subscriptions/listen`. `released` gets its URIs when it ends. */
  listen(call: ClientCall, released: (uris: readonly string[]) => void): readonly string[] {
    const { notifications } = call.parts;
    const filter = notifications ? membersOf(call.message.bytes, notifications.start) ?? [] : [];
    const changes = new Set<string>();
    let uris: string[] = [];
    for (const member of filter) {
      const value = valueOf(call.message.bytes, member);
      if (value === true) changes.add(member.name);
      if (member.name === "resourceSubscriptions" && Array.isArray(value)) {
        uris = value.filter((uri) => typeof uri === "string");
      }
    }
    const listen: Listen = { call, changes, uris };
    this.#listens.add(listen);
    call.onCancel = () => {
      this.#listens.delete(listen);
      released(uris);
    };
    const honoured = {
      ...Object.fromEntries(
        [...changes].filter((name) => Object.values(CHANGES).includes(name as Change)).map((c) => [c, true]),
      ),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
    const params = concat([
      bytesOf(`{"_meta":{"${META.subscriptionId}":`),
      call.id,
      bytesOf(`},"notifications":${JSON.stringify(honoured)}}`),
    ]);
    this.#toClient([
      bytesOf('{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":'),
      params,
      bytesOf("}"),
    ]);
    return uris;
  }

  /** Whether another subscription may begin. */
  get isFull(): boolean {
    return this.#listens.size >= LISTENS_MAX;
  }

  /** Tells modern subscribers of a changed list. */
  changed(method: string): void {
    for (const { call, changes } of this.#listens) {
      if (!changes.has(CHANGES[method] ?? "")) continue;
      const head = bytesOf(`{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{"${META.subscriptionId}":`);
      this.#toClient([head, call.id, bytesOf("}}}")]);
    }
  }

  /** Tells modern subscribers of an updated resource; `uri` is the one they know. */
  updated(notification: Message, uri: string): void {
    for (const { call, uris } of this.#listens) {
      if (uris.includes(uri)) this.#toClient(forSubscriber(notification, uri, call.id));
    }
  }

  /** Ends every subscription with its one answer. */
  end(): void {
    for (const { call } of this.#listens) {
      const head = bytesOf(`{"resultType":"complete","_meta":{"${META.subscriptionId}":`);
      call.respond(head, call.id, bytesOf("}}"));
    }
    this.#listens.clear();
  }

  /** One more subscriber of a URI. True when it is the first, so that the server has to be told. */
  watch(exposed: string, located: Located): boolean {
    const known = this.#watched.get(exposed);
    if (known) known.count++;
    else this.#watched.set(exposed, { located, count: 1 });
    return !known;
  }

  /** One subscriber less. Where the URI leads when nobody is left. */
  unwatch(exposed: string, all = false): Located | undefined {
    const known = this.#watched.get(exposed);
    if (!known || (--known.count > 0 && !all)) return undefined;
    this.#watched.delete(exposed);
    return known.located;
  }

  /** The URIs of a server that somebody is subscribed to. */
  watchedOf(server: string): string[] {
    return [...this.#watched.values()].filter(({ located }) => located.server === server)
      .map(({ located }) => located.uri);
  }

  /** Tells a modern server what loom wants to hear of; it replaces what it was told before. */
  openStream(server: Server, session: Session): void {
    const has = (name: string) => session.hello.capabilities[name] !== undefined;
    const uris = this.watchedOf(server.name);
    const filter = {
      ...(has("tools") ? { toolsListChanged: true } : {}),
      ...(has("prompts") ? { promptsListChanged: true } : {}),
      ...(has("resources") ? { resourcesListChanged: true } : {}),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
    const before = this.#streams.get(session);
    const id = session.register({ answered: () => {}, lost: () => {} });
    this.#streams.set(session, id);
    const params = `{"_meta":{${session.requestMeta}},"notifications":${JSON.stringify(filter)}}`;
    session.send([bytesOf(`{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":${params}}`)]);
    if (before === undefined) return;
    session.forget(before);
    session.notify("notifications/cancelled", `{"requestId":${before}}`);
  }
}

/** A server's notification for one modern subscriber. */
function forSubscriber(notification: Message, uri: string, subscriptionId: Uint8Array): Uint8Array[] {
  const { bytes, params } = notification;
  if (!params) return [bytes];
  const member = concat([bytesOf(`"${META.subscriptionId}":`), subscriptionId]);
  return spliced(bytes, [...uriEdits(notification, uri), ...metaEdits(bytes, params, member)]);
}

/** A server's notification for a legacy client: under the URI it knows, without the mark of loom's own subscription. */
export function forLegacy(notification: Message, uri: string | undefined): Uint8Array[] {
  const { bytes, params } = notification;
  if (!params) return [bytes];
  const meta = memberOf(bytes, params.start, "_meta");
  const marked = meta && memberOf(bytes, meta.start, META.subscriptionId);
  return spliced(bytes, [
    ...(uri === undefined ? [] : uriEdits(notification, uri)),
    ...(marked ? metaEdits(bytes, params, undefined) : []),
  ]);
}

function uriEdits({ bytes, params }: Message, uri: string): Edit[] {
  const span: Span | undefined = params && memberOf(bytes, params.start, "uri");
  return span && stringAt(bytes, span) !== uri ? [{ ...span, bytes: bytesOf(JSON.stringify(uri)) }] : [];
}

/** `_meta` with loom's own subscription id taken out and `member` put in. */
function metaEdits(bytes: Uint8Array, params: Span, member: Uint8Array | undefined): Edit[] {
  const meta = memberOf(bytes, params.start, "_meta");
  if (!meta) {
    const place = insertion(bytes, params, "");
    return member ? [{ ...place, bytes: concat([bytesOf('"_meta":{'), member, bytesOf("}"), place.bytes]) }] : [];
  }
  const kept = (membersOf(bytes, meta.start) ?? []).filter(({ name }) => name !== META.subscriptionId)
    .map(({ nameStart, end }) => bytes.subarray(nameStart, end));
  const members = member ? [member, ...kept] : kept;
  const joined = members.flatMap((part, i) => i === 0 ? [part] : [bytesOf(","), part]);
  return [{ ...meta, bytes: concat([bytesOf("{"), ...joined, bytesOf("}")]) }];
}
