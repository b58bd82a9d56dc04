/** A worker that changes files as fast as it can while the tests read and write them. @module */

/// <reference lib="deno.worker" />
import { AT_FDCWD, Libc } from "../../lib/fs/libc.ts";

/** What a racer does: exchange pairs of names, make a file grow, or remove the files of a folder. */
export type RacerTask =
  | { readonly kind: "exchange"; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly kind: "append"; readonly path: string }
  | { readonly kind: "unlink"; readonly folder: string };

/** What the racer is sent: its task, and a counter of what it has done; a second number above 0 stops it. */
export interface RacerOrder {
  readonly task: RacerTask;
  readonly shared: SharedArrayBuffer;
}

const EXCHANGE = 2;

function race({ task, shared }: RacerOrder): void {
  const state = new Int32Array(shared);
  const step = stepOf(task);
  while (Atomics.load(state, 1) === 0 && step()) Atomics.add(state, 0, 1);
  Atomics.store(state, 2, 1);
  Atomics.notify(state, 2);
}

/** One change; false when nothing is left to do. */
function stepOf(task: RacerTask): () => boolean {
  if (task.kind === "append") {
    const file = Deno.openSync(task.path, { append: true });
    const bytes = new TextEncoder().encode("x".repeat(4_096));
    return () => file.writeSync(bytes) > 0;
  }
  if (task.kind === "unlink") {
    const names = [...Deno.readDirSync(task.folder)].map(({ name }) => `${task.folder}/${name}`);
    return () => {
      const name = names.pop();
      if (name !== undefined) Deno.removeSync(name);
      return name !== undefined;
    };
  }
  const c = Libc.load();
  if (c === undefined) throw new Error("a racer needs the C library");
  let turn = 0;
  return () => {
    const [one, other] = task.pairs[turn++ % task.pairs.length] ?? ["", ""];
    c.rename(AT_FDCWD, one, AT_FDCWD, other, EXCHANGE);
    return true;
  };
}

if ("WorkerGlobalScope" in globalThis) self.onmessage = (event: MessageEvent<RacerOrder>) => race(event.data);

/** A racer that runs in a thread of its own. */
export class Racer implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #state: Int32Array<SharedArrayBuffer>;

  /** Starts it. */
  constructor(task: RacerTask) {
    const shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    this.#state = new Int32Array(shared);
    this.#worker = new Worker(import.meta.url, { type: "module" });
    this.#worker.postMessage({ task, shared } satisfies RacerOrder);
  }

  /** Changes made so far. */
  get steps(): number {
    return Atomics.load(this.#state, 0);
  }

  /** Whether it has nothing left to do. */
  get isDone(): boolean {
    return Atomics.load(this.#state, 2) === 1;
  }

  /** Stops it after the change it is making, and waits for its thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    Atomics.store(this.#state, 1, 1);
    const waited = Atomics.waitAsync(this.#state, 2, 0);
    await waited.value;
    this.#worker.terminate();
  }
}
