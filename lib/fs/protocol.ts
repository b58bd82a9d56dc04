/** JSON-RPC as MCP speaks it, in all its revisions: one message in, at most one answer out. @module */

import denoJson from "../../deno.json" with { type: "json" };
import type { FsServer, FsToolInfo } from "./server.ts";
import { absenceOf } from "./tools.ts";

/** Revisions that start with `initialize`, oldest first. */
export const LEGACY_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** Revisions in which every request says for itself which one it speaks. */
export const MODERN_REVISIONS = ["2026-07-28"] as const;

type Revision = typeof LEGACY_REVISIONS[number] | typeof MODERN_REVISIONS[number];

/** Milliseconds that a client may keep the list of tools: it never changes while the server runs. */
export const TOOLS_TTL_MS = 3_600_000;

/** Messages of one batch (revision 2025-03-26). */
export const BATCH_MESSAGES_MAX = 1_000;

const LATEST_LEGACY = "2025-11-25";
const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

/** JSON-RPC's error codes, and MCP's for a revision that is not spoken. */
const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  unsupportedVersion: -32022,
  internal: -32603,
} as const;

const SERVER_INFO = { name: "loom-fs", title: "loom-fs", version: denoJson.version } as const;

type Members = Readonly<Record<string, unknown>>;
type Id = string | number;

class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

function errorAnswer(id: Id | null, code: number, message: string, data?: unknown): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** One client. */
export class Session {
  readonly #server: FsServer;
  readonly #running = new Map<Id, AbortController>();
  #revision: Revision = LATEST_LEGACY;

  /** @param server The server that answers. */
  constructor(server: FsServer) {
    this.#server = server;
  }

  /** The answer to one message as text, or undefined when it wants none. Never throws. */
  async receive(text: string): Promise<string | undefined> {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return JSON.stringify(errorAnswer(null, CODES.parse, "the message is not JSON"));
    }
    const answer = Array.isArray(message) ? await this.#batch(message) : await this.#answer(message);
    return answer === undefined ? undefined : JSON.stringify(answer);
  }

  /** Only revision 2025-03-26 has batches; a server must take them there. */
  async #batch(messages: readonly unknown[]): Promise<object | undefined> {
    const isSpoken = this.#revision === "2025-03-26" && messages.length > 0 && messages.length <= BATCH_MESSAGES_MAX;
    if (!isSpoken) return errorAnswer(null, CODES.invalidRequest, "batches are not part of this protocol revision");
    const answers = await Promise.all(messages.map((message) => this.#answer(message)));
    const given = answers.filter((answer) => answer !== undefined);
    return given.length > 0 ? given : undefined;
  }

  async #answer(message: unknown): Promise<object | undefined> {
    if (!isObject(message) || message.jsonrpc !== "2.0") {
      return errorAnswer(null, CODES.invalidRequest, "the message is not a JSON-RPC 2.0 object");
    }
    const { id, method, params } = message;
    if (typeof method !== "string") {
      // An answer to a request: this server makes none.
      if ("result" in message || "error" in message) return undefined;
      return errorAnswer(isId(id) ? id : null, CODES.invalidRequest, "the message has no method");
    }
    if (!("id" in message)) return this.#notice(method, params);
    if (!isId(id)) return errorAnswer(null, CODES.invalidRequest, "id is neither a string nor a number");
    return await this.#request(id, method, isObject(params) ? params : {});
  }

  #notice(method: string, params: unknown): undefined {
    if (method === "notifications/cancelled" && isObject(params) && isId(params.requestId)) {
      this.#running.get(params.requestId)?.abort();
    }
  }

  async #request(id: Id, method: string, params: Members): Promise<object | undefined> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#result(method, params, controller.signal);
      return { jsonrpc: "2.0", id, result };
    } catch (error) {
      if (error instanceof RpcError) return errorAnswer(id, error.code, error.message, error.data);
      if (controller.signal.aborted) return undefined;
      // A failing tool is an answer of its own, so this is a slip of this program: its text is not for the client.
      return errorAnswer(id, CODES.internal, "the request failed inside the server");
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id);
    }
  }

  async #result(method: string, params: Members, signal: AbortSignal): Promise<object> {
    const meta = isObject(params._meta) ? params._meta : {};
    if (!(META.version in meta) && method !== "server/discover") return await this.#legacy(method, params, signal);
    requireModern(meta);
    const result = await this.#modern(method, params, signal);
    return { resultType: "complete", ...result, _meta: { [META.serverInfo]: SERVER_INFO } };
  }

  async #legacy(method: string, params: Members, signal: AbortSignal): Promise<object> {
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "ping":
        return {};
      case "tools/list":
        return this.#list(params, this.#revision);
      case "tools/call":
        return await this.#call(params, this.#revision, signal);
      default:
        throw unknownMethod(method);
    }
  }

  async #modern(method: string, params: Members, signal: AbortSignal): Promise<object> {
    const [revision] = MODERN_REVISIONS;
    const cache = { ttlMs: TOOLS_TTL_MS, cacheScope: "private" };
    switch (method) {
      case "server/discover":
        return {
          supportedVersions: MODERN_REVISIONS,
          capabilities: { tools: {} },
          instructions: this.#server.instructions,
          ...cache,
        };
      case "tools/list":
        return { ...this.#list(params, revision), ...cache };
      case "tools/call":
        return await this.#call(params, revision, signal);
      default:
        throw unknownMethod(method);
    }
  }

  #initialize(params: Members): object {
    const asked = LEGACY_REVISIONS.find((revision) => revision === params.protocolVersion);
    this.#revision = asked ?? LATEST_LEGACY;
    const { title: _title, ...untitled } = SERVER_INFO;
    return {
      protocolVersion: this.#revision,
      capabilities: { tools: {} },
      serverInfo: this.#revision < "2025-06-18" ? untitled : SERVER_INFO,
      instructions: this.#server.instructions,
    };
  }

  #list(params: Members, revision: Revision): { readonly tools: readonly object[] } {
    if (params.cursor !== undefined) throw new RpcError(CODES.invalidParams, "unknown cursor: the list is one page");
    return { tools: this.#server.tools.map((tool) => listed(tool, revision)) };
  }

  async #call(params: Members, revision: Revision, signal: AbortSignal): Promise<object> {
    const { tools } = this.#server;
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new RpcError(CODES.invalidParams, absenceOf(params.name, tools));
    const { structuredContent, ...rest } = await this.#server.call(tool.name, params.arguments ?? {}, signal);
    return revision < "2025-06-18" || structuredContent === undefined ? rest : { ...rest, structuredContent };
  }
}

function unknownMethod(method: string): RpcError {
  return new RpcError(CODES.methodNotFound, `unknown method "${method.slice(0, 100).toWellFormed()}"`);
}

/** Each request of a modern revision says which one it speaks and what its client can do. */
function requireModern(meta: Members): void {
  const requested = meta[META.version];
  if (typeof requested !== "string") {
    throw new RpcError(CODES.invalidParams, `_meta["${META.version}"] is missing or not a string`);
  }
  if (!MODERN_REVISIONS.some((revision) => revision === requested)) {
    throw new RpcError(CODES.unsupportedVersion, "the protocol revision is not supported", {
      supported: MODERN_REVISIONS,
      requested,
    });
  }
  if (!isObject(meta[META.capabilities])) {
    throw new RpcError(CODES.invalidParams, `_meta["${META.capabilities}"] is missing or not an object`);
  }
}

/** A tool as the revision knows tools. */
function listed(tool: FsToolInfo, revision: Revision): object {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(revision >= "2025-03-26" && { annotations: { title: tool.title, ...tool.annotations } }),
    ...(revision >= "2025-06-18" && { title: tool.title, outputSchema: tool.outputSchema }),
  };
}
