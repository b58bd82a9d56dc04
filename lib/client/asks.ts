/** Requests of servers to a legacy client: forwarded under ids of loom's own, answered to the right server. @module */

import type { Session } from "../gateway/mod.ts";
import { bytesOf, type Edit, memberOf, type Message, type Span, spliced, textOf, valueAt } from "../wire/mod.ts";
import { type IdKey, idKey } from "./call.ts";

/** Who takes the client's answer. */
interface Asked {
  readonly session: Session | undefined;
  /** The server's own id, as it wrote it, and as a key. */
  readonly id: Uint8Array;
  readonly key: IdKey;
  /** The server's own progress token. */
  readonly token: Uint8Array | undefined;
  /** Takes the answer in place of the session. */
  readonly answered: ((answer: Message) => void) | undefined;
}

/** Requests that the client hasn't answered yet. */
export class Asks {
  readonly #toClient: (pieces: readonly Uint8Array[]) => void;
  readonly #open = new Map<number, Asked>();
  readonly #watched = new WeakSet<Session>();
  #nextId = 1;

  constructor(toClient: (pieces: readonly Uint8Array[]) => void) {
    this.#toClient = toClient;
  }

  /** Forwards a server's request. */
  forward(session: Session, message: Message): void {
    if (!message.id) return;
    const { bytes } = message;
    const token = message.params && valueAt(bytes, message.params.start, ["_meta", "progressToken"]);
    const id = this.#take({
      session,
      id: bytes.subarray(message.id.start, message.id.end),
      key: idKey(bytes, message.id),
      token: token && bytes.subarray(token.start, token.end),
      answered: undefined,
    });
    const number = bytesOf(String(id));
    const edits: Edit[] = [{ ...message.id, bytes: number }];
    if (token) edits.push({ ...token, bytes: number });
    this.#toClient(spliced(bytes, edits));
    this.#watch(session);
  }

  /** Asks on behalf of a server that can't ask by itself. Gives the id to withdraw the request with. */
  ask(method: string, params: Uint8Array | undefined, answered: (answer: Message) => void): number {
    const id = this.#take({ session: undefined, id: bytesOf("0"), key: "", token: undefined, answered });
    const head = bytesOf(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}`);
    this.#toClient(params ? [head, bytesOf(',"params":'), params, bytesOf("}")] : [head, bytesOf("}")]);
    return id;
  }

  /** Withdraws a request made with {@link ask}. */
  withdraw(id: number): void {
    if (this.#open.delete(id)) this.#toClient([cancellation(id)]);
  }

  /** The client has answered. Answers to nothing vanish. */
  answered(answer: Message): void {
    if (!answer.id) return;
    const id = Number(textOf(answer.bytes.subarray(answer.id.start, answer.id.end)));
    const asked = this.#open.get(id);
    if (!asked) return;
    this.#open.delete(id);
    if (asked.answered) asked.answered(answer);
    else asked.session?.send(spliced(answer.bytes, [{ ...answer.id, bytes: asked.id }]));
  }

  /** The client reports progress with a request of a server. */
  progressed(notification: Message): void {
    const token = notification.params && memberOf(notification.bytes, notification.params.start, "progressToken");
    if (!token) return;
    const asked = this.#open.get(Number(textOf(notification.bytes.subarray(token.start, token.end))));
    if (asked?.token) asked.session?.send(spliced(notification.bytes, [{ ...token, bytes: asked.token }]));
  }

  /** A server cancels a request of its own; the client gets the notification under the id it knows. */
  cancelled(session: Session, notification: Message): void {
    const requestId: Span | undefined = notification.params &&
      memberOf(notification.bytes, notification.params.start, "requestId");
    if (!requestId) return;
    const key = idKey(notification.bytes, requestId);
    for (const [id, asked] of this.#open) {
      if (asked.session !== session || asked.key !== key) continue;
      this.#open.delete(id);
      this.#toClient(spliced(notification.bytes, [{ ...requestId, bytes: bytesOf(String(id)) }]));
      return;
    }
  }

  #take(asked: Asked): number {
    const id = this.#nextId++;
    this.#open.set(id, asked);
    return id;
  }

  #watch(session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    session.closed.then(() => this.#abandon(session));
  }

  /** The server that asked is gone: the client need not answer any more. */
  #abandon(session: Session): void {
    for (const [id, asked] of this.#open) {
      if (asked.session !== session) continue;
      this.#open.delete(id);
      this.#toClient([cancellation(id)]);
    }
  }
}

function cancellation(id: number): Uint8Array {
  const params = `{"requestId":${id},"reason":"The server that asked has ended or withdrawn its request"}`;
  return bytesOf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
}
