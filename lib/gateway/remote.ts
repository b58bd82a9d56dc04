/** A server behind a URL, over Streamable HTTP. @module */

import type { ServerConfig } from "../config.ts";
import { LoomError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";

/** Opens a connection to a remote server. */
export function openRemote(config: ServerConfig, _events: ConnectionEvents, _log: Log): Connection {
  throw new LoomError("SERVER_UNAVAILABLE", `Cannot start "${config.name}": remote servers are not built yet`);
}
