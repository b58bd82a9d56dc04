/** Files beneath a root on Linux without the C library: each name is opened through `/proc/self/fd`. Needs every permission. @module */

import * as fs from "node:fs";
import {
  type Entries,
  type Entry,
  type EntryKind,
  type FileAccess,
  type Folder,
  FOLDER_ENTRIES_MAX,
  lossyText,
  type OpenFile,
  type RenameMode,
  type Stat,
  strictText,
} from "./folder.ts";
import { OPEN } from "./libc.ts";
import { SystemError } from "./refusal.ts";

const PERMISSION_NAMES = ["read", "write", "env", "run", "ffi", "net", "sys", "import"] as const;

/**
 * File access through `/proc/self/fd`, or undefined where it would not hold. Deno follows links itself before it opens
 * a file unless every permission is granted without scope, so anything less is refused here.
 */
export function procAccess(): FileAccess | undefined {
  if (Deno.build.os !== "linux") return undefined;
  if (PERMISSION_NAMES.some((name) => Deno.permissions.querySync({ name }).state !== "granted")) return undefined;
  if (!fs.existsSync("/proc/self/fd")) return undefined;
  return {
    opening: "proc-self-fd",
    canExchange: false,
    openRoot(path) {
      const descriptor = calling(() => fs.openSync(path, OPEN.readOnly | OPEN.directory));
      const realPath = calling(() => fs.readlinkSync(`/proc/self/fd/${descriptor}`));
      return { folder: new ProcFolder(descriptor), realPath };
    },
  };
}

/** Keeps the code of a failed call and drops its text, which holds paths of the host. */
function calling<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof SystemError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "EIO";
    throw new SystemError(code);
  }
}

class ProcFolder implements Folder {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  #at(name: string): string {
    if (name === "" || name === ".." || /[/\0]/.test(name)) throw new SystemError("EINVAL");
    return `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  #open(parts: readonly string[], flags: number): number {
    const [name = ".", ...rest] = parts;
    const isLast = rest.length === 0;
    const wanted = isLast ? flags : OPEN.readOnly | OPEN.directory;
    const descriptor = calling(() => fs.openSync(this.#at(name), wanted | OPEN.noFollow));
    if (isLast) return descriptor;
    using passed = new ProcFolder(descriptor);
    return passed.#open(rest, flags);
  }

  folder(parts: readonly string[]): Folder {
    return new ProcFolder(this.#open(parts, OPEN.readOnly | OPEN.directory));
  }

  file(parts: readonly string[]): OpenFile {
    const file = new ProcFile(this.#open(parts, OPEN.readOnly | OPEN.nonBlocking | OPEN.noTerminal));
    try {
      const { kind } = file.stat();
      if (kind !== "file") throw new SystemError(kind === "folder" ? "EISDIR" : "ENOTREG");
      return file;
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
  }

  create(name: string): OpenFile {
    const flags = OPEN.readWrite | OPEN.create | OPEN.exclusive | OPEN.noFollow;
    return new ProcFile(calling(() => fs.openSync(this.#at(name), flags, 0o666)));
  }

  #parentOf<Result>(parts: readonly string[], use: (parent: ProcFolder, name: string) => Result): Result {
    const name = parts.at(-1) ?? ".";
    if (parts.length < 2) return use(this, name);
    using parent = new ProcFolder(this.#open(parts.slice(0, -1), OPEN.readOnly | OPEN.directory));
    return use(parent, name);
  }

  stat(parts: readonly string[]): Stat {
    return this.#parentOf(parts, (parent, name) => statOf(calling(() => fs.lstatSync(parent.#at(name)))));
  }

  link(parts: readonly string[]): string {
    const bytes = this.#parentOf(parts, (parent, name) => {
      return calling(() => fs.readlinkSync(parent.#at(name), { encoding: "buffer" }));
    });
    const text = typeof bytes === "string" ? bytes : strictText(bytes);
    if (text === undefined) throw new SystemError("EILSEQ");
    return text;
  }

  entries(max: number = FOLDER_ENTRIES_MAX): Entries {
    const found = calling(() => fs.readdirSync(this.#at("."), { withFileTypes: true }));
    const entries: Entry[] = [];
    const unreadable: string[] = [];
    for (const entry of found.slice(0, max)) {
      const name = typeof entry.name === "string" ? entry.name : lossyText(entry.name);
      // A name that is not UTF-8 arrives with U+FFFD in it, and nothing else tells it from one that has the character.
      if (name.includes("\ufffd") && !fs.existsSync(this.#at(name))) unreadable.push(name);
      else entries.push({ name, kind: kindOf(entry) });
    }
    return { entries, unreadable, cut: found.length > max };
  }

  makeFolder(name: string): void {
    calling(() => fs.mkdirSync(this.#at(name)));
  }

  rename(name: string, to: Folder, toName: string, mode: RenameMode): void {
    if (!(to instanceof ProcFolder) || mode === "exchange") throw new SystemError("ENOSYS");
    const [from, target] = [this.#at(name), to.#at(toName)];
    calling(() => {
      if (mode === "replace") return fs.renameSync(from, target);
      if (!fs.lstatSync(from).isDirectory()) {
        // A second name fails if the target is there, in one step; rename would replace it.
        fs.linkSync(from, target);
        return fs.unlinkSync(from);
      }
      if (fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw new SystemError("EEXIST");
      fs.renameSync(from, target);
    });
  }

  remove(name: string): void {
    calling(() => fs.unlinkSync(this.#at(name)));
  }

  [Symbol.dispose](): void {
    fs.closeSync(this.#descriptor);
  }
}

class ProcFile implements OpenFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  stat(): Stat {
    return statOf(calling(() => fs.fstatSync(this.#descriptor)));
  }

  read(bytes: Uint8Array, at: number): number {
    return calling(() => fs.readSync(this.#descriptor, bytes, 0, bytes.length, at));
  }

  write(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length;) {
      const from = done;
      done += calling(() => fs.writeSync(this.#descriptor, bytes, from, bytes.length - from, at + from));
    }
  }

  dressAs(like: Stat): void {
    const own = this.stat();
    if (own.uid !== like.uid || own.gid !== like.gid) {
      try {
        fs.fchownSync(this.#descriptor, like.uid, like.gid);
      } catch {
        // Only root may give a file away: then it belongs to whoever wrote it, as with any editor.
      }
    }
    calling(() => fs.fchmodSync(this.#descriptor, like.mode));
  }

  sync(): void {
    calling(() => fs.fsyncSync(this.#descriptor));
  }

  [Symbol.dispose](): void {
    fs.closeSync(this.#descriptor);
  }
}

type Typed = Pick<fs.Stats, "isFile" | "isDirectory" | "isSymbolicLink">;

function kindOf(typed: Typed): EntryKind {
  if (typed.isFile()) return "file";
  if (typed.isDirectory()) return "folder";
  return typed.isSymbolicLink() ? "link" : "other";
}

function statOf(stats: fs.Stats): Stat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mode: stats.mode & 0o777,
    links: stats.nlink,
    device: String(stats.dev),
    inode: String(stats.ino),
    modifiedMs: Math.floor(stats.mtimeMs),
    uid: stats.uid,
    gid: stats.gid,
  };
}
