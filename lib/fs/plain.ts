/** Files beneath a root by path alone: checked before and after, which narrows a race and does not end it. @module */

import { foldedName } from "./deny.ts";
import {
  type Entries,
  type Entry,
  type EntryKind,
  type FileAccess,
  type Folder,
  FOLDER_ENTRIES_MAX,
  type OpenFile,
  type RenameMode,
  type Stat,
} from "./folder.ts";
import { SystemError } from "./refusal.ts";

const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

/**
 * File access with Deno's own calls, for systems that offer nothing better. Every name on the way is looked at before
 * the call, and the real path and identity of the file after it. Someone who swaps a folder for a link between the two
 * looks can still win now and then; FIFOs are refused by a look as well, not by the way they are opened.
 */
export function plainAccess(): FileAccess {
  return {
    opening: "best-effort",
    canExchange: false,
    openRoot(path) {
      const realPath = calling(() => Deno.realPathSync(path));
      if (!calling(() => Deno.statSync(realPath)).isDirectory) throw new SystemError("ENOTDIR");
      return { folder: new PlainFolder(realPath), realPath };
    },
  };
}

const CODES: readonly (readonly [new (message?: string) => Error, string])[] = [
  [Deno.errors.NotFound, "ENOENT"],
  [Deno.errors.AlreadyExists, "EEXIST"],
  [Deno.errors.NotADirectory, "ENOTDIR"],
  [Deno.errors.IsADirectory, "EISDIR"],
  [Deno.errors.FilesystemLoop, "ELOOP"],
  [Deno.errors.PermissionDenied, "EACCES"],
  [Deno.errors.NotCapable, "EACCES"],
];

function calling<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof SystemError) throw error;
    const known = CODES.find(([kind]) => error instanceof kind)?.[1];
    const own = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
    throw new SystemError(known ?? own);
  }
}

class PlainFolder implements Folder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  #join(parts: readonly string[]): string {
    for (const name of parts) {
      if (name === "" || name === ".." || name.includes("\0") || name.includes(SEPARATOR) || name.includes("/")) {
        throw new SystemError("EINVAL");
      }
    }
    return parts.length === 0 ? this.#path : [this.#path.replace(/[\\/]$/, ""), ...parts].join(SEPARATOR);
  }

  /** The path of an entry, every name before it having been seen to be a folder and no link. */
  #seen(parts: readonly string[]): string {
    this.#unmoved(this.#path);
    for (let length = 1; length < parts.length; length++) {
      const info = calling(() => Deno.lstatSync(this.#join(parts.slice(0, length))));
      if (info.isSymlink) throw new SystemError("ELOOP");
      if (!info.isDirectory) throw new SystemError("ENOTDIR");
    }
    return this.#join(parts);
  }

  #unmoved(path: string): void {
    if (foldedName(calling(() => Deno.realPathSync(path))) !== foldedName(path)) throw new SystemError("ELOOP");
  }

  folder(parts: readonly string[]): Folder {
    const path = this.#seen(parts);
    const info = calling(() => Deno.lstatSync(path));
    if (info.isSymlink) throw new SystemError("ELOOP");
    if (!info.isDirectory) throw new SystemError("ENOTDIR");
    this.#unmoved(path);
    return new PlainFolder(path);
  }

  file(parts: readonly string[]): OpenFile {
    const path = this.#seen(parts);
    const before = this.stat(parts);
    if (before.kind === "link") throw new SystemError("ELOOP");
    if (before.kind !== "file") throw new SystemError(before.kind === "folder" ? "EISDIR" : "ENOTREG");
    const file = new PlainFile(path, calling(() => Deno.openSync(path)));
    try {
      this.#unmoved(path);
      const after = file.stat();
      if (after.device !== before.device || after.inode !== before.inode) throw new SystemError("ELOOP");
      return file;
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
  }

  create(name: string): OpenFile {
    const path = this.#seen([name]);
    const file = new PlainFile(path, calling(() => Deno.openSync(path, { read: true, write: true, createNew: true })));
    try {
      this.#unmoved(path);
      return file;
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
  }

  stat(parts: readonly string[]): Stat {
    const path = this.#seen(parts);
    return statOf(calling(() => Deno.lstatSync(path)));
  }

  link(parts: readonly string[]): string {
    const path = this.#seen(parts);
    return calling(() => Deno.readLinkSync(path));
  }

  entries(max: number = FOLDER_ENTRIES_MAX): Entries {
    this.#unmoved(this.#path);
    const found = calling(() => [...Deno.readDirSync(this.#path)]);
    this.#unmoved(this.#path);
    const entries: Entry[] = [];
    const unreadable: string[] = [];
    for (const entry of found.slice(0, max)) {
      if (entry.name.includes("\ufffd") && !this.#has(entry.name)) unreadable.push(entry.name);
      else entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return { entries, unreadable, cut: found.length > max };
  }

  #has(name: string): boolean {
    try {
      Deno.lstatSync(this.#join([name]));
      return true;
    } catch {
      return false;
    }
  }

  makeFolder(name: string): void {
    const path = this.#seen([name]);
    calling(() => Deno.mkdirSync(path));
  }

  rename(name: string, to: Folder, toName: string, mode: RenameMode): void {
    if (!(to instanceof PlainFolder) || mode === "exchange") throw new SystemError("ENOSYS");
    const [from, target] = [this.#seen([name]), to.#seen([toName])];
    if (mode === "keep" && to.#has(toName)) throw new SystemError("EEXIST");
    calling(() => Deno.renameSync(from, target));
  }

  remove(name: string): void {
    const path = this.#seen([name]);
    calling(() => Deno.removeSync(path));
  }

  [Symbol.dispose](): void {
    // Nothing is held open: a path is all there is.
  }
}

class PlainFile implements OpenFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;

  constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
  }

  stat(): Stat {
    return statOf(calling(() => this.#file.statSync()));
  }

  read(bytes: Uint8Array, at: number): number {
    return calling(() => {
      this.#file.seekSync(at, Deno.SeekMode.Start);
      return this.#file.readSync(bytes) ?? 0;
    });
  }

  write(bytes: Uint8Array, at: number): void {
    calling(() => {
      this.#file.seekSync(at, Deno.SeekMode.Start);
      for (let done = 0; done < bytes.length;) done += this.#file.writeSync(bytes.subarray(done));
    });
  }

  dressAs(like: Stat): void {
    if (Deno.build.os !== "windows") calling(() => Deno.chmodSync(this.#path, like.mode));
  }

  sync(): void {
    calling(() => this.#file.syncSync());
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function kindOf(info: Pick<Deno.FileInfo, "isFile" | "isDirectory" | "isSymlink">): EntryKind {
  if (info.isSymlink) return "link";
  if (info.isFile) return "file";
  return info.isDirectory ? "folder" : "other";
}

function statOf(info: Deno.FileInfo): Stat {
  return {
    kind: kindOf(info),
    size: info.size,
    mode: (info.mode ?? 0o644) & 0o777,
    links: info.nlink ?? 1,
    device: String(info.dev),
    inode: String(info.ino),
    modifiedMs: info.mtime?.getTime() ?? 0,
    uid: info.uid ?? 0,
    gid: info.gid ?? 0,
  };
}
