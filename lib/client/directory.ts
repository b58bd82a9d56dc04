/** Lists of all servers as one: prompts, resources and templates, fetched when asked for. @module */

import {
  baseName,
  CODE,
  type Entry,
  type Gateway,
  ListError,
  type ListName,
  LISTS,
  NameTable,
  readList,
  renamed,
  type Server,
} from "../gateway/mod.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { bytesOf } from "../wire/mod.ts";
import { listHead } from "./answers.ts";
import type { ClientCall } from "./call.ts";
import { UriTable } from "./uris.ts";

/** Time for one page of a list. */
const PAGE_TIMEOUT_MS = 10_000;
/** Time that a list waits for servers that are still starting. */
export const START_WAIT_MS = 10_000;

/** Lists beside the tools. */
export type DirectoryList = Exclude<ListName, "tools">;

const CAPABILITY: Record<DirectoryList, string> = {
  prompts: "prompts",
  resources: "resources",
  resourceTemplates: "resources",
};

/** What the servers list beside tools, and which of them a name or a URI leads to. */
export class Directory {
  readonly uris = new UriTable();
  readonly #gateway: Gateway;
  readonly #log: Log;
  readonly #serverInfo: string;
  readonly #lengthMax: number;
  readonly #promptNames: NameTable;
  /** Lists that were read since the server last said that they changed. */
  readonly #read = new Set<string>();

  constructor(
    gateway: Gateway,
    options: { readonly log: Log; readonly serverInfo: string; readonly lengthMax: number },
  ) {
    this.#gateway = gateway;
    this.#log = options.log;
    this.#serverInfo = options.serverInfo;
    this.#lengthMax = options.lengthMax;
    this.#promptNames = new NameTable(options.lengthMax);
  }

  /** The running servers that have a capability, in the order of the configuration. */
  serversWith(capability: string): Server[] {
    return this.#gateway.servers.filter((server) => server.session?.hello.capabilities[capability] !== undefined);
  }

  /** Answers a list request with the lists of all servers, in one page. */
  async answer(call: ClientCall, list: DirectoryList): Promise<void> {
    if (call.text("cursor") !== undefined) return call.fail(CODE.invalidParams, "Invalid cursor: there is one page");
    await this.#gateway.settled(START_WAIT_MS);
    const servers = this.serversWith(CAPABILITY[list]);
    const results = await Promise.allSettled(servers.map((server) => this.#fetch(server, list)));
    const only = results[0];
    if (results.length === 1 && only?.status === "rejected" && only.reason instanceof ListError) {
      return call.passOn(only.reason.answer);
    }
    const pieces: Uint8Array[] = [];
    for (const [i, result] of results.entries()) {
      const server = servers[i];
      if (!server || result.status === "rejected") continue;
      for (const entry of result.value) {
        if (pieces.length > 0) pieces.push(bytesOf(","));
        pieces.push(...renamed(entry, await this.#exposedKey(server, list, entry)));
      }
    }
    const complete = !this.#gateway.isStarting && results.every((result) => result.status === "fulfilled");
    const head = listHead(LISTS[list].array, call.era, complete, this.#serverInfo);
    call.respond(head, bytesOf("["), ...pieces, bytesOf("]}"));
  }

  /** The server of a prompt and the name it knows, by the exposed name or one that only one server has. */
  async promptOf(name: string): Promise<{ server: Server; own: string } | undefined> {
    const known = this.#promptByName(name);
    if (known) return known;
    await this.ensure("prompts");
    return this.#promptByName(name) ?? this.#promptByOwnName(name);
  }

  /** Makes sure that every server's list was read since it last changed. */
  async ensure(list: DirectoryList): Promise<void> {
    await this.#gateway.settled(START_WAIT_MS);
    const unread = this.serversWith(CAPABILITY[list]).filter((server) => !this.#read.has(`${list} ${server.name}`));
    const results = await Promise.allSettled(unread.map((server) => this.#fetch(server, list)));
    for (const [i, result] of results.entries()) {
      const server = unread[i];
      if (!server || result.status === "rejected") continue;
      for (const entry of result.value) await this.#exposedKey(server, list, entry);
    }
  }

  /** A server's lists are others than before. */
  forget(server: Server, list: DirectoryList): void {
    this.#read.delete(`${list} ${server.name}`);
  }

  async #fetch(server: Server, list: DirectoryList): Promise<Entry[]> {
    const { session } = server;
    if (!session) return [];
    try {
      const entries = await readList(session, list, {
        timeoutMs: PAGE_TIMEOUT_MS,
        warn: (message) => this.#log("warn", "gateway", `server "${server.name}": ${message}`),
      });
      this.#read.add(`${list} ${server.name}`);
      this.#keep(server, list, entries);
      return entries;
    } catch (error) {
      this.#log("warn", "gateway", `server "${server.name}": ${LISTS[list].method} failed: ${messageOf(error)}`);
      throw error;
    }
  }

  async #exposedKey(server: Server, list: DirectoryList, entry: Entry): Promise<string> {
    if (list !== "prompts") return this.uris.claim(server.name, entry.key);
    const base = await baseName(server.name, entry.key, this.#lengthMax);
    return this.#promptNames.nameFor({ server: server.name, own: entry.key, base }).name;
  }

  readonly #ownPrompts = new Map<string, readonly string[]>();

  #keep(server: Server, list: DirectoryList, entries: readonly Entry[]): void {
    if (list === "prompts") this.#ownPrompts.set(server.name, entries.map((entry) => entry.key));
  }

  #promptByName(name: string): { server: Server; own: string } | undefined {
    const item = this.#promptNames.itemOf(name);
    const server = item && this.#gateway.servers.find((candidate) => candidate.name === item.server);
    return server && item ? { server, own: item.own } : undefined;
  }

  #promptByOwnName(name: string): { server: Server; own: string } | undefined {
    const owners = this.#gateway.servers.filter((server) => this.#ownPrompts.get(server.name)?.includes(name));
    const owner = owners[0];
    return owners.length === 1 && owner ? { server: owner, own: name } : undefined;
  }
}
