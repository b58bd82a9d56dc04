/** Writing: files that are replaced in one step or not at all, new folders, and moves that replace nothing. @module */

import { createHash } from "node:crypto";
import { LoomError } from "../errors.ts";
import { sha256 } from "./bytes.ts";
import { READ_BYTES_MAX } from "./config.ts";
import { UNFINISHED_PREFIX } from "./deny.ts";
import type { Folder, OpenFile, Stat } from "./folder.ts";
import { explaining, quoted, SystemError } from "./refusal.ts";
import type { ResolvedPath } from "./resolve.ts";
import { holds } from "./roots.ts";
import { refuseDeniedInside } from "./subtree.ts";

/** Bytes of text that one write takes. */
export const WRITE_BYTES_MAX = 1_000_000;

const HASH_CHUNK_BYTES = 1_048_576;
const ANY_WRITE_BIT = 0o222;

/** What a write did. */
export interface Written {
  /** The root's name. */
  readonly root: string;
  /** The file. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** Bytes of the new content. */
  readonly bytes: number;
  /** SHA-256 of the new content. */
  readonly sha256: string;
  /** Folders that were missing on the way and were made. */
  readonly created_folders: readonly string[];
  /** What there is to say about it. */
  readonly note: string | null;
}

/**
 * Creates or replaces a file: the text goes to a new file beside it, which then takes its name in one step. Mode is
 * kept, and the owner where the system lets us. Folders that are missing on the way are made.
 *
 * @param path Where.
 * @param content The whole new text.
 * @param expectedSha256 The hash that the caller last saw; if the file has another, nothing is written or lost.
 * @throws {LoomError} `FILE_CHANGED` when the hash differs, `LIMIT_EXCEEDED` for text that is too long,
 * `FILE_UNAVAILABLE` when something other than a writable file has the name, or the system refuses.
 */
export function writeFile(path: ResolvedPath, content: string, expectedSha256?: string): Written {
  const bytes = contentBytes(path, content);
  return explaining(path.shown, () => {
    const name = path.parts.at(-1);
    if (name === undefined || path.stat?.kind === "folder") throw new SystemError("EISDIR");
    refuseUnwritable(path, expectedSha256);
    const made: string[] = [];
    using folder = madeFolder(path.root.folder, path.parts.slice(0, -1), made);
    replace(path, folder, name, bytes, expectedSha256);
    return {
      root: path.root.name,
      path: path.shown,
      created: path.stat === undefined,
      bytes: bytes.length,
      sha256: sha256(bytes),
      created_folders: made,
      note: path.stat !== undefined && path.stat.links > 1
        ? "the file had other names (hard links); they keep the old content"
        : null,
    };
  });
}

function contentBytes(path: ResolvedPath, content: string): Uint8Array<ArrayBuffer> {
  if (!content.isWellFormed()) {
    throw new LoomError("ARGUMENTS_INVALID", "content holds half of a surrogate pair, which no file can hold as text");
  }
  const bytes = new TextEncoder().encode(content);
  if (bytes.length <= WRITE_BYTES_MAX) return bytes;
  throw new LoomError(
    "LIMIT_EXCEEDED",
    `Cannot write ${quoted(path.shown)}: ${bytes.length} bytes are more than the ${WRITE_BYTES_MAX} of one write`,
  );
}

function refuseUnwritable(path: ResolvedPath, expectedSha256: string | undefined): void {
  const { stat } = path;
  if (stat === undefined) {
    if (expectedSha256 !== undefined) throw changed(path, "it does not exist any more");
    return;
  }
  if (stat.kind !== "file") throw new SystemError("ENOTREG");
  // A new file would take the place of a protected one without asking.
  if ((stat.mode & ANY_WRITE_BIT) === 0) {
    throw new LoomError("FILE_UNAVAILABLE", `${quoted(path.shown)} is marked read-only, so it is not replaced`);
  }
}

function changed(path: ResolvedPath, how: string): LoomError {
  return new LoomError(
    "FILE_CHANGED",
    `${quoted(path.shown)} is not the file of that expected_sha256: ${how}; nothing was written, so read it again`,
  );
}

function replace(
  path: ResolvedPath,
  folder: Folder,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  expectedSha256: string | undefined,
): void {
  if (expectedSha256 !== undefined) refuseChanged(path, folder, name, expectedSha256);
  const unfinished = `${UNFINISHED_PREFIX}${crypto.randomUUID()}`;
  let isInPlace = false;
  try {
    fill(folder, unfinished, bytes, path.stat);
    isInPlace = expectedSha256 === undefined
      ? takePlace(folder, unfinished, name)
      : exchange(path, folder, unfinished, name, expectedSha256);
  } finally {
    if (!isInPlace) removeIfThere(folder, unfinished);
  }
}

function fill(folder: Folder, name: string, bytes: Uint8Array<ArrayBuffer>, like: Stat | undefined): void {
  using file = folder.create(name);
  file.write(bytes, 0);
  if (like !== undefined) file.dressAs(like);
  file.sync();
}

function takePlace(folder: Folder, unfinished: string, name: string): true {
  folder.rename(unfinished, folder, name, "replace");
  return true;
}

/**
 * Both names are swapped in one step, and only then what came out is looked at: if someone changed the file after it
 * was compared, it goes back unharmed. Where the system cannot swap, that last instant stays open.
 *
 * @returns Whether nothing is left under the unfinished name.
 */
function exchange(path: ResolvedPath, folder: Folder, unfinished: string, name: string, expected: string): boolean {
  try {
    folder.rename(unfinished, folder, name, "exchange");
  } catch (error) {
    if (!(error instanceof SystemError) || !["ENOSYS", "EINVAL", "ENOTSUP"].includes(error.code)) throw error;
    refuseChanged(path, folder, name, expected);
    return takePlace(folder, unfinished, name);
  }
  try {
    refuseChanged(path, folder, unfinished, expected);
  } catch (error) {
    putBack(folder, unfinished, name);
    throw error;
  }
  return false;
}

/** Somebody else's content must not be lost, even when its name was taken away meanwhile: then it gets another. */
function putBack(folder: Folder, unfinished: string, name: string): void {
  try {
    folder.rename(unfinished, folder, name, "exchange");
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    folder.rename(unfinished, folder, `${name}.changed-${crypto.randomUUID()}`, "keep");
  }
}

function refuseChanged(path: ResolvedPath, folder: Folder, name: string, expected: string): void {
  using file = folder.file([name]);
  if (hashOf(file) !== expected.toLowerCase()) throw changed(path, "its content has changed");
}

/** The SHA-256 of an open file, or undefined for one that is larger than any read gives, so that nobody knows it. */
function hashOf(file: OpenFile): string | undefined {
  if (file.stat().size > READ_BYTES_MAX) return undefined;
  const hash = createHash("sha256");
  const chunk = new Uint8Array(HASH_CHUNK_BYTES);
  for (let at = 0; at <= READ_BYTES_MAX;) {
    const got = file.read(chunk, at);
    if (got === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, got));
    at += got;
  }
  return undefined;
}

function removeIfThere(folder: Folder, name: string): void {
  try {
    folder.remove(name);
  } catch (error) {
    // It may never have been made; one that stays behind is denied, so nobody sees it.
    if (!(error instanceof SystemError)) throw error;
  }
}

/**
 * Opens the folder of the names `parts` below `from`, making what is missing. Each is opened from the one before it,
 * so none can be swapped for a link on the way.
 *
 * @param made Receives the paths of the folders that were made.
 */
export function madeFolder(from: Folder, parts: readonly string[], made: string[]): Folder {
  let folder = from.folder([]);
  for (const [index, name] of parts.entries()) {
    using passed = folder;
    folder = openedOrMade(passed, name, () => made.push(parts.slice(0, index + 1).join("/")));
  }
  return folder;
}

function openedOrMade(folder: Folder, name: string, onMade: () => void): Folder {
  try {
    return folder.folder([name]);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== "ENOENT") throw error;
  }
  try {
    folder.makeFolder(name);
    onMade();
  } catch (error) {
    // Somebody else made it in between, which is as good.
    if (!(error instanceof SystemError) || error.code !== "EEXIST") throw error;
  }
  return folder.folder([name]);
}

/** What `create_directory` did. */
export interface MadeFolder {
  /** The root's name. */
  readonly root: string;
  /** The folder. */
  readonly path: string;
  /** Whether it was not there before. */
  readonly created: boolean;
  /** Every folder that was made, the ones on the way included. */
  readonly created_folders: readonly string[];
}

/** Makes a folder and what is missing on the way to it; one that is there already is left as it is. */
export function createDirectory(path: ResolvedPath): MadeFolder {
  return explaining(path.shown, () => {
    if (path.stat !== undefined && path.stat.kind !== "folder") throw new SystemError("EEXIST");
    const made: string[] = [];
    madeFolder(path.root.folder, path.parts, made)[Symbol.dispose]();
    return { root: path.root.name, path: path.shown, created: made.includes(path.shown), created_folders: made };
  });
}

/** What a move did. */
export interface Moved {
  /** The root's name. */
  readonly root: string;
  /** Where the entry was. */
  readonly from: string;
  /** Where it is. */
  readonly to: string;
  /** Folders that were missing on the way and were made. */
  readonly created_folders: readonly string[];
}

/**
 * Moves or renames an entry within its root; a link is moved itself. Nothing is ever replaced.
 *
 * @throws {LoomError} `NAME_TAKEN` when the target exists, `DENIED` when a folder holds something that is denied.
 */
export function moveEntry(from: ResolvedPath, to: ResolvedPath): Moved {
  const [name, toName] = [from.parts.at(-1), to.parts.at(-1)];
  if (name === undefined || toName === undefined) throw new Error("unreachable: the gate never gives the root itself");
  explaining(from.shown, () => {
    if (from.stat === undefined) throw new SystemError("ENOENT");
    if (to.parts.length > from.parts.length && holds(from.parts, to.parts)) throw new SystemError("EINVAL");
    if (from.stat.kind === "folder") refuseDeniedInside(from);
  });
  const made: string[] = [];
  explaining(to.shown, () => {
    if (to.stat !== undefined) throw new SystemError("EEXIST");
    using folder = from.root.folder.folder(from.parts.slice(0, -1));
    using target = madeFolder(to.root.folder, to.parts.slice(0, -1), made);
    folder.rename(name, target, toName, "keep");
  });
  return { root: from.root.name, from: from.shown, to: to.shown, created_folders: made };
}
