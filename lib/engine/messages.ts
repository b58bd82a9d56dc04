/** What the relay and the engine's process say to each other, and the interface that the relay sees. @module */

import type { GoneDataset } from "../dataset.ts";

/** Which call a result answers. */
export interface Origin {
  /** The server's name in the configuration. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** The caller's `arguments`, as the client wrote them; absent when there were none. */
  readonly args?: Uint8Array | undefined;
  /** Estimated tokens above which the result may be replaced. */
  readonly tokenThreshold: number;
  /** The tool stands in `provenanceDenylist`: its arguments are shown nowhere. */
  readonly omitArgs: boolean;
}

/** What the relay needs of the engine. No method ever throws or rejects. */
export interface Engine {
  /** Begins to start the engine in the background; later calls do nothing. Never called before the client's first list or call. */
  start(): void;
  /**
   * The bytes of a `tools/call` result that replaces `result`, or undefined when the original is to be passed on:
   * nothing tabular, nothing saved, too late, or the engine is down. Ends within the interception budget.
   */
  intercept(origin: Origin, result: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Runs one of loom's own tools and gives the bytes of a `tools/call` result; failures are results with `isError`.
   * Aborting `signal` stops the query.
   */
  call(tool: string, args: Uint8Array | undefined, signal?: AbortSignal): Promise<Uint8Array>;
  /** Ends the engine's process and removes its spill folder. */
  stop(): Promise<void>;
}

/** What the engine's process needs to know of the configuration. */
export interface EngineSettings {
  /** DuckDB's memory limit, such as `512MB`. */
  readonly memoryLimit: string;
  readonly memoryBudgetBytes: number;
  readonly queryTimeoutMs: number;
  /** The folder in which the engine makes its private spill folder. */
  readonly spillParent: string;
  readonly exportDir: string;
  /** The file that keeps pinned datasets; absent when none is kept. */
  readonly storePath?: string | undefined;
  /** Estimated tokens above which a query's answer becomes a dataset. */
  readonly tokenThreshold: number;
  /** Resident bytes of the engine's process, beyond which it ends itself. */
  readonly residentBytesMax: number;
}

/** A dataset that could not be built again after the engine's process was replaced. */
export interface LostDataset {
  readonly ref: string;
  /** What it was and how to get it back, in words for a model. */
  readonly how: string;
}

/** How a derived dataset was made. */
export type Derivation = { readonly kind: "query" } | { readonly kind: "view"; readonly name: string };

/** The first frame to the process. */
export interface OpenMessage {
  readonly type: "open";
  readonly settings: EngineSettings;
  /** The number that the next ref gets; numbers never repeat in a session, restarts included. */
  readonly nextNumber: number;
}

/** A result to look at. The body is the arguments (`argsBytes` of them, -1: absent) and then the result. */
export interface InterceptMessage {
  readonly type: "intercept";
  readonly id: number;
  readonly server: string;
  readonly tool: string;
  readonly tokenThreshold: number;
  readonly omitArgs: boolean;
  readonly argsBytes: number;
  /** Set when a lost dataset is built again: its ref and creation time are kept, and no envelope is made. */
  readonly restore?: { readonly ref: string; readonly createdAt: string } | undefined;
}

/** A derived dataset to make again under its old ref. */
export interface RederiveMessage {
  readonly type: "rederive";
  readonly id: number;
  readonly ref: string;
  readonly sql: string;
  readonly derivation: Derivation;
}

/** A call of one of loom's own tools. The body is the arguments as the client wrote them. */
export interface CallMessage {
  readonly type: "call";
  readonly id: number;
  readonly tool: string;
  readonly hasArgs: boolean;
}

/** The caller gave up on a call. */
export interface CancelMessage {
  readonly type: "cancel";
  readonly id: number;
}

/** An envelope came too late, the original was passed on: its table goes. */
export interface DropMessage {
  readonly type: "drop";
  readonly ref: string;
}

/** A dataset could not be built again. */
export interface LostMessage {
  readonly type: "lost";
  readonly lost: LostDataset;
}

/** A dataset that an earlier process evicted. */
export interface GoneMessage {
  readonly type: "gone";
  readonly gone: GoneDataset;
}

/** The answer to `need`. The body is the original result. */
export interface OriginalMessage {
  readonly type: "original";
  readonly id: number;
  readonly found: boolean;
}

/** Everything that the relay says to the engine's process. */
export type ToEngine =
  | OpenMessage
  | InterceptMessage
  | RederiveMessage
  | CallMessage
  | CancelMessage
  | DropMessage
  | LostMessage
  | GoneMessage
  | OriginalMessage;

/** The engine is open and sealed, or cannot be. */
export interface OpenedMessage {
  readonly type: "opened";
  /** Why there is no engine; absent when all is well. */
  readonly failure?: string | undefined;
  /** The private spill folder, which the relay removes when the process was killed. */
  readonly spillDir?: string | undefined;
}

/** The end of an interception, a restoration or a call. The body is the result that goes to the client, if any. */
export interface AnswerMessage {
  readonly type: "answer";
  readonly id: number;
  /** `passed`: hand on the original. `replaced`: the body is an envelope. `answered`: the body answers a call. */
  readonly outcome: "passed" | "replaced" | "answered";
  /** Why a result was passed. */
  readonly reason?: string | undefined;
  /** The dataset that was made or found again. */
  readonly ref?: string | undefined;
  readonly createdAt?: string | undefined;
  /** What the ledger is told. */
  readonly fact?: EngineFact | undefined;
  /** The engine has damaged itself: this is the last that it says, and the next call needs another process. */
  readonly broken?: boolean | undefined;
}

/** Something that the engine did, for the ledger. Arguments are redacted; tokens are estimates. */
export type EngineFact =
  | {
    readonly kind: "dataset";
    readonly ref: string;
    readonly server: string;
    readonly tool: string;
    /** Redacted, as provenance shows them. */
    readonly args?: unknown;
    readonly source: string;
    /** SHA-256 of the result's bytes, hexadecimal. */
    readonly contentHash: string;
    readonly rows: number;
    readonly columns: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  }
  | {
    /** An answer of one of loom's own tools. */
    readonly kind: "own";
    readonly tool: string;
    readonly isError: boolean;
    /** Tokens of the answer. */
    readonly tokens: number;
    readonly sql?: string | undefined;
    /** The dataset that was read, described, exported or made. */
    readonly ref?: string | undefined;
    readonly rows?: number | undefined;
    /** Where an export was written. */
    readonly path?: string | undefined;
  };

/** Asks for the original result of a dataset. */
export interface NeedMessage {
  readonly type: "need";
  readonly id: number;
  readonly ref: string;
}

/** A dataset was derived; enough to make it again. */
export interface DerivedMessage {
  readonly type: "derived";
  readonly ref: string;
  readonly sql: string;
  readonly derivation: Derivation;
  /** The answer may differ when it is computed again. */
  readonly volatile: boolean;
}

/** Originals that the relay is to forget, and datasets that are gone for good. */
export interface ForgetMessage {
  readonly type: "forget";
  readonly originals: readonly string[];
  readonly datasets: readonly GoneDataset[];
}

/** A line for the log. */
export interface LogMessage {
  readonly type: "log";
  readonly level: "debug" | "info" | "warn" | "error";
  readonly component: string;
  readonly message: string;
}

/** Everything that the engine's process says to the relay. */
export type FromEngine = OpenedMessage | AnswerMessage | NeedMessage | DerivedMessage | ForgetMessage | LogMessage;
