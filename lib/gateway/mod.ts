/** The gateway: every server of the configuration, started side by side and known by one catalogue. @module */

import type { LoomConfig } from "../config.ts";
import type { Log } from "../log.ts";
import type { Message } from "../wire/mod.ts";
import { type OwnTool, ToolCatalog } from "./catalog.ts";
import type { ClientProfile } from "./revisions.ts";
import type { Session } from "./session.ts";
import { Server } from "./supervisor.ts";

export type { OwnTool, ToolRoute } from "./catalog.ts";
export { modernMeta, recordOf } from "./handshake.ts";
export { type Entry, ListError, type ListName, LISTS, readList, renamed } from "./lists.ts";
export { baseName, NameTable } from "./names.ts";
export {
  type ClientProfile,
  CODE,
  type Era,
  LATEST_LEGACY_REVISION,
  LEGACY_REVISIONS,
  META,
  MODERN_REVISION,
} from "./revisions.ts";
export { type Exchange, type Hello, Session } from "./session.ts";
export { Server } from "./supervisor.ts";

/** What the gateway tells the proxy. */
export interface GatewayEvents {
  request(server: Server, session: Session, message: Message): void;
  notification(server: Server, session: Session, message: Message): void;
  /** The list of tools is another than before. */
  toolsChanged(): void;
  /** A server has begun to take calls. */
  ready(server: Server, session: Session): void;
}

/** What a gateway needs beside the configuration. */
export interface GatewayOptions {
  readonly log: Log;
  readonly ownTools: readonly OwnTool[];
  readonly events: GatewayEvents;
  /** What reading from a server waits for while the client is slow. */
  readonly pause: (server: Server) => Promise<void> | undefined;
}

/** All servers of a configuration. */
export class Gateway {
  readonly servers: readonly Server[];
  readonly tools: ToolCatalog;
  readonly #events: GatewayEvents;

  constructor(config: LoomConfig, options: GatewayOptions) {
    const { log, events, pause, ownTools } = options;
    this.#events = events;
    this.tools = new ToolCatalog({ lengthMax: config.toolNameMaxLength, ownTools, log });
    this.servers = config.servers.map((settings) => {
      const server: Server = new Server(settings, {
        restart: config.restart,
        log,
        pause: () => pause(server),
        events: {
          request: (session, message) => events.request(server, session, message),
          notification: (session, message) => this.#notified(server, session, message),
          noise: (sample) =>
            log("warn", "gateway", `server "${settings.name}" writes to stdout what is no message: ${sample}`),
          toolsChanged: () => this.#toolsChanged(),
          ready: (session) => events.ready(server, session),
        },
      });
      return server;
    });
  }

  /** Starts every server; later calls do nothing. */
  start(profile: ClientProfile): void {
    for (const server of this.servers) server.start(profile);
  }

  /** Resolves when every server has started or failed to, at the latest after `ms`. */
  settled(ms: number): Promise<void> {
    return within(ms, Promise.all(this.servers.map((server) => server.settled)));
  }

  /** Resolves when the tools of every server are in the catalogue, at the latest after `ms`. */
  async listed(ms: number): Promise<void> {
    await within(ms, Promise.all(this.servers.map((server) => server.listed)));
    await this.tools.refresh();
  }

  /** Whether the first start of some server is still under way. */
  get isStarting(): boolean {
    return this.servers.some((server) => server.state === "starting" || server.state === "idle");
  }

  /** Whether no server could be started. */
  get isHopeless(): boolean {
    return this.servers.every(({ state, hasServed }) => !hasServed && (state === "failed" || state === "waiting"));
  }

  /** Ends every server, side by side. Resolves when all processes are gone. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  /** Ends every server at once; {@link stop} still has to be waited for. */
  kill(): void {
    for (const server of this.servers) server.kill();
  }

  #notified(server: Server, session: Session, message: Message): void {
    if (message.method === "notifications/tools/list_changed") server.relist();
    else this.#events.notification(server, session, message);
  }

  #toolsChanged(): void {
    this.tools.invalidate(this.servers);
    this.#events.toolsChanged();
  }
}

/** Waits for a promise, but no longer than a time. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, Math.max(0, ms)));
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}
