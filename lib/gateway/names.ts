/** Exposed names: `<server>_<tool>`, safe for every client, each pointing at one tool of one server. @module */

import { bytesOf } from "../wire/mod.ts";

/** Hexadecimal digits of the hash that stands for the cut part of a long name. */
const HASH_DIGITS = 8;

const UNSAFE_REGEXP = /[^A-Za-z0-9_-]/gu;

/** What a name stands for: an item (a tool, a prompt) of a server. */
export interface Named {
  /** The server's name in the configuration. */
  readonly server: string;
  /** The item's own name, as the server calls it. */
  readonly own: string;
  /** Its name before collisions are resolved, made by {@link baseName}. */
  readonly base: string;
}

/** The exposed name of an item before collisions are resolved. At most `lengthMax` characters. */
export async function baseName(server: string, own: string, lengthMax: number): Promise<string> {
  const prefix = `${server}_`.replace(UNSAFE_REGEXP, "_");
  const name = prefix + own.replace(UNSAFE_REGEXP, "_");
  if (name.length <= lengthMax) return name;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(`${server}_${own}`).slice()));
  return name.slice(0, lengthMax - HASH_DIGITS - 1) + "_" + digest.toHex().slice(0, HASH_DIGITS);
}

/**
 * The two-way map between exposed names and items. A name once given stays given for as long as the table lives, so that
 * a name which a client has seen never comes to mean something else.
 */
export class NameTable {
  readonly #lengthMax: number;
  readonly #reserved: ReadonlySet<string>;
  readonly #byName = new Map<string, Named>();
  readonly #byItem = new Map<string, string>();

  /**
   * @param lengthMax Characters of the longest name.
   * @param reserved Names that no item may get.
   */
  constructor(lengthMax: number, reserved: Iterable<string> = []) {
    this.#lengthMax = lengthMax;
    this.#reserved = new Set(reserved);
  }

  /** The exposed name of an item; a taken name gets `_2`, `_3`, … in the order of calls. */
  nameFor(item: Named): { readonly name: string; readonly collided: boolean } {
    const key = itemKey(item.server, item.own);
    const known = this.#byItem.get(key);
    if (known !== undefined) return { name: known, collided: false };
    let name = item.base;
    for (let n = 2; this.#byName.has(name) || this.#reserved.has(name); n++) {
      const suffix = `_${n}`;
      name = item.base.slice(0, this.#lengthMax - suffix.length) + suffix;
    }
    this.#byName.set(name, item);
    this.#byItem.set(key, name);
    return { name, collided: name !== item.base };
  }

  /** What an exposed name stands for. */
  itemOf(name: string): Named | undefined {
    return this.#byName.get(name);
  }

  /** The exposed name of an item that has one. */
  exposed(server: string, own: string): string | undefined {
    return this.#byItem.get(itemKey(server, own));
  }
}

/** Server names have no `/`, so that the pair can be told from every other pair. */
function itemKey(server: string, own: string): string {
  return `${server}/${own}`;
}
