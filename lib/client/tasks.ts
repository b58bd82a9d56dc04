/** Tasks of revision 2025-11-25: which server runs which, and what its result came from. @module */

import { CODE, type ToolRoute } from "../gateway/mod.ts";
import { bytesOf, elementsOf, memberOf, type Message, stringAt, valueAt } from "../wire/mod.ts";
import type { ClientCall } from "./call.ts";
import type { Relay } from "./relay.ts";
import type { ClientSession } from "./session.ts";
import { offerResult } from "./interception.ts";

const LIST_TIMEOUT_MS = 10_000;

/**
 * A call was answered with a task: its progress and its result belong to this server. False when another server has a
 * task of that id, so that this one could not be told from it.
 */
export function noteTask(client: ClientSession, answer: Message, route: ToolRoute, relay: Relay): boolean {
  const span = answer.outcome && valueAt(answer.bytes, answer.outcome.start, ["task", "taskId"]);
  const taskId = stringAt(answer.bytes, span);
  if (taskId === undefined) return true;
  const args = relay.call?.arguments?.slice();
  if (!client.tasks.add(taskId, route.server, { route, args: () => args })) return false;
  relay.session.keepProgress(relay.id, relay);
  return true;
}

/** Serves `tasks/get`, `tasks/cancel` and `tasks/result`. */
export function serveTask(client: ClientSession, call: ClientCall): void {
  const taskId = call.text("taskId");
  const known = taskId === undefined ? undefined : client.tasks.find(taskId);
  const servers = client.directory.serversWith("tasks");
  const server = known?.server ?? (servers.length === 1 ? servers[0] : undefined);
  if (!server) return call.fail(CODE.invalidParams, "Unknown task");
  const origin = known?.origin;
  if (call.message.method !== "tasks/result" || !origin) return client.relay(call, server, []);
  client.relay(call, server, [], (waiting, answer, relay) => {
    if (answer.kind === "error") relay.passOn(answer);
    else offerResult(client, waiting, answer, origin, () => relay.passOn(answer));
  });
}

/** Serves `tasks/list` with the tasks of all servers. */
export async function listTasks(client: ClientSession, call: ClientCall): Promise<void> {
  const servers = client.directory.serversWith("tasks");
  const only = servers[0];
  if (servers.length === 1 && only) return client.relay(call, only, []);
  const pieces: Uint8Array[] = [];
  for (const server of servers) {
    const answer = await server.session?.ask("tasks/list", "{}", LIST_TIMEOUT_MS).catch(() => undefined);
    const span = answer?.outcome && memberOf(answer.bytes, answer.outcome.start, "tasks");
    for (const element of answer && span ? elementsOf(answer.bytes, span.start) ?? [] : []) {
      const bytes = answer?.bytes.subarray(element.start, element.end);
      if (!bytes) continue;
      const taskId = stringAt(bytes, memberOf(bytes, 0, "taskId"));
      if (taskId !== undefined && !client.tasks.find(taskId)) client.tasks.add(taskId, server, undefined);
      pieces.push(...(pieces.length > 0 ? [bytesOf(",")] : []), bytes);
    }
  }
  call.respond(bytesOf('{"tasks":['), ...pieces, bytesOf("]}"));
}
