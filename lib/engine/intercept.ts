/** The rule: pass a result on, or answer with an envelope. Runs in the engine's process. @module */

import { isUtf8 } from "node:buffer";
import type { Dataset, Provenance, Table, TableColumn } from "../dataset.ts";
import { buildEnvelope, estimateTokens, OMITTED_ARGS, redactArguments, type SampleRow } from "../envelope/mod.ts";
import { LoomError, messageOf } from "../errors.ts";
import { type Located, locateRows } from "../records/mod.ts";
import { type PartedResult, partResult } from "../records/result_parts.ts";
import type { Store } from "../store/mod.ts";
import type { EngineFact, Origin } from "./messages.ts";

/** Rows of a sample. */
export const SAMPLE_ROWS = 5;
/** Join hints in an envelope. */
export const HINTS_MAX = 5;

/** What became of a result. */
export type Outcome =
  | { readonly kind: "passed"; readonly reason: string }
  | {
    readonly kind: "replaced";
    readonly ref: string;
    readonly createdAt: string;
    readonly result: Uint8Array;
    readonly fact: EngineFact;
  }
  | { readonly kind: "restored"; readonly ref: string };

/** A result on its way. */
export interface Interception {
  readonly origin: Origin;
  /** The bytes of the `result` member. */
  readonly result: Uint8Array;
  /** Build this dataset again instead of making a new one. */
  readonly restore?: { readonly ref: string; readonly createdAt: string } | undefined;
}

/** Identities that are remembered, so that the same result gives the same ref. */
const KEYS_MAX = 10_000;

/** Decides about results, one at a time. */
export class Interceptor {
  readonly #store: Store;
  /** The ref of a result by server, tool, arguments and bytes. */
  readonly #refs = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Never throws: whatever goes wrong is a reason to pass, and no table is left behind. */
  async intercept(interception: Interception): Promise<Outcome> {
    try {
      return await this.#decide(interception);
    } catch (error) {
      const what = error instanceof LoomError ? `${error.code}: ${error.message}` : `failed: ${messageOf(error)}`;
      return passed(what);
    }
  }

  async #decide({ origin, result, restore }: Interception): Promise<Outcome> {
    // A decoder that checks as it goes takes three times as long as a check and a decoder that doesn't.
    if (!isUtf8(result)) return passed("not-utf-8");
    const hashing = crypto.subtle.digest("SHA-256", result as Uint8Array<ArrayBuffer>);
    const parted = partResult(new TextDecoder("utf-8", { ignoreBOM: true }).decode(result));
    if (parted.kind === "passed") return parted;
    if (estimateTokens(parted.textChars + parted.structuredChars) <= origin.tokenThreshold) return passed("small");
    const located = locateRows(parted.parts);
    if (located.kind === "none") return passed(located.reason);
    if (located.table.rowCount === 0 || located.table.columns.length === 0) return passed("no-rows");
    const contentHash = new Uint8Array(await hashing).toHex();
    const key = [origin.server, origin.tool, contentHash, origin.args?.toBase64() ?? ""].join("\n");
    const bytes = Math.max(parted.textChars, parted.structuredChars);
    const known = restore === undefined ? this.#known(key) : undefined;
    const dataset = known ?? await this.#store.ingest(located.table, {
      server: origin.server,
      tool: origin.tool,
      provenance: provenanceOf(origin, { located, contentHash, createdAt: restore?.createdAt }),
      bytes,
      ref: restore?.ref,
    });
    try {
      if (restore === undefined) {
        const envelope = await this.#envelope(dataset, { located, bytes, origin });
        if (envelope.length >= bytes) {
          if (known === undefined) await this.#store.drop(dataset.ref);
          return passed("costly");
        }
        await this.#keep(key, dataset, result.length);
        const { createdAt } = dataset.provenance;
        const fact = factOf(dataset, {
          tokensBefore: estimateTokens(bytes),
          tokensAfter: estimateTokens(envelope.length),
        });
        return { kind: "replaced", ref: dataset.ref, createdAt, result: envelopeResult(envelope, parted), fact };
      }
      await this.#keep(key, dataset, result.length);
      return { kind: "restored", ref: dataset.ref };
    } catch (error) {
      if (known === undefined) await this.#store.drop(dataset.ref);
      throw error;
    }
  }

  #known(key: string): Dataset | undefined {
    const ref = this.#refs.get(key);
    const dataset = ref === undefined ? undefined : this.#store.get(ref);
    if (dataset) this.#store.touch(dataset.ref);
    return dataset;
  }

  async #keep(key: string, { ref }: Dataset, originalBytes: number): Promise<void> {
    this.#refs.set(key, ref);
    for (const oldest of this.#refs.keys()) {
      if (this.#refs.size <= KEYS_MAX) break;
      this.#refs.delete(oldest);
    }
    await this.#store.noteOriginal(ref, originalBytes);
  }

  async #envelope(
    dataset: Dataset,
    { located, bytes, origin }: { readonly located: LocatedTable; readonly bytes: number; readonly origin: Origin },
  ): Promise<string> {
    return buildEnvelope({
      dataset,
      sample: sampleOf(located.table),
      hints: await this.#store.hints(dataset.ref, HINTS_MAX),
      context: located.context,
      originalChars: bytes,
      tokenThreshold: origin.tokenThreshold,
      hasOriginal: true,
    });
  }
}

type LocatedTable = Extract<Located, { kind: "table" }>;

function provenanceOf(
  origin: Origin,
  { located, contentHash, createdAt }: {
    readonly located: LocatedTable;
    readonly contentHash: string;
    readonly createdAt: string | undefined;
  },
): Provenance {
  const args = origin.omitArgs ? OMITTED_ARGS : redactArguments(origin.args);
  return {
    server: origin.server,
    tool: origin.tool,
    ...(args === undefined ? {} : { args }),
    createdAt: createdAt ?? new Date().toISOString(),
    source: located.source,
    contentHash,
  };
}

function factOf(
  { ref, rowCount, columns, provenance }: Dataset,
  tokens: { readonly tokensBefore: number; readonly tokensAfter: number },
): EngineFact {
  const { server, tool, source, contentHash = "", args } = provenance;
  const shown = args === undefined ? {} : { args: JSON.parse(args) };
  return {
    kind: "dataset",
    ref,
    server,
    tool,
    ...shown,
    source,
    contentHash,
    rows: rowCount,
    columns: columns.length,
    ...tokens,
  };
}

/** The first rows of a table as they stood in the source: JSON text per column. */
function sampleOf({ rowCount, columns }: Table): SampleRow[] {
  return Array.from(
    { length: Math.min(SAMPLE_ROWS, rowCount) },
    (_, row) => columns.map((column) => cellJson(column, row)),
  );
}

function cellJson({ type, cells }: TableColumn, row: number): string {
  if (cells.kind === "text") {
    const value = cells.values[row] ?? null;
    if (value === null) return "null";
    return type === "JSON" ? value : JSON.stringify(value);
  }
  if (cells.kind === "bigint") {
    const value = cells.values[row] ?? null;
    return value === null ? "null" : type.startsWith("DECIMAL") ? decimalText(value, type) : String(value);
  }
  if (cells.valid?.[row] === 0) return "null";
  return cells.kind === "boolean" ? String(cells.values[row] === 1) : numberJson(cells.values[row] ?? 0);
}

function numberJson(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
}

function decimalText(unscaled: bigint, type: string): string {
  const scale = Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);
  if (scale === 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The result that carries an envelope; what the server said in `_meta` goes with it. */
function envelopeResult(envelope: string, { meta }: Extract<PartedResult, { kind: "parts" }>): Uint8Array {
  const carried = meta === undefined || meta.length > META_CHARS_MAX ? "" : `,"_meta":${meta}`;
  return new TextEncoder().encode(`{"content":[{"type":"text","text":${JSON.stringify(envelope)}}]${carried}}`);
}

/** Characters of a result's `_meta` that an envelope carries on. */
const META_CHARS_MAX = 2_000;

function passed(reason: string): Outcome {
  return { kind: "passed", reason };
}
