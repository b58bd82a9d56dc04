/** How a client is greeted: `initialize` of the legacy era, `server/discover` of the modern one. @module */

import {
  type ClientProfile,
  CODE,
  type Gateway,
  LATEST_LEGACY_REVISION,
  LEGACY_REVISIONS,
  META,
  MODERN_REVISION,
} from "../gateway/mod.ts";
import { bytesOf, isObjectAt, memberOf, stringAt, textOf } from "../wire/mod.ts";
import type { ClientCall } from "./call.ts";
import { capabilitiesOf, instructionsOf, type Introduction } from "./offers.ts";
import type { ClientSession } from "./session.ts";

/** Time that `initialize` waits for servers that are still starting. */
export const INITIALIZE_WAIT_MS = 2_000;
/** Milliseconds for which a client of the modern era may keep what it has discovered. */
const DISCOVER_TTL_MS = 5_000;

/** Serves `initialize`: the servers start now, and are waited for a little. */
export async function initialize(client: ClientSession, call: ClientCall): Promise<void> {
  if (client.profile?.era === "legacy") return call.fail(CODE.invalidRequest, "The session is already initialized");
  const profile = legacyProfile(call);
  client.profile = profile;
  client.port.acceptsBatches = profile.protocolVersion <= "2025-03-26";
  client.gateway.start(profile);
  await client.gateway.settled(INITIALIZE_WAIT_MS);
  if (call.isEnded || client.gateway.isHopeless) return;
  const { serverInfo } = client.parts;
  const instructions = JSON.stringify(instructionsOf(client.parts.ownInstructions, introductionsOf(client.gateway)));
  const capabilities = JSON.stringify(capabilitiesOf(introductionsOf(client.gateway), !client.gateway.isStarting));
  call.respond(bytesOf(
    `{"protocolVersion":"${profile.protocolVersion}","capabilities":${capabilities},"serverInfo":${serverInfo},` +
      `"instructions":${instructions}}`,
  ));
}

/** Serves `server/discover`, which starts nothing. */
export function discover(client: ClientSession, call: ClientCall): void {
  const { gateway, serverInfo, ownInstructions } = client.parts;
  const introductions = introductionsOf(gateway);
  const complete = !gateway.isStarting;
  call.respond(bytesOf(JSON.stringify({
    resultType: "complete",
    supportedVersions: [MODERN_REVISION],
    capabilities: capabilitiesOf(introductions, complete),
    instructions: instructionsOf(ownInstructions, introductions),
    ttlMs: complete ? DISCOVER_TTL_MS : 0,
    cacheScope: "private",
    _meta: { [META.serverInfo]: JSON.parse(serverInfo) },
  })));
}

/** The profile of a client that asks for something without having said `initialize`. */
export function anonymousProfile(): ClientProfile {
  return {
    era: "legacy",
    protocolVersion: LATEST_LEGACY_REVISION,
    capabilities: "{}",
    clientInfo: '{"name":"unknown","version":"0"}',
  };
}

function legacyProfile(call: ClientCall): ClientProfile {
  const { bytes, params } = call.message;
  const textAt = (name: string, otherwise: string) => {
    const span = params && memberOf(bytes, params.start, name);
    return isObjectAt(bytes, span) ? textOf(bytes.subarray(span.start, span.end)) : otherwise;
  };
  const asked = stringAt(bytes, params && memberOf(bytes, params.start, "protocolVersion"));
  return {
    ...anonymousProfile(),
    protocolVersion: asked !== undefined && LEGACY_REVISIONS.includes(asked) ? asked : LATEST_LEGACY_REVISION,
    capabilities: textAt("capabilities", "{}"),
    clientInfo: textAt("clientInfo", '{"name":"unknown","version":"0"}'),
  };
}

function introductionsOf(gateway: Gateway): Introduction[] {
  return gateway.servers.flatMap(({ name, session }) => session ? [{ name, hello: session.hello }] : []);
}
