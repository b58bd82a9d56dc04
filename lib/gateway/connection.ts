/** A connection to one running server: messages out, messages in, and how it ends. @module */

import { elementsOf, type LineSink, type LineTaker, type Message, readMessage, textOf } from "../wire/mod.ts";

/** What a connection tells its owner. */
export interface ConnectionEvents {
  /** One message of the server. Its bytes stay valid. */
  message(message: Message): void;
  /** A message beyond the size bound was dropped: what is left of its start and its end. */
  oversized(head: Uint8Array, tail: Uint8Array, byteLength: number): void;
  /** A large line is arriving quickly; who takes it gets it as it comes. */
  large(head: Uint8Array): LineTaker | undefined;
  /** Something that is no message, in a few readable characters. Called once per connection. */
  noise(sample: string): void;
}

/** A live connection. */
export interface Connection {
  /** Sends one message, given in pieces. */
  send(pieces: readonly Uint8Array[]): void;
  /** Bytes that the server hasn't taken yet. */
  readonly backlogBytes: number;
  /** Resolves once with the reason in words when the server is gone. Never rejects. */
  readonly closed: Promise<string>;
  /** Ends the server in good order, with everything it started. Resolves when it is gone. Never rejects. */
  close(): Promise<void>;
  /** Ends the server at once, with everything it started. */
  kill(): void;
  /** Resolves when more may be read from the server, since the client keeps up. Set by the owner. */
  pause: () => Promise<void> | undefined;
}

/** Characters of a noise sample. */
const SAMPLE_CHARS = 120;

/** Turns lines into messages and reports the first thing that is none. */
export function messageSink(events: ConnectionEvents): LineSink {
  let reported = false;
  const noise = (bytes: Uint8Array) => {
    if (reported) return;
    reported = true;
    events.noise(textOf(bytes.subarray(0, SAMPLE_CHARS)));
  };
  return {
    line(bytes) {
      const message = readMessage(bytes);
      if (message) return events.message(message);
      // Revision 2025-03-26 lets a server answer in batches.
      const messages = elementsOf(bytes, 0)?.map((span) => readMessage(bytes.subarray(span.start, span.end))) ?? [];
      if (!messages.some((element) => element !== undefined)) return noise(bytes);
      for (const element of messages) if (element) events.message(element);
    },
    noise,
    large: (head) => events.large(head),
    oversized: (head, tail, byteLength) => events.oversized(head, tail, byteLength),
  };
}
