/** Data chunks that nobody needs any more: V8 sees a few bytes of each and would leave megabytes lying for long. @module */

import { CHUNK_ROWS } from "./limits.ts";

/** Bytes of chunks that are read between two cleanings. */
const GARBAGE_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes that a cell of a chunk takes at most beside its text. */
const CELL_BYTES = 16;

/** Asks V8 to clean up when the chunks that have been read may hold much native memory. */
export class ChunkGarbage {
  readonly #collect: (() => void) | undefined;
  #bytes = 0;

  /** `collect` cleans up; by default what V8 offers under `--expose-gc`, and without that flag nothing. */
  constructor(collect = (globalThis as { gc?: () => void }).gc) {
    this.#collect = collect;
  }

  /** Notes that one more chunk of so many columns was read. */
  note(columns: number): void {
    this.#bytes += columns * CHUNK_ROWS * CELL_BYTES;
  }

  /** Cleans up when it is time to, or when memory `isShort`. */
  sweep(isShort = false): void {
    if (this.#bytes <= GARBAGE_BYTES_MAX && !isShort) return;
    this.#bytes = 0;
    this.#collect?.();
  }
}
