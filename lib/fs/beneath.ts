/** Files beneath a root on Linux: the kernel itself refuses every link on the way (openat2), or each name is opened alone. @module */

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
import { AT_FDCWD, Libc, OPEN, RESOLVE } from "./libc.ts";
import { SystemError } from "./refusal.ts";

/** Mode of a new file, before the user's umask. */
const NEW_FILE_MODE = 0o666;
const NEW_FOLDER_MODE = 0o777;

/** Characters of a joined path that openat2 is given at once; Linux takes 4,095 bytes, and a character has at most 4. */
const STEP_CHARS_MAX = 1_000;

const RENAME_FLAGS: Record<RenameMode, number> = { replace: 0, keep: 1, exchange: 2 };

const FILE_TYPES: Record<number, EntryKind> = { 0o100000: "file", 0o040000: "folder", 0o120000: "link" };
const ENTRY_TYPES: Record<number, EntryKind> = { 8: "file", 4: "folder", 10: "link" };
const TYPE_UNKNOWN = 0;

type Opener = (at: number, parts: readonly string[], flags: number) => number;

/**
 * File access through the C library, or undefined where it cannot be loaded. `openat2` is used where the kernel has it
 * (Linux 5.6) and nothing forbids it; else each name is opened from the folder before it.
 *
 * @param options `libc`: where to look for the C library; `walk`: never use openat2.
 */
export function libcAccess(
  options: { readonly libc?: readonly string[]; readonly walk?: boolean } = {},
): FileAccess | undefined {
  const c = Libc.load(options.libc);
  if (c === undefined) return undefined;
  const whole = options.walk !== true && hasOpenat2(c);
  const open = whole ? openWhole(c) : openByName(c);
  return {
    opening: whole ? "openat2" : "openat",
    canExchange: true,
    openRoot(path) {
      const descriptor = c.openat(AT_FDCWD, path, OPEN.readOnly | OPEN.directory);
      const real = strictText(c.readlink(AT_FDCWD, `/proc/self/fd/${descriptor}`));
      if (real === undefined) throw new SystemError("EILSEQ");
      return { folder: new LinuxFolder(c, open, descriptor), realPath: real };
    },
  };
}

function hasOpenat2(c: Libc): boolean {
  try {
    c.close(c.openat2(AT_FDCWD, "/", OPEN.pathOnly, RESOLVE.noMagicLinks));
    return true;
  } catch (error) {
    // An old kernel says ENOSYS, a container's filter EPERM; the other way is as safe, so no error is worth more.
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** The kernel walks all names and refuses links itself. A path that is too long for one call is opened in steps. */
function openWhole(c: Libc): Opener {
  const resolve = RESOLVE.beneath | RESOLVE.noMagicLinks | RESOLVE.noSymlinks;
  return (at, parts, flags) => {
    if (parts.length === 0) return c.openat2(at, ".", flags, resolve);
    let from = at;
    try {
      for (let start = 0;;) {
        const end = stepEnd(parts, start);
        const isLast = end === parts.length;
        const next = c.openat2(from, parts.slice(start, end).join("/"), isLast ? flags : PASSING, resolve);
        if (from !== at) c.close(from);
        if (isLast) return next;
        from = next;
        start = end;
      }
    } catch (error) {
      if (from !== at) c.close(from);
      throw error;
    }
  };
}

const PASSING = OPEN.pathOnly | OPEN.directory | OPEN.noFollow;

function stepEnd(parts: readonly string[], start: number): number {
  let chars = 0;
  for (let end = start; end < parts.length; end++) {
    chars += (parts[end] ?? "").length + 1;
    if (chars > STEP_CHARS_MAX && end > start) return end;
  }
  return parts.length;
}

/** Each name is opened from the folder before it, and none may be a link. */
function openByName(c: Libc): Opener {
  return (at, parts, flags) => {
    let from = at;
    try {
      for (const [index, name] of (parts.length === 0 ? ["."] : parts).entries()) {
        const isLast = index >= parts.length - 1;
        const next = c.openat(from, singleName(name), (isLast ? flags : PASSING) | OPEN.noFollow);
        if (from !== at) c.close(from);
        from = next;
      }
      return from;
    } catch (error) {
      if (from !== at) c.close(from);
      throw error;
    }
  };
}

/** A name with a separator in it would be a path, and one that climbs would leave the folder. */
function singleName(name: string): string {
  if (name === "" || name === ".." || name.includes("/")) throw new SystemError("EINVAL");
  return name;
}

class LinuxFolder implements Folder {
  readonly #c: Libc;
  readonly #open: Opener;
  readonly #descriptor: number;

  constructor(c: Libc, open: Opener, descriptor: number) {
    this.#c = c;
    this.#open = open;
    this.#descriptor = descriptor;
  }

  folder(parts: readonly string[]): Folder {
    const flags = OPEN.readOnly | OPEN.directory | OPEN.noFollow;
    return new LinuxFolder(this.#c, this.#open, this.#open(this.#descriptor, parts, flags));
  }

  file(parts: readonly string[]): OpenFile {
    const flags = OPEN.readOnly | OPEN.nonBlocking | OPEN.noTerminal | OPEN.noFollow;
    const file = new LinuxFile(this.#c, this.#open(this.#descriptor, parts, flags));
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
    return new LinuxFile(this.#c, this.#c.openat(this.#descriptor, singleName(name), flags, NEW_FILE_MODE));
  }

  stat(parts: readonly string[]): Stat {
    return this.#peek(parts, (descriptor) => statOf(this.#c.statx(descriptor)));
  }

  link(parts: readonly string[]): string {
    const text = strictText(this.#peek(parts, (descriptor) => this.#c.readlink(descriptor)));
    if (text === undefined) throw new SystemError("EILSEQ");
    return text;
  }

  #peek<Result>(parts: readonly string[], look: (descriptor: number) => Result): Result {
    const descriptor = this.#open(this.#descriptor, parts, OPEN.pathOnly | OPEN.noFollow);
    try {
      return look(descriptor);
    } finally {
      this.#c.close(descriptor);
    }
  }

  entries(max: number = FOLDER_ENTRIES_MAX): Entries {
    // A descriptor of its own, so that two listings do not share one position.
    const descriptor = this.#open(this.#descriptor, [], OPEN.readOnly | OPEN.directory);
    const entries: Entry[] = [];
    const unreadable: string[] = [];
    let cut = false;
    try {
      for (let batch = this.#c.dents(descriptor); batch.length > 0 && !cut; batch = this.#c.dents(descriptor)) {
        for (const { bytes, type } of entriesIn(batch)) {
          cut = entries.length + unreadable.length >= max;
          if (cut) break;
          const name = strictText(bytes);
          if (name === undefined) unreadable.push(lossyText(bytes));
          else entries.push({ name, kind: this.#kindOf(name, type) });
        }
      }
    } finally {
      this.#c.close(descriptor);
    }
    return { entries, unreadable, cut };
  }

  #kindOf(name: string, type: number): EntryKind {
    if (type !== TYPE_UNKNOWN) return ENTRY_TYPES[type] ?? "other";
    try {
      return this.stat([name]).kind;
    } catch {
      return "other";
    }
  }

  makeFolder(name: string): void {
    this.#c.mkdir(this.#descriptor, singleName(name), NEW_FOLDER_MODE);
  }

  rename(name: string, to: Folder, toName: string, mode: RenameMode): void {
    if (!(to instanceof LinuxFolder)) throw new Error("unreachable: two kinds of folder");
    this.#c.rename(this.#descriptor, singleName(name), to.#descriptor, singleName(toName), RENAME_FLAGS[mode]);
  }

  remove(name: string): void {
    this.#c.unlink(this.#descriptor, singleName(name));
  }

  [Symbol.dispose](): void {
    this.#c.close(this.#descriptor);
  }
}

/** struct linux_dirent64: inode u64, offset i64, length u16, type u8, name to the first NUL. */
function* entriesIn(batch: Uint8Array): Generator<{ readonly bytes: Uint8Array; readonly type: number }> {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.length);
  for (let at = 0; at < batch.length; at += view.getUint16(at + 16, true)) {
    const bytes = batch.subarray(at + 19, batch.indexOf(0, at + 19));
    if (!isDots(bytes)) yield { bytes, type: view.getUint8(at + 18) };
  }
}

function isDots(bytes: Uint8Array): boolean {
  return bytes[0] === 46 && (bytes.length === 1 || (bytes.length === 2 && bytes[1] === 46));
}

class LinuxFile implements OpenFile {
  readonly #c: Libc;
  readonly #descriptor: number;

  constructor(c: Libc, descriptor: number) {
    this.#c = c;
    this.#descriptor = descriptor;
  }

  stat(): Stat {
    return statOf(this.#c.statx(this.#descriptor));
  }

  read(bytes: Uint8Array<ArrayBuffer>, at: number): number {
    return this.#c.pread(this.#descriptor, bytes, at);
  }

  write(bytes: Uint8Array<ArrayBuffer>, at: number): void {
    for (let done = 0; done < bytes.length;) {
      done += this.#c.pwrite(this.#descriptor, bytes.subarray(done), at + done);
    }
  }

  dressAs(like: Stat): void {
    const own = this.stat();
    if (own.uid !== like.uid || own.gid !== like.gid) {
      try {
        this.#c.chown(this.#descriptor, like.uid, like.gid);
      } catch {
        // Only root may give a file away: then it belongs to whoever wrote it, as with any editor.
      }
    }
    this.#c.chmod(this.#descriptor, like.mode);
  }

  sync(): void {
    this.#c.sync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    this.#c.close(this.#descriptor);
  }
}

/** The offsets of struct statx, which is the same on every architecture. */
function statOf(raw: DataView): Stat {
  const mode = raw.getUint16(0x1c, true);
  return {
    kind: FILE_TYPES[mode & 0o170000] ?? "other",
    size: Number(raw.getBigUint64(0x28, true)),
    mode: mode & 0o777,
    links: raw.getUint32(0x10, true),
    device: `${raw.getUint32(0x88, true)}:${raw.getUint32(0x8c, true)}`,
    inode: String(raw.getBigUint64(0x20, true)),
    modifiedMs: Number(raw.getBigInt64(0x70, true)) * 1_000 + Math.floor(raw.getUint32(0x78, true) / 1e6),
    uid: raw.getUint32(0x14, true),
    gid: raw.getUint32(0x18, true),
  };
}
