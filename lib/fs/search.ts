/** Search: a bounded walk, breadth first and sorted, that never enters what is denied and says whatever it left out. @module */

import { LoomError } from "../errors.ts";
import { BINARY_HEAD_BYTES, ByteFinder, isBinary, lineAt, previewAt } from "./bytes.ts";
import type { Folder } from "./folder.ts";
import { type PathPattern, pathPattern, PatternError, type PatternState } from "./glob.ts";
import { PATH_BYTES_MAX, utf8Length } from "./names.ts";
import { sorted } from "./read.ts";
import { explaining, quoted, SystemError } from "./refusal.ts";
import type { ResolvedPath } from "./resolve.ts";

/** Names that one search looks at. */
export const SEARCH_NAMES_MAX = 2_000_000;

/** Milliseconds that one search takes. */
export const SEARCH_MS_MAX = 10_000;

/** Characters of `contains`. */
export const CONTAINS_CHARS_MAX = 4_096;

/** Milliseconds after which a search lets other requests have their turn. */
const TURN_MS = 10;

/** What is searched for, and how much. */
export interface SearchQuery {
  /** A pattern over paths, see `pathPattern`. */
  readonly pattern: string;
  /** Text that the file must hold, compared byte for byte. */
  readonly contains?: string | undefined;
  /** Matches at most. */
  readonly maxResults: number;
  /** Bytes of content at most. */
  readonly maxBytes: number;
  /** Ends the search early. */
  readonly signal?: AbortSignal | undefined;
  /** Names to look at, if not {@link SEARCH_NAMES_MAX}; given by tests. */
  readonly maxNames?: number;
  /** Milliseconds, from any start; given by tests. */
  readonly now?: () => number;
}

/** One file that fits. */
export interface Match {
  /** The file. */
  readonly path: string;
  /** The first line that holds the text, from 1; null when no text was searched for. */
  readonly line: number | null;
  /** That line, or a part of it around the text. */
  readonly preview: string | null;
}

/** What a search found, and what it left out. */
export interface SearchResult {
  /** The files that fit. */
  readonly matches: readonly Match[];
  /** Whether a limit ended the search, so that there may be more. */
  readonly truncated: boolean;
  /** Files whose names were compared with the pattern. */
  readonly examined_files: number;
  /** Bytes of content that were read. */
  readonly scanned_bytes: number;
  /** Files that fit by name and are larger than the root's `max_read_bytes`. */
  readonly skipped_too_large: number;
  /** Files that fit by name and are binary. */
  readonly skipped_binary: number;
  /** Which limit ended the search, and what could not be read. */
  readonly note: string | null;
}

/**
 * Searches a root.
 *
 * @throws {LoomError} `ARGUMENTS_INVALID` for a pattern or a text that is refused.
 */
export async function searchFiles(path: ResolvedPath, query: SearchQuery): Promise<SearchResult> {
  using search = new Search(path, query, patternOf(query.pattern), finderOf(query.contains));
  // A root that cannot be read at all is an error; a folder below is skipped.
  explaining(path.shown, () => path.root.folder.folder(path.parts)[Symbol.dispose]());
  const now = query.now ?? (() => performance.now());
  const from = now();
  let turn = from;
  while (search.step()) {
    const time = now();
    if (time - from > SEARCH_MS_MAX) search.stop(`the search was ended after ${SEARCH_MS_MAX / 1_000} seconds`);
    if (time - turn < TURN_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    query.signal?.throwIfAborted();
    turn = now();
  }
  return search.result();
}

// deno-lint-ignore no-control-regex
const ASCII_REGEXP = /^[\u0000-\u007f]*$/;
const IGNORES_CASE = Deno.build.os === "darwin" || Deno.build.os === "windows";

/** One Unicode form; and one case where file systems usually ignore it. */
function searchForm(text: string): string {
  const composed = ASCII_REGEXP.test(text) ? text : text.normalize("NFC");
  return IGNORES_CASE ? composed.toLowerCase() : composed;
}

function patternOf(text: string): PathPattern {
  try {
    return pathPattern(text, searchForm);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new LoomError("ARGUMENTS_INVALID", `pattern is refused: ${error.message}`, { cause: error });
  }
}

function finderOf(text: string | undefined): ByteFinder | undefined {
  if (text === undefined) return undefined;
  if (text === "") throw new LoomError("ARGUMENTS_INVALID", "contains is empty: leave it out to search by name alone");
  if (text.length > CONTAINS_CHARS_MAX) {
    throw new LoomError("ARGUMENTS_INVALID", `contains is longer than ${CONTAINS_CHARS_MAX} characters`);
  }
  if (!text.isWellFormed()) throw new LoomError("ARGUMENTS_INVALID", "contains holds half of a surrogate pair");
  return new ByteFinder(new TextEncoder().encode(text));
}

interface Waiting {
  readonly parts: readonly string[];
  readonly state: PatternState;
  /** Bytes of the path. */
  readonly length: number;
}

class Search implements Disposable {
  readonly #path: ResolvedPath;
  readonly #query: SearchQuery;
  readonly #pattern: PathPattern;
  readonly #finder: ByteFinder | undefined;
  readonly #waiting: Waiting[];
  readonly #matches: Match[] = [];
  readonly #notes: string[] = [];
  #files: Iterator<string> = [].values();
  #open: { readonly folder: Folder; readonly parts: readonly string[] } | undefined;
  #next = 0;
  #isStopped = false;
  #names = 0;
  #examined = 0;
  #scannedBytes = 0;
  #tooLarge = 0;
  #binary = 0;
  #unreadable = 0;
  #odd = 0;
  #tooDeep = 0;

  constructor(path: ResolvedPath, query: SearchQuery, pattern: PathPattern, finder: ByteFinder | undefined) {
    this.#path = path;
    this.#query = query;
    this.#pattern = pattern;
    this.#finder = finder;
    this.#waiting = [{ parts: path.parts, state: pattern.start, length: 0 }];
  }

  /** Ends the search; what was found so far is the result. */
  stop(reason: string): void {
    this.#isStopped = true;
    this.#notes.push(reason);
  }

  /** Does a little of the work: one file's content, or one folder's names. False when nothing is left. */
  step(): boolean {
    if (this.#isStopped) return false;
    const file = this.#files.next();
    if (file.done !== true) {
      this.#examine(file.value);
      return true;
    }
    this[Symbol.dispose]();
    const waiting = this.#waiting[this.#next++];
    if (waiting === undefined) return false;
    this.#enter(waiting);
    return true;
  }

  /** Closes the folder that is being looked at. */
  [Symbol.dispose](): void {
    this.#open?.folder[Symbol.dispose]();
    this.#open = undefined;
  }

  #enter(waiting: Waiting): void {
    const { parts } = waiting;
    let folder: Folder;
    try {
      folder = this.#path.root.folder.folder(parts);
    } catch (error) {
      this.#skip(error);
      return;
    }
    this.#open = { folder, parts };
    try {
      this.#files = this.#sift(folder, waiting).values();
    } catch (error) {
      this.#skip(error);
    }
  }

  /** What vanished during the walk or became a link was never there; all else that cannot be read is counted. */
  #skip(error: unknown): void {
    if (!(error instanceof SystemError)) throw error;
    if (!["ENOENT", "ELOOP", "ENOTDIR", "ENOTREG", "EISDIR"].includes(error.code)) this.#unreadable++;
  }

  /** The files of a folder that fit by name; its folders are put in line, those that are denied never. */
  #sift(folder: Folder, waiting: Waiting): readonly string[] {
    const { deny } = this.#path.root;
    const { entries, unreadable, cut } = folder.entries();
    if (cut) {
      this.#notes.push(`a folder has too many entries, and some of ${quoted(waiting.parts.join("/"))} are missing`);
    }
    this.#names += entries.length;
    this.#odd += unreadable.filter((name) => deny.matching(name) === undefined).length;
    const files: string[] = [];
    const visible = entries.filter(({ name, kind }) => {
      return (kind === "file" || kind === "folder") && deny.matching(name) === undefined;
    });
    for (const { name, kind } of sorted(visible)) {
      if (kind === "folder") this.#line(waiting, name);
      else {
        this.#examined++;
        if (this.#pattern.matchesFile(waiting.state, name)) files.push(name);
      }
    }
    const { maxNames = SEARCH_NAMES_MAX } = this.#query;
    if (this.#names > maxNames) this.stop(`the search was ended after ${maxNames} names`);
    return files;
  }

  #line(waiting: Waiting, name: string): void {
    const state = this.#pattern.into(waiting.state, name);
    if (state.length === 0) return;
    const length = waiting.length + 1 + utf8Length(name);
    // A path that no tool would accept is of no use in an answer.
    if (length > PATH_BYTES_MAX) this.#tooDeep++;
    else this.#waiting.push({ parts: [...waiting.parts, name], state, length });
  }

  #examine(name: string): void {
    if (this.#open === undefined) return;
    const { folder, parts } = this.#open;
    const path = [...parts, name].join("/");
    if (this.#finder === undefined) return this.#found({ path, line: null, preview: null });
    try {
      const bytes = this.#content(folder, name);
      const at = bytes === undefined ? -1 : this.#finder.firstIn(bytes);
      if (bytes !== undefined && at >= 0) {
        this.#found({ path, line: lineAt(bytes, at), preview: previewAt(bytes, at) });
      }
    } catch (error) {
      this.#skip(error);
    }
  }

  #found(match: Match): void {
    if (this.#matches.length < this.#query.maxResults) this.#matches.push(match);
    else this.stop(`only the first ${this.#query.maxResults} matches are shown: narrow the pattern`);
  }

  /** The bytes of a file, or undefined when it is too large or binary. */
  #content(folder: Folder, name: string): Uint8Array | undefined {
    using file = folder.file([name]);
    const { size } = file.stat();
    if (size > this.#path.root.maxReadBytes) {
      this.#tooLarge++;
      return undefined;
    }
    if (this.#scannedBytes + size > this.#query.maxBytes) {
      this.stop(`the search was ended before more than ${this.#query.maxBytes} bytes were read: narrow the pattern`);
      return undefined;
    }
    const bytes = new Uint8Array(size);
    let length = file.read(bytes.subarray(0, BINARY_HEAD_BYTES), 0);
    const isNoText = isBinary(bytes.subarray(0, length));
    while (!isNoText && length < size) {
      const got = file.read(bytes.subarray(length), length);
      if (got === 0) break;
      length += got;
    }
    this.#scannedBytes += length;
    if (isNoText) this.#binary++;
    return isNoText ? undefined : bytes.subarray(0, length);
  }

  result(): SearchResult {
    const notes = [
      ...this.#notes,
      ...(this.#unreadable > 0 ? [`folders and files that could not be read: ${this.#unreadable}`] : []),
      ...(this.#odd > 0 ? [`names that are not valid UTF-8 and were left out: ${this.#odd}`] : []),
      ...(this.#tooDeep > 0 ? [`folders whose path is too long and were left out: ${this.#tooDeep}`] : []),
    ];
    return {
      matches: this.#matches,
      truncated: this.#isStopped || this.#notes.length > 0 || this.#tooDeep > 0,
      examined_files: this.#examined,
      scanned_bytes: this.#scannedBytes,
      skipped_too_large: this.#tooLarge,
      skipped_binary: this.#binary,
      note: notes.length > 0 ? notes.join("; ") : null,
    };
  }
}
