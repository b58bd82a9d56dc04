/** What loom knows of its one client while it is connected, and the parts that serve it. @module */

import type { LoomConfig } from "../config.ts";
import type { Engine } from "../engine/messages.ts";
import { messageOf } from "../errors.ts";
import { type ClientProfile, CODE, type Gateway, type OwnTool, type Server } from "../gateway/mod.ts";
import type { Ledger } from "../ledger.ts";
import type { Log } from "../log.ts";
import type { Edit, Message } from "../wire/mod.ts";
import { toolError } from "./answers.ts";
import { Asks } from "./asks.ts";
import { type ClientCall, type IdKey, idKey } from "./call.ts";
import type { Directory } from "./directory.ts";
import type { ClientPort } from "./port.ts";
import { Relay, type RelayHooks } from "./relay.ts";
import { askInputs, INPUT_ROUNDS_MAX, isInputRequired } from "./rounds.ts";
import { Subscriptions } from "./subscriptions.ts";
import { Suspensions } from "./suspensions.ts";
import { TaskTable } from "./task_table.ts";
import { urlQuestions } from "./url_elicitation.ts";

/** What a client session is made of. */
export interface SessionParts {
  readonly config: LoomConfig;
  readonly gateway: Gateway;
  readonly engine: Engine;
  readonly directory: Directory;
  readonly ownTools: readonly OwnTool[];
  readonly ownInstructions: string;
  /** JSON text of loom's own name and version. */
  readonly serverInfo: string;
  readonly log: Log;
  readonly ledger: Ledger;
}

/** The connected client. */
export class ClientSession {
  readonly parts: SessionParts;
  readonly port: ClientPort;
  readonly asks: Asks;
  readonly suspensions = new Suspensions();
  readonly subscriptions: Subscriptions;
  readonly tasks = new TaskTable();
  /** Set by the first message that starts the servers. */
  profile: ClientProfile | undefined;
  /** The level that the client set with `logging/setLevel`. */
  logLevel: string | undefined;
  /** Whether the client has said that it is initialized; before that it must not be sent requests. */
  isInitialized = false;
  /** Whether a list of tools was given to the client, so that a change of it is worth telling. */
  hasListedTools = false;
  /** Changes that the client was told of a moment ago, by notification; `again` when there were more since. */
  readonly recentChanges = new Map<string, { again: boolean; readonly timer: ReturnType<typeof setTimeout> }>();
  readonly #open = new Map<IdKey, ClientCall>();
  readonly #relays = new Set<Relay>();
  #onAllAnswered: (() => void) | undefined;

  constructor(parts: SessionParts, port: ClientPort) {
    this.parts = parts;
    this.port = port;
    const toClient = (pieces: readonly Uint8Array[]) => port.send(pieces);
    this.asks = new Asks(toClient);
    this.subscriptions = new Subscriptions(toClient);
  }

  get gateway(): Gateway {
    return this.parts.gateway;
  }

  get directory(): Directory {
    return this.parts.directory;
  }

  /** The client is gone: timers and subscriptions end. */
  stop(): void {
    this.subscriptions.end();
    this.suspensions.stop();
    for (const { timer } of this.recentChanges.values()) clearTimeout(timer);
    this.recentChanges.clear();
  }

  /** A request has come in. */
  opened(call: ClientCall): void {
    if (call.message.id) this.#open.set(idKey(call.message.bytes, call.message.id), call);
  }

  /** A request was answered or cancelled. */
  ended(call: ClientCall): void {
    if (!call.message.id) return;
    const key = idKey(call.message.bytes, call.message.id);
    if (this.#open.get(key) === call) this.#open.delete(key);
    if (this.#open.size === 0) this.#onAllAnswered?.();
  }

  /** Resolves when no request waits for its answer. */
  allAnswered(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#open.size === 0) resolve();
      else this.#onAllAnswered = resolve;
    });
  }

  /** The open request of an id. */
  openCall(key: IdKey): ClientCall | undefined {
    return this.#open.get(key);
  }

  /** Requests that wait for their answers. */
  get openCalls(): ClientCall[] {
    return [...this.#open.values()];
  }

  /** Whether nothing else than one request waits, so that its answer holds nobody up. */
  get hasOneCall(): boolean {
    return this.#open.size === 1;
  }

  /** Requests under way to servers. */
  get relays(): ReadonlySet<Relay> {
    return this.#relays;
  }

  /**
   * Sends a request of the client to a server. A server that is down is answered for.
   *
   * @param edits Changes to the client's message, beside ids and tokens.
   * @param answered Takes a final answer in place of passing it on.
   * @param streaming Lets a large answer pass as it arrives, where both sides are of one era.
   */
  relay(
    call: ClientCall,
    server: Server,
    edits: readonly Edit[],
    answered?: AnswerTaker,
    streaming: Pick<RelayHooks, "mayStream" | "streamed"> = {},
  ): void {
    const { session } = server;
    if (call.isEnded) return;
    if (!session) return unavailable(call, server);
    if (session.isStuffed) return failPlainly(call, `Server "${server.name}" doesn't read its input; try again later`);
    const bridged = call.era === "modern" && session.hello.era === "legacy";
    const hooks: RelayHooks = {
      lost: (relay, reason) => this.#lost(relay, reason),
      ended: (relay) => this.#over(relay),
    };
    if (bridged) {
      hooks.answered = (relay, answer) =>
        this.suspensions.deliver(relay, () => {
          const questions = relay.call && urlQuestions(relay.call, answer);
          if (questions) relay.call?.respond(...questions);
          else deliver(relay, answer, answered);
        });
    } else if (call.era === "legacy" && session.hello.era === "modern") {
      hooks.answered = (relay, answer) => this.#round(relay, answer, edits, answered, 1);
    } else if (answered) {
      hooks.answered = (relay, answer) => deliver(relay, answer, answered);
      Object.assign(hooks, streaming);
    }
    const relay = this.#begin(call, server, edits, hooks);
    if (relay && bridged) this.suspensions.began(relay);
  }

  #begin(call: ClientCall, server: Server, edits: readonly Edit[], hooks: RelayHooks): Relay | undefined {
    const { session } = server;
    const { profile } = this;
    if (!session || !profile) return undefined;
    const relay = new Relay(call, {
      server,
      session,
      edits,
      hooks,
      profile,
      logLevel: this.logLevel,
      toClient: (pieces) => this.port.send(pieces),
    });
    this.#relays.add(relay);
    return relay;
  }

  /** A modern server's answer to a legacy client: a question is asked, and the call repeated with the answers. */
  #round(
    relay: Relay,
    answer: Message,
    edits: readonly Edit[],
    answered: AnswerTaker | undefined,
    round: number,
  ): void {
    const { call, server } = relay;
    if (!call || !isInputRequired(answer)) return deliver(relay, answer, answered);
    if (round > INPUT_ROUNDS_MAX) {
      return failPlainly(call, `Server "${server.name}" asked more than ${INPUT_ROUNDS_MAX} times within one call`);
    }
    askInputs(call, answer, this.asks).then((inputs) => {
      if (!inputs) return;
      if (!server.session) return unavailable(call, server);
      this.#begin(call, server, [...edits, ...inputs], {
        lost: (next, reason) => this.#lost(next, reason),
        ended: (next) => this.#over(next),
        answered: (next, given) => this.#round(next, given, edits, answered, round + 1),
      });
    }).catch((error) => failPlainly(call, `Server "${server.name}" could not be answered: ${messageOf(error)}`));
  }

  #lost(relay: Relay, reason: string): void {
    const { call, server } = relay;
    const finish = () => relay.call && failPlainly(relay.call, lostText(server, reason));
    if (call) finish();
    else this.suspensions.deliver(relay, finish);
  }

  #over(relay: Relay): void {
    this.#relays.delete(relay);
    this.suspensions.ended(relay);
  }
}

/** Takes a server's answer in place of passing it on to the call. */
export type AnswerTaker = (call: ClientCall, answer: Message, relay: Relay) => void;

function deliver(relay: Relay, answer: Message, answered: AnswerTaker | undefined): void {
  if (relay.call && answered) answered(relay.call, answer, relay);
  else relay.passOn(answer);
}

function lostText(server: Server, reason: string): string {
  const next = server.state === "failed" || server.state === "stopped"
    ? "it is not restarted"
    : "it is being restarted, try again in a few seconds";
  return `Server "${server.name}" ${reason} during this call, which may or may not have had its effect; ${next}`;
}

/** Answers a call whose server is down. */
export function unavailable(call: ClientCall, server: Server): void {
  failPlainly(call, `Server "${server.name}" is ${downText(server)}`);
}

function downText({ state, problem }: Server): string {
  // With a problem it is the start after a failure.
  if (problem === "" && (state === "idle" || state === "starting")) return "still starting; try again in a few seconds";
  const down = problem === "" ? "down" : `down (${problem})`;
  return state === "failed" || state === "stopped"
    ? `${down} and is not restarted; use other tools, or have it mended ("loom doctor" tries it) and loom started again`
    : `${down} and being restarted; try again in a few seconds`;
}

/** A tool call fails as a tool does, so that the model reads why; anything else as a request. */
export function failPlainly(call: ClientCall, text: string): void {
  if (call.message.method === "tools/call") call.respond(toolError(text, call.era));
  else call.fail(CODE.internal, text);
}
