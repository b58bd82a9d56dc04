/** Resources, prompts and completion: each request to the server that has the thing. @module */

import { CODE, recordOf, type Server } from "../gateway/mod.ts";
import { bytesOf, type Edit, memberOf, type Message, type Span, stringAt, valueOf } from "../wire/mod.ts";
import type { ClientCall } from "./call.ts";
import { type ClientSession, unavailable } from "./session.ts";
import { unknownPrompt } from "./unknown_names.ts";
import type { Located } from "./uris.ts";

/** A server that may know a URI, and the URI as it knows it. */
interface Candidate {
  readonly server: Server;
  readonly uri: string;
}

/** Serves `resources/read`, asking the likeliest server first. */
export async function readResource(client: ClientSession, call: ClientCall): Promise<void> {
  const uri = call.text("uri");
  if (uri === undefined) return call.fail(CODE.invalidParams, "Invalid params: uri must be a string");
  const candidates = await candidatesFor(client, uri);
  if (candidates.length === 0) return unknownResource(call, uri);
  tryCandidates(client, call, candidates, call.parts.uri, undefined);
}

/** Serves `resources/subscribe` and `resources/unsubscribe` of a legacy client. */
export async function subscribe(client: ClientSession, call: ClientCall): Promise<void> {
  const uri = call.text("uri");
  if (uri === undefined) return call.fail(CODE.invalidParams, "Invalid params: uri must be a string");
  const [candidate] = await candidatesFor(client, uri);
  if (!candidate) return unknownResource(call, uri);
  const begins = call.message.method === "resources/subscribe";
  const located: Located = { server: candidate.server.name, uri: candidate.uri };
  if (begins) client.subscriptions.watch(uri, located);
  else client.subscriptions.unwatch(uri, true);
  const { session } = candidate.server;
  if (session?.hello.era !== "modern") {
    return client.relay(call, candidate.server, uriEdit(call.parts.uri, uri, candidate.uri));
  }
  client.subscriptions.openStream(candidate.server, session);
  call.respond(bytesOf("{}"));
}

/** Tells the servers of these URIs that a modern client listens to them, or does so no more. */
export async function watchAll(client: ClientSession, uris: readonly string[], begins: boolean): Promise<void> {
  for (const uri of uris) {
    const [candidate] = await candidatesFor(client, uri);
    if (!candidate?.server.session) continue;
    const { server } = candidate;
    const { session } = server;
    const located: Located = { server: server.name, uri: candidate.uri };
    const matters = begins ? client.subscriptions.watch(uri, located) : client.subscriptions.unwatch(uri) !== undefined;
    if (!matters || !session) continue;
    if (session.hello.era === "modern") client.subscriptions.openStream(server, session);
    else tellWatch(server, candidate.uri, begins);
  }
}

/** Asks a legacy server on loom's own behalf to tell of changes of a resource, or to stop. */
export function tellWatch(server: Server, uri: string, begins: boolean): void {
  const method = begins ? "resources/subscribe" : "resources/unsubscribe";
  // A server that can't or won't is not asked again; its updates just don't come.
  server.session?.ask(method, JSON.stringify({ uri }), TELL_TIMEOUT_MS).catch(() => {});
}

const TELL_TIMEOUT_MS = 10_000;

/** Serves `prompts/get`. */
export async function getPrompt(client: ClientSession, call: ClientCall): Promise<void> {
  const name = call.text("name");
  const found = name === undefined ? undefined : await client.directory.promptOf(name);
  if (!found) return unknownPrompt(client, call, name ?? "(no name)");
  client.relay(call, found.server, nameEdit(call.parts.name, name, found.own));
}

/** Serves `completion/complete`, by the prompt or the template that it refers to. */
export async function complete(client: ClientSession, call: ClientCall): Promise<void> {
  const { bytes } = call.message;
  const { ref } = call.parts;
  const name = ref && memberOf(bytes, ref.start, "name");
  const uri = ref && memberOf(bytes, ref.start, "uri");
  const nameText = stringAt(bytes, name);
  const uriText = stringAt(bytes, uri);
  if (nameText !== undefined && uriText === undefined) {
    const found = await client.directory.promptOf(nameText);
    if (!found) return unknownPrompt(client, call, nameText);
    return client.relay(call, found.server, nameEdit(name, nameText, found.own));
  }
  if (uriText === undefined) {
    return call.fail(CODE.invalidParams, "Invalid params: ref names no prompt and no resource");
  }
  const candidates = await candidatesFor(client, uriText);
  const able = candidates.filter(({ server }) => server.session?.hello.capabilities["completions"] !== undefined);
  const [candidate] = able.length > 0 ? able : candidates;
  if (!candidate) return call.fail(CODE.invalidParams, `Unknown resource template: ${uriText}`);
  client.relay(call, candidate.server, uriEdit(uri, uriText, candidate.uri));
}

async function candidatesFor(client: ClientSession, uri: string): Promise<Candidate[]> {
  const { directory, gateway } = client;
  const known = () => directory.serversWith("resources");
  // With one server there is nothing to find out.
  if (gateway.servers.length > 1 || known().length !== 1) {
    await Promise.all([directory.ensure("resources"), directory.ensure("resourceTemplates")]);
  }
  const servers = known();
  return directory.uris.candidates(uri, servers.map((server) => server.name)).flatMap((located) => {
    const server = servers.find((candidate) => candidate.name === located.server);
    return server ? [{ server, uri: located.uri }] : [];
  });
}

/** Asks one server after the other; the first error is the one that is passed on when none knows. */
function tryCandidates(
  client: ClientSession,
  call: ClientCall,
  candidates: readonly Candidate[],
  span: Span | undefined,
  firstError: (() => void) | undefined,
): void {
  const [candidate, ...others] = candidates;
  if (!candidate) return firstError?.();
  if (!candidate.server.session && others.length === 0 && !firstError) return unavailable(call, candidate.server);
  client.relay(call, candidate.server, uriEdit(span, call.text("uri"), candidate.uri), (_call, answer, relay) => {
    if (answer.kind !== "error" || !isUnknown(answer)) return relay.passOn(answer);
    const passError = firstError ?? (() => relay.passOn(answer));
    if (others.length === 0) passError();
    else tryCandidates(client, call, others, span, passError);
  });
}

/** Whether a server says that it hasn't got the resource, so that another one may be asked. */
function isUnknown(answer: Message): boolean {
  const { code } = recordOf(valueOf(answer.bytes, answer.outcome));
  return code === CODE.resourceNotFoundLegacy || code === CODE.invalidParams || code === CODE.internal ||
    code === CODE.methodNotFound || code === 0;
}

function unknownResource(call: ClientCall, uri: string): void {
  const code = call.era === "modern" ? CODE.invalidParams : CODE.resourceNotFoundLegacy;
  call.fail(code, "Resource not found", { uri });
}

function uriEdit(span: Span | undefined, seen: string | undefined, uri: string): Edit[] {
  return span && seen !== uri ? [{ ...span, bytes: bytesOf(JSON.stringify(uri)) }] : [];
}

function nameEdit(span: Span | undefined, seen: string | undefined, own: string): Edit[] {
  return span && seen !== own ? [{ ...span, bytes: bytesOf(JSON.stringify(own)) }] : [];
}
