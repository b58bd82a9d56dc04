/** The datasets by ref: who they are, what they weigh, which one goes when memory is short. @module */

import type { Dataset, GoneDataset, Provenance } from "../dataset.ts";
import { LoomError } from "../errors.ts";
import { nearestOf } from "../nearest.ts";
import { REMEMBERED_REFS_MAX } from "./limits.ts";
import { namedRefs } from "./walk.ts";

interface Entry {
  readonly dataset: Dataset;
  /** Larger is later. */
  usedAt: number;
  /** Operations that are reading it now. */
  users: number;
}

/** What is to go to make room: the original of a dataset, or the dataset. */
export type Victim = { readonly kind: "original"; readonly ref: string } | {
  readonly kind: "dataset";
  readonly ref: string;
};

const REF_REGEXP = /^ds_\w+_(\d+)$/;

const FILE_NAME_REGEXP = /[/\\]|\.(?:csv|tsv|jsonl?|ndjson|parquet|xlsx?|db|duckdb|sqlite|txt|gz)$/i;

/** Characters of SQL or of arguments that say how to get a dataset back. */
const WAY_BACK_CHARS_MAX = 300;

/** What has to be done to have a dataset again, in words for a model. */
function wayBack({ server, tool, sql, args }: Provenance): string {
  if (sql !== undefined) return `run its SQL again: ${cut(sql)}`;
  const shown = args?.startsWith("{") && args !== "{}" ? ` with ${cut(args)}` : "";
  return `call ${server}_${tool} again${shown}`;
}

function cut(text: string): string {
  return text.length > WAY_BACK_CHARS_MAX ? `${text.slice(0, WAY_BACK_CHARS_MAX).toWellFormed()}…` : text;
}

/** Datasets, kept originals and what is remembered of the dead. It holds no rows and runs no SQL. */
export class Catalog {
  readonly #entries = new Map<string, Entry>();
  /** Bytes of the original result kept for a ref. They live elsewhere and count here. */
  readonly #originals = new Map<string, number>();
  readonly #gone = new Map<string, GoneDataset>();
  readonly #budgetBytes: number;
  #next = 1;
  #clock = 0;
  #bytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  /** Tracked bytes: the payload of every dataset, and the originals that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A ref that was never given before: `ds_<a>_<b>_<n>`. */
  nextRef(...parts: readonly string[]): string {
    return ["ds", ...parts.map((part) => part.replace(/[^A-Za-z0-9_]/g, "_")), String(this.#next++)].join("_");
  }

  /** Never gives a number up to `n` again. */
  reserve(n: number): void {
    this.#next = Math.max(this.#next, n + 1);
  }

  add(dataset: Dataset): void {
    this.reserve(Number(REF_REGEXP.exec(dataset.ref)?.[1] ?? 0));
    this.#entries.set(dataset.ref, { dataset, usedAt: ++this.#clock, users: 0 });
    this.#gone.delete(dataset.ref);
    this.#bytes += dataset.bytes;
  }

  /** Datasets in the order in which they were made. */
  list(): Dataset[] {
    return [...this.#entries.values()].map((entry) => entry.dataset);
  }

  /** Datasets that went because memory ran short, the latest first, and how to have them again. */
  evicted(): { readonly ref: string; readonly how: string }[] {
    return [...this.#gone].filter(([, { reason }]) => reason === "evicted").reverse()
      .map(([ref, { how }]) => ({ ref, how }));
  }

  /** The ref under which a table name is known, without regard to case. */
  refOf(name: string): string | undefined {
    if (this.#entries.has(name)) return name;
    const lower = name.toLowerCase();
    for (const ref of this.#entries.keys()) if (ref.toLowerCase() === lower) return ref;
    return undefined;
  }

  get(ref: string): Dataset | undefined {
    return this.#entries.get(ref)?.dataset;
  }

  /** The dataset; throws `DATASET_NOT_FOUND` or `DATASET_LOST` with the way back. */
  need(ref: string): Dataset {
    const dataset = this.get(ref) ?? this.get(this.refOf(ref) ?? "");
    if (!dataset) throw this.unknown(ref);
    return dataset;
  }

  /** Marks datasets as used just now. */
  touch(refs: readonly string[]): void {
    for (const ref of refs) {
      const entry = this.#entries.get(ref);
      if (entry) entry.usedAt = ++this.#clock;
    }
  }

  /** Keeps datasets from being evicted while `task` runs. */
  async using<T>(refs: readonly string[], task: () => Promise<T>): Promise<T> {
    const entries = refs.map((ref) => this.#entries.get(ref)).filter((entry) => entry !== undefined);
    this.touch(refs);
    for (const entry of entries) entry.users++;
    try {
      return await task();
    } finally {
      for (const entry of entries) entry.users--;
    }
  }

  /** Forgets a dataset, and remembers and gives what it was. */
  remove(ref: string, reason: GoneDataset["reason"]): GoneDataset | undefined {
    const entry = this.#entries.get(ref);
    if (!entry) return undefined;
    this.#entries.delete(ref);
    this.#bytes -= entry.dataset.bytes;
    this.forgetOriginal(ref);
    const { rowCount, provenance } = entry.dataset;
    const was = `${rowCount} rows of ${provenance.server}'s ${provenance.tool}, ${provenance.createdAt}`;
    const gone = { ref, reason, was, how: wayBack(provenance) };
    this.remember(gone);
    return gone;
  }

  /** Remembers a dataset that is no more, for the message that a stale ref gets. */
  remember(gone: GoneDataset): void {
    this.reserve(Number(REF_REGEXP.exec(gone.ref)?.[1] ?? 0));
    this.#gone.set(gone.ref, gone);
    for (const oldest of this.#gone.keys()) {
      if (this.#gone.size <= REMEMBERED_REFS_MAX) break;
      this.#gone.delete(oldest);
    }
  }

  noteOriginal(ref: string, bytes: number): void {
    this.forgetOriginal(ref);
    this.#originals.set(ref, bytes);
    this.#bytes += bytes;
  }

  forgetOriginal(ref: string): void {
    this.#bytes -= this.#originals.get(ref) ?? 0;
    this.#originals.delete(ref);
  }

  /** What must go next for the tracked bytes to fit the budget; undefined when they fit or nothing may go. */
  victim(making: string): Victim | undefined {
    if (this.#bytes <= this.#budgetBytes) return undefined;
    for (const ref of this.#originals.keys()) if (ref !== making) return { kind: "original", ref };
    const idle = [...this.#entries.values()].filter(({ dataset, users }) =>
      users === 0 && !dataset.pinned && dataset.ref !== making
    );
    const implicit = idle.filter(({ dataset }) => dataset.implicit);
    const oldest = (implicit.length > 0 ? implicit : idle).reduce<Entry | undefined>(
      (least, entry) => least === undefined || entry.usedAt < least.usedAt ? entry : least,
      undefined,
    );
    if (oldest) return { kind: "dataset", ref: oldest.dataset.ref };
    // The original of the dataset that is being made goes last of all.
    return this.#originals.has(making) ? { kind: "original", ref: making } : undefined;
  }

  /** What may have been meant, where the list of refs alone might not show it. */
  #near(name: string): string {
    if (FILE_NAME_REGEXP.test(name)) return "files and addresses cannot be read; ";
    const near = this.#entries.size > 1 ? nearestOf(name, this.#entries.keys()) : undefined;
    return near === undefined ? "" : `the closest is ${near}; `;
  }

  /** The error for a ref or table name that is no dataset: what it was, if it was one, and what there is. */
  unknown(name: string): LoomError {
    const gone = this.#gone.get(name) ?? this.#gone.get(name.toLowerCase());
    const known = `known datasets: ${namedRefs([...this.#entries.keys()])}`;
    if (!gone) return new LoomError("DATASET_NOT_FOUND", `No dataset is called "${name}"; ${this.#near(name)}${known}`);
    const { reason, was, how } = gone;
    const code = reason === "lost" ? "DATASET_LOST" : "DATASET_NOT_FOUND";
    return new LoomError(
      code,
      `The dataset "${name}" was ${reason} (${was}); ${reason === "lost" ? "" : "to get it back, "}${how}; ${known}`,
    );
  }
}
