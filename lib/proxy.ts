/** The proxy: every message of the client, and where it goes. @module */

import { CODE, type Server, type Session } from "./gateway/mod.ts";
import { type AnswerSink, ClientCall, idKey, modernProblem, partsOf, profileOf } from "./client/call.ts";
import { anonymousProfile, discover, initialize } from "./client/greeting.ts";
import {
  forwardNotification,
  forwardRequest,
  introduce,
  raiseLevel,
  tellArrival,
  tellChange,
} from "./client/notices.ts";
import { ClientPort, type ClientStreams, whileMoving } from "./client/port.ts";
import { complete, getPrompt, readResource, subscribe, watchAll } from "./client/resources.ts";
import { ClientSession, type SessionParts } from "./client/session.ts";
import { broadcast, setLevel, vendorRequest } from "./client/settings.ts";
import { listTasks, serveTask } from "./client/tasks.ts";
import { callTool, listTools } from "./client/tools.ts";
import { LoomError } from "./errors.ts";
import { bytesOf, memberOf, type Message } from "./wire/mod.ts";

/** Time that calls get to be answered when the client has ended its input. */
const LAST_CALLS_MS = 5_000;
/** Time for the last answers to reach a client. */
const LAST_WORDS_MS = 1_000;

type Serve = (client: ClientSession, call: ClientCall) => void | Promise<void>;

/** Requests that loom serves itself or in its own way. Every other method goes to the servers as it is. */
const REQUESTS: Readonly<Record<string, Serve>> = {
  "initialize": initialize,
  "server/discover": discover,
  "ping": (_client, call) => call.respond(bytesOf("{}")),
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": (client, call) => client.directory.answer(call, "resources"),
  "resources/templates/list": (client, call) => client.directory.answer(call, "resourceTemplates"),
  "resources/read": readResource,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": subscribe,
  "prompts/list": (client, call) => client.directory.answer(call, "prompts"),
  "prompts/get": getPrompt,
  "completion/complete": complete,
  "logging/setLevel": setLevel,
  "subscriptions/listen": listen,
  "tasks/list": listTasks,
  "tasks/get": serveTask,
  "tasks/result": serveTask,
  "tasks/cancel": serveTask,
};

/** Methods of the legacy era that the modern one has no more. */
const LEGACY_ONLY: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);
/** Methods of the modern era that the legacy one doesn't know. */
const MODERN_ONLY: ReadonlySet<string> = new Set(["server/discover", "subscriptions/listen"]);
/** Methods that start no server. */
const STARTS_NOTHING: ReadonlySet<string> = new Set(["initialize", "server/discover", "ping"]);

/** One client before all servers. */
export class Proxy {
  readonly client: ClientSession;
  #allFailed: LoomError | undefined;
  #isStopping = false;

  constructor(parts: SessionParts, streams: ClientStreams) {
    const port = new ClientPort(streams, { message: (message, sink) => this.#receive(message, sink) }, parts.log);
    this.client = new ClientSession(parts, port);
  }

  /**
   * Serves the client until it ends or {@link stop} is called. What is open then is answered: by its server where the
   * client has only ended its input and the answer comes in time, else by loom.
   *
   * @throws LoomError `SERVER_UNAVAILABLE` when every server failed to start.
   */
  async serve(): Promise<void> {
    await this.client.port.read();
    await this.#lastCalls();
    this.#isStopping = true;
    this.client.stop();
    for (const call of this.client.openCalls) {
      call.giveUp(CODE.internal, this.#allFailed?.message ?? "loom is stopping: this call was given up");
    }
    await this.client.port.close(LAST_WORDS_MS);
    if (this.#allFailed) throw this.#allFailed;
  }

  /** A client may write all its requests, end its input and still wait for the answers. */
  async #lastCalls(): Promise<void> {
    const { client } = this;
    client.subscriptions.end();
    const over = Promise.race([client.allAnswered(), client.port.stopped]);
    await whileMoving(over, () => client.port.writtenBytes, LAST_CALLS_MS);
  }

  /** Ends {@link serve}. */
  stop(): void {
    this.client.port.stopReading();
  }

  /** A server asks the client something. */
  request(server: Server, session: Session, message: Message): void {
    forwardRequest(this.client, server, session, message);
  }

  /** A server tells the client something. */
  notification(server: Server, session: Session, message: Message): void {
    forwardNotification(this.client, server, session, message);
  }

  /** The list of tools is another than before. */
  toolsChanged(): void {
    if (this.client.hasListedTools) tellChange(this.client, "notifications/tools/list_changed");
  }

  /** A server has begun to take calls. */
  ready(server: Server, session: Session): void {
    introduce(this.client, server, session);
    if (this.client.isInitialized) tellArrival(this.client, server, session);
  }

  #receive(message: Message, sink: AnswerSink): void {
    if (this.#isStopping) return;
    switch (message.kind) {
      case "request":
        return this.#request(message, sink);
      case "notification":
        return this.#notification(message);
      default:
        return this.client.asks.answered(message);
    }
  }

  #request(message: Message, sink: AnswerSink): void {
    const { client } = this;
    const call = new ClientCall(message, partsOf(message), sink, (ended) => client.ended(ended));
    client.opened(call);
    const serve = Object.hasOwn(REQUESTS, message.method) ? REQUESTS[message.method] : undefined;
    if (call.era === "modern") {
      const problem = modernProblem(call);
      if (problem) return call.fail(problem.code, problem.message, problem.data);
    }
    if ((call.era === "modern" ? LEGACY_ONLY : MODERN_ONLY).has(message.method)) {
      return call.fail(CODE.methodNotFound, `Method not found: ${message.method}`);
    }
    if (!STARTS_NOTHING.has(message.method)) this.#startServers(call);
    if (message.method === "initialize") this.#watchStart();
    if (call.parts.requestState && client.suspensions.resume(call)) return;
    if (call.parts.logLevel) this.#raiseLevels(call);
    try {
      const serving = (serve ?? vendorRequest)(client, call);
      if (serving) serving.catch((error) => call.fail(CODE.internal, String(error)));
    } catch (error) {
      call.fail(CODE.internal, String(error));
    }
  }

  #startServers(call: ClientCall): void {
    const { client } = this;
    if (client.profile) return;
    client.profile = call.era === "modern" ? profileOf(call) : anonymousProfile();
    // A client that never says "initialize" will not say "initialized" either.
    if (call.era === "legacy") client.isInitialized = true;
    client.gateway.start(client.profile);
    this.#watchStart();
  }

  /** With no server at all there is nothing to serve: the client is told why, and loom ends. */
  #watchStart(): void {
    const { gateway } = this.client;
    const { servers } = gateway;
    Promise.all(servers.map((server) => server.settled)).then(() => {
      if (this.#isStopping || !gateway.isHopeless) return;
      const reasons = servers.map((server) => `"${server.name}" ${server.problem}`).join("; ");
      this.#allFailed = new LoomError("SERVER_UNAVAILABLE", `No server could be started: ${reasons}`);
      this.stop();
    });
  }

  #raiseLevels(call: ClientCall): void {
    for (const { session } of this.client.gateway.servers) {
      if (session) raiseLevel(session, call.text("logLevel"));
    }
  }

  #notification(message: Message): void {
    const { client } = this;
    switch (message.method) {
      case "notifications/initialized":
        client.isInitialized = true;
        return;
      case "notifications/cancelled": {
        const id = message.params && memberOf(message.bytes, message.params.start, "requestId");
        if (id) client.openCall(idKey(message.bytes, id))?.cancel(message);
        return;
      }
      case "notifications/progress":
        return client.asks.progressed(message);
      default:
        return broadcast(client, message);
    }
  }
}

function listen(client: ClientSession, call: ClientCall): void {
  if (client.subscriptions.isFull) return call.fail(CODE.internal, "Subscription limit reached");
  if (!call.parts.notifications) return call.fail(CODE.invalidParams, "Invalid params: notifications is required");
  const uris = client.subscriptions.listen(call, (released) => void watchAll(client, released, false));
  watchAll(client, uris, true).catch(() => {});
}
