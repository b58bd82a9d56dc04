/** Column names from keys of any kind: readable in SQL, unique without regard to case. @module */

import { MAX_NAME_CHARS } from "./limits.ts";

/** Letters, their combining marks, and digits of any script stay, and `_`. */
const FOREIGN_REGEXP = /[^\p{L}\p{M}\p{N}_]/gu;

/** `key` with every character that SQL names do not like replaced by `_`; never empty. */
export function sanitizeName(key: string): string {
  const name = key.replace(FOREIGN_REGEXP, "_");
  return name === "" ? "_" : name.length > MAX_NAME_CHARS ? name.slice(0, MAX_NAME_CHARS).toWellFormed() : name;
}

/** Gives names that are unique without regard to case: the second `id` is `id_2`. */
export class NameBook {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** A free name for the column at `key`; the first to ask gets the plain one. */
  claim(key: string): string {
    const plain = sanitizeName(key);
    const folded = plain.toLowerCase();
    let name = plain;
    // The counter per name keeps a thousand equal keys from trying a million suffixes.
    for (let n = this.#next.get(folded) ?? 2; this.#taken.has(name.toLowerCase()); n++) {
      name = `${plain}_${n}`;
      this.#next.set(folded, n + 1);
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
