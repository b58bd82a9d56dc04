/** loom as a whole: the servers, the engine and the proxy between them and a client. @module */

import type { LoomConfig } from "./config.ts";
import type { Engine } from "./engine/messages.ts";
import { Directory } from "./client/directory.ts";
import type { ClientStreams } from "./client/port.ts";
import { Gateway, type GatewayEvents } from "./gateway/mod.ts";
import { type Ledger, NO_LEDGER } from "./ledger.ts";
import type { Log } from "./log.ts";
import { OWN_INSTRUCTIONS, OWN_TOOLS } from "./own_tools.ts";
import { Proxy } from "./proxy.ts";
import manifest from "../deno.json" with { type: "json" };

export type { ClientStreams } from "./client/port.ts";

/** What a loom is made of beside its configuration. */
export interface LoomOptions {
  /** Where large results go. It is stopped together with loom. */
  readonly engine: Engine;
  /** Receives what happens. */
  readonly log: Log;
  /** Where calls are written down; nowhere when absent. Whoever opened it closes it. */
  readonly ledger?: Ledger | undefined;
}

/** One loom: it serves one client, once. */
export interface Loom {
  /**
   * Serves a client on two byte streams until it ends its input, or {@link Loom.stop} is called. Resolves when every
   * server and everything it started is gone.
   *
   * @throws LoomError `SERVER_UNAVAILABLE` when every server failed to start; the message says why for each.
   */
  serve(streams: ClientStreams): Promise<void>;
  /** Makes {@link Loom.serve} end in good order. A second call ends the servers at once. */
  stop(): void;
}

/** A loom for a configuration. Nothing is started before a client says so. */
export function createLoom(config: LoomConfig, options: LoomOptions): Loom {
  let proxy: Proxy | undefined;
  let stopped = false;
  return {
    async serve(streams) {
      proxy = connect(config, options, streams);
      if (stopped) proxy.stop();
      const { gateway } = proxy.client;
      try {
        await proxy.serve();
      } finally {
        await Promise.all([gateway.stop(), options.engine.stop()]);
      }
    },
    stop() {
      if (stopped) proxy?.client.gateway.kill();
      stopped = true;
      proxy?.stop();
    },
  };
}

function connect(config: LoomConfig, { engine, log, ledger = NO_LEDGER }: LoomOptions, streams: ClientStreams): Proxy {
  const events: GatewayEvents = {
    request: (server, session, message) => proxy.request(server, session, message),
    notification: (server, session, message) => proxy.notification(server, session, message),
    toolsChanged: () => proxy.toolsChanged(),
    ready: (server, session) => proxy.ready(server, session),
  };
  const gateway = new Gateway(config, {
    log,
    ownTools: OWN_TOOLS,
    events,
    pause: (server) => proxy.client.port.pause(server),
  });
  const serverInfo = JSON.stringify({ name: "loom", title: "loom", version: manifest.version });
  const directory = new Directory(gateway, { log, serverInfo, lengthMax: config.toolNameMaxLength });
  const proxy: Proxy = new Proxy({
    config,
    gateway,
    engine,
    directory,
    ownTools: OWN_TOOLS,
    ownInstructions: OWN_INSTRUCTIONS,
    serverInfo,
    log,
    ledger,
  }, streams);
  return proxy;
}
