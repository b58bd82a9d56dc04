/** The client's end of the wire: lines in, lines out, batches taken apart and put together. @module */

import type { ByteReadable, ByteReader, ByteWritable } from "../byte_streams.ts";
import type { Log } from "../log.ts";
import {
  bytesOf,
  concat,
  elementsOf,
  LineFramer,
  type LineSink,
  LineWriter,
  type Message,
  readMessage,
  textOf,
} from "../wire/mod.ts";
import type { AnswerSink } from "./call.ts";

/** Bytes that may wait for a client that doesn't read, beyond which loom stops reading from it as well. */
const CLIENT_BACKLOG_BYTES_MAX = 64 * 1024 * 1024;
/** Characters of a line that are shown in the log. */
const SAMPLE_CHARS = 80;

/** Two byte streams that lead to a client; a `ReadableStream` and a `WritableStream` will do. */
export interface ClientStreams {
  /** What the client writes: one JSON-RPC message a line. */
  readonly readable: ByteReadable;
  /** What the client reads. */
  readonly writable: ByteWritable;
}

/** What a port tells its owner. */
export interface PortEvents {
  /** One message; `sink` takes the answer if it is a request. */
  message(message: Message, sink: AnswerSink): void;
}

/** A connected client. */
export class ClientPort {
  /** Whether a JSON array of messages is taken apart: the revisions up to 2025-03-26 have batches. */
  acceptsBatches = true;
  readonly #writer: LineWriter;
  readonly #reader: ByteReader;
  readonly #events: PortEvents;
  readonly #log: Log;
  readonly #direct: AnswerSink;
  /** What the line that is open comes from, or the last one came from. */
  #lineSource: object | undefined;
  #isStopped = false;
  readonly #stop = Promise.withResolvers<void>();

  constructor(streams: ClientStreams, events: PortEvents, log: Log) {
    this.#events = events;
    this.#log = log;
    this.#reader = streams.readable.getReader();
    this.#writer = new LineWriter(streams.writable, () => this.stopReading());
    this.#direct = {
      answer: (pieces) => this.#writer.send(pieces),
      skip: () => {},
      begin: (source) => {
        const line = this.#writer.begin();
        if (line) this.#lineSource = source;
        return line;
      },
    };
  }

  /** What a source of more for this client should wait for, if anything. */
  readonly pause = (source: object): Promise<void> | undefined => {
    if (this.#writer.isFull) return this.#writer.ready();
    // Its own line is what the others wait for.
    return this.#writer.isHoldingMuch && source !== this.#lineSource ? this.#writer.lineEnded() : undefined;
  };

  /** Sends one message. */
  send(pieces: readonly Uint8Array[]): void {
    this.#writer.send(pieces);
  }

  /** Reads until the client ends, or {@link stopReading}. Never rejects. */
  async read(): Promise<void> {
    const framer = new LineFramer(this.#lines());
    try {
      for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) {
        framer.push(next.value);
        if (this.#writer.backlogBytes > CLIENT_BACKLOG_BYTES_MAX) await this.#writer.ready();
      }
      framer.end();
    } catch (error) {
      this.#log("debug", "client", `reading ended: ${error}`);
    }
  }

  /** Resolves when {@link stopReading} is called: loom is told to end, or nobody reads answers any more. */
  get stopped(): Promise<void> {
    return this.#stop.promise;
  }

  /** Makes {@link read} end. */
  stopReading(): void {
    this.#isStopped = true;
    this.#stop.resolve();
    this.#reader.cancel().catch(() => {});
  }

  /** Bytes that the client has taken. */
  get writtenBytes(): number {
    return this.#writer.writtenBytes;
  }

  /**
   * Writes what is waiting, and closes: for as long as the client takes some of it every `ms`, or just so long when loom
   * was told to end.
   */
  async close(ms: number): Promise<void> {
    await whileMoving(this.#writer.close(), () => this.#isStopped ? 0 : this.#writer.writtenBytes, ms);
    this.#writer.abort();
  }

  #lines(): LineSink {
    const noise = (bytes: Uint8Array) => {
      this.#log("warn", "client", `a line that is no message was ignored: ${textOf(bytes.subarray(0, SAMPLE_CHARS))}`);
    };
    return {
      line: (bytes) => {
        const message = readMessage(bytes);
        if (message) this.#events.message(message, this.#direct);
        else if (bytes[0] !== 0x5b || !this.#batch(bytes)) noise(bytes);
      },
      noise,
      oversized: (_head, _tail, byteLength) =>
        this.#log("warn", "client", `a message of ${byteLength} bytes was ignored: it is larger than loom takes`),
    };
  }

  #batch(bytes: Uint8Array): boolean {
    const messages = elementsOf(bytes, 0)?.map((span) => readMessage(bytes.subarray(span.start, span.end)));
    if (!messages) return false;
    if (!this.acceptsBatches || messages.length === 0 || messages.includes(undefined)) {
      this.#writer.send([bytesOf('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}')]);
      return true;
    }
    const sink = new BatchSink(messages.filter((message) => message?.kind === "request").length, this.#direct);
    for (const message of messages) if (message) this.#events.message(message, sink);
    return true;
  }
}

/** Waits for a promise as long as a count is another than it was `ms` before. */
export async function whileMoving(promise: Promise<unknown>, count: () => number, ms: number): Promise<void> {
  let isDone = false;
  const done = promise.then(() => isDone = true);
  for (let before = -1; !isDone && before !== count();) {
    before = count();
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([done, new Promise<void>((resolve) => timer = setTimeout(resolve, ms))]);
    clearTimeout(timer);
  }
}

/** Gathers the answers of a batch into one line. */
class BatchSink implements AnswerSink {
  readonly #out: AnswerSink;
  readonly #answers: Uint8Array[] = [];
  #left: number;

  constructor(requests: number, out: AnswerSink) {
    this.#left = requests;
    this.#out = out;
  }

  answer(pieces: readonly Uint8Array[]): void {
    this.#answers.push(concat(pieces));
    this.#done();
  }

  skip(): void {
    this.#done();
  }

  #done(): void {
    if (--this.#left > 0 || this.#answers.length === 0) return;
    const pieces = this.#answers.flatMap((answer, i) => i === 0 ? [answer] : [bytesOf(","), answer]);
    this.#out.answer([bytesOf("["), ...pieces, bytesOf("]")]);
  }
}
