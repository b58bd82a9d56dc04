/**
 * A modern client before a legacy server: what the server asks during a call becomes `input_required`, and the client's
 * retry brings the answers.
 * @module
 */

import { CODE, recordOf, type Server, type Session } from "../gateway/mod.ts";
import { bytesOf, concat, isObjectAt, memberOf, type Message, textOf, valueOf } from "../wire/mod.ts";
import type { ClientCall } from "./call.ts";
import type { Relay } from "./relay.ts";

/** Time that a client has for its retry before the server's call is given up. */
export const RETRY_WAIT_MS = 10 * 60_000;
/** Calls that wait for a retry at one time. */
export const SUSPENDED_MAX = 200;
/** Time in which further questions of the same call join the first. */
const GATHER_MS = 5;

const STATE_PREFIX = "loom:";

/** Which capability of the client a server's request needs. */
const NEEDED_CAPABILITY: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/** Requests that may be answered with `input_required`. */
const SUSPENDABLE: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** One question of a server. */
interface Question {
  readonly id: Uint8Array;
  readonly idText: string;
  readonly method: string;
  readonly params: Uint8Array | undefined;
}

/** A call whose server has asked something. */
interface Suspended {
  readonly relay: Relay;
  readonly questions: Map<string, Question>;
  readonly state: string;
  /** The answer of the server, if it came while nobody waited. */
  finish: ((relay: Relay) => void) | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Calls of a modern client that run on legacy servers. */
export class Suspensions {
  readonly #running = new Set<Relay>();
  readonly #suspended = new Map<string, Suspended>();
  readonly #byRelay = new Map<Relay, Suspended>();
  #nextKey = 1;

  /** A call has begun. */
  began(relay: Relay): void {
    this.#running.add(relay);
  }

  /** A call is over. Nothing is kept of it but an answer that nobody waited for. */
  ended(relay: Relay): void {
    this.#running.delete(relay);
    const suspended = this.#byRelay.get(relay);
    if (suspended && relay.call) this.#drop(suspended);
  }

  /** Runs `finish` now, or when the client comes back for the answer. */
  deliver(relay: Relay, finish: (relay: Relay) => void): void {
    const suspended = this.#byRelay.get(relay);
    if (relay.call || !suspended) return finish(relay);
    suspended.finish = finish;
  }

  /** A legacy server asks something. */
  ask(server: Server, session: Session, message: Message): void {
    if (!message.id) return;
    const relay = this.#relayFor(session, message.method);
    if (!relay) return refuse(session, message, `the client of "${server.name}" can't answer ${message.method} now`);
    const suspended = this.#byRelay.get(relay) ?? this.#suspend(relay);
    const { bytes, id, params } = message;
    suspended.questions.set(`${server.name}_${this.#nextKey++}`, {
      id: bytes.subarray(id.start, id.end),
      idText: textOf(bytes.subarray(id.start, id.end)),
      method: message.method,
      params: params && bytes.subarray(params.start, params.end),
    });
    setTimeout(() => this.#present(suspended), GATHER_MS);
  }

  /** A legacy server withdraws a question. */
  cancelled(session: Session, notification: Message): void {
    const span = notification.params && memberOf(notification.bytes, notification.params.start, "requestId");
    if (!span) return;
    const idText = textOf(notification.bytes.subarray(span.start, span.end));
    for (const { relay, questions } of this.#suspended.values()) {
      if (relay.session !== session) continue;
      for (const [key, question] of questions) if (question.idText === idText) questions.delete(key);
    }
  }

  /** Whether a request is a retry of a call that waits here; if so it is taken. */
  resume(call: ClientCall): boolean {
    const state = call.text("requestState");
    if (!state?.startsWith(STATE_PREFIX)) return false;
    const suspended = this.#suspended.get(state);
    if (!suspended) {
      call.fail(CODE.invalidParams, "Unknown requestState: the call it belonged to is over, repeat it from the start");
      return true;
    }
    if (suspended.relay.call) {
      call.fail(CODE.invalidParams, "This requestState is already being answered");
      return true;
    }
    clearTimeout(suspended.timer);
    suspended.relay.adopt(call);
    this.#answer(suspended, call);
    if (suspended.finish) {
      const { finish } = suspended;
      this.#drop(suspended);
      finish(suspended.relay);
    } else if (suspended.questions.size > 0) {
      this.#present(suspended);
    }
    return true;
  }

  /** Nobody comes back any more. */
  stop(): void {
    for (const suspended of this.#suspended.values()) clearTimeout(suspended.timer);
    this.#suspended.clear();
    this.#byRelay.clear();
  }

  /** The call that a question belongs to: legacy servers don't say, so it is the latest that can take it. */
  #relayFor(session: Session, method: string): Relay | undefined {
    const mine = [...this.#running].filter((relay) => relay.session === session && SUSPENDABLE.has(relay.method));
    const open = mine.filter((relay) => relay.call && canAnswer(relay.call, method));
    return open.at(-1) ?? mine.filter((relay) => !relay.call).at(-1);
  }

  #suspend(relay: Relay): Suspended {
    const state = STATE_PREFIX + crypto.randomUUID();
    const suspended: Suspended = { relay, questions: new Map(), state, finish: undefined, timer: undefined };
    this.#suspended.set(state, suspended);
    this.#byRelay.set(relay, suspended);
    const oldest = this.#suspended.values().next();
    if (this.#suspended.size > SUSPENDED_MAX && !oldest.done) this.#expire(oldest.value);
    return suspended;
  }

  /** Answers the waiting call with all open questions. */
  #present(suspended: Suspended): void {
    const { relay, questions, state } = suspended;
    const { call } = relay;
    if (!call || call.isEnded || questions.size === 0) return;
    relay.call = undefined;
    suspended.timer = setTimeout(() => this.#expire(suspended), RETRY_WAIT_MS);
    const requests = [...questions].map(([key, { method, params }]) =>
      concat([
        bytesOf(`${JSON.stringify(key)}:{"method":${JSON.stringify(method)},"params":`),
        params ?? bytesOf("{}"),
        bytesOf("}"),
      ])
    );
    const joined = requests.flatMap((request, i) => i === 0 ? [request] : [bytesOf(","), request]);
    const tail = bytesOf(`},"requestState":${JSON.stringify(state)}}`);
    call.respond(bytesOf('{"resultType":"input_required","inputRequests":{'), ...joined, tail);
  }

  /** Hands the client's answers to the server. */
  #answer(suspended: Suspended, call: ClientCall): void {
    const responses = call.parts.inputResponses;
    const { bytes } = call.message;
    if (!isObjectAt(bytes, responses)) return;
    for (const [key, question] of suspended.questions) {
      const value = memberOf(bytes, responses.start, key);
      if (!value) continue;
      suspended.questions.delete(key);
      const head = [bytesOf('{"jsonrpc":"2.0","id":'), question.id, bytesOf(',"result":')];
      suspended.relay.session.send([...head, bytes.subarray(value.start, value.end), bytesOf("}")]);
    }
  }

  #expire(suspended: Suspended): void {
    this.#drop(suspended);
    suspended.relay.cancel();
  }

  #drop(suspended: Suspended): void {
    clearTimeout(suspended.timer);
    this.#suspended.delete(suspended.state);
    this.#byRelay.delete(suspended.relay);
  }
}

/** A modern client must not be asked for what its request didn't declare. */
function canAnswer(call: ClientCall, method: string): boolean {
  const needed = NEEDED_CAPABILITY[method];
  if (needed === undefined) return false;
  return recordOf(valueOf(call.message.bytes, call.parts.clientCapabilities))[needed] !== undefined;
}

/** Answers a server's request with an error. */
export function refuse(session: Session, message: Message, reason: string): void {
  if (!message.id) return;
  const id = message.bytes.subarray(message.id.start, message.id.end);
  const error = JSON.stringify({ code: CODE.methodNotFound, message: `Method not found: ${reason}` });
  session.send([bytesOf('{"jsonrpc":"2.0","id":'), id, bytesOf(`,"error":${error}}`)]);
}
