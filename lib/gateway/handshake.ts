/** How a session begins: `initialize`, or `server/discover` with a server of the modern era. @module */

import { LoomError } from "../errors.ts";
import { type Message, textOf, valueAt, valueOf } from "../wire/mod.ts";
import { type ClientProfile, CODE, META, MODERN_REVISION } from "./revisions.ts";
import type { Hello, Session } from "./session.ts";

/** Time that a server gets to answer `server/discover` before it is started afresh with `initialize`. */
export const PROBE_TIMEOUT_MS = 3_000;

/** What is tried first on a server: the era it is known to speak, or the client's own. */
export type FirstWord = "initialize" | "discover";

/** How a handshake ended: done, or to be tried again on a fresh process with `initialize`. */
export type Handshake = { readonly kind: "done"; readonly hello: Hello } | { readonly kind: "retry" };

/**
 * Greets a server.
 *
 * @throws LoomError `SERVER_UNAVAILABLE` when it refuses, ends, or is silent for `timeoutMs`.
 */
export async function greet(
  session: Session,
  profile: ClientProfile,
  options: { readonly first: FirstWord; readonly timeoutMs: number },
): Promise<Handshake> {
  if (options.first === "discover") {
    const probe = await discover(session, profile, Math.min(PROBE_TIMEOUT_MS, options.timeoutMs)).catch(() =>
      undefined
    );
    // Silence or death at a probe says nothing about `initialize`, but this process may be spoilt by it.
    if (!probe) return { kind: "retry" };
    if (probe.kind === "result") return { kind: "done", hello: modernHello(session, profile, probe) };
  }
  const answer = await session.ask("initialize", initializeParams(profile), options.timeoutMs);
  if (answer.kind === "result") return { kind: "done", hello: legacyHello(session, answer) };
  if (!speaksModern(answer)) throw refusal("initialize", answer);
  const discovered = await discover(session, profile, options.timeoutMs);
  if (discovered.kind === "error") throw refusal("server/discover", discovered);
  return { kind: "done", hello: modernHello(session, profile, discovered) };
}

/** The `_meta` members of a request to a modern server on behalf of a client; JSON text without braces. */
export function modernMeta(profile: ClientProfile, logLevel?: string): string {
  const level = logLevel === undefined ? "" : `,"${META.logLevel}":${JSON.stringify(logLevel)}`;
  return `"${META.protocolVersion}":"${MODERN_REVISION}","${META.clientInfo}":${profile.clientInfo},` +
    `"${META.clientCapabilities}":${profile.capabilities}${level}`;
}

function discover(session: Session, profile: ClientProfile, timeoutMs: number): Promise<Message> {
  return session.ask("server/discover", `{"_meta":{${modernMeta(profile)}}}`, timeoutMs);
}

function initializeParams(profile: ClientProfile): string {
  return `{"protocolVersion":${JSON.stringify(profile.protocolVersion)},"capabilities":${profile.capabilities},` +
    `"clientInfo":${profile.clientInfo}}`;
}

function legacyHello(session: Session, answer: Message): Hello {
  const { protocolVersion, capabilities, instructions } = recordOf(valueOf(answer.bytes, answer.outcome));
  session.notify("notifications/initialized");
  return {
    era: "legacy",
    protocolVersion: typeof protocolVersion === "string" ? protocolVersion : "",
    capabilities: recordOf(capabilities),
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

function modernHello(session: Session, profile: ClientProfile, answer: Message): Hello {
  const { supportedVersions, capabilities, instructions } = recordOf(valueOf(answer.bytes, answer.outcome));
  if (Array.isArray(supportedVersions) && !supportedVersions.includes(MODERN_REVISION)) {
    throw new LoomError("SERVER_UNAVAILABLE", `speaks none of loom's revisions, only ${supportedVersions.join(", ")}`);
  }
  session.requestMeta = modernMeta(profile);
  return {
    era: "modern",
    protocolVersion: MODERN_REVISION,
    capabilities: recordOf(capabilities),
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

/** Whether an error answer to `initialize` comes from a server that speaks the modern era only. */
function speaksModern(answer: Message): boolean {
  const { code, data } = recordOf(valueOf(answer.bytes, answer.outcome));
  const supported = recordOf(data)["supported"];
  if (Array.isArray(supported)) return supported.includes(MODERN_REVISION);
  return code === CODE.unsupportedVersion || code === CODE.methodNotFound;
}

function refusal(method: string, answer: Message): LoomError {
  const span = answer.outcome && valueAt(answer.bytes, answer.outcome.start, ["message"]);
  const message = valueOf(answer.bytes, span);
  const said = typeof message === "string" ? message : textOf(answer.bytes.subarray(0, 200));
  return new LoomError("SERVER_UNAVAILABLE", `refused ${method}: ${said}`);
}

/** A value as an object; anything else is an empty one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {};
}
