/** The server without its wire: tools in, answers out, and the roots that are open meanwhile. @module */

import { LoomError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { strongestAccess } from "./access.ts";
import { type Audit, NO_AUDIT, openAudit } from "./audit.ts";
import type { FsConfig } from "./config.ts";
import type { FileAccess, Opening } from "./folder.ts";
import { Gate } from "./resolve.ts";
import { type OpenRoot, openRoots } from "./roots.ts";
import { jsonSchemaOf } from "./schemas.ts";
import { absenceOf, type FsTool, offeredTools, type ToolContext, type ToolHints } from "./tools.ts";

/** What a tool call gives back, as MCP says it. */
export interface CallResult {
  /** Text for readers. */
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** The same for programs; absent from errors. */
  readonly structuredContent?: object;
  /** Whether the call failed; the text says why and what to do. */
  readonly isError?: true;
}

/** A tool as a client sees it. */
export interface FsToolInfo {
  /** Its name. */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** What a model reads before it calls. */
  readonly description: string;
  /** Hints for clients. */
  readonly annotations: ToolHints;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of its structured answer. */
  readonly outputSchema: Readonly<Record<string, unknown>>;
}

/** What {@link createFsServer} may be given. */
export interface FsServerOptions {
  /** Receives events; nothing is logged without it. */
  readonly log?: Log;
}

/** A server whose roots are open. */
export interface FsServer extends Disposable {
  /** The configuration. */
  readonly config: FsConfig;
  /** How files are opened. */
  readonly opening: Opening;
  /** The tools that are offered, in order. */
  readonly tools: readonly FsToolInfo[];
  /** What a model is told when it connects. */
  readonly instructions: string;
  /**
   * Calls a tool. A failure is an answer with `isError`, which says what to do next; only an aborted call throws.
   *
   * @param name The name of a tool.
   * @param args Its arguments, as they came.
   * @param signal Ends a search early.
   */
  call(name: string, args: unknown, signal?: AbortSignal): Promise<CallResult>;
}

/**
 * Opens the roots and the audit log.
 *
 * @throws {LoomError} `CONFIG_INVALID` for every contradiction between the configuration and the disk.
 */
export function openServer(config: FsConfig, access: FileAccess, log: Log): FsServer {
  const roots = openRoots(config, access);
  try {
    const audit = config.audit === undefined ? NO_AUDIT : openAudit(config.audit, log);
    return new OpenServer(config, access.opening, { roots, audit, log });
  } catch (error) {
    for (const root of roots) root.folder[Symbol.dispose]();
    throw error;
  }
}

interface Parts {
  readonly roots: readonly OpenRoot[];
  readonly audit: Audit;
  readonly log: Log;
}

class OpenServer implements FsServer {
  readonly config: FsConfig;
  readonly opening: Opening;
  readonly #offered: readonly FsTool[];
  readonly #parts: Parts;
  readonly #gate: Gate;
  #tools: readonly FsToolInfo[] | undefined;

  constructor(config: FsConfig, opening: Opening, parts: Parts) {
    this.config = config;
    this.opening = opening;
    this.#offered = offeredTools(config);
    this.#parts = parts;
    this.#gate = new Gate(parts.roots, parts.audit);
  }

  /** Schemas take some milliseconds to make, so they are made when somebody asks. */
  get tools(): readonly FsToolInfo[] {
    return this.#tools ??= this.#offered.map(({ name, title, description, annotations, input, output }) => ({
      name,
      title,
      description,
      annotations,
      inputSchema: jsonSchemaOf(input, "input"),
      outputSchema: jsonSchemaOf(output, "output"),
    }));
  }

  async call(name: string, args: unknown, signal: AbortSignal = new AbortController().signal): Promise<CallResult> {
    const context: ToolContext = { config: this.config, gate: this.#gate, signal };
    try {
      const tool = this.#offered.find((offered) => offered.name === name);
      if (tool === undefined) throw new LoomError("ARGUMENTS_INVALID", absenceOf(name, this.#offered));
      const { structured, texts = [JSON.stringify(structured)] } = await tool.call(args, context);
      return { content: texts.map((text) => ({ type: "text", text })), structuredContent: structured };
    } catch (error) {
      if (signal.aborted) throw error;
      return { content: [{ type: "text", text: this.#said(name, error) }], isError: true };
    }
  }

  /** Only what loom-fs itself wrote may reach the model: any other text could hold a path of the host. */
  #said(name: string, error: unknown): string {
    if (error instanceof LoomError) return error.message;
    this.#parts.log("error", "fs", `${name} failed: ${messageOf(error)}`);
    return `${name} failed inside the server; its log says why`;
  }

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

  [Symbol.dispose](): void {
    for (const root of this.#parts.roots) root.folder[Symbol.dispose]();
    this.#parts.audit[Symbol.dispose]();
  }
}

/** Roots that the instructions name, so that they stay under the 2,000 characters that clients show. */
const INSTRUCTED_ROOTS_MAX = 10;
const INSTRUCTED_CHARS_MAX = 80;

/**
 * Opens a filesystem server.
 *
 * @param config A configuration, from `loadFsConfig()` or `parseFsConfig()`.
 * @param options Where events are logged.
 * @throws {LoomError} `CONFIG_INVALID` when the disk contradicts the configuration.
 */
export async function createFsServer(config: FsConfig, options: FsServerOptions = {}): Promise<FsServer> {
  return openServer(config, await strongestAccess(), options.log ?? (() => {}));
}
