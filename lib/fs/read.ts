/** Reading: the entries of a folder, and the text of a file, whole or by lines. @module */

import { createHash } from "node:crypto";
import { LoomError } from "../errors.ts";
import { BINARY_HEAD_BYTES, isBinary, wholeUntil } from "./bytes.ts";
import { type Entry, type Folder, lossyText, type OpenFile, strictText } from "./folder.ts";
import { explaining, quoted, SystemError } from "./refusal.ts";
import type { ResolvedPath } from "./resolve.ts";

/** Entries of one listing; a longer folder says that it is cut. */
export const LIST_ENTRIES_MAX = 5_000;

/** Bytes of a file that are looked through for a range of lines. */
export const LINE_SCAN_BYTES_MAX = 67_108_864;

const CHUNK_BYTES = 262_144;
const NEWLINE = 10;

/** One entry as the model sees it. */
export interface ListedEntry {
  /** The name. */
  readonly name: string;
  /** What it is. */
  readonly kind: Entry["kind"];
  /** Bytes, for files. */
  readonly size: number | null;
  /** When it was last changed, UTC. */
  readonly modified: string | null;
}

/** A folder's entries, sorted by name, without anything that is denied. */
export interface Listing {
  /** The root's name. */
  readonly root: string;
  /** The folder. */
  readonly path: string;
  /** What lies in it. */
  readonly entries: readonly ListedEntry[];
  /** Whether entries are missing. */
  readonly truncated: boolean;
  /** What there is to say about it. */
  readonly note: string | null;
}

/** Lists a folder. */
export function listDirectory(path: ResolvedPath): Listing {
  return explaining(path.shown, () => {
    using folder = path.root.folder.folder(path.parts);
    const { deny } = path.root;
    const { entries, unreadable, cut } = folder.entries();
    const visible = sorted(entries.filter((entry) => deny.matching(entry.name) === undefined));
    const odd = unreadable.filter((name) => deny.matching(name) === undefined).length;
    const truncated = cut || visible.length > LIST_ENTRIES_MAX;
    const notes = [
      ...(truncated ? [`only the first ${LIST_ENTRIES_MAX} entries are shown: use search_files with a pattern`] : []),
      ...(odd > 0 ? [`entries whose names are not valid UTF-8 and cannot be shown: ${odd}`] : []),
    ];
    return {
      root: path.root.name,
      path: path.shown,
      entries: visible.slice(0, LIST_ENTRIES_MAX).flatMap((entry) => listed(folder, entry)),
      truncated,
      note: notes.length > 0 ? notes.join("; ") : null,
    };
  });
}

/** Entries by name, in the order of their UTF-16 units, so that the order is the same everywhere. */
export function sorted(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function listed(folder: Folder, entry: Entry): readonly ListedEntry[] {
  try {
    const { kind, size, modifiedMs } = folder.stat([entry.name]);
    return [{
      name: entry.name,
      kind,
      size: kind === "file" ? size : null,
      modified: new Date(modifiedMs).toISOString(),
    }];
  } catch (error) {
    if (!(error instanceof SystemError) && !(error instanceof RangeError)) throw error;
    // It went away, or this user may not ask, or its time is beyond what a date can say.
    return error instanceof SystemError && error.code === "ENOENT" ? [] : [{ ...entry, size: null, modified: null }];
  }
}

/** The text of a file, or of some lines of it. */
export interface FileText {
  /** The root's name. */
  readonly root: string;
  /** The file. */
  readonly path: string;
  /** The text, with its line ends as they are. */
  readonly content: string;
  /** The first line in `content`, from 1; 0 when there is none. */
  readonly start_line: number;
  /** The last line in `content`; 0 when there is none. */
  readonly end_line: number;
  /** Lines of the whole file, or null when it was not read to its end. */
  readonly total_lines: number | null;
  /** Bytes of the whole file. */
  readonly size: number;
  /** SHA-256 of the whole file, or null when it was not read to its end. */
  readonly sha256: string | null;
  /** Whether less is given than was asked for. */
  readonly truncated: boolean;
  /** What there is to say about it. */
  readonly note: string | null;
}

/** Lines from 1, both ends included. */
export interface LineRange {
  /** The first line. */
  readonly start?: number | undefined;
  /** The last line. */
  readonly end?: number | undefined;
}

/**
 * Reads a text file. A file larger than the root's `max_read_bytes` is read by lines only.
 *
 * @throws {LoomError} `FILE_UNAVAILABLE` when it is missing, no regular file, or binary; `LIMIT_EXCEEDED` when it is
 * too large to be read whole; `ARGUMENTS_INVALID` for a range that ends before it starts.
 */
export function readFile(path: ResolvedPath, range: LineRange = {}): FileText {
  const { start = 1, end = Number.POSITIVE_INFINITY } = range;
  if (end < start) throw new LoomError("ARGUMENTS_INVALID", `end_line ${end} is before start_line ${start}`);
  return explaining(path.shown, () => {
    refuseSpecial(path);
    using file = path.root.folder.file(path.parts);
    const isWhole = range.start === undefined && range.end === undefined;
    const limit = path.root.maxReadBytes;
    if (isWhole && file.stat().size > limit) throw tooLarge(path, file.stat().size);
    const window = new LineWindow(start, end, limit);
    const scan = scanLines(path, file, window, isWhole ? limit : LINE_SCAN_BYTES_MAX);
    if (isWhole && !scan.isAtEnd) throw tooLarge(path, Math.max(file.stat().size, limit + 1));
    return textOf(path, file.stat().size, window, scan);
  });
}

/** The gate saw a FIFO or a device: opening it could wake who waits at its other end. */
export function refuseSpecial(path: ResolvedPath): void {
  if (path.stat?.kind === "other") throw new SystemError("ENOTREG");
}

function tooLarge(path: ResolvedPath, size: number): LoomError {
  return new LoomError(
    "LIMIT_EXCEEDED",
    `${quoted(path.shown)} has ${size} bytes, more than the ${path.root.maxReadBytes} that one read of root ` +
      `'${path.root.name}' gives: ask for some lines with start_line and end_line`,
  );
}

interface Scan {
  readonly isAtEnd: boolean;
  readonly sha256: string;
}

function scanLines(path: ResolvedPath, file: OpenFile, window: LineWindow, limit: number): Scan {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, file.stat().size + BINARY_HEAD_BYTES));
  // A file that one read could give is read to its end, so that its hash and its number of lines are known.
  const goesOn = file.stat().size <= path.root.maxReadBytes;
  let at = 0;
  while (at <= limit && (goesOn || !window.isPast)) {
    const got = file.read(chunk.subarray(0, Math.min(chunk.length, limit + 1 - at)), at);
    if (got === 0) return { isAtEnd: true, sha256: hash.digest("hex") };
    const bytes = chunk.subarray(0, got);
    if (at === 0 && isBinary(bytes)) throw binary(path);
    hash.update(bytes);
    window.take(bytes);
    at += got;
  }
  return { isAtEnd: false, sha256: "" };
}

/** What is said of a file that is no text. */
export function binary(path: ResolvedPath): LoomError {
  return new LoomError("FILE_UNAVAILABLE", `${quoted(path.shown)} is binary, and this server reads text only`);
}

/** Collects the bytes of the lines of a range, up to a number of bytes. */
class LineWindow {
  readonly #first: number;
  readonly #last: number;
  readonly #bytesMax: number;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #line = 1;
  #endsInLine = false;
  #isFull = false;

  constructor(first: number, last: number, bytesMax: number) {
    this.#first = first;
    this.#last = last;
    this.#bytesMax = bytesMax;
  }

  /** The first line that was asked for. */
  get first(): number {
    return this.#first;
  }

  /** The last line that was asked for. */
  get last(): number {
    return this.#last;
  }

  /** Whether nothing of the range is still to come. */
  get isPast(): boolean {
    return this.#isFull || this.#line > this.#last;
  }

  /** Whether the range has more bytes than may be given. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Lines seen so far; the whole file's when it was read to its end. */
  get lines(): number {
    return this.#line - (this.#endsInLine ? 0 : 1);
  }

  take(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? bytes.length : newline + 1;
      if (!this.isPast && this.#line >= this.#first) this.#keep(bytes.subarray(start, end));
      this.#endsInLine = newline < 0;
      if (newline >= 0) this.#line++;
      start = end;
    }
  }

  #keep(bytes: Uint8Array): void {
    const room = this.#bytesMax - this.#keptBytes;
    this.#isFull = bytes.length > room;
    const kept = bytes.slice(0, room);
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
  }

  /** The bytes that were kept; when there were too many, whole lines of them, or a part of the only line. */
  bytes(): Uint8Array {
    const all = new Uint8Array(this.#keptBytes);
    let at = 0;
    for (const kept of this.#kept) {
      all.set(kept, at);
      at += kept.length;
    }
    if (!this.#isFull) return all;
    const lastEnd = all.lastIndexOf(NEWLINE) + 1;
    return all.subarray(0, lastEnd > 0 ? lastEnd : wholeUntil(all, all.length));
  }
}

function textOf(path: ResolvedPath, size: number, window: LineWindow, scan: Scan): FileText {
  const bytes = window.bytes();
  const text = strictText(bytes);
  const shown = linesIn(bytes);
  const totalLines = scan.isAtEnd ? window.lines : null;
  const start = shown === 0 ? 0 : window.first;
  const end = shown === 0 ? 0 : window.first + shown - 1;
  const isScanCut = !scan.isAtEnd && !window.isPast;
  const notes = [
    ...(window.isFull ? [cutNote(path, bytes, end)] : []),
    ...(isScanCut ? [`only the first ${LINE_SCAN_BYTES_MAX} bytes of the file were looked through`] : []),
    ...(shown === 0 && window.first > 1 && totalLines !== null ? [`the file has only ${totalLines} lines`] : []),
    ...(text === undefined ? ["bytes that are not UTF-8 are shown as U+FFFD, so do not write this text back"] : []),
  ];
  return {
    root: path.root.name,
    path: path.shown,
    content: text ?? lossyText(bytes),
    start_line: start,
    end_line: end,
    total_lines: totalLines,
    size,
    sha256: scan.isAtEnd ? scan.sha256 : null,
    truncated: window.isFull || isScanCut,
    note: notes.length > 0 ? notes.join("; ") : null,
  };
}

function cutNote(path: ResolvedPath, bytes: Uint8Array, end: number): string {
  const limit = `the text is cut at the ${path.root.maxReadBytes} bytes that one read gives`;
  return bytes.at(-1) === NEWLINE
    ? `${limit}: continue with start_line ${end + 1}`
    : `${limit}, within line ${end}, which is longer than that`;
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE ? lines + 1 : lines;
}
