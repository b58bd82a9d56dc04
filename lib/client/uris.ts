/** Resource URIs of several servers under one roof: left as they are, and told apart where two servers have the same. @module */

import { globMatches } from "../globs.ts";

/** A URI of a server. */
export interface Located {
  readonly server: string;
  readonly uri: string;
}

/** URIs seen in results that are remembered. */
const LINKS_MAX = 10_000;
const ALIAS_REGEXP = /^loom:\/\/([a-z][a-z0-9_]*)\/(.+)$/s;
const EXPRESSION_REGEXP = /\{[^{}]*\}/g;
const ORIGIN_REGEXP = /^[^:/?#]+:(?:\/\/[^/?#]*)?/;

/** Who owns which URI. */
export class UriTable {
  readonly #owners = new Map<string, string>();
  readonly #links = new Map<string, string>();

  /** The URI under which a client sees a server's own one. The first server to claim it keeps it as it is. */
  claim(server: string, uri: string): string {
    const owner = this.#owners.get(uri);
    if (owner === undefined) this.#owners.set(uri, server);
    return owner === undefined || owner === server ? uri : aliasOf(server, uri);
  }

  /** How a client knows a URI that a server has named: under its alias if another server owns it. */
  exposed(server: string, uri: string): string {
    const owner = this.#owners.get(uri);
    return owner === undefined || owner === server ? uri : aliasOf(server, uri);
  }

  /** A result of a server has mentioned this URI. */
  mention(server: string, uri: string): void {
    this.#links.delete(uri);
    this.#links.set(uri, server);
    const oldest = this.#links.keys().next();
    if (this.#links.size > LINKS_MAX && !oldest.done) this.#links.delete(oldest.value);
  }

  /** The servers that may know a URI, the likeliest first, out of `servers`; with the URI as they know it. */
  candidates(uri: string, servers: readonly string[]): Located[] {
    const alias = ALIAS_REGEXP.exec(uri);
    const [, server, own] = alias ?? [];
    if (server !== undefined && own !== undefined && servers.includes(server) && !this.#owners.has(uri)) {
      return [{ server, uri: own }];
    }
    const ranked = servers.map((name, order) => ({ name, rank: this.#rank(uri, name), order }));
    ranked.sort((a, b) => a.rank - b.rank || a.order - b.order);
    const likeliest = ranked[0];
    // An owner is certain; nobody else is asked.
    const chosen = likeliest?.rank === 0 ? [likeliest] : ranked;
    return chosen.map(({ name }) => ({ server: name, uri }));
  }

  #rank(uri: string, server: string): number {
    if (this.#owners.get(uri) === server) return 0;
    if (this.#links.get(uri) === server) return 1;
    let rank = 4;
    const origin = ORIGIN_REGEXP.exec(uri)?.[0];
    for (const [known, owner] of this.#owners) {
      if (owner !== server) continue;
      if (known.includes("{") && templateMatches(known, uri)) return 2;
      if (origin !== undefined && known.startsWith(origin)) rank = 3;
    }
    return rank;
  }
}

/** A URI that only one server can have. Any server's resource can be read under it. */
export function aliasOf(server: string, uri: string): string {
  return `loom://${server}/${uri}`;
}

function templateMatches(template: string, uri: string): boolean {
  return globMatches(template.replaceAll(EXPRESSION_REGEXP, "*"), uri);
}
