/** A real store, an interceptor and loom's own tools in the test's own process. @module */

import { Interceptor, type Outcome } from "../../lib/engine/intercept.ts";
import type { Derivation, LostDataset, Origin } from "../../lib/engine/messages.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { runTool } from "../../lib/tools/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What a test works with. */
export interface EngineRig {
  readonly store: Store;
  readonly lost: Map<string, LostDataset>;
  readonly derived: { readonly ref: string; readonly sql: string; readonly derivation: Derivation }[];
  readonly exportDir: string;
  /** Offers the JSON text of a result. */
  readonly offer: (result: string, origin?: Partial<Origin>) => Promise<Outcome>;
  /** Offers rows in one text block; the envelope. */
  // deno-lint-ignore no-explicit-any
  readonly keep: (rows: unknown, origin?: Partial<Origin>) => Promise<any>;
  /** Calls one of loom's own tools; the text of its answer. */
  readonly ask: (tool: string, args?: unknown) => Promise<{ readonly text: string; readonly isError: boolean }>;
  /** Calls one of loom's own tools; the JSON of its answer. */
  // deno-lint-ignore no-explicit-any
  readonly answer: (tool: string, args?: unknown) => Promise<any>;
}

/** The result of a tool that answers with these rows as JSON text. */
export function resultOf(rows: unknown): string {
  return JSON.stringify({ content: [{ type: "text", text: typeof rows === "string" ? rows : JSON.stringify(rows) }] });
}

/** Runs a test against a store of its own. */
export async function withEngineRig(
  options: {
    readonly tokenThreshold?: number;
    readonly memoryBudgetBytes?: number;
    readonly wrap?: (store: Store) => Store;
  },
  run: (rig: EngineRig) => Promise<void>,
): Promise<void> {
  const { tokenThreshold = 2_000, memoryBudgetBytes = 1e8, wrap = (store: Store) => store } = options;
  const folder = await Deno.makeTempDir({ prefix: "loom-test-" });
  const store = await openStore({
    memoryLimit: "512MB",
    memoryBudgetBytes,
    queryTimeoutMs: 10_000,
    spillParent: folder,
    exportDir: `${folder}/exports`,
    onForgetOriginal: (ref) => originals.delete(ref),
  });
  const interceptor = new Interceptor(wrap(store));
  const originals = new Map<string, Uint8Array>();
  const rig: EngineRig = {
    store,
    lost: new Map(),
    derived: [],
    exportDir: `${folder}/exports`,
    offer: async (result, changes = {}) => {
      const bytes = encoder.encode(result);
      const origin = { server: "crm", tool: "users", tokenThreshold, omitArgs: false, ...changes };
      const outcome = await interceptor.intercept({ origin, result: bytes });
      if (outcome.kind === "replaced") originals.set(outcome.ref, bytes);
      return outcome;
    },
    keep: async (rows, changes) => {
      const outcome = await rig.offer(resultOf(rows), changes);
      if (outcome.kind !== "replaced") throw new Error(`not kept: ${JSON.stringify(outcome)}`);
      return JSON.parse(JSON.parse(decoder.decode(outcome.result)).content[0].text);
    },
    ask: async (tool, args) => {
      const { result: bytes } = await runTool(
        {
          store,
          tokenThreshold,
          lost: rig.lost,
          log: () => {},
          original: (ref) => Promise.resolve(originals.get(ref)),
          onDerived: ({ ref }, sql, derivation) => rig.derived.push({ ref, sql, derivation }),
        },
        tool,
        args === undefined ? undefined : encoder.encode(JSON.stringify(args)),
        new AbortController().signal,
      );
      const { content: [{ text }], isError = false } = JSON.parse(decoder.decode(bytes));
      return { text, isError };
    },
    answer: async (tool, args) => {
      const { text, isError } = await rig.ask(tool, args);
      if (isError) throw new Error(text);
      return JSON.parse(text);
    },
  };
  try {
    await run(rig);
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** `count` rows that are worth keeping. */
export function someRows(count: number): Record<string, unknown>[] {
  return Array.from(
    { length: count },
    (_, id) => ({ id, name: `person number ${id}`, city: ["Ulm", "Bonn", "Kiel"][id % 3], score: id * 1.5 }),
  );
}
