/** Lines out of bytes: messages of any size up to a bound, in time that grows with their bytes alone. @module */

/** Bytes of one message, beyond which it is dropped. A message is held once while it arrives and once while it leaves. */
export const MESSAGE_BYTES_MAX = 320 * 1024 * 1024;

/** Bytes of a message that is too large which are kept from its start and from its end, to tell whose it was. */
const CUT_BYTES = 4 * 1024;
/** Smaller pieces of a message are copied together, so that a peer that writes byte by byte costs no more memory. */
const COPY_BYTES_MAX = 16 * 1024;
const TAIL_BYTES = 64 * 1024;

const LINE_FEED = 10;
const LINE_END = new Uint8Array([LINE_FEED]);
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const TAB = 9;

/** Bytes of a line that are there when it is asked whether the rest may pass as it arrives. */
export const LARGE_LINE_BYTES = 64 * 1024;
/** Time in which those bytes have to arrive for that: only a quick writer may have the reader's ear to itself. */
export const LARGE_LINE_MS = 50;

/** Takes a line piece by piece, as it arrives. */
export interface LineTaker {
  push(piece: Uint8Array): void;
  /** The line has ended. */
  end(): void;
}

/** A line that is written as it comes, while others wait for its end. */
export interface OpenLine extends LineTaker {
  /** Whether other lines wait. */
  readonly isAwaited: boolean;
  /** Whether the reader is so far behind that the line's own source is asked to wait. */
  readonly isBlocked: boolean;
}

/** What becomes of the lines that a {@link LineFramer} finds. */
export interface LineSink {
  /** A large line is arriving quickly; these are its first bytes. A taker gets them and the rest as it comes. */
  large?(head: Uint8Array): LineTaker | undefined;
  /** One line without its end, never blank; the bytes stay as they are for as long as they are referred to. */
  line(bytes: Uint8Array): void;
  /** A line that can't be a message: it starts neither an object nor an array. Only its first bytes are given. */
  noise(head: Uint8Array): void;
  /** A line beyond the bound: its first and last bytes. */
  oversized(head: Uint8Array, tail: Uint8Array, byteLength: number): void;
}

/** Cuts a stream of bytes into lines. Reads may end anywhere, also inside a character. */
export class LineFramer {
  readonly #sink: LineSink;
  readonly #bytesMax: number;
  /** Finished pieces of the line that is arriving, then the room that small pieces are copied into. */
  #parts: Uint8Array[] = [];
  #tail: Uint8Array = new Uint8Array(0);
  #tailLength = 0;
  #length = 0;
  #taker: LineTaker | undefined;
  #startedAt = 0;
  #dropping: { readonly head: Uint8Array; tail: Uint8Array; noise: boolean } | undefined;

  /**
   * @param sink Where lines go.
   * @param bytesMax Bytes of one line beyond which it is dropped.
   */
  constructor(sink: LineSink, bytesMax: number = MESSAGE_BYTES_MAX) {
    this.#sink = sink;
    this.#bytesMax = bytesMax;
  }

  /** Takes what one read gave. Lines that it completes are handed to the sink before this returns. */
  push(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(from === 0 ? chunk : chunk.subarray(from));
  }

  /** The stream has ended: a last line without line feed is a line as well. */
  end(): void {
    // A line that was passed on piece by piece has no end yet: whoever took it knows that its writer is gone.
    if (this.#taker) return;
    if (this.#length > 0 || this.#dropping) this.#finish(new Uint8Array(0));
  }

  #finish(last: Uint8Array): void {
    if (this.#taker) {
      const taker = this.#taker;
      taker.push(last);
      this.#reset();
      taker.end();
      return;
    }
    if (this.#length === 0 && !this.#dropping && last.length <= this.#bytesMax) {
      this.#emit(last);
      return;
    }
    this.#keep(last);
    const dropped = this.#dropping;
    const length = this.#length;
    if (!dropped) {
      const line = this.#join();
      this.#reset();
      this.#emit(line);
      return;
    }
    this.#reset();
    if (dropped.noise) this.#sink.noise(dropped.head);
    else this.#sink.oversized(dropped.head, dropped.tail, length);
  }

  #emit(bytes: Uint8Array): void {
    const line = trimmed(bytes);
    if (line.length === 0) return;
    if (startsMessage(line)) this.#sink.line(line);
    else this.#sink.noise(line.subarray(0, CUT_BYTES));
  }

  #keep(piece: Uint8Array): void {
    if (this.#taker) return this.#taker.push(piece);
    if (this.#length === 0) this.#startedAt = performance.now();
    const isFirstLarge = this.#length < LARGE_LINE_BYTES && this.#length + piece.length >= LARGE_LINE_BYTES;
    this.#length += piece.length;
    if (this.#dropping) {
      this.#dropping.tail = lastBytes(this.#dropping.tail, piece);
      return;
    }
    if (piece.length > COPY_BYTES_MAX) {
      this.#closeTail();
      this.#parts.push(piece);
    } else {
      this.#copy(piece);
    }
    if (isFirstLarge && this.#sink.large && performance.now() - this.#startedAt <= LARGE_LINE_MS) this.#offer();
    if (this.#taker) return;
    if (this.#length > this.#bytesMax) this.#drop(false);
    else if (this.#parts.length === 0 && !this.#mayStartMessage()) this.#drop(true);
    else if (this.#parts.length === 1 && this.#tailLength === 0 && !this.#mayStartMessage()) this.#drop(true);
  }

  /** Asks whether the line may pass as it arrives. */
  #offer(): void {
    const head = this.#join();
    this.#parts = [head];
    this.#taker = this.#sink.large?.(head);
    if (!this.#taker) return;
    this.#parts = [];
    this.#taker.push(head);
  }

  #copy(piece: Uint8Array): void {
    if (this.#tailLength + piece.length > this.#tail.length) {
      this.#closeTail();
      this.#tail = new Uint8Array(TAIL_BYTES);
    }
    this.#tail.set(piece, this.#tailLength);
    this.#tailLength += piece.length;
  }

  #closeTail(): void {
    if (this.#tailLength === 0) return;
    this.#parts.push(this.#tail.subarray(0, this.#tailLength));
    this.#tail = this.#tail.subarray(this.#tailLength);
    this.#tailLength = 0;
  }

  #mayStartMessage(): boolean {
    const first = this.#parts[0] ?? this.#tail.subarray(0, this.#tailLength);
    const line = trimmed(first);
    return line.length === 0 || startsMessage(line) || (line.length < 3 && line[0] === 0xef);
  }

  /** From here on the line costs nothing but its first and last bytes. */
  #drop(noise: boolean): void {
    const bytes = this.#join();
    this.#dropping = { head: bytes.slice(0, CUT_BYTES), tail: bytes.slice(-CUT_BYTES), noise };
    this.#parts = [];
    this.#tail = new Uint8Array(0);
    this.#tailLength = 0;
  }

  #join(): Uint8Array {
    this.#closeTail();
    const only = this.#parts[0];
    if (this.#parts.length === 1 && only) return only;
    // The line feed is kept behind the line, so that a line that is only passed on can be written with it at once.
    return concat([...this.#parts, LINE_END]).subarray(0, -1);
  }

  #reset(): void {
    this.#parts = [];
    this.#length = 0;
    this.#tailLength = 0;
    this.#dropping = undefined;
    this.#taker = undefined;
  }
}

/** One array of bytes out of several. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function lastBytes(tail: Uint8Array, piece: Uint8Array): Uint8Array {
  if (piece.length >= CUT_BYTES) return piece.slice(-CUT_BYTES);
  return concat([tail.subarray(Math.max(0, tail.length + piece.length - CUT_BYTES)), piece]);
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** Without blanks around it and without a byte order mark before it. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

function startsMessage(line: Uint8Array): boolean {
  return line[0] === 0x7b || line[0] === 0x5b;
}
