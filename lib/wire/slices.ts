/** Where the values of a JSON text stand, as byte positions, without making a single value. @module */

/** A value's bytes: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One member of an object: its name, decoded, and its value. */
export interface Member extends Span {
  readonly name: string;
  /** Where the member's name starts, at its quotation mark. */
  readonly nameStart: number;
}

/** Bytes that a string is read one by one before the search for its end is left to native code. */
const NEAR_BYTES = 192;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The decimal digits of a whole number from 0 on. */
export function digitsOf(number: number): Uint8Array {
  let length = 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) length++;
  const digits = new Uint8Array(length);
  for (let i = length - 1, rest = number; i >= 0; i--, rest = Math.floor(rest / 10)) digits[i] = 48 + rest % 10;
  return digits;
}

/** The text of bytes in UTF-8; what isn't UTF-8 becomes U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The position of the first byte from `at` on that isn't white space. */
export function skipBlank(bytes: Uint8Array, at: number): number {
  for (;;) {
    const byte = bytes[at];
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return at;
    at++;
  }
}

/** The position after the string that starts at `at`, or -1. Long strings are searched by native code. */
function endOfString(bytes: Uint8Array, at: number): number {
  const length = bytes.length;
  let i = at + 1;
  for (;;) {
    const near = Math.min(length, i + NEAR_BYTES);
    while (i < near) {
      const byte = bytes[i];
      if (byte === QUOTE) return i + 1;
      i += byte === BACKSLASH ? 2 : 1;
    }
    if (i >= length) return -1;
    const quote = bytes.indexOf(QUOTE, i);
    if (quote < 0) return -1;
    let slash = quote;
    while (slash > i && bytes[slash - 1] === BACKSLASH) slash--;
    if ((quote - slash) % 2 === 0) return quote + 1;
    i = quote + 1;
  }
}

function endOfContainer(bytes: Uint8Array, at: number): number {
  const length = bytes.length;
  let depth = 0;
  for (let i = at; i < length;) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = endOfString(bytes, i);
      if (i < 0) return -1;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return i + 1;
    i++;
  }
  return -1;
}

function endOfScalar(bytes: Uint8Array, at: number): number {
  let i = at;
  for (; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= 32) break;
  }
  return i === at ? -1 : i;
}

/** The position after the value that starts at `at`, or -1 when it doesn't end. */
export function endOfValue(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === QUOTE) return endOfString(bytes, at);
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return endOfContainer(bytes, at);
  return endOfScalar(bytes, at);
}

/** What {@link walkMembers} says of each member; `true` ends the walk. */
type Visit = (nameStart: number, nameEnd: number, start: number, end: number) => boolean | void;

/**
 * Visits the members of the object at `at`, in order. Gives the position after the object, or -1 when the text isn't an
 * object or is broken. Names are given with their quotation marks.
 */
export function walkMembers(bytes: Uint8Array, at: number, visit: Visit): number {
  let i = skipBlank(bytes, at);
  if (bytes[i] !== OPEN_BRACE) return -1;
  i = skipBlank(bytes, i + 1);
  if (bytes[i] === CLOSE_BRACE) return i + 1;
  for (;;) {
    if (bytes[i] !== QUOTE) return -1;
    const nameStart = i;
    const nameEnd = endOfString(bytes, i);
    if (nameEnd < 0) return -1;
    i = skipBlank(bytes, nameEnd);
    if (bytes[i] !== COLON) return -1;
    const start = skipBlank(bytes, i + 1);
    const end = endOfValue(bytes, start);
    if (end < 0) return -1;
    if (visit(nameStart, nameEnd, start, end) === true) return end;
    i = skipBlank(bytes, end);
    if (bytes[i] === CLOSE_BRACE) return i + 1;
    if (bytes[i] !== COMMA) return -1;
    i = skipBlank(bytes, i + 1);
  }
}

/** Names that members are looked for under, so that each member's name is compared once and not made. */
export class MemberNames<Name extends string> {
  readonly #names: ReadonlySet<string>;
  /** Names by their length. */
  readonly #byLength: (readonly Name[])[];

  constructor(names: readonly Name[]) {
    this.#names = new Set(names);
    const lengthMax = Math.max(...names.map((name) => name.length));
    this.#byLength = Array.from(
      { length: lengthMax + 1 },
      (_, length) => names.filter((name) => name.length === length),
    );
  }

  /** Which of the names stands at a place, given with its quotation marks. */
  at(bytes: Uint8Array, nameStart: number, nameEnd: number): Name | undefined {
    const candidates = this.#byLength[nameEnd - nameStart - 2];
    if (candidates) { for (const name of candidates) if (isAt(bytes, nameStart + 1, name)) return name; }
    for (let i = nameStart + 1; i < nameEnd - 1; i++) {
      if (bytes[i] === BACKSLASH) return this.#decoded(bytes, nameStart, nameEnd);
    }
    return undefined;
  }

  #decoded(bytes: Uint8Array, start: number, end: number): Name | undefined {
    const name = stringAt(bytes, { start, end });
    return name !== undefined && this.#names.has(name) ? name as Name : undefined;
  }
}

function isAt(bytes: Uint8Array, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name.charCodeAt(i)) return false;
  return true;
}

/** Whether the quoted name at a position is `name`. Names with escapes are decoded first. */
function nameIs(bytes: Uint8Array, nameStart: number, nameEnd: number, name: string): boolean {
  const length = nameEnd - nameStart - 2;
  if (length === name.length && isAt(bytes, nameStart + 1, name)) return true;
  // An escape makes a name longer than what it says.
  if (length <= name.length) return false;
  for (let i = nameStart + 1; i < nameEnd - 1; i++) {
    if (bytes[i] === BACKSLASH) return stringAt(bytes, { start: nameStart, end: nameEnd }) === name;
  }
  return false;
}

/** The value of the member `name` of the object at `at`. Of members with one name the last one counts. */
export function memberOf(bytes: Uint8Array, at: number, name: string): Span | undefined {
  let found: Span | undefined;
  const end = walkMembers(bytes, at, (nameStart, nameEnd, start, valueEnd) => {
    if (nameIs(bytes, nameStart, nameEnd, name)) found = { start, end: valueEnd };
  });
  return end < 0 ? undefined : found;
}

/** The value at a path of member names. */
export function valueAt(bytes: Uint8Array, at: number, path: readonly string[]): Span | undefined {
  let span: Span | undefined = { start: at, end: bytes.length };
  for (const name of path) {
    span = memberOf(bytes, span.start, name);
    if (!span) return undefined;
  }
  return span;
}

/** All members of the object at `at`, or undefined when there is no sound object. */
export function membersOf(bytes: Uint8Array, at: number): Member[] | undefined {
  const members: Member[] = [];
  const end = walkMembers(bytes, at, (nameStart, nameEnd, start, valueEnd) => {
    members.push({ name: stringAt(bytes, { start: nameStart, end: nameEnd }) ?? "", nameStart, start, end: valueEnd });
  });
  return end < 0 ? undefined : members;
}

/** The elements of the array at `at`, or undefined when there is no sound array. */
export function elementsOf(bytes: Uint8Array, at: number): Span[] | undefined {
  let i = skipBlank(bytes, at);
  if (bytes[i] !== OPEN_BRACKET) return undefined;
  const elements: Span[] = [];
  i = skipBlank(bytes, i + 1);
  if (bytes[i] === CLOSE_BRACKET) return elements;
  for (;;) {
    const end = endOfValue(bytes, i);
    if (end < 0) return undefined;
    elements.push({ start: i, end });
    i = skipBlank(bytes, end);
    if (bytes[i] === CLOSE_BRACKET) return elements;
    if (bytes[i] !== COMMA) return undefined;
    i = skipBlank(bytes, i + 1);
  }
}

/** The string at a span, decoded; undefined when there is no sound string. */
export function stringAt(bytes: Uint8Array, span: Span | undefined): string | undefined {
  if (!span || bytes[span.start] !== QUOTE) return undefined;
  const text = decoder.decode(bytes.subarray(span.start, span.end));
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a span, made. For small values only: it is parsed as JSON. */
export function valueOf(bytes: Uint8Array, span: Span | undefined): unknown {
  if (!span) return undefined;
  try {
    return JSON.parse(decoder.decode(bytes.subarray(span.start, span.end)));
  } catch {
    return undefined;
  }
}

/** Whether the value at a span is an object. */
export function isObjectAt(bytes: Uint8Array, span: Span | undefined): span is Span {
  return span !== undefined && bytes[span.start] === OPEN_BRACE;
}
