/** Server-sent events as they pass: the data of each is replaced, everything else stays. @module */

import { bytesOf, concat, textOf } from "../wire/mod.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Puts another text in the place of an event's data. Undefined leaves the event as it is. */
export type ReplaceData = (data: Uint8Array) => string | undefined;

/** A stream of events with the data of every message event replaced. */
export function replaceEventData(replace: ReplaceData): TransformStream<Uint8Array, Uint8Array> {
  const reader = new EventReader(replace);
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const event of reader.push(chunk)) controller.enqueue(event);
    },
  });
}

/** Cuts bytes into events. A line may be as long as a message; reads may end anywhere. */
class EventReader {
  readonly #replace: ReplaceData;
  /** Pieces of the line that is arriving. */
  #line: Uint8Array[] = [];
  #data: Uint8Array[] = [];
  #fields: string[] = [];
  #isMessage = true;

  constructor(replace: ReplaceData) {
    this.#replace = replace;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const events: Uint8Array[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#line.push(chunk.subarray(from, end));
      const line = concat(this.#line);
      this.#line = [];
      from = end + 1;
      const event = this.#take(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
      if (event) events.push(event);
    }
    if (from < chunk.length) this.#line.push(chunk.slice(from));
    return events;
  }

  #take(line: Uint8Array): Uint8Array | undefined {
    if (line.length === 0) return this.#finish();
    const colon = line.indexOf(58);
    const name = textOf(colon < 0 ? line : line.subarray(0, colon));
    if (name === "data") {
      const start = line[colon + 1] === 32 ? colon + 2 : colon + 1;
      this.#data.push(colon < 0 ? new Uint8Array(0) : line.subarray(start));
    } else {
      const text = textOf(line);
      if (name === "event") this.#isMessage = text.slice(colon + 1).trim() === "message";
      this.#fields.push(text);
    }
    return undefined;
  }

  #finish(): Uint8Array {
    const data = concat(this.#data.flatMap((piece, i) => i === 0 ? [piece] : [bytesOf("\n"), piece]));
    const replaced = this.#isMessage && data.length > 0 ? this.#replace(data) : undefined;
    const lines = [...this.#fields];
    if (replaced !== undefined) lines.push(`data: ${replaced}`);
    else if (data.length > 0) lines.push(...textOf(data).split("\n").map((text) => `data: ${text}`));
    this.#data = [];
    this.#fields = [];
    this.#isMessage = true;
    return bytesOf(`${lines.join("\n")}\n\n`);
  }
}
