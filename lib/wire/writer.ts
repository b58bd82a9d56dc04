/** Lines into a byte stream: one write for all that came up in one turn of the event loop. @module */

import type { ByteWritable, ByteWriter } from "../byte_streams.ts";
import type { OpenLine } from "./framing.ts";

/** Bytes that may wait for a slow reader before the sources of more are asked to pause. */
export const BACKLOG_BYTES_HIGH = 8 * 1024 * 1024;
/** Pieces from this size on are written as they are; smaller ones are copied into blocks of this size. */
const BLOCK_BYTES = 64 * 1024;
/** Bytes that are given to the stream at once, so that it can be seen whether a slow reader still reads. */
const WRITE_BYTES_MAX = 256 * 1024;

const LINE_END = new Uint8Array([10]);

/** Writes lines in order. Errors of the stream end it for good; what is sent afterwards vanishes. */
export class LineWriter {
  readonly #writer: ByteWriter;
  readonly #onError: (error: unknown) => void;
  /** What is complete and waits to be written. */
  #blocks: Uint8Array[] = [];
  /** Room that small pieces are copied into, and how much of it is taken. */
  #room: Uint8Array = new Uint8Array(0);
  #roomTaken = 0;
  #backlogBytes = 0;
  /** Lines that wait for the end of one that is written as it comes. */
  #heldBack: (readonly Uint8Array[])[] | undefined;
  #heldBackBytes = 0;
  #draining: Promise<void> | undefined;
  #writtenBytes = 0;
  #waiting: (() => void)[] = [];
  #waitingForLine: (() => void)[] = [];
  #ended = false;

  /**
   * @param writable Where the bytes go; it is locked from now on.
   * @param onError Told once when the stream fails.
   */
  constructor(writable: ByteWritable, onError: (error: unknown) => void) {
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#onError = onError;
  }

  /** Bytes that were sent and not yet taken by the stream. */
  get backlogBytes(): number {
    return this.#backlogBytes + this.#heldBackBytes;
  }

  /** Bytes that the stream has taken so far. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Whether the sources of more should wait for {@link ready}. */
  get isFull(): boolean {
    return this.#backlogBytes > BACKLOG_BYTES_HIGH;
  }

  /** Whether so much waits for the end of an open line that its sources, but not the line's, should wait for that. */
  get isHoldingMuch(): boolean {
    return this.#heldBackBytes > BACKLOG_BYTES_HIGH;
  }

  /** Resolves as soon as the backlog is short, or the stream has ended. */
  ready(): Promise<void> {
    if (!this.isFull || this.#ended) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves as soon as no line is open, or the stream has ended. */
  lineEnded(): Promise<void> {
    if (!this.#heldBack || this.#ended) return Promise.resolve();
    return new Promise((resolve) => this.#waitingForLine.push(resolve));
  }

  /** Sends one line, given in pieces and without its end. It is written after the current turn. */
  send(pieces: readonly Uint8Array[]): void {
    if (this.#ended) return;
    if (this.#heldBack) {
      this.#heldBack.push(pieces);
      for (const piece of pieces) this.#heldBackBytes += piece.length;
      return;
    }
    const last = pieces.at(-1);
    const ended = last && last.length >= BLOCK_BYTES ? withLineEnd(last) : undefined;
    for (const piece of pieces) this.#add(piece === last && ended ? ended : piece);
    if (!ended) this.#add(LINE_END);
  }

  /** Begins a line that is written as it comes. Other lines wait until it has ended; one can be open at a time. */
  begin(): OpenLine | undefined {
    if (this.#heldBack || this.#ended) return undefined;
    this.#heldBack = [];
    const isAwaited = () => this.#heldBack !== undefined && this.#heldBack.length > 0;
    const isBlocked = () => this.isFull;
    return {
      push: (piece) => this.#add(piece),
      end: () => this.#endLine(),
      get isAwaited() {
        return isAwaited();
      },
      get isBlocked() {
        return isBlocked();
      },
    };
  }

  #endLine(): void {
    const waiting = this.#heldBack ?? [];
    this.#heldBack = undefined;
    this.#heldBackBytes = 0;
    this.#add(LINE_END);
    for (const pieces of waiting) this.send(pieces);
    for (const resolve of this.#waitingForLine.splice(0)) resolve();
  }

  #add(piece: Uint8Array): void {
    if (this.#ended) return;
    this.#backlogBytes += piece.length;
    if (piece.length >= BLOCK_BYTES) {
      this.#closeBlock();
      this.#blocks.push(piece);
    } else {
      if (this.#roomTaken + piece.length > this.#room.length) {
        this.#closeBlock();
        this.#room = new Uint8Array(BLOCK_BYTES);
      }
      this.#room.set(piece, this.#roomTaken);
      this.#roomTaken += piece.length;
    }
    this.#draining ??= this.#drain();
  }

  #closeBlock(): void {
    if (this.#roomTaken === 0) return;
    this.#blocks.push(this.#room.subarray(0, this.#roomTaken));
    this.#room = this.#room.subarray(this.#roomTaken);
    this.#roomTaken = 0;
  }

  /** Writes what is waiting, then closes the stream. Never rejects. */
  async close(): Promise<void> {
    await this.#draining;
    if (this.#ended) return;
    this.#end();
    await this.#writer.close().catch(() => {});
  }

  /** Ends the stream at once; what is waiting is lost. */
  abort(): void {
    if (this.#ended) return;
    this.#end();
    this.#writer.abort().catch(() => {});
  }

  async #drain(): Promise<void> {
    await undefined;
    try {
      for (this.#closeBlock(); this.#blocks.length > 0; this.#closeBlock()) {
        const blocks = this.#blocks;
        this.#blocks = [];
        for (const block of blocks) await this.#write(block);
      }
    } catch (error) {
      if (!this.#ended) {
        this.#end();
        this.#onError(error);
      }
    } finally {
      this.#draining = undefined;
    }
  }

  async #write(block: Uint8Array): Promise<void> {
    for (let at = 0; at < block.length && !this.#ended; at += WRITE_BYTES_MAX) {
      const part = block.length <= WRITE_BYTES_MAX ? block : block.subarray(at, at + WRITE_BYTES_MAX);
      await this.#writer.write(part);
      this.#writtenBytes += part.length;
      this.#backlogBytes -= part.length;
      if (!this.isFull) this.#release();
    }
  }

  #end(): void {
    this.#ended = true;
    this.#blocks = [];
    this.#roomTaken = 0;
    this.#backlogBytes = 0;
    this.#heldBackBytes = 0;
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    if (this.#ended) { for (const resolve of this.#waitingForLine.splice(0)) resolve(); }
  }
}

/** A piece together with the line feed behind it, when it stands in a buffer that has one there. */
function withLineEnd(piece: Uint8Array): Uint8Array | undefined {
  const end = piece.byteOffset + piece.length;
  if (end >= piece.buffer.byteLength) return undefined;
  const extended = new Uint8Array(piece.buffer, piece.byteOffset, piece.length + 1);
  return extended[piece.length] === LINE_END[0] ? extended : undefined;
}
