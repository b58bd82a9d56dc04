/**
 * The engine as the relay sees it: raw bytes over, "pass" or an envelope back, and every bound that is set from
 * outside. Its death, silence or lateness only means that the original result passes.
 * @module
 */

import type { LoomConfig } from "../config.ts";
import { messageOf } from "../errors.ts";
import { type Log, printable } from "../log.ts";
import type { Frame } from "./frames.ts";
import { Journal } from "./journal.ts";
import type { AnswerMessage, Engine, EngineFact, FromEngine, InterceptMessage, Origin } from "./messages.ts";
import { engineCommand, type EngineLink, EngineProcess } from "./process.ts";

export type { Engine, Origin } from "./messages.ts";

/** Bytes of a raw result beyond which it passes unseen: more than 64 MB of payload, escaped, cannot be ingested. */
export const INTERCEPT_BYTES_MAX = 201_326_592;
/** Milliseconds that an interception may take, waiting included; then the original passes. */
export const INTERCEPT_MS_MAX = 10_000;
/** Milliseconds after its limit at which an operation that does not end costs the process its life. */
export const GRACE_MS = 2_000;
/** Milliseconds that a process gets to open its engine and prove the seal. */
export const OPEN_MS_MAX = 20_000;
/** Milliseconds that building one dataset again may take. */
export const RESTORE_MS_MAX = 20_000;
/** Milliseconds that a call of loom's own tools waits for an engine that is starting. */
export const CALL_WAIT_MS_MAX = 20_000;
/** Milliseconds that an export may take. */
export const EXPORT_MS_MAX = 300_000;
/** Milliseconds before the first restart of a process that failed to open; doubled up to the second figure. */
export const RESTART_MS = 250;
export const RESTART_MS_MAX = 30_000;
/** Consecutive failures to open after which loom goes on without an engine. */
export const OPEN_ATTEMPTS_MAX = 5;
/** Bytes beyond the engine's own memory limit that its process may hold: JavaScript, payloads, native scratch. */
export const PROCESS_OVERHEAD_BYTES = 1_200_000_000;

/** Bytes that V8 and the engine map and never touch, and that the system's data limit counts all the same. */
export const MAPPED_BYTES = 1_500_000_000;

/** What {@link createEngine} may be told beside the configuration. */
export interface EngineOptions {
  readonly log: Log;
  /** Milliseconds for one interception; {@link INTERCEPT_MS_MAX} when absent. */
  readonly interceptMsMax?: number | undefined;
  /** Told of every dataset and every answer of loom's own tools. */
  readonly onFact?: ((fact: EngineFact) => void) | undefined;
  /** Starts a process; a test puts another program in its place. */
  readonly spawn?:
    | ((onFrame: (frame: Frame<FromEngine>) => void, onText: (text: string) => void) => EngineLink)
    | undefined;
}

/** The engine of one loom. Nothing is started before {@link Engine.start} or the first request. */
export function createEngine(config: EngineConfig, options: EngineOptions): Engine {
  return new SupervisedEngine(config, options);
}

/** The part of the configuration that the engine needs. */
export type EngineConfig = Pick<
  LoomConfig,
  "memoryBudgetBytes" | "duckdbMemoryLimit" | "exportDir" | "storePath" | "queryTimeoutMs" | "tokenThreshold"
>;

interface Pending {
  readonly resolve: (answer: { readonly message: AnswerMessage; readonly body: Uint8Array } | undefined) => void;
  /** Serial work in the engine: the end of one such operation is a sign of life for the others. */
  readonly lane: boolean;
}

type Answer = Parameters<Pending["resolve"]>[0];

const encoder = new TextEncoder();
const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Bytes of a memory limit such as `512MB`. */
export function bytesOfLimit(limit: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(KB|MB|GB|TB)$/.exec(limit) ?? [];
  return Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN);
}

class SupervisedEngine implements Engine {
  readonly #config: EngineConfig;
  readonly #log: Log;
  readonly #interceptMsMax: number;
  readonly #onFact: (fact: EngineFact) => void;
  readonly #spawn: NonNullable<EngineOptions["spawn"]>;
  readonly #residentBytesMax: number;
  readonly #journal = new Journal();
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** The process that answers, once it is open and its datasets are built again. */
  #process: EngineLink | undefined;
  /** Settles when the start that is under way has succeeded or was given up. */
  #starting: Promise<EngineLink | undefined> | undefined;
  #off: string | undefined;
  #stopped = false;
  #interceptions: Promise<unknown> = Promise.resolve();
  #laneAnsweredAt = 0;
  #spillDir: string | undefined;

  constructor(config: EngineConfig, options: EngineOptions) {
    this.#config = config;
    this.#log = options.log;
    this.#interceptMsMax = options.interceptMsMax ?? INTERCEPT_MS_MAX;
    this.#onFact = options.onFact ?? (() => {});
    this.#residentBytesMax = bytesOfLimit(config.duckdbMemoryLimit) + PROCESS_OVERHEAD_BYTES;
    this.#spawn = options.spawn ?? ((onFrame, onText) => {
      const command = engineCommand({
        folders: [spillParent(), config.exportDir],
        dataBytesMax: this.#residentBytesMax + MAPPED_BYTES,
      });
      return new EngineProcess(command, onFrame, onText);
    });
  }

  start(): void {
    this.#ready();
  }

  intercept(origin: Origin, result: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#off !== undefined || this.#stopped || result.length > INTERCEPT_BYTES_MAX) {
      return Promise.resolve(undefined);
    }
    const arrivedAt = performance.now();
    const left = () => this.#interceptMsMax - (performance.now() - arrivedAt);
    const work = this.#interceptions.then(() => left() > 0 ? this.#interceptNow(origin, result, left) : undefined)
      .catch((error) => {
        this.#log("error", "engine", `interception failed: ${messageOf(error)}`);
        return undefined;
      });
    this.#interceptions = work;
    return within(work, left()).then((bytes) => bytes === LATE ? undefined : bytes);
  }

  async call(tool: string, args: Uint8Array | undefined, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      const process = await within(this.#ready(), CALL_WAIT_MS_MAX);
      if (process === LATE) return errorResult("loom's engine is still starting. Try again in a few seconds.");
      if (process === undefined) {
        return errorResult(
          `loom's engine is not running: ${this.#off ?? "loom is stopping"}. Results of tools pass unchanged.`,
        );
      }
      const limitMs = tool === "loom_export" ? EXPORT_MS_MAX : this.#config.queryTimeoutMs;
      const lane = tool !== "loom_raw" && tool !== "loom_list_datasets";
      const id = this.#nextId++;
      const answer = this.#expect(id, lane);
      const guard = this.#guard(process, id, limitMs + GRACE_MS, `${tool} ran past its time limit of ${limitMs} ms`);
      const cancel = () => process.send({ type: "cancel", id });
      signal?.addEventListener("abort", cancel, { once: true });
      process.send({ type: "call", id, tool, hasArgs: args !== undefined }, ...(args ? [args] : []));
      const result = await answer;
      guard();
      signal?.removeEventListener("abort", cancel);
      if (result?.message.fact) this.#onFact(result.message.fact);
      return result?.body ?? errorResult(await this.#explainDeath(process, tool));
    } catch (error) {
      this.#log("error", "engine", `${tool} failed: ${messageOf(error)}`);
      return errorResult(`${tool} failed inside loom: ${messageOf(error)}`);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const process = this.#process ?? await this.#starting;
    await process?.close();
    await this.#removeSpill();
  }

  async #interceptNow(origin: Origin, result: Uint8Array, left: () => number): Promise<Uint8Array | undefined> {
    const process = await within(this.#ready(), left());
    if (process === LATE || process === undefined) return undefined;
    const id = this.#nextId++;
    const answer = this.#expect(id, false);
    const guard = this.#guard(process, id, this.#interceptMsMax + GRACE_MS, "an interception ran past its time limit");
    process.send(interceptMessage(id, origin), origin.args ?? NOTHING, result);
    const got = await answer;
    guard();
    if (got?.message.outcome !== "replaced" || got.message.ref === undefined) {
      this.#log(
        "debug",
        "engine",
        `${origin.server} ${origin.tool}: passed, ${got?.message.reason ?? "the engine ended"}`,
      );
      return undefined;
    }
    if (left() <= 0) {
      process.send({ type: "drop", ref: got.message.ref });
      return undefined;
    }
    this.#journal.note(got.message.ref, {
      kind: "original",
      origin,
      result,
      createdAt: got.message.createdAt ?? new Date().toISOString(),
    });
    if (got.message.fact) this.#onFact(got.message.fact);
    return got.body;
  }

  /** The open process, starting one when there is none. */
  #ready(): Promise<EngineLink | undefined> {
    if (this.#off !== undefined || this.#stopped) return Promise.resolve(undefined);
    if (this.#process?.alive) return Promise.resolve(this.#process);
    this.#starting ??= this.#open().finally(() => this.#starting = undefined);
    return this.#starting;
  }

  async #open(): Promise<EngineLink | undefined> {
    for (let attempt = 1; !this.#stopped; attempt++) {
      const process = await this.#openOnce(attempt);
      if (process !== undefined) return this.#process = process;
      if (this.#off !== undefined) return undefined;
      if (attempt >= OPEN_ATTEMPTS_MAX) {
        this.#giveUp(`its process failed to open ${attempt} times`);
        return undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(RESTART_MS * 2 ** (attempt - 1), RESTART_MS_MAX)));
    }
    return undefined;
  }

  async #openOnce(attempt: number): Promise<EngineLink | undefined> {
    const opened = Promise.withResolvers<Extract<FromEngine, { type: "opened" }>>();
    let process: EngineLink;
    try {
      process = this.#spawn((frame) => {
        if (frame.header.type === "opened") opened.resolve(frame.header);
        else this.#receive(process, frame);
      }, (text) => this.#log("debug", "engine", printable(text)));
    } catch (error) {
      this.#giveUp(`its process cannot be started: ${messageOf(error)}`);
      return undefined;
    }
    const ended = process.ended.then((reason) => this.#onEnd(process, reason));
    process.send({
      type: "open",
      settings: {
        memoryLimit: this.#config.duckdbMemoryLimit,
        memoryBudgetBytes: this.#config.memoryBudgetBytes,
        queryTimeoutMs: this.#config.queryTimeoutMs,
        spillParent: spillParent(),
        exportDir: this.#config.exportDir,
        storePath: this.#config.storePath,
        tokenThreshold: this.#config.tokenThreshold,
        residentBytesMax: this.#residentBytesMax,
      },
      nextNumber: this.#journal.nextNumber,
    });
    // One by one: together they might be more than the header of a frame may hold.
    for (const gone of this.#journal.evicted) process.send({ type: "gone", gone });
    for (const lost of this.#journal.lost) process.send({ type: "lost", lost });
    const answer = await within(Promise.race([opened.promise, ended]), OPEN_MS_MAX);
    if (answer === LATE || answer === undefined) {
      process.kill("it did not open in time");
      this.#log("warn", "engine", `attempt ${attempt}: no open engine (${await process.ended})`);
      return undefined;
    }
    this.#spillDir = answer.spillDir;
    if (answer.failure !== undefined) {
      this.#giveUp(answer.failure);
      await process.close();
      return undefined;
    }
    return await this.#rebuild(process) ? process : undefined;
  }

  /** Builds the datasets of the journal again; false when the process did not survive it. */
  async #rebuild(process: EngineLink): Promise<boolean> {
    for (const [ref, entry] of this.#journal.entries) {
      const id = this.#nextId++;
      const answer = this.#expect(id, false);
      const guard = this.#guard(process, id, RESTORE_MS_MAX, `building ${ref} again took too long`);
      if (entry.kind === "original") {
        const message = { ...interceptMessage(id, entry.origin), restore: { ref, createdAt: entry.createdAt } };
        process.send(message, entry.origin.args ?? NOTHING, entry.result);
      } else if (entry.kind === "derived" && !entry.volatile) {
        process.send({ type: "rederive", id, ref, sql: entry.sql, derivation: entry.derivation });
      } else {
        this.#settle(id, undefined);
      }
      const restored = (await answer)?.message.ref === ref;
      guard();
      if (restored) continue;
      this.#journal.lose(ref);
      this.#log("warn", "engine", `dataset ${ref} is lost`);
      const lost = this.#journal.lost.find((dataset) => dataset.ref === ref);
      if (lost) process.send({ type: "lost", lost });
      if (!process.alive) return false;
    }
    return process.alive;
  }

  #receive(process: EngineLink, { header, body }: Frame<FromEngine>): void {
    if (header.type === "answer") {
      this.#settle(header.id, { message: header, body });
      // At once, so that the next call waits for another process instead of ending with this one.
      if (header.broken) process.kill("it has damaged itself");
    } else if (header.type === "log") this.#log(header.level, header.component, header.message);
    else if (header.type === "derived") this.#journal.note(header.ref, { kind: "derived", ...header });
    else if (header.type === "forget") {
      for (const ref of header.originals) this.#journal.forgetOriginal(ref);
      for (const gone of header.datasets) this.#journal.evict(gone);
    } else if (header.type === "need") {
      const original = this.#journal.original(header.ref);
      process.send({ type: "original", id: header.id, found: original !== undefined }, original ?? NOTHING);
    }
  }

  #onEnd(process: EngineLink, reason: string): undefined {
    for (const [id] of this.#pending) this.#settle(id, undefined);
    if (this.#process !== process) return;
    this.#process = undefined;
    if (this.#stopped) return;
    this.#log("warn", "engine", `the engine's process is replaced: ${reason}`);
    this.#removeSpill().then(() => this.start());
  }

  #expect(id: number, lane: boolean): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#pending.set(id, { resolve, lane });
    return promise;
  }

  #settle(id: number, answer: Answer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    if (pending.lane) this.#laneAnsweredAt = performance.now();
    pending.resolve(answer);
  }

  /**
   * Kills the process when the operation has not ended after `ms`, counted anew from each end of another one in its
   * lane: those run one after the other, each with its own limit. Gives a function that calls it off.
   */
  #guard(process: EngineLink, id: number, ms: number, reason: string): () => void {
    const lane = this.#pending.get(id)?.lane ?? false;
    let from = performance.now();
    let timer = setTimeout(check, ms);
    const lastAnswer = () => lane ? this.#laneAnsweredAt : 0;
    function check(): void {
      if (lastAnswer() <= from) return process.kill(reason);
      from = lastAnswer();
      timer = setTimeout(check, Math.max(1, from + ms - performance.now()));
    }
    return () => clearTimeout(timer);
  }

  async #explainDeath(process: EngineLink, tool: string): Promise<string> {
    const reason = await process.ended;
    return `${tool} was stopped: ${reason}. loom's engine is replaced and its datasets are built again under the same ` +
      `refs; ask again in a moment with less work (fewer rows, a filter, shorter texts)`;
  }

  #giveUp(reason: string): void {
    this.#off = reason;
    this.#log("warn", "engine", `loom goes on without interception: ${reason}`);
  }

  async #removeSpill(): Promise<void> {
    const folder = this.#spillDir;
    this.#spillDir = undefined;
    if (folder) await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

const NOTHING = new Uint8Array(0);
const LATE = Symbol("late");

/** The value of `promise`, or `LATE` when it takes longer than `ms`. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => resolve(LATE), Math.max(0, ms));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function interceptMessage(id: number, origin: Origin): InterceptMessage {
  const { server, tool, tokenThreshold, omitArgs, args } = origin;
  return { type: "intercept", id, server, tool, tokenThreshold, omitArgs, argsBytes: args?.length ?? -1 };
}

/** The bytes of a tool result that says what went wrong. */
function errorResult(text: string): Uint8Array {
  return encoder.encode(JSON.stringify({ content: [{ type: "text", text }], isError: true }));
}

/** The folder in which the engine makes its private spill folder. */
function spillParent(): string {
  const names = Deno.build.os === "windows" ? ["TEMP", "TMP"] : ["TMPDIR"];
  return names.map((name) => Deno.env.get(name)).find(Boolean) ??
    (Deno.build.os === "windows" ? "C:\\Windows\\Temp" : "/tmp");
}
