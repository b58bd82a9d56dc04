/** `tools/list` and `tools/call`: every server's tools and loom's own, and what becomes of a large result. @module */

import { CODE, type ToolRoute } from "../gateway/mod.ts";
import { bytesOf, type Edit, elementsOf, memberOf, type Message, stringAt, textOf } from "../wire/mod.ts";
import { listHead, ownResult } from "./answers.ts";
import type { ClientCall } from "./call.ts";
import { START_WAIT_MS } from "./directory.ts";
import { offerResult, recordBytes, recordCall, startsLikeRows } from "./interception.ts";
import type { ClientSession } from "./session.ts";
import { noteTask } from "./tasks.ts";
import { unknownTool } from "./unknown_names.ts";

/** Bytes of a result that is searched for resource links. */
const LINK_SEARCH_BYTES_MAX = 256 * 1024;

/** Answers `tools/list`: one page, whatever the servers have. */
export async function listTools(client: ClientSession, call: ClientCall): Promise<void> {
  if (call.text("cursor") !== undefined) return call.fail(CODE.invalidParams, "Invalid cursor: there is one page");
  await client.gateway.listed(START_WAIT_MS);
  client.parts.engine.start();
  client.hasListedTools = true;
  const head = listHead("tools", call.era, !client.gateway.isStarting, client.parts.serverInfo);
  call.respond(head, client.gateway.tools.listing, bytesOf("}"));
}

/** Serves `tools/call`. */
export function callTool(client: ClientSession, call: ClientCall): void {
  const name = call.text("name");
  if (name === undefined) return call.fail(CODE.invalidParams, "Invalid params: name must be a string");
  if (client.parts.ownTools.some((tool) => tool.name === name)) return callOwn(client, call, name);
  const { tools } = client.gateway;
  const refreshed = tools.refresh();
  const route = refreshed ? undefined : tools.routeOf(name);
  if (route) callRoute(client, call, route, name);
  else findLater(client, call, name).catch((error) => call.fail(CODE.internal, String(error)));
}

/** A name that isn't known yet may belong to a server that is still starting. */
async function findLater(client: ClientSession, call: ClientCall, name: string): Promise<void> {
  const { gateway } = client;
  await gateway.tools.refresh();
  if (!gateway.tools.routeOf(name)) await gateway.listed(START_WAIT_MS);
  const route = gateway.tools.routeOf(name);
  if (call.isEnded) return;
  if (route) return callRoute(client, call, route, name);
  unknownTool(client, call, name);
}

function callRoute(client: ClientSession, call: ClientCall, route: ToolRoute, name: string): void {
  const span = call.parts.name;
  const edits: Edit[] = route.own === name || !span ? [] : [{ start: span.start, end: span.end, bytes: route.ownJson }];
  client.relay(call, route.server, edits, (answeredCall, answer, relay) => {
    if (answer.kind === "error" || !answer.outcome) {
      recordCall(client, route, answer, "error");
      return relay.passOn(answer);
    }
    if (call.parts.task && !noteTask(client, answer, route, relay)) {
      return answeredCall.fail(CODE.internal, foreignTask(route));
    }
    noteLinks(client, answer, route.server.name);
    offerResult(client, answeredCall, answer, { route, args: () => call.arguments }, () => relay.passOn(answer));
  }, streamingOf(client, call, route));
}

function foreignTask({ server }: ToolRoute): string {
  return `Server "${server.name}" answered with a task whose id another server's task has: ` +
    "the task may be running there, but its result can't be asked for. Call the tool without a task, or try again";
}

/** A large answer without any rows may pass as it arrives, while nobody else waits for the client's ear. */
function streamingOf(
  client: ClientSession,
  call: ClientCall,
  route: ToolRoute,
): { mayStream(head: Uint8Array): boolean; streamed(byteLength: number): void } {
  const { interceptModeOf } = route.server.config;
  return {
    mayStream: (head) =>
      client.hasOneCall && !call.parts.task && (interceptModeOf(route.own) === "never" || !startsLikeRows(head)),
    streamed: (byteLength) => recordBytes(client, route, "passed", byteLength),
  };
}

function callOwn(client: ClientSession, call: ClientCall, name: string): void {
  const abort = new AbortController();
  call.onCancel = () => abort.abort();
  client.parts.engine.start();
  client.parts.engine.call(name, call.arguments, abort.signal).then(
    (result) => call.respond(...ownResult(result, call.era)),
    (error) => call.fail(CODE.internal, String(error)),
  );
}

/** Remembers which server named a URI, so that it can be read from there. */
function noteLinks(client: ClientSession, answer: Message, server: string): void {
  const { bytes, outcome } = answer;
  if (!outcome || outcome.end - outcome.start > LINK_SEARCH_BYTES_MAX) return;
  const text = textOf(bytes.subarray(outcome.start, outcome.end));
  // A name may be written in escapes as well.
  if (!text.includes('"uri"') && !text.includes("\\u00")) return;
  const content = memberOf(bytes, outcome.start, "content");
  for (const block of content ? elementsOf(bytes, content.start) ?? [] : []) {
    if (memberOf(bytes, block.start, "text")) continue;
    const resource = memberOf(bytes, block.start, "resource");
    const uri = stringAt(bytes, memberOf(bytes, resource?.start ?? block.start, "uri"));
    if (uri !== undefined) client.directory.uris.mention(server, uri);
  }
}
