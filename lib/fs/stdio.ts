/** The wire: one JSON message a line, in and out, until the input ends. @module */

import type { ByteWritable, ByteWriter } from "../byte_streams.ts";

/** Bytes of one message; a longer one is skipped and answered with an error. */
export const MESSAGE_BYTES_MAX = 33_554_432;

/** UTF-16 units of answers that wait to be read; while there are more, no further message is taken. */
export const WAITING_CHARS_MAX = 67_108_864;

/** Milliseconds that a client which has closed its end gets to read the last answers. */
export const DRAIN_MS_MAX = 5_000;

const NEWLINE = 10;

/** A line, or that one was too long. */
export type Line = { readonly text: string } | { readonly tooLong: true };

/**
 * Cuts a stream of bytes into lines at `\n`; blank ones are left out, and a last one without an end counts.
 *
 * @param bytesMax Bytes of one line; what is beyond them is dropped as it comes.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number = MESSAGE_BYTES_MAX,
): AsyncGenerator<Line> {
  const line = new PendingLine(bytesMax);
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      yield* line.taken();
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  yield* line.taken();
}

class PendingLine {
  readonly #bytesMax: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length > this.#bytesMax) this.#chunks = [];
    // The reader may use its buffer again.
    else this.#chunks.push(bytes.slice());
  }

  *taken(): Generator<Line> {
    const length = this.#length;
    const chunks = this.#chunks;
    this.#length = 0;
    this.#chunks = [];
    if (length > this.#bytesMax) {
      yield { tooLong: true };
      return;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    const text = new TextDecoder().decode(bytes);
    if (text.trim() !== "") yield { text };
  }
}

/** Writes lines in order; those that wait while one is written go out together. */
export class LineWriter {
  readonly #writer: ByteWriter;
  #waiting: string[] = [];
  #waitingChars = 0;
  #flushing: Promise<void> | undefined;
  #isBroken = false;

  /** @param stream Where the lines go. */
  constructor(stream: ByteWritable) {
    this.#writer = stream.getWriter();
  }

  /** Whether nobody reads any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Puts a line in the queue. */
  write(line: string): void {
    if (this.#isBroken) return;
    this.#waiting.push(line);
    this.#waitingChars += line.length + 1;
    this.#flushing ??= this.#flush();
  }

  async #flush(): Promise<void> {
    const encoder = new TextEncoder();
    try {
      while (this.#waiting.length > 0) {
        const text = `${this.#waiting.join("\n")}\n`;
        this.#waiting = [];
        await this.#writer.write(encoder.encode(text));
        this.#waitingChars -= text.length;
      }
    } catch {
      // The client is gone; what it asked for is done, and nobody wants the answer.
      this.#isBroken = true;
      this.#waiting = [];
    } finally {
      this.#flushing = undefined;
    }
  }

  /** Resolves when few enough characters wait to be read, or nobody reads any more. */
  async room(charsMax: number = WAITING_CHARS_MAX): Promise<void> {
    while (this.#flushing !== undefined && this.#waitingChars > charsMax) await this.#flushing;
  }

  /** Resolves when every line is out, nobody reads any more, or `msMax` milliseconds are over. */
  async drained(msMax: number = DRAIN_MS_MAX): Promise<void> {
    if (this.#flushing === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, msMax));
    await Promise.race([this.room(0), late]);
    clearTimeout(timer);
  }
}
