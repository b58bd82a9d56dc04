/** A large answer that passes as it arrives, and is brought to a sound end when its server stops in the middle. @module */

import { CODE } from "../gateway/mod.ts";
import { bytesOf, type OpenLine, type Span, UnfinishedJson } from "../wire/mod.ts";

/** Time without a byte after which an answer is given up when others wait for its end. */
export const STALL_MS = 5_000;
/** Bytes that have passed and are kept unread: only when the server stops does anybody need to know where they ended. */
export const UNREAD_BYTES_MAX = 8 * 1024 * 1024;
/** Where the result is among the containers of an answer. */
const RESULT_DEPTH = 2;

/** One answer on its way. */
export class AnswerStream {
  readonly #line: OpenLine;
  readonly #id: Uint8Array;
  readonly #server: string;
  readonly #toClient: (pieces: readonly Uint8Array[]) => void;
  readonly #json = new UnfinishedJson();
  /** Pieces that {@link #json} has not been given yet. */
  readonly #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  /** Where the id stands in the first piece, which has not come yet. */
  #idSpan: Span | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the last piece came, on the clock of `performance.now()`. */
  #lastAt = 0;
  readonly #stallMs: number;
  #isOver = false;
  byteLength = 0;

  constructor(
    line: OpenLine,
    id: Uint8Array,
    idSpan: Span,
    server: string,
    toClient: (pieces: readonly Uint8Array[]) => void,
    stallMs: number = STALL_MS,
  ) {
    this.#line = line;
    this.#id = id;
    this.#idSpan = idSpan;
    this.#server = server;
    this.#toClient = toClient;
    this.#stallMs = stallMs;
  }

  /** Passes a piece on; in the first one the id becomes the caller's. */
  push(piece: Uint8Array): void {
    if (this.#isOver) return;
    this.#lastAt = performance.now();
    this.#timer ??= setTimeout(() => this.#watch(), this.#stallMs);
    this.#unread.push(piece);
    this.#unreadBytes += piece.length;
    if (this.#unreadBytes > UNREAD_BYTES_MAX) this.#catchUp();
    this.byteLength += piece.length;
    if (this.#idSpan) {
      this.#line.push(piece.subarray(0, this.#idSpan.start));
      this.#line.push(this.#id);
      this.#line.push(piece.subarray(this.#idSpan.end));
      this.#idSpan = undefined;
    } else {
      this.#line.push(piece);
    }
  }

  /**
   * Gives the answer up when it has stopped while others wait for its end. Its own pause, asked for a client that is slow
   * to read, is none. A timer for each piece would cost more than the piece.
   */
  #watch(): void {
    const leftMs = this.#stallMs - (performance.now() - this.#lastAt);
    if (leftMs <= 0 && this.#line.isAwaited && !this.#line.isBlocked) return this.giveUp();
    if (this.#line.isBlocked) this.#lastAt = performance.now();
    this.#timer = setTimeout(() => this.#watch(), leftMs > 0 ? leftMs : this.#stallMs);
  }

  #catchUp(): void {
    for (const piece of this.#unread.splice(0)) this.#json.push(piece);
    this.#unreadBytes = 0;
  }

  /** The answer is complete. */
  end(): void {
    if (this.#isOver) return;
    this.#over();
    this.#line.end();
  }

  /** The server has stopped in the middle. */
  giveUp(): void {
    this.breakOff(`Server "${this.#server}" stopped in the middle of this answer`);
  }

  /** What has passed is marked as an error that says why, or followed by one. */
  breakOff(text: string): void {
    if (this.#isOver) return;
    this.#over();
    this.#catchUp();
    const ending = this.#json.ending(` [${text}]`, '"isError":true', RESULT_DEPTH);
    if (ending !== undefined) this.#line.push(bytesOf(ending));
    this.#line.end();
    if (ending !== undefined) return;
    const error = JSON.stringify({ code: CODE.internal, message: text });
    this.#toClient([bytesOf('{"jsonrpc":"2.0","id":'), this.#id, bytesOf(`,"error":${error}}`)]);
  }

  #over(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
