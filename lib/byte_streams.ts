/**
 * The part of web streams that loom uses, so that a socket can stand behind it without the machinery of a stream.
 * @module
 */

/** Gives the bytes of a peer, one read after the other. A `ReadableStreamDefaultReader` is one. */
export interface ByteReader {
  /** The next bytes, or the end. Rejects when reading failed. */
  read(): Promise<{ readonly done: false; readonly value: Uint8Array } | { readonly done: true }>;
  /** Ends the reading: a read that waits gets the end. */
  cancel(): Promise<void>;
}

/** What a {@link ByteReader} can be had of, once. A `ReadableStream` is one. */
export interface ByteReadable {
  /** The reader. */
  getReader(): ByteReader;
}

/** Takes bytes for a peer, one write after the other. A `WritableStreamDefaultWriter` is one. */
export interface ByteWriter {
  /** Rejects when the peer is gone, or anything else failed. */
  readonly closed: Promise<unknown>;
  /** Resolves when the system has the bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the stream behind what was written. */
  close(): Promise<void>;
  /** Ends the stream at once. */
  abort(): Promise<void>;
}

/** What a {@link ByteWriter} can be had of, once. A `WritableStream` is one. */
export interface ByteWritable {
  /** The writer. */
  getWriter(): ByteWriter;
}
