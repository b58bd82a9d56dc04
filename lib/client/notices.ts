/** What servers say unasked: requests and notifications on their way to the client. @module */

import { recordOf, type Server, type Session } from "../gateway/mod.ts";
import { bytesOf, memberOf, type Message, stringAt, valueOf } from "../wire/mod.ts";
import type { DirectoryList } from "./directory.ts";
import { tellWatch } from "./resources.ts";
import type { ClientSession } from "./session.ts";
import { CHANGES, forLegacy } from "./subscriptions.ts";
import { refuse } from "./suspensions.ts";

/** Log levels, least severe first. */
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
/** Shortest time between two notifications of one server's changed list. */
export const CHANGE_INTERVAL_MS = 500;
const SET_LEVEL_TIMEOUT_MS = 10_000;

/** Which lists a change of a server's makes stale. */
const STALE: Readonly<Record<string, readonly DirectoryList[]>> = {
  "notifications/prompts/list_changed": ["prompts"],
  "notifications/resources/list_changed": ["resources", "resourceTemplates"],
};

/** A server asks something of the client. */
export function forwardRequest(client: ClientSession, server: Server, session: Session, message: Message): void {
  const era = client.profile?.era ?? "legacy";
  if (message.method === "ping" && (era === "modern" || !client.isInitialized)) return answerPing(session, message);
  if (era === "modern") client.suspensions.ask(server, session, message);
  else if (client.isInitialized) client.asks.forward(session, message);
  else refuse(session, message, "the client isn't initialized yet");
}

function answerPing(session: Session, message: Message): void {
  if (!message.id) return;
  const id = message.bytes.subarray(message.id.start, message.id.end);
  session.send([bytesOf('{"jsonrpc":"2.0","id":'), id, bytesOf(',"result":{}}')]);
}

/** A server tells something. */
export function forwardNotification(client: ClientSession, server: Server, session: Session, message: Message): void {
  const { method } = message;
  const isModern = client.profile?.era === "modern";
  if (method === "notifications/cancelled") {
    client.asks.cancelled(session, message);
    client.suspensions.cancelled(session, message);
  } else if (method === "notifications/resources/updated") {
    forwardUpdate(client, server, message, isModern);
  } else if (Object.hasOwn(CHANGES, method)) {
    for (const list of STALE[method] ?? []) client.directory.forget(server, list);
    tellChange(client, method);
  } else if (method === "notifications/subscriptions/acknowledged") {
    return;
  } else if (method === "notifications/message" && isModern && session.hello.era === "legacy") {
    if (wantsMessage(client, session, message)) client.port.send([message.bytes]);
  } else {
    client.port.send(isModern ? [message.bytes] : forLegacy(message, undefined));
  }
}

function forwardUpdate(client: ClientSession, server: Server, message: Message, isModern: boolean): void {
  const own = stringAt(message.bytes, message.params && memberOf(message.bytes, message.params.start, "uri"));
  if (own === undefined) return;
  const uri = client.directory.uris.exposed(server.name, own);
  if (isModern) client.subscriptions.updated(message, uri);
  else client.port.send(forLegacy(message, uri));
}

/** A server has come late, or come back: what it lists may be new to the client. */
export function tellArrival(client: ClientSession, server: Server, session: Session): void {
  const { capabilities } = session.hello;
  for (const [method, lists] of Object.entries(STALE)) {
    if (capabilities[lists[0] ?? ""] === undefined) continue;
    for (const list of lists) client.directory.forget(server, list);
    tellChange(client, method);
  }
}

/** Tells the client of a changed list; a flood of changes is told twice a second at most. */
export function tellChange(client: ClientSession, method: string): void {
  const recent = client.recentChanges.get(method);
  if (recent) {
    recent.again = true;
    return;
  }
  const timer = setTimeout(() => {
    const { again } = change;
    client.recentChanges.delete(method);
    if (again) tellChange(client, method);
  }, CHANGE_INTERVAL_MS);
  const change = { again: false, timer };
  client.recentChanges.set(method, change);
  sendChange(client, method);
}

function sendChange(client: ClientSession, method: string): void {
  if (client.profile?.era === "modern") client.subscriptions.changed(method);
  else if (client.isInitialized) client.port.send([bytesOf(`{"jsonrpc":"2.0","method":"${method}"}`)]);
}

/** Whether some open request of a modern client asked for messages of this level. */
function wantsMessage(client: ClientSession, session: Session, message: Message): boolean {
  const { level } = recordOf(valueOf(message.bytes, message.params));
  const rank = LEVELS.indexOf(String(level));
  for (const relay of client.relays) {
    const wanted = relay.session === session ? relay.call?.text("logLevel") : undefined;
    if (wanted !== undefined && rank >= LEVELS.indexOf(wanted)) return true;
  }
  return false;
}

/** A server has begun to take calls: it is told what the client has set and subscribed to before. */
export function introduce(client: ClientSession, server: Server, session: Session): void {
  const { capabilities, era } = session.hello;
  if (era === "modern") return client.subscriptions.openStream(server, session);
  if (client.logLevel !== undefined && capabilities["logging"] !== undefined) setLevel(session, client.logLevel);
  for (const uri of client.subscriptions.watchedOf(server.name)) tellWatch(server, uri, true);
}

/** A modern client asks for log messages per request; a legacy server has one level for all. */
export function raiseLevel(session: Session, level: string | undefined): void {
  if (level === undefined || session.hello.era === "modern" || session.hello.capabilities["logging"] === undefined) {
    return;
  }
  const known = levels.get(session);
  if (known !== undefined && LEVELS.indexOf(known) <= LEVELS.indexOf(level)) return;
  levels.set(session, level);
  setLevel(session, level);
}

const levels = new WeakMap<Session, string>();

function setLevel(session: Session, level: string): void {
  session.ask("logging/setLevel", JSON.stringify({ level }), SET_LEVEL_TIMEOUT_MS).catch(() => {});
}
