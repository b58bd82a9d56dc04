/** What the relay and the engine say to each other, and the interface that the relay sees. @module */

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

/** What the relay needs of the engine. Neither method ever throws or rejects. */
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
