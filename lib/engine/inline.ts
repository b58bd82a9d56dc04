/**
 * An engine in the caller's own process, for programs that may not start others. What isolation gives is lost: a crash
 * of the engine ends the program, and its memory and time are bounded only by the engine's own limits.
 * @module
 */

import { messageOf } from "../errors.ts";
import { encodeFrame, type Frame, FrameParser } from "./frames.ts";
import type { FromEngine, ToEngine } from "./messages.ts";
import { serveEngine } from "./serve.ts";

/** Bytes that wait to be read, and the reader that waits for them. */
class Pipe {
  #chunks: Uint8Array[] = [];
  #ended = false;
  #wake = () => {};

  push(chunks: readonly Uint8Array[]): void {
    this.#chunks.push(...chunks);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Fills the buffer as far as there are bytes; null at the end. */
  async read(buffer: Uint8Array): Promise<number | null> {
    while (this.#chunks.length === 0) {
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    const [chunk = new Uint8Array()] = this.#chunks;
    const taken = chunk.subarray(0, buffer.length);
    buffer.set(taken);
    if (taken.length < chunk.length) this.#chunks[0] = chunk.subarray(taken.length);
    else this.#chunks.shift();
    return taken.length;
  }
}

/** An engine that runs beside its caller, with the face of a process. */
export class InlineEngine {
  readonly #input = new Pipe();
  readonly #killed = Promise.withResolvers<string>();
  #alive = true;
  /** Resolves with the reason when the engine has ended. */
  readonly ended: Promise<string>;

  /** Starts the engine. */
  constructor(onFrame: (frame: Frame<FromEngine>) => void) {
    const parser = new FrameParser<FromEngine>();
    const served = serveEngine({
      read: (buffer) => this.#input.read(buffer),
      write: (bytes) => {
        if (this.#alive) { for (const frame of parser.push(bytes)) onFrame(frame); }
        return Promise.resolve(bytes.length);
      },
    });
    const over = served.then(() => "it ended", (error) => messageOf(error));
    this.ended = Promise.race([over, this.#killed.promise]).finally(() => this.#alive = false);
  }

  /** Whether it still answers. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Sends one message. */
  send(message: ToEngine, ...bodies: readonly Uint8Array[]): void {
    this.#input.push(encodeFrame(unwatched(message), ...bodies).map((part) => part.slice()));
  }

  /** Lets go of the engine; what it is doing cannot be stopped from here, and its answers are no longer heard. */
  kill(reason: string): void {
    this.#alive = false;
    this.#input.end();
    this.#killed.resolve(reason);
  }

  /** Ends the engine in good order. */
  async close(): Promise<void> {
    this.#input.end();
    await this.ended;
  }
}

/** The watch over an engine's memory ends its process, which here is the caller's. */
function unwatched(message: ToEngine): ToEngine {
  if (message.type !== "open") return message;
  return { ...message, settings: { ...message.settings, residentBytesMax: Number.MAX_SAFE_INTEGER } };
}
