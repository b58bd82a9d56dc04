/** The channel between relay and engine: frames of a JSON header and a body of raw bytes. @module */

/** Bytes of a frame's header. */
export const FRAME_HEADER_BYTES_MAX = 1_048_576;
/** Bytes of a frame's body. */
export const FRAME_BODY_BYTES_MAX = 268_435_456;

/** A frame as it was read. */
export interface Frame<Header> {
  readonly header: Header;
  readonly body: Uint8Array;
}

// Three words: a mark that text printed by native code does not carry by chance, the header's size, the body's size.
const MARK = 0xf1_6c_6f_6d;
const PREFIX_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of one frame, in pieces that are to be written one after the other; bodies are not copied. */
export function encodeFrame(header: object, ...bodies: readonly Uint8Array[]): Uint8Array[] {
  const json = encoder.encode(JSON.stringify(header));
  const bodyBytes = bodies.reduce((sum, body) => sum + body.length, 0);
  if (json.length > FRAME_HEADER_BYTES_MAX || bodyBytes > FRAME_BODY_BYTES_MAX) {
    throw new RangeError(`Cannot frame a message of ${json.length} and ${bodyBytes} bytes: it is too large`);
  }
  const first = new Uint8Array(PREFIX_BYTES + json.length);
  const view = new DataView(first.buffer);
  view.setUint32(0, MARK);
  view.setUint32(4, json.length);
  view.setUint32(8, bodyBytes);
  first.set(json, PREFIX_BYTES);
  return [first, ...bodies.filter((body) => body.length > 0)];
}

/**
 * Turns chunks into frames. A byte that does not belong to a frame makes `push` throw: something printed into the
 * channel, and nothing after it can be trusted.
 */
export class FrameParser<Header> {
  #prefix = new Uint8Array(PREFIX_BYTES);
  #target = this.#prefix;
  #filled = 0;
  #stage: "prefix" | "header" | "body" = "prefix";
  #bodyBytes = 0;
  #header: Header | undefined;

  /** The frames that `chunk` completes, in order. */
  push(chunk: Uint8Array): Frame<Header>[] {
    const frames: Frame<Header>[] = [];
    let at = 0;
    for (;;) {
      const take = Math.min(this.#target.length - this.#filled, chunk.length - at);
      this.#target.set(take === chunk.length ? chunk : chunk.subarray(at, at + take), this.#filled);
      this.#filled += take;
      at += take;
      if (this.#filled < this.#target.length) return frames;
      this.#advance(frames);
    }
  }

  #advance(frames: Frame<Header>[]): void {
    const full = this.#target;
    if (this.#stage === "prefix") {
      const view = new DataView(full.buffer, full.byteOffset);
      const headerBytes = view.getUint32(4);
      this.#bodyBytes = view.getUint32(8);
      if (
        view.getUint32(0) !== MARK || headerBytes > FRAME_HEADER_BYTES_MAX || this.#bodyBytes > FRAME_BODY_BYTES_MAX
      ) {
        throw new Error("Cannot read a frame: bytes that are no frame stand in the channel");
      }
      this.#expect("header", new Uint8Array(headerBytes));
    } else if (this.#stage === "header") {
      this.#header = JSON.parse(decoder.decode(full));
      this.#expect("body", new Uint8Array(this.#bodyBytes));
    } else {
      frames.push({ header: this.#header as Header, body: full });
      this.#expect("prefix", this.#prefix);
    }
  }

  #expect(stage: "prefix" | "header" | "body", target: Uint8Array<ArrayBuffer>): void {
    this.#stage = stage;
    this.#target = target;
    this.#filled = 0;
  }
}
