/** The protocol's revisions, in two eras: with `initialize` and without. @module */

/** `legacy` is everything that begins with `initialize`; `modern` carries its revision in every request. */
export type Era = "legacy" | "modern";

/** The revision of the modern era. */
export const MODERN_REVISION = "2026-07-28";

/** The revisions of the legacy era, oldest first. */
export const LEGACY_REVISIONS: readonly string[] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/** The legacy revision that is spoken when the other side names none that loom knows. */
export const LATEST_LEGACY_REVISION = "2025-11-25";

/** Names of members of `_meta` that the modern era defines. */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** JSON-RPC error codes that loom sends or understands. */
export const CODE = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFoundLegacy: -32002,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationRequired: -32042,
} as const;

/** Who the client is and what it can do, as servers are told. */
export interface ClientProfile {
  readonly era: Era;
  /** The legacy revision to ask servers for. */
  readonly protocolVersion: string;
  /** JSON text of the client's capabilities, as the client wrote it. */
  readonly capabilities: string;
  /** JSON text of the client's name and version, as the client wrote it. */
  readonly clientInfo: string;
}
