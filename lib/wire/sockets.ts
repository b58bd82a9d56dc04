/** The ends of a socket as bytes that are read and written in turn, without the machinery of web streams. @module */

import type { Socket } from "node:net";
import type { ByteReader, ByteWriter } from "../byte_streams.ts";

/** Bytes that are read before anyone asks for them. */
const READ_AHEAD_BYTES = 64 * 1024;

type ReadResult = Awaited<ReturnType<ByteReader["read"]>>;

const END: ReadResult = { done: true };

/** Reads a socket. It is paused while {@link READ_AHEAD_BYTES} or more wait to be taken. */
export class SocketReader implements ByteReader {
  readonly #socket: Socket;
  #ahead: Uint8Array[] = [];
  #aheadBytes = 0;
  #waiting: PromiseWithResolvers<ReadResult> | undefined;
  #isEnded: boolean;
  #error: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#isEnded = socket.readableEnded || socket.destroyed;
    // As a plain array of bytes: a search in a Buffer takes three times as long.
    socket.on("data", ({ buffer, byteOffset, length }: Uint8Array) => {
      this.#take(new Uint8Array(buffer, byteOffset, length));
    });
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#end());
    socket.on("error", (error: Error) => {
      this.#error = error;
      this.#end();
    });
  }

  read(): Promise<ReadResult> {
    const value = this.#ahead.shift();
    if (value) {
      this.#aheadBytes -= value.length;
      if (this.#ahead.length === 0 && this.#socket.isPaused()) this.#socket.resume();
      return Promise.resolve({ done: false, value });
    }
    if (this.#error) return Promise.reject(this.#error);
    if (this.#isEnded) return Promise.resolve(END);
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  cancel(): Promise<void> {
    this.#ahead = [];
    this.#end();
    this.#socket.destroy();
    return Promise.resolve();
  }

  #take(value: Uint8Array): void {
    if (this.#waiting) {
      this.#waiting.resolve({ done: false, value });
      this.#waiting = undefined;
      return;
    }
    this.#ahead.push(value);
    this.#aheadBytes += value.length;
    if (this.#aheadBytes >= READ_AHEAD_BYTES) this.#socket.pause();
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#error) this.#waiting?.reject(this.#error);
    else this.#waiting?.resolve(END);
    this.#waiting = undefined;
  }
}

/** Writes to a socket. */
export class SocketWriter implements ByteWriter {
  readonly closed: Promise<void>;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.on("error", reject);
    socket.on("close", () => resolve());
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error?: Error | null) => error ? reject(error) : resolve());
    });
  }

  /** Resolves as well when the peer is gone before everything was written. */
  close(): Promise<void> {
    this.#socket.end();
    return this.closed.catch(() => {});
  }

  abort(): Promise<void> {
    this.#socket.destroy();
    return Promise.resolve();
  }
}
