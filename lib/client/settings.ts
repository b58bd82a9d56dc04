/** What concerns every server at once: the log level, notifications of the client, and methods that loom doesn't know. @module */

import { CODE, recordOf } from "../gateway/mod.ts";
import { bytesOf, type Message, valueOf } from "../wire/mod.ts";
import type { ClientCall } from "./call.ts";
import { START_WAIT_MS } from "./directory.ts";
import type { ClientSession } from "./session.ts";

const SET_LEVEL_TIMEOUT_MS = 10_000;

/** Serves `logging/setLevel`: every server that logs is told, also those that start later. */
export async function setLevel(client: ClientSession, call: ClientCall): Promise<void> {
  const level = call.text("level");
  const servers = client.directory.serversWith("logging");
  const only = servers[0];
  const legacy = servers.filter((server) => server.session?.hello.era === "legacy");
  client.logLevel = level;
  if (legacy.length === 1 && servers.length === 1 && only) return client.relay(call, only, []);
  const params = JSON.stringify({ level });
  const answers = await Promise.all(
    legacy.map((server) =>
      server.session?.ask("logging/setLevel", params, SET_LEVEL_TIMEOUT_MS).catch(() => undefined)
    ),
  );
  const errors = answers.filter((answer) => answer?.kind === "error");
  const [error] = errors;
  if (error && errors.length === answers.length) return call.passOn(error);
  call.respond(bytesOf("{}"));
}

/** Hands a notification of the client to every server that may understand it. */
export function broadcast(client: ClientSession, message: Message): void {
  for (const { session } of client.gateway.servers) {
    if (!session) continue;
    if (message.method === "notifications/roots/list_changed" && session.hello.era === "modern") continue;
    session.send([message.bytes]);
  }
}

/** A method that loom doesn't know: the first server that does serves it. */
export async function vendorRequest(client: ClientSession, call: ClientCall): Promise<void> {
  await client.gateway.settled(START_WAIT_MS);
  tryServers(client, call, 0);
}

function tryServers(client: ClientSession, call: ClientCall, index: number): void {
  const running = client.gateway.servers.filter((server) => server.session);
  const server = running[index];
  if (!server) return call.fail(CODE.methodNotFound, `Method not found: ${call.message.method}`);
  client.relay(call, server, [], (_call, answer, relay) => {
    const unknown = answer.kind === "error" &&
      recordOf(valueOf(answer.bytes, answer.outcome))["code"] === CODE.methodNotFound;
    if (unknown && index + 1 < running.length) tryServers(client, call, index + 1);
    else relay.passOn(answer);
  });
}
