/** The C library's file calls on Linux, through Deno's FFI: one descriptor in, one number or a SystemError out. @module */

import { SystemError } from "./refusal.ts";

const ARCH = Deno.build.arch === "aarch64" ? "arm64" : "x64";

// From the kernel's tables; openat2 has one number everywhere.
const SYSCALLS = {
  x64: { openat2: 437n, statx: 332n, renameat2: 316n, getdents64: 217n },
  arm64: { openat2: 437n, statx: 291n, renameat2: 276n, getdents64: 61n },
}[ARCH];

const MUSL_ARCH = ARCH === "arm64" ? "aarch64" : "x86_64";

/** Where the C library may lie, the plain names first: they work only when FFI is allowed without scope. */
export const LIBC_PATHS: readonly string[] = [
  "libc.so.6",
  `libc.musl-${MUSL_ARCH}.so.1`,
  ...["/lib", "/usr/lib"].flatMap((lib) => [`${lib}/${MUSL_ARCH}-linux-gnu/libc.so.6`]),
  "/lib64/libc.so.6",
  "/usr/lib64/libc.so.6",
  "/usr/lib/libc.so.6",
  `/lib/libc.musl-${MUSL_ARCH}.so.1`,
  `/lib/ld-musl-${MUSL_ARCH}.so.1`,
];

const SYMBOLS = {
  openat2: { name: "syscall", parameters: ["i64", "i32", "buffer", "buffer", "usize"], result: "i32" },
  statx: { name: "syscall", parameters: ["i64", "i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
  renameat2: { name: "syscall", parameters: ["i64", "i32", "buffer", "i32", "buffer", "u32"], result: "i32" },
  getdents64: { name: "syscall", parameters: ["i64", "i32", "buffer", "usize"], result: "i32" },
  openat: { parameters: ["i32", "buffer", "i32", "u32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "i32" },
  pwrite: { parameters: ["i32", "buffer", "usize", "i64"], result: "i32" },
  readlinkat: { parameters: ["i32", "buffer", "buffer", "usize"], result: "i32" },
  mkdirat: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  unlinkat: { parameters: ["i32", "buffer", "i32"], result: "i32" },
  fchmod: { parameters: ["i32", "u32"], result: "i32" },
  fchown: { parameters: ["i32", "u32", "u32"], result: "i32" },
  fsync: { parameters: ["i32"], result: "i32" },
  errnoAddress: { name: "__errno_location", parameters: [], result: "usize" },
  memcpy: { parameters: ["buffer", "usize", "usize"], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

const ERRNO_NAMES: Record<number, string> = {
  1: "EPERM",
  2: "ENOENT",
  4: "EINTR",
  5: "EIO",
  6: "ENXIO",
  11: "EAGAIN",
  13: "EACCES",
  16: "EBUSY",
  17: "EEXIST",
  18: "EXDEV",
  20: "ENOTDIR",
  21: "EISDIR",
  22: "EINVAL",
  23: "ENFILE",
  24: "EMFILE",
  26: "ETXTBSY",
  27: "EFBIG",
  28: "ENOSPC",
  30: "EROFS",
  31: "EMLINK",
  36: "ENAMETOOLONG",
  38: "ENOSYS",
  39: "ENOTEMPTY",
  40: "ELOOP",
  84: "EILSEQ",
  95: "ENOTSUP",
  116: "ESTALE",
  122: "EDQUOT",
};

/** `dirfd` for a path that does not start at an opened folder. */
export const AT_FDCWD = -100;

/** The resolve flags of openat2(2) that loom-fs uses. */
export const RESOLVE = { noMagicLinks: 0x02n, noSymlinks: 0x04n, beneath: 0x08n } as const;

/** Flags of open(2), as Linux has them on x86-64 and arm64. */
export const OPEN = {
  readOnly: 0,
  readWrite: 2,
  create: 0o100,
  exclusive: 0o200,
  noTerminal: 0o400,
  nonBlocking: 0o4000,
  directory: ARCH === "arm64" ? 0o40000 : 0o200000,
  noFollow: ARCH === "arm64" ? 0o100000 : 0o400000,
  closeOnExec: 0o2000000,
  pathOnly: 0o10000000,
} as const;

const AT_EMPTY_PATH = 0x1000;
const STATX_BASIC = 0x7ff;
const STATX_BYTES = 256;
const OPEN_HOW_BYTES = 24n;
const LINK_BYTES_MAX = 4_096;

/** Bytes of directory entries that are read at once. */
const DENTS_BYTES = 65_536;

const encoder = new TextEncoder();
const EMPTY = new Uint8Array([0]);

/** Text as C reads it. A name with a NUL in it would mean another file, so it is an error. */
function cString(text: string): Uint8Array<ArrayBuffer> {
  if (text.includes("\0")) throw new SystemError("EINVAL");
  return encoder.encode(`${text}\0`);
}

/** The file calls, each checked: a failure throws a {@link SystemError}. */
export class Libc {
  readonly #c: Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];
  readonly #errno = new Int32Array(1);
  readonly #dents = new Uint8Array(DENTS_BYTES);
  /** A library stays loaded as long as the process runs, so it is loaded once. */
  static readonly #loaded = new Map<string, Libc>();

  private constructor(library: Deno.DynamicLibrary<typeof SYMBOLS>) {
    this.#c = library.symbols;
  }

  /** The C library, or undefined where it cannot be loaded or the permission for it is not granted (never asks). */
  static load(paths: readonly string[] = LIBC_PATHS): Libc | undefined {
    if (Deno.build.os !== "linux" || !(Deno.build.arch in { x86_64: 0, aarch64: 0 })) return undefined;
    for (const path of paths) {
      const loaded = Libc.#loaded.get(path) ?? Libc.#open(path);
      if (loaded === undefined) continue;
      Libc.#loaded.set(path, loaded);
      return loaded;
    }
    return undefined;
  }

  static #open(path: string): Libc | undefined {
    if (Deno.permissions.querySync({ name: "ffi", path }).state !== "granted") return undefined;
    try {
      return new Libc(Deno.dlopen(path, SYMBOLS));
    } catch {
      // Not here: the next place.
      return undefined;
    }
  }

  #checked(result: number): number {
    if (result >= 0) return result;
    // A pointer view would need FFI without scope; memcpy is the C library's own and needs none.
    this.#c.memcpy(this.#errno, this.#c.errnoAddress(), 4n);
    const errno = this.#errno[0] ?? 0;
    throw new SystemError(ERRNO_NAMES[errno] ?? `errno ${errno}`);
  }

  /** openat2(2) beneath `at`, with the given resolve flags. */
  openat2(at: number, path: string, flags: number, resolve: bigint): number {
    const how = new BigUint64Array([BigInt(flags | OPEN.closeOnExec), 0n, resolve]);
    return this.#checked(this.#c.openat2(SYSCALLS.openat2, at, cString(path), how, OPEN_HOW_BYTES));
  }

  /** openat(2) of one name. */
  openat(at: number, name: string, flags: number, mode: number = 0): number {
    return this.#checked(this.#c.openat(at, cString(name), flags | OPEN.closeOnExec, mode));
  }

  /** close(2); a failure means nothing to the caller. */
  close(descriptor: number): void {
    this.#c.close(descriptor);
  }

  /** statx(2) of an open descriptor, as the raw structure, which is the same on every architecture. */
  statx(descriptor: number): DataView {
    const raw = new Uint8Array(STATX_BYTES);
    this.#checked(this.#c.statx(SYSCALLS.statx, descriptor, EMPTY, AT_EMPTY_PATH, STATX_BASIC, raw));
    return new DataView(raw.buffer);
  }

  /** readlinkat(2) of a descriptor that was opened on the link itself, or of a path below `at`. */
  readlink(at: number, path: string = ""): Uint8Array {
    const bytes = new Uint8Array(LINK_BYTES_MAX);
    return bytes.subarray(0, this.#checked(this.#c.readlinkat(at, cString(path), bytes, BigInt(bytes.length))));
  }

  /** getdents64(2): the next batch of raw entries, empty at the end. Valid until the next call. */
  dents(descriptor: number): Uint8Array {
    const length = this.#c.getdents64(SYSCALLS.getdents64, descriptor, this.#dents, BigInt(DENTS_BYTES));
    return this.#dents.subarray(0, this.#checked(length));
  }

  /** pread(2). */
  pread(descriptor: number, bytes: Uint8Array<ArrayBuffer>, at: number): number {
    return this.#checked(this.#c.pread(descriptor, bytes, BigInt(bytes.length), BigInt(at)));
  }

  /** pwrite(2); may write less than it was given. */
  pwrite(descriptor: number, bytes: Uint8Array<ArrayBuffer>, at: number): number {
    return this.#checked(this.#c.pwrite(descriptor, bytes, BigInt(bytes.length), BigInt(at)));
  }

  /** mkdirat(2) of one name. */
  mkdir(at: number, name: string, mode: number): void {
    this.#checked(this.#c.mkdirat(at, cString(name), mode));
  }

  /** renameat2(2) of one name to another; `flags` 1 keeps what is there, 2 exchanges. */
  rename(from: number, name: string, to: number, toName: string, flags: number): void {
    this.#checked(this.#c.renameat2(SYSCALLS.renameat2, from, cString(name), to, cString(toName), flags));
  }

  /** unlinkat(2) of one name that is no folder. */
  unlink(at: number, name: string): void {
    this.#checked(this.#c.unlinkat(at, cString(name), 0));
  }

  /** fchmod(2). */
  chmod(descriptor: number, mode: number): void {
    this.#checked(this.#c.fchmod(descriptor, mode));
  }

  /** fchown(2). */
  chown(descriptor: number, uid: number, gid: number): void {
    this.#checked(this.#c.fchown(descriptor, uid, gid));
  }

  /** fsync(2). */
  sync(descriptor: number): void {
    this.#checked(this.#c.fsync(descriptor));
  }
}

// With the module: it stays open as long as the process runs, so no server or test may count it as its own.
Libc.load();
