/** What loom-fs asks of a file system: folders and files opened beneath a root, never through a link. @module */

/** What a directory entry is. Devices, FIFOs and sockets are `other`. */
export type EntryKind = "file" | "folder" | "link" | "other";

/** The facts of one entry; a link is described itself, never what it points to. */
export interface Stat {
  /** What the entry is. */
  readonly kind: EntryKind;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, `0o777` at most. */
  readonly mode: number;
  /** Names that this file has (hard links). */
  readonly links: number;
  /** Identifies the file together with {@link Stat.inode}. */
  readonly device: string;
  /** Identifies the file together with {@link Stat.device}. */
  readonly inode: string;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** The user who owns it, where the system has users. */
  readonly uid: number;
  /** The group that owns it, where the system has groups. */
  readonly gid: number;
}

/** One name in a folder. */
export interface Entry {
  /** The name, as valid Unicode. */
  readonly name: string;
  /** What it is. */
  readonly kind: EntryKind;
}

/** The names of a folder, in no order. */
export interface Entries {
  /** Every entry whose name is valid Unicode. */
  readonly entries: readonly Entry[];
  /** Names that are not valid UTF-8, lossily read; they cannot be opened by text. */
  readonly unreadable: readonly string[];
  /** Whether the folder had more names than were to be read, so that some are missing. */
  readonly cut: boolean;
}

/** Names read from one folder; beyond them the list says that it is cut. */
export const FOLDER_ENTRIES_MAX = 200_000;

/** What happens to a name that is there already: `replace` it, `keep` it and fail, or `exchange` both. */
export type RenameMode = "replace" | "keep" | "exchange";

/** A regular file that is open. Every failure is a `SystemError`. */
export interface OpenFile extends Disposable {
  /** The facts of the open file, whatever its name means by now. */
  stat(): Stat;
  /** Reads into `bytes` from the offset `at`; 0 at the end. */
  read(bytes: Uint8Array, at: number): number;
  /** Writes all of `bytes` from the offset `at`. */
  write(bytes: Uint8Array, at: number): void;
  /** Gives the file the mode of `like`, and its owner where the system lets us. */
  dressAs(like: Stat): void;
  /** Waits until the content is on the disk. */
  sync(): void;
}

/**
 * A folder that is open. Paths are lists of names without `..`; no name is ever followed through a link: one that is a
 * link fails with `ELOOP` or `ENOTDIR`. Every failure is a `SystemError`.
 */
export interface Folder extends Disposable {
  /** Opens a folder below. */
  folder(parts: readonly string[]): Folder;
  /** Opens a regular file below for reading, without waiting; anything else fails with `ENOTREG` or `EISDIR`. */
  file(parts: readonly string[]): OpenFile;
  /** Makes and opens a new file for writing; fails with `EEXIST` when the name is there, be it as a link. */
  create(name: string): OpenFile;
  /** The facts of an entry below; fails with `ENOENT` when there is none. */
  stat(parts: readonly string[]): Stat;
  /** The text of a link below. */
  link(parts: readonly string[]): string;
  /** The names in this folder, {@link FOLDER_ENTRIES_MAX} at most if `max` says nothing else. */
  entries(max?: number): Entries;
  /** Makes a folder here; fails with `EEXIST` when the name is there. */
  makeFolder(name: string): void;
  /** Renames an entry of this folder to a name in `to`. */
  rename(name: string, to: Folder, toName: string, mode: RenameMode): void;
  /** Removes the name of a file. */
  remove(name: string): void;
}

/** How a system opens files beneath a root. */
export type Opening = "openat2" | "openat" | "proc-self-fd" | "best-effort";

/** One way to reach files. */
export interface FileAccess {
  /** Which way it is. */
  readonly opening: Opening;
  /** Whether `rename` can exchange two names in one step. */
  readonly canExchange: boolean;
  /** Opens the folder at an absolute path of the host, following links, and tells its real path. */
  openRoot(path: string): { readonly folder: Folder; readonly realPath: string };
}

// A byte order mark is part of a name or a text, and would be lost.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes that must be UTF-8, or undefined. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of bytes, with U+FFFD for what is not UTF-8. */
export function lossyText(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}
