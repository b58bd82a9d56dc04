/** What all servers offer together: one list upward, and the way back from a name to its server. @module */

import type { Log } from "../log.ts";
import { bytesOf, concat } from "../wire/mod.ts";
import { baseName, type Named, NameTable } from "./names.ts";
import type { Server } from "./supervisor.ts";

/** A tool of loom itself, as it stands in the list. */
export interface OwnTool {
  readonly name: string;
  /** JSON text of the definition. */
  readonly definition: string;
}

/** A tool of a server. */
export interface ToolRoute {
  readonly server: Server;
  /** The server's own name of it. */
  readonly own: string;
  /** The same as JSON text. */
  readonly ownJson: Uint8Array;
}

/** The tools of all servers, under their exposed names. */
export class ToolCatalog {
  readonly #names: NameTable;
  readonly #lengthMax: number;
  readonly #ownTools: readonly OwnTool[];
  readonly #log: Log;
  readonly #bases = new Map<string, string>();
  #routes = new Map<string, ToolRoute>();
  #plain = new Map<string, ToolRoute | "ambiguous">();
  #listing: Uint8Array;
  #stale: readonly Server[] | undefined;
  #building: Promise<void> | undefined;

  constructor(options: { readonly lengthMax: number; readonly ownTools: readonly OwnTool[]; readonly log: Log }) {
    this.#lengthMax = options.lengthMax;
    this.#ownTools = options.ownTools;
    this.#log = options.log;
    this.#names = new NameTable(options.lengthMax, options.ownTools.map((tool) => tool.name));
    this.#listing = listingOf([], options.ownTools);
  }

  /** JSON text of the array of all tools: servers in the order of the configuration, loom's own last. */
  get listing(): Uint8Array {
    return this.#listing;
  }

  /** The exposed names of the servers' tools. */
  get names(): Iterable<string> {
    return this.#routes.keys();
  }

  /** The tool of an exposed name, or of a server's own name that only one server has. */
  routeOf(name: string): ToolRoute | undefined {
    const route = this.#routes.get(name);
    if (route) return route;
    const plain = this.#plain.get(name);
    return plain === "ambiguous" ? undefined : plain;
  }

  /** The servers offer something else now. Names are given when the catalogue is next looked at, not before. */
  invalidate(servers: readonly Server[]): void {
    this.#stale = servers;
  }

  /**
   * Makes the catalogue say what the servers offer; undefined when it does. Servers that are listed by the first look
   * get their names in the order of the configuration, whichever of them was quicker.
   */
  refresh(): Promise<void> | undefined {
    if (!this.#stale) return this.#building;
    const servers = this.#stale;
    this.#stale = undefined;
    const building: Promise<void> = (this.#building ?? Promise.resolve()).then(() => this.#build(servers)).finally(
      () => {
        if (this.#building === building) this.#building = undefined;
      },
    );
    this.#building = building;
    return building;
  }

  async #build(servers: readonly Server[]): Promise<void> {
    const routes = new Map<string, ToolRoute>();
    const plain = new Map<string, ToolRoute | "ambiguous">();
    const definitions: Uint8Array[] = [];
    for (const server of servers) {
      for (const tool of server.tools) {
        const base = await this.#base(server.name, tool.own);
        const name = this.#nameFor({ server: server.name, own: tool.own, base });
        const route = { server, own: tool.own, ownJson: bytesOf(JSON.stringify(tool.own)) };
        routes.set(name, route);
        plain.set(tool.own, plain.has(tool.own) ? "ambiguous" : route);
        definitions.push(tool.listedAs(name));
      }
    }
    this.#routes = routes;
    this.#plain = plain;
    this.#listing = listingOf(definitions, this.#ownTools);
  }

  async #base(server: string, own: string): Promise<string> {
    const key = `${server}/${own}`;
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    const base = await baseName(server, own, this.#lengthMax);
    this.#bases.set(key, base);
    return base;
  }

  #nameFor(item: Named): string {
    const { name, collided } = this.#names.nameFor(item);
    if (collided) {
      const own = JSON.stringify(item.own);
      this.#log(
        "warn",
        "gateway",
        `tool ${own} of server "${item.server}" is exposed as ${name}: ${item.base} is taken`,
      );
    }
    return name;
  }
}

const COMMA = bytesOf(",");

function listingOf(definitions: readonly Uint8Array[], ownTools: readonly OwnTool[]): Uint8Array {
  const parts: Uint8Array[] = [bytesOf("[")];
  for (const definition of [...definitions, ...ownTools.map((tool) => bytesOf(tool.definition))]) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(definition);
  }
  parts.push(bytesOf("]"));
  return concat(parts);
}
