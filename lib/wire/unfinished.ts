/** A JSON text that is read while it passes, so that it can be brought to a sound end when its writer stops. @module */

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LETTER_U = 117;

/** Where a text stands between two pieces. */
export class UnfinishedJson {
  /** The closing byte of every container that is open, outermost first. */
  readonly #open: number[] = [];
  #inString = false;
  /** Whether the string that is open, or the next one, is a member's name. */
  #isName = false;
  /** Bytes that an escape still needs; the first of them decides how many follow. */
  #escape: "none" | "begun" | number = "none";

  /** Takes the next piece. */
  push(piece: Uint8Array): void {
    for (let i = 0; i < piece.length;) {
      if (this.#inString && this.#escape === "none") i = this.#skipString(piece, i);
      const byte = piece[i++];
      if (byte === undefined) return;
      if (this.#inString) this.#string(byte);
      else this.#structure(byte);
    }
  }

  /** Most of a large text is the inside of one string: the next place in it that matters. */
  #skipString(piece: Uint8Array, from: number): number {
    for (let at = from;;) {
      const quote = piece.indexOf(QUOTE, at);
      // Without an end of the string only an escape that is cut off by the end of the piece matters.
      if (quote < 0) return tailStart(piece, at);
      let slash = quote;
      while (slash > from && piece[slash - 1] === BACKSLASH) slash--;
      if ((quote - slash) % 2 === 0) return quote;
      at = quote + 1;
    }
  }

  /**
   * What brings a text to a sound end that stopped inside a string value: `note` ends the string, and `member` is put
   * into the object at `depth` (1 is the outermost). Undefined when it stopped elsewhere.
   */
  ending(note: string, member: string, depth: number): string | undefined {
    if (!this.#inString || this.#isName || this.#open.length < depth) return undefined;
    const rest = this.#escape === "begun" ? "\\" : this.#escape === "none" ? "" : "0".repeat(this.#escape);
    const closers = [...this.#open].reverse().map((byte, i) => {
      const isTarget = this.#open.length - i === depth;
      return (isTarget ? `,${member}` : "") + String.fromCharCode(byte);
    });
    return rest + JSON.stringify(note).slice(1) + closers.join("");
  }

  #string(byte: number): void {
    if (this.#escape === "begun") this.#escape = byte === LETTER_U ? 4 : "none";
    else if (this.#escape !== "none") this.#escape = this.#escape === 1 ? "none" : this.#escape - 1;
    else if (byte === BACKSLASH) this.#escape = "begun";
    else if (byte === QUOTE) this.#inString = false;
  }

  #structure(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        return;
      case OPEN_BRACE:
        this.#open.push(CLOSE_BRACE);
        this.#isName = true;
        return;
      case OPEN_BRACKET:
        this.#open.push(CLOSE_BRACKET);
        this.#isName = false;
        return;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#open.pop();
        this.#isName = false;
        return;
      case COLON:
        this.#isName = false;
        return;
      case COMMA:
        this.#isName = this.#open.at(-1) === CLOSE_BRACE;
    }
  }
}

/** Bytes at the end of a piece in which an escape may have begun that isn't over. */
const TAIL_BYTES = 8;

/** A place near the end of a piece, not before `from`, at which no escape is under way. */
function tailStart(piece: Uint8Array, from: number): number {
  let start = Math.max(from, piece.length - TAIL_BYTES);
  while (start > from && piece[start - 1] === BACKSLASH) start--;
  return start;
}
