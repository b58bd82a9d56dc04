/** A config as it is when it is whole. @module */

import type { NameFilter } from "../globs.ts";
import type { EnvLookup } from "./expand.ts";

/** What to do with the results of a server's tools. */
export type InterceptMode = "auto" | "never";

/** One server behind loom, complete with defaults. */
export interface ServerConfig {
  /** Unique; lower case letters, digits and `_`. */
  readonly name: string;
  /** The executable of a process server; absent for a remote one. */
  readonly command?: string | undefined;
  /** Arguments of the process, variables replaced. */
  readonly args: readonly string[];
  /** Working folder of the process, absolute. */
  readonly cwd: string;
  /** Variables for this process only, variables replaced. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that are forwarded from loom's own environment. */
  readonly envPassthrough: readonly string[];
  /** The server's own names of tools whose arguments are shown nowhere. */
  readonly provenanceDenylist: readonly string[];
  /** The address of a remote server over Streamable HTTP; absent for a process. */
  readonly url?: string | undefined;
  /** Headers for a remote server, variables replaced. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why this server cannot be started (a missing variable), or that it is switched off. */
  readonly disabled?: string | undefined;
  /** Globs over the server's own tool names. */
  readonly tools: NameFilter;
  /** The mode for one of the server's own tool names. */
  readonly interceptModeOf: (tool: string) => InterceptMode;
  /** Milliseconds that the handshake may take. */
  readonly startTimeoutMs: number;
  /** Milliseconds that a call may take; absent means as long as it takes. */
  readonly callTimeoutMs?: number | undefined;
  /** Estimated tokens above which a result may become a dataset. */
  readonly tokenThreshold: number;
}

/** A whole configuration, checked and complete. */
export interface LoomConfig {
  /** The servers, in the order of the file. */
  readonly servers: readonly ServerConfig[];
  /** Estimated tokens above which a result may become a dataset. */
  readonly tokenThreshold: number;
  /** Tracked bytes of datasets above which some are evicted. */
  readonly memoryBudgetBytes: number;
  /** The engine's memory limit, such as `512MB`. */
  readonly duckdbMemoryLimit: string;
  /** Where exports go, absolute. */
  readonly exportDir: string;
  /** Absolute; absent when no dataset outlives the session. */
  readonly storePath?: string | undefined;
  /** Absolute; absent when no ledger is kept. */
  readonly auditLog?: string | undefined;
  /** Milliseconds that a query may take. */
  readonly queryTimeoutMs: number;
  /** Characters of an exposed tool name. */
  readonly toolNameMaxLength: number;
  /** How often a server that ended is started again, and the first delay. */
  readonly restart: { readonly maxAttempts: number; readonly baseDelayMs: number };
  /** What was read otherwise than it was written, for `loom check`: a renamed server, an ignored key. */
  readonly notes?: readonly string[] | undefined;
}

/** Where a config comes from. */
export interface ConfigSource {
  /** The file's path; relative paths in the config start at its folder. */
  readonly path: string;
  /** The environment that `${VAR}` is read from; absent means the process's own. */
  readonly env?: EnvLookup | undefined;
}
