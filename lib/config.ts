/** The config file: schema, defaults, readable problems. @module */

/** What to do with the results of a server's tools. */
export type InterceptMode = "auto" | "never";

/** One server behind loom, complete with defaults. */
export interface ServerConfig {
  readonly name: string;
  /** The executable of a process server; absent for a remote one. */
  readonly command?: string | undefined;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly envPassthrough: readonly string[];
  readonly provenanceDenylist: readonly string[];
  /** The address of a remote server over Streamable HTTP; absent for a process. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Why this server cannot be started (a missing variable), or that it is switched off. */
  readonly disabled?: string | undefined;
  /** Globs over the server's own tool names. */
  readonly tools: { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined };
  /** The mode for one of the server's own tool names. */
  readonly interceptModeOf: (tool: string) => InterceptMode;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs?: number | undefined;
  readonly tokenThreshold: number;
}

/** A whole configuration, checked and complete. */
export interface LoomConfig {
  readonly servers: readonly ServerConfig[];
  readonly tokenThreshold: number;
  readonly memoryBudgetBytes: number;
  readonly duckdbMemoryLimit: string;
  /** Absolute. */
  readonly exportDir: string;
  readonly queryTimeoutMs: number;
  readonly toolNameMaxLength: number;
  readonly restart: { readonly maxAttempts: number; readonly baseDelayMs: number };
}
