/** The engine's side of the channel: one store, interceptions one after the other, calls side by side. @module */

import type { GoneDataset } from "../dataset.ts";
import { LoomError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { openStore, type Store } from "../store/mod.ts";
import { runTool } from "../tools/mod.ts";
import { encodeFrame, type Frame, FrameParser } from "./frames.ts";
import { Interceptor } from "./intercept.ts";
import type {
  AnswerMessage,
  CallMessage,
  FromEngine,
  InterceptMessage,
  LostDataset,
  OpenMessage,
  RederiveMessage,
  ToEngine,
} from "./messages.ts";
import { rehearse } from "./rehearsal.ts";
import { ENGINE_BROKEN_EXIT_CODE, watchMemory } from "./watchdog.ts";

/** Bytes read from the channel at once. */
const READ_BYTES = 262_144;

/** The two ends of the channel. */
export interface EngineStreams {
  /** Fills the buffer; null at the end. */
  readonly read: (buffer: Uint8Array) => Promise<number | null>;
  /** Writes some of the bytes and says how many. */
  readonly write: (bytes: Uint8Array) => Promise<number>;
  /** Ends the process that the engine has to itself; absent when it shares one, whose size and life are not its own. */
  readonly end?: ((code: number) => void) | undefined;
}

/** Serves one relay until the channel ends; then the store is closed and its spill folder gone. */
export async function serveEngine(streams: EngineStreams): Promise<void> {
  const parser = new FrameParser<ToEngine>();
  const server = new EngineServer(streams);
  const buffer = new Uint8Array(READ_BYTES);
  for (;;) {
    const count = await streams.read(buffer);
    if (count === null) break;
    for (const frame of parser.push(buffer.subarray(0, count))) server.receive(frame);
  }
  await server.close();
}

class EngineServer {
  readonly #streams: EngineStreams;
  #written: Promise<void> = Promise.resolve();
  #store: Store | undefined;
  #interceptor: Interceptor | undefined;
  #opening: Promise<void> = Promise.resolve();
  #tokenThreshold = 0;
  #stopWatch = () => {};
  /** Interceptions and restorations run one after the other: JavaScript reads one payload at a time anyway. */
  #results: Promise<void> = Promise.resolve();
  readonly #calls = new Map<number, AbortController>();
  readonly #lost = new Map<string, LostDataset>();
  readonly #needs = new Map<number, (original: Uint8Array | undefined) => void>();
  #nextNeed = 1;

  constructor(streams: EngineStreams) {
    this.#streams = streams;
  }

  receive({ header, body }: Frame<ToEngine>): void {
    switch (header.type) {
      case "open":
        this.#opening = this.#open(header);
        return;
      case "intercept":
        this.#results = this.#results.then(() => this.#intercept(header, body));
        return;
      case "rederive":
        this.#results = this.#results.then(() => this.#rederive(header));
        return;
      case "call":
        void this.#call(header, body);
        return;
      case "cancel":
        this.#calls.get(header.id)?.abort();
        return;
      case "drop":
        void this.#store?.drop(header.ref);
        return;
      case "lost":
        this.#lost.set(header.lost.ref, header.lost);
        this.#remember({ ...header.lost, reason: "lost", was: "when the engine's process was replaced" });
        return;
      case "gone":
        this.#remember(header.gone);
        return;
      case "original":
        this.#needs.get(header.id)?.(header.found ? body : undefined);
        this.#needs.delete(header.id);
        return;
    }
  }

  async close(): Promise<void> {
    this.#stopWatch();
    for (const call of this.#calls.values()) call.abort();
    await this.#opening;
    await this.#store?.close();
    await this.#written;
  }

  readonly #log: Log = (level, component, message) => this.#send({ type: "log", level, component, message });

  #send(message: FromEngine, ...bodies: readonly Uint8Array[]): void {
    const parts = encodeFrame(message, ...bodies);
    this.#written = this.#written.then(async () => {
      for (const part of parts) {
        for (let at = 0; at < part.length;) at += await this.#streams.write(part.subarray(at));
      }
    });
  }

  async #open({ settings, nextNumber }: OpenMessage): Promise<void> {
    this.#tokenThreshold = settings.tokenThreshold;
    if (this.#streams.end) this.#stopWatch = watchMemory(settings.residentBytesMax, this.#streams.end);
    try {
      this.#store = await openStore({
        memoryLimit: settings.memoryLimit,
        memoryBudgetBytes: settings.memoryBudgetBytes,
        queryTimeoutMs: settings.queryTimeoutMs,
        spillParent: settings.spillParent,
        exportDir: settings.exportDir,
        storePath: settings.storePath,
        onWarning: (message) => this.#log("warn", "store", message),
        onForgetOriginal: (ref) => this.#send({ type: "forget", originals: [ref], datasets: [] }),
        onEvict: (gone) => this.#send({ type: "forget", originals: [], datasets: [gone] }),
      });
      this.#interceptor = new Interceptor(this.#store);
      this.#store.reserveNumbers(nextNumber - 1);
      this.#send({ type: "opened", spillDir: this.#store.spillFolder });
      if (this.#streams.end) await this.#rehearse(this.#store);
    } catch (error) {
      const code = error instanceof LoomError ? `${error.code}: ` : "";
      this.#send({ type: "opened", failure: `${code}${messageOf(error)}` });
    }
  }

  /** Whoever calls meanwhile waits for it, and would wait as long without it. */
  async #rehearse(store: Store): Promise<void> {
    try {
      await rehearse(store);
    } catch (error) {
      this.#log("warn", "engine", `the rehearsal failed: ${messageOf(error)}`);
    }
  }

  /** What is said before the store is open waits for it, and comes before every call. */
  #remember(gone: GoneDataset): void {
    void this.#opening.then(() => this.#store?.remember(gone));
  }

  /** What an answer says of the engine. */
  get #health(): Pick<AnswerMessage, "broken"> {
    return this.#store?.isUsable() === false ? { broken: true } : {};
  }

  /** An engine that damaged itself is thrown away with its process, once what it answered is out. */
  async #examine(): Promise<void> {
    if (this.#store === undefined || this.#store.isUsable()) return;
    this.#log("error", "engine", "the engine has damaged itself");
    await this.#written;
    this.#streams.end?.(ENGINE_BROKEN_EXIT_CODE);
  }

  async #intercept({ id, argsBytes, restore, ...origin }: InterceptMessage, body: Uint8Array): Promise<void> {
    await this.#opening;
    const split = Math.max(0, argsBytes);
    const outcome = this.#interceptor === undefined
      ? { kind: "passed", reason: "no-engine" } as const
      : await this.#interceptor.intercept({
        origin: { ...origin, ...(argsBytes < 0 ? {} : { args: body.subarray(0, split) }) },
        result: body.subarray(split),
        restore,
      });
    if (outcome.kind === "passed") {
      this.#send({ type: "answer", id, outcome: "passed", reason: outcome.reason, ...this.#health });
    } else if (outcome.kind === "restored") this.#send({ type: "answer", id, outcome: "passed", ref: outcome.ref });
    else {
      const { ref, createdAt, result, fact } = outcome;
      this.#send({ type: "answer", id, outcome: "replaced", ref, createdAt, fact, ...this.#health }, result);
    }
    await this.#examine();
  }

  async #rederive({ id, ref, sql, derivation }: RederiveMessage): Promise<void> {
    await this.#opening;
    try {
      // A pinned dataset may have come back from its file already.
      const dataset = this.#store?.get(ref) ?? await this.#store?.materialize(sql, derivation, { ref });
      this.#send({ type: "answer", id, outcome: "passed", ...(dataset ? { ref: dataset.ref } : {}) });
    } catch (error) {
      this.#send({ type: "answer", id, outcome: "passed", reason: messageOf(error) });
    }
  }

  async #call({ id, tool, hasArgs }: CallMessage, body: Uint8Array): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    await this.#opening;
    if (this.#store === undefined) return;
    const { result, fact } = await runTool(
      {
        store: this.#store,
        tokenThreshold: this.#tokenThreshold,
        lost: this.#lost,
        log: this.#log,
        original: (ref) => this.#original(ref),
        onDerived: (dataset, sql, derivation) =>
          this.#send({ type: "derived", ref: dataset.ref, sql, derivation, volatile: dataset.volatile === true }),
      },
      tool,
      hasArgs ? body : undefined,
      controller.signal,
    );
    this.#calls.delete(id);
    this.#send({ type: "answer", id, outcome: "answered", fact, ...this.#health }, result);
    await this.#examine();
  }

  #original(ref: string): Promise<Uint8Array | undefined> {
    const id = this.#nextNeed++;
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    this.#needs.set(id, resolve);
    this.#send({ type: "need", id, ref });
    return promise;
  }
}
