/** Bytes of text: finding some in others in linear time, lines, previews, hashes, and what is binary. @module */

import { createHash } from "node:crypto";
import { lossyText, type OpenFile } from "./folder.ts";

/** Bytes at the start of a file in which a NUL makes it binary. */
export const BINARY_HEAD_BYTES = 4_096;

/** Bytes of a line that a preview shows, with `…` where it is cut; so it never has more than 300 characters. */
export const PREVIEW_BYTES_MAX = 290;

/** Bytes of a long line that a preview shows before the hit. */
const PREVIEW_BYTES_BEFORE = 90;

const NEWLINE = 10;

/** Whether a file that starts with `head` is binary rather than text. */
export function isBinary(head: Uint8Array): boolean {
  return head.subarray(0, BINARY_HEAD_BYTES).includes(0);
}

/** A search for one run of bytes, in time linear in what is searched, whatever both hold (Knuth, Morris, Pratt). */
export class ByteFinder {
  readonly #needle: Uint8Array;
  readonly #borders: Int32Array;

  /** @param needle What to find; not empty. */
  constructor(needle: Uint8Array) {
    this.#needle = needle;
    this.#borders = new Int32Array(needle.length);
    for (let at = 1, border = 0; at < needle.length; at++) {
      while (border > 0 && needle[at] !== needle[border]) border = this.#borders[border - 1] ?? 0;
      if (needle[at] === needle[border]) border++;
      this.#borders[at] = border;
    }
  }

  /** Where the first hit starts, or -1. */
  firstIn(bytes: Uint8Array): number {
    const needle = this.#needle;
    const first = needle[0] ?? 0;
    for (let at = 0, matched = 0; at < bytes.length; at++) {
      if (matched === 0) {
        // Nothing is half matched, so the engine's own search may jump to the next start.
        at = bytes.indexOf(first, at);
        if (at < 0) return -1;
      }
      while (matched > 0 && bytes[at] !== needle[matched]) matched = this.#borders[matched - 1] ?? 0;
      if (bytes[at] === needle[matched]) matched++;
      if (matched === needle.length) return at - matched + 1;
    }
    return -1;
  }
}

/** The number of the line that holds the byte at `at`, from 1. */
export function lineAt(bytes: Uint8Array, at: number): number {
  let line = 1;
  for (let next = bytes.indexOf(NEWLINE); next >= 0 && next < at; next = bytes.indexOf(NEWLINE, next + 1)) line++;
  return line;
}

/** The line that holds the byte at `at`, or a part of it around that byte, in at most 300 characters. */
export function previewAt(bytes: Uint8Array, at: number): string {
  const lineStart = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  const found = bytes.indexOf(NEWLINE, at);
  const newline = found < 0 ? bytes.length : found;
  const lineEnd = bytes[newline - 1] === 13 && newline - 1 >= lineStart ? newline - 1 : newline;
  if (lineEnd - lineStart <= PREVIEW_BYTES_MAX) return lossyText(bytes.subarray(lineStart, lineEnd));
  const start = wholeFrom(bytes, Math.max(lineStart, at - PREVIEW_BYTES_BEFORE));
  const end = wholeUntil(bytes, Math.min(lineEnd, start + PREVIEW_BYTES_MAX));
  const text = lossyText(bytes.subarray(start, end));
  return `${start > lineStart ? "…" : ""}${text}${end < lineEnd ? "…" : ""}`;
}

const UTF8_CONTINUATIONS_MAX = 3;

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The first start of a character at or after `at`. */
function wholeFrom(bytes: Uint8Array, at: number): number {
  for (let skipped = 0; skipped <= UTF8_CONTINUATIONS_MAX; skipped++) {
    if (!isContinuation(bytes[at + skipped])) return at + skipped;
  }
  return at;
}

/** The last end of a character at or before `at`; what follows `at` is not looked at. */
export function wholeUntil(bytes: Uint8Array, at: number): number {
  for (let back = 1; back <= UTF8_CONTINUATIONS_MAX + 1 && back <= at; back++) {
    const byte = bytes[at - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? at - back : at;
  }
  return at;
}

/** The SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads at most `limit` bytes from the start; one more than a file may have tells whether it has more. */
export function readUpTo(file: OpenFile, limit: number): Uint8Array<ArrayBuffer> {
  const size = Math.min(limit, file.stat().size + 1);
  let bytes = new Uint8Array(size);
  let length = 0;
  while (length < limit) {
    if (length === bytes.length) {
      // It has grown since it was measured.
      const larger = new Uint8Array(Math.min(limit, bytes.length * 2 + BINARY_HEAD_BYTES));
      larger.set(bytes);
      bytes = larger;
    }
    const got = file.read(bytes.subarray(length), length);
    if (got === 0) break;
    length += got;
  }
  return bytes.subarray(0, length);
}
