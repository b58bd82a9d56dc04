/** One server over time: started, greeted, listed, restarted when it dies, given up when it keeps dying. @module */

import type { ServerConfig } from "../config.ts";
import { LoomError, messageOf } from "../errors.ts";
import { filterAllows } from "../globs.ts";
import type { Log } from "../log.ts";
import { type FirstWord, greet } from "./handshake.ts";
import { ListError, readList } from "./lists.ts";
import { openProcess } from "./process.ts";
import type { ClientProfile, Era } from "./revisions.ts";
import { Session, type SessionEvents } from "./session.ts";
import { type Tool, toolOf } from "./tools.ts";

/** A server that stayed up this long has its failures forgiven. */
export const STABLE_MS = 3_000;
/** Longest wait before a restart. */
export const RESTART_DELAY_MAX_MS = 30_000;
/** Shortest time between two listings that a server asks for. */
export const RELIST_INTERVAL_MS = 500;

/** Where a server stands. */
export type ServerState = "idle" | "starting" | "ready" | "waiting" | "failed" | "stopped";

/** What a supervisor tells the gateway. */
export interface SupervisorEvents extends SessionEvents {
  /** The server's tools are others than before, or it has been given up. */
  toolsChanged(): void;
  /** A session is ready for calls: subscriptions and levels of the client can be told to it. */
  ready(session: Session): void;
}

/** What a supervisor needs beside the configuration. */
export interface SupervisorOptions {
  readonly restart: { readonly maxAttempts: number; readonly baseDelayMs: number };
  readonly log: Log;
  readonly events: SupervisorEvents;
  /** What reading from the server waits for. */
  readonly pause: () => Promise<void> | undefined;
}

/** A server of the configuration, through all its lives. */
export class Server {
  readonly config: ServerConfig;
  readonly name: string;
  /** Whether the server has ever taken calls. */
  hasServed = false;
  /** Why the server isn't there, in words; empty while it is. */
  problem = "";
  /** Why its tools could not be listed the last time that it was asked; empty when they could. */
  listProblem = "";
  /** Whether it has said what its tools are, in this life or an earlier one. */
  knowsTools = false;
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  readonly #listed = Promise.withResolvers<void>();
  #state: ServerState = "idle";
  #session: Session | undefined;
  #tools: readonly Tool[] = [];
  #life: Promise<void> | undefined;
  #profile: ClientProfile | undefined;
  /** The era that the server turned out to speak. */
  #era: Era | undefined;
  #relisting: Promise<void> | undefined;
  #relistAgain = false;

  constructor(config: ServerConfig, options: SupervisorOptions) {
    this.config = config;
    this.name = config.name;
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The session that takes calls, while there is one. */
  get session(): Session | undefined {
    return this.#state === "ready" && !this.#session?.isEnded ? this.#session : undefined;
  }

  /** The server's tools as last listed, in its own order. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Resolves when the first start has succeeded or failed. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Resolves when the tools were listed for the first time, or can't be. */
  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  /** Begins to start the server; later calls do nothing. */
  start(profile: ClientProfile): void {
    if (this.#life || this.#state === "stopped") return;
    this.#profile = profile;
    this.#life = this.#live(profile).catch((error) => this.#giveUp(messageOf(error)));
  }

  /** Ends the server. Resolves when it and everything it started is gone. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#stopping.abort();
    await this.#session?.close();
    await this.#life;
    this.#settled.resolve();
    this.#listed.resolve();
  }

  /** Ends the server at once, with no time for it to do so by itself. */
  kill(): void {
    this.#session?.kill();
  }

  /** Lists the tools again, at most every {@link RELIST_INTERVAL_MS}. */
  relist(): void {
    if (this.#relisting) {
      this.#relistAgain = true;
      return;
    }
    this.#relisting = this.#relist().finally(() => {
      this.#relisting = undefined;
      if (!this.#relistAgain) return;
      this.#relistAgain = false;
      this.relist();
    });
  }

  async #live(profile: ClientProfile): Promise<void> {
    if (this.config.disabled !== undefined) return this.#giveUp(this.config.disabled);
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      const startedAt = Date.now();
      const end = await this.#liveOnce(profile);
      if (this.#stopping.signal.aborted) break;
      if (end.served && Date.now() - startedAt >= STABLE_MS) failures = 0;
      failures++;
      if (end.hopeless || failures > this.#options.restart.maxAttempts) return this.#giveUp(end.reason);
      await this.#wait(end.reason, failures);
    }
  }

  /** One process from its start to its end. */
  async #liveOnce(profile: ClientProfile): Promise<{ reason: string; served: boolean; hopeless: boolean }> {
    this.#state = "starting";
    let session: Session;
    try {
      session = await this.#connect(profile);
    } catch (error) {
      await this.#session?.close();
      this.#session = undefined;
      const hopeless = error instanceof LoomError && error.cause !== undefined || isMissing(error);
      return { reason: messageOf(error), served: false, hopeless };
    }
    if (!this.#stopping.signal.aborted) {
      this.#state = "ready";
      this.problem = "";
      this.hasServed = true;
      this.#options.events.ready(session);
      this.#settled.resolve();
      await this.#list(session);
      this.#listed.resolve();
    }
    const reason = await session.closed;
    await session.close();
    return { reason, served: true, hopeless: false };
  }

  /** A greeted session; a probe that spoilt a process costs a second one. */
  async #connect(profile: ClientProfile): Promise<Session> {
    let first: FirstWord = profile.era === "modern" && this.#era !== "legacy" ? "discover" : "initialize";
    for (;;) {
      const session = await this.#open();
      this.#session = session;
      if (this.#stopping.signal.aborted) throw new LoomError("SERVER_UNAVAILABLE", "loom is stopping");
      const handshake = await greet(session, profile, { first, timeoutMs: this.config.startTimeoutMs });
      if (handshake.kind === "done") {
        session.hello = handshake.hello;
        this.#era = handshake.hello.era;
        return session;
      }
      await session.close();
      first = "initialize";
    }
  }

  async #open(): Promise<Session> {
    const { log, events } = this.#options;
    const openRemote = this.config.url === undefined ? undefined : (await import("./remote.ts")).openRemote;
    const session = new Session(
      (connectionEvents) =>
        openRemote ? openRemote(this.config, connectionEvents, log) : openProcess(this.config, connectionEvents, log),
      events,
    );
    session.pause = this.#options.pause;
    return session;
  }

  /** Reads the tools of a new session; a server without any is fine, one that fails to list keeps what it had. */
  async #list(session: Session): Promise<void> {
    const { capabilities } = session.hello;
    if (capabilities["tools"] === undefined && Object.keys(capabilities).length > 0) return this.#take([]);
    try {
      const entries = await readList(session, "tools", {
        timeoutMs: this.config.startTimeoutMs,
        warn: (message) => this.#warn(message),
      });
      const era = this.#profile?.era ?? "legacy";
      const allowed = entries.filter((entry) => filterAllows(this.config.tools, entry.key));
      this.#take(allowed.map((entry) => toolOf(entry, era, (message) => this.#warn(message))));
    } catch (error) {
      if (error instanceof ListError && capabilities["tools"] === undefined) return this.#take([]);
      this.listProblem = messageOf(error);
      this.#warn(`its tools could not be listed: ${this.listProblem}`);
    }
  }

  async #relist(): Promise<void> {
    const session = this.session;
    if (!session) return;
    await this.#list(session);
    await this.#pauseFor(RELIST_INTERVAL_MS);
  }

  #take(listed: readonly Tool[]): void {
    const tools = withoutRepeats(listed, (own) => this.#warn(`tool ${JSON.stringify(own)} is listed twice`));
    const before = this.#tools;
    this.#tools = tools;
    this.knowsTools = true;
    this.listProblem = "";
    if (sameTools(before, tools)) return;
    for (const own of before.length > 0 ? changedTools(before, tools) : []) {
      this.#warn(`tool ${JSON.stringify(own)} has changed its definition while it is in use`);
    }
    this.#options.events.toolsChanged();
  }

  async #wait(reason: string, failures: number): Promise<void> {
    const delayMs = Math.min(this.#options.restart.baseDelayMs * 2 ** (failures - 1), RESTART_DELAY_MAX_MS);
    this.#state = "waiting";
    this.problem = reason;
    this.#warn(`${reason}; restart ${failures} of ${this.#options.restart.maxAttempts} in ${delayMs} ms`);
    this.#settled.resolve();
    this.#listed.resolve();
    await this.#pauseFor(delayMs);
  }

  #giveUp(reason: string): void {
    if (this.#state === "stopped") return;
    this.#state = "failed";
    this.problem = reason;
    this.knowsTools = false;
    this.#options.log("error", "gateway", `server "${this.name}" ${reason}; it is not restarted`);
    this.#settled.resolve();
    this.#listed.resolve();
    if (this.#tools.length === 0) return;
    this.#tools = [];
    this.#options.events.toolsChanged();
  }

  #warn(message: string): void {
    this.#options.log("warn", "gateway", `server "${this.name}": ${message}`);
  }

  #pauseFor(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
    });
  }
}

/** A command that can't be started at all won't start the next time either. */
function isMissing(error: unknown): boolean {
  return error instanceof LoomError && error.message.startsWith("Cannot start ");
}

/** The first of several tools of one name: only one of them can be called. */
function withoutRepeats(tools: readonly Tool[], onRepeat: (own: string) => void): readonly Tool[] {
  const seen = new Set<string>();
  return tools.filter((tool) => {
    if (!seen.has(tool.own)) return seen.add(tool.own);
    onRepeat(tool.own);
    return false;
  });
}

function sameTools(a: readonly Tool[], b: readonly Tool[]): boolean {
  return a.length === b.length && a.every((tool, i) => sameBytes(tool.definition, b[i]?.definition));
}

function changedTools(before: readonly Tool[], after: readonly Tool[]): string[] {
  const known = new Map(before.map((tool) => [tool.own, tool.definition]));
  return after.filter((tool) => known.has(tool.own) && !sameBytes(tool.definition, known.get(tool.own)))
    .map((tool) => tool.own);
}

function sameBytes(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a === b || b !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]);
}
