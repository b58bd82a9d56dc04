/** What the relay keeps so that a new engine process can build the datasets of the old one again. @module */

import type { GoneDataset } from "../dataset.ts";
import type { Derivation, LostDataset, Origin } from "./messages.ts";

/** A dataset as the relay remembers it. */
export type JournalEntry =
  | {
    readonly kind: "original";
    readonly origin: Origin;
    readonly result: Uint8Array;
    readonly createdAt: string;
  }
  | { readonly kind: "derived"; readonly sql: string; readonly derivation: Derivation; readonly volatile: boolean }
  /** The table lives, its original does not. */
  | { readonly kind: "forgotten"; readonly origin: Origin };

/** Evicted datasets, and lost ones, that are remembered: each takes less than a kilobyte. */
export const GONE_DATASETS_MAX = 2_000;

/** Characters of SQL shown in a sentence about a lost dataset. */
const SQL_SHOWN_CHARS = 300;

/** The datasets of a session in the order in which they were made. */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();
  readonly #lost = new Map<string, LostDataset>();
  readonly #evicted = new Map<string, GoneDataset>();
  #nextNumber = 1;

  /** The number that the next ref gets. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** Datasets that were evicted, the oldest first. */
  get evicted(): readonly GoneDataset[] {
    return [...this.#evicted.values()];
  }

  /** Datasets that cannot be built again, the oldest first. */
  get lost(): readonly LostDataset[] {
    return [...this.#lost.values()];
  }

  /** The datasets in the order in which they were made. */
  get entries(): readonly (readonly [string, JournalEntry])[] {
    return [...this.#entries];
  }

  /** The original result of a dataset, while it is kept. */
  original(ref: string): Uint8Array | undefined {
    const entry = this.#entries.get(ref);
    return entry?.kind === "original" ? entry.result : undefined;
  }

  /** Notes a dataset; one that is known stays as it was first noted. */
  note(ref: string, entry: JournalEntry): void {
    const number = Number(/_(\d+)$/.exec(ref)?.[1] ?? 0);
    this.#nextNumber = Math.max(this.#nextNumber, number + 1);
    this.#lost.delete(ref);
    const known = this.#entries.get(ref);
    if (known === undefined || known.kind === "forgotten") this.#entries.set(ref, entry);
  }

  /** Forgets the original of a dataset whose table lives on. */
  forgetOriginal(ref: string): void {
    const entry = this.#entries.get(ref);
    if (entry?.kind === "original") this.#entries.set(ref, { kind: "forgotten", origin: withoutArgs(entry.origin) });
  }

  /** Forgets a dataset that was evicted, but for what it was. */
  evict(gone: GoneDataset): void {
    this.#entries.delete(gone.ref);
    this.#evicted.set(gone.ref, gone);
    keepNewest(this.#evicted);
  }

  /** Moves a dataset to the lost ones. */
  lose(ref: string): void {
    const entry = this.#entries.get(ref);
    if (entry === undefined) return;
    this.#entries.delete(ref);
    this.#lost.set(ref, { ref, how: wayBack(entry) });
    keepNewest(this.#lost);
  }
}

function keepNewest(datasets: Map<string, unknown>): void {
  for (const oldest of datasets.keys()) {
    if (datasets.size <= GONE_DATASETS_MAX) break;
    datasets.delete(oldest);
  }
}

function withoutArgs({ args: _, ...origin }: Origin): Origin {
  return origin;
}

function wayBack(entry: JournalEntry): string {
  if (entry.kind !== "derived") {
    return `it held the result of tool "${entry.origin.tool}" of server "${entry.origin.server}": call that tool again`;
  }
  const cut = entry.sql.length > SQL_SHOWN_CHARS ? `${entry.sql.slice(0, SQL_SHOWN_CHARS).toWellFormed()}…` : entry.sql;
  return `it was made by this SQL: run it again: ${cut}`;
}
