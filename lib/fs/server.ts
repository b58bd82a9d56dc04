/** The server without its wire: tools in, answers out, and the roots that are open meanwhile. @module */

import { LoomError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { strongestAccess } from "./access.ts";
import { type Audit, NO_AUDIT, openAudit } from "./audit.ts";
import type { FsConfig } from "./config.ts";
import type { FileAccess, Opening } from "./folder.ts";
import { Gate } from "./resolve.ts";
import { type OpenRoot, openRoots } from "./roots.ts";
import { type FsTool, offeredTools, type ToolContext } from "./tools.ts";

/** What a tool call gives back, as MCP says it. */
export interface CallResult {
  /** Text for readers. */
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** The same for programs; absent from errors. */
  readonly structuredContent?: object;
  /** Whether the call failed; the text says why and what to do. */
  readonly isError?: true;
}

/** What {@link createFsServer} may be given. */
export interface FsServerOptions {
  /** Receives events; nothing is logged without it. */
  readonly log?: Log;
  /** How files are opened; the strongest way that works here, if it is not given. */
  readonly access?: FileAccess;
}

/** A server whose roots are open. */
export class FsServer implements Disposable {
  /** The configuration. */
  readonly config: FsConfig;
  /** How files are opened. */
  readonly opening: Opening;
  /** The tools that are offered, in order. */
  readonly tools: readonly FsTool[];
  readonly #roots: readonly OpenRoot[];
  readonly #audit: Audit;
  readonly #gate: Gate;
  readonly #log: Log;

  /**
   * Opens the roots and the audit log.
   *
   * @throws {LoomError} `CONFIG_INVALID` for every contradiction between the configuration and the disk.
   */
  constructor(config: FsConfig, access: FileAccess, log: Log) {
    this.config = config;
    this.opening = access.opening;
    this.tools = offeredTools(config);
    this.#log = log;
    this.#roots = openRoots(config, access);
    this.#audit = config.audit === undefined ? NO_AUDIT : openAudit(config.audit, log);
    this.#gate = new Gate(this.#roots, this.#audit);
  }

  /** The tool of that name, if it is offered. */
  tool(name: unknown): FsTool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }

  /**
   * Calls a tool. A failure is an answer with `isError`, which says what to do next; only an aborted call throws.
   *
   * @param tool A tool of this server.
   * @param args Its arguments, as they came.
   * @param signal Ends a search early.
   */
  async call(tool: FsTool, args: unknown, signal: AbortSignal = new AbortController().signal): Promise<CallResult> {
    const context: ToolContext = { config: this.config, gate: this.#gate, signal };
    try {
      const { structured, texts = [JSON.stringify(structured)] } = await tool.call(args, context);
      return { content: texts.map((text) => ({ type: "text", text })), structuredContent: structured };
    } catch (error) {
      if (signal.aborted) throw error;
      return { content: [{ type: "text", text: this.#said(tool, error) }], isError: true };
    }
  }

  /** Only what loom-fs itself wrote may reach the model: any other text could hold a path of the host. */
  #said(tool: FsTool, error: unknown): string {
    if (error instanceof LoomError) return error.message;
    this.#log("error", "fs", `${tool.name} failed: ${messageOf(error)}`);
    return `${tool.name} failed inside the server; its log says why`;
  }

  /** What a model is told when it connects. */
  get instructions(): string {
    const roots = this.config.roots.slice(0, INSTRUCTED_ROOTS_MAX).map((root) => {
      const about = root.description === undefined ? "" : `: ${root.description.slice(0, INSTRUCTED_CHARS_MAX)}`;
      return `- ${root.name} (${root.permissions.join(", ")})${about}`;
    });
    const more = this.config.roots.length - roots.length;
    return [
      "Files in these roots can be reached; each path is relative to its root:",
      ...roots,
      ...(more > 0 ? [`and ${more} more: see list_roots`] : []),
      "Prefer search_files to listing folder after folder. Answers say in truncated and note when something is left out.",
    ].join("\n").toWellFormed();
  }

  /** Closes the roots and the audit log. */
  [Symbol.dispose](): void {
    for (const root of this.#roots) root.folder[Symbol.dispose]();
    this.#audit[Symbol.dispose]();
  }
}

/** Roots that the instructions name, so that they stay under the 2,000 characters that clients show. */
const INSTRUCTED_ROOTS_MAX = 10;
const INSTRUCTED_CHARS_MAX = 80;

/**
 * Opens a filesystem server.
 *
 * @param config A configuration, from `loadFsConfig()` or `parseFsConfig()`.
 * @param options Where events are logged, and how files are opened.
 * @throws {LoomError} `CONFIG_INVALID` when the disk contradicts the configuration.
 */
export async function createFsServer(config: FsConfig, options: FsServerOptions = {}): Promise<FsServer> {
  return new FsServer(config, options.access ?? await strongestAccess(), options.log ?? (() => {}));
}
