/** File access that fails on demand: the n-th call, or every call of one kind, with a code of the system. @module */

import type { FileAccess, Folder, OpenFile } from "../../lib/fs/folder.ts";
import { SystemError } from "../../lib/fs/refusal.ts";

/** Decides whether a call fails; receives its name, such as `file` or `write`. */
export type Fault = (call: string) => string | undefined;

/** Access whose calls ask `fault` first; the roots themselves are opened without asking. */
export function faultyAccess(access: FileAccess, fault: Fault): FileAccess {
  return {
    ...access,
    openRoot(path) {
      const { folder, realPath } = access.openRoot(path);
      return { folder: new FaultyFolder(folder, fault), realPath };
    },
  };
}

/** Fails the n-th call, from 1, and counts all of them. */
export class NthFails {
  #count = 0;
  readonly #nth: number;
  readonly #code: string;

  /** The n-th call fails with `code`. */
  constructor(nth: number, code: string) {
    this.#nth = nth;
    this.#code = code;
  }

  /** Whether the n-th call came. */
  get hasFailed(): boolean {
    return this.#count >= this.#nth;
  }

  /** The fault to hand to {@link faultyAccess}. */
  readonly fault: Fault = () => ++this.#count === this.#nth ? this.#code : undefined;
}

function ask(fault: Fault, call: string): void {
  const code = fault(call);
  if (code !== undefined) throw new SystemError(code);
}

class FaultyFolder implements Folder {
  readonly inner: Folder;
  readonly #fault: Fault;

  constructor(inner: Folder, fault: Fault) {
    this.inner = inner;
    this.#fault = fault;
  }

  folder(parts: readonly string[]): Folder {
    ask(this.#fault, "folder");
    return new FaultyFolder(this.inner.folder(parts), this.#fault);
  }

  file(parts: readonly string[]): OpenFile {
    ask(this.#fault, "file");
    return new FaultyFile(this.inner.file(parts), this.#fault);
  }

  create(name: string): OpenFile {
    ask(this.#fault, "create");
    return new FaultyFile(this.inner.create(name), this.#fault);
  }

  stat(parts: readonly string[]) {
    ask(this.#fault, "stat");
    return this.inner.stat(parts);
  }

  link(parts: readonly string[]) {
    ask(this.#fault, "link");
    return this.inner.link(parts);
  }

  entries(max?: number) {
    ask(this.#fault, "entries");
    return this.inner.entries(max);
  }

  makeFolder(name: string): void {
    ask(this.#fault, "makeFolder");
    this.inner.makeFolder(name);
  }

  rename(name: string, to: Folder, toName: string, mode: "replace" | "keep" | "exchange"): void {
    ask(this.#fault, "rename");
    this.inner.rename(name, to instanceof FaultyFolder ? to.inner : to, toName, mode);
  }

  remove(name: string): void {
    this.inner.remove(name);
  }

  [Symbol.dispose](): void {
    this.inner[Symbol.dispose]();
  }
}

class FaultyFile implements OpenFile {
  readonly #inner: OpenFile;
  readonly #fault: Fault;

  constructor(inner: OpenFile, fault: Fault) {
    this.#inner = inner;
    this.#fault = fault;
  }

  stat() {
    ask(this.#fault, "fstat");
    return this.#inner.stat();
  }

  read(bytes: Uint8Array, at: number): number {
    ask(this.#fault, "read");
    return this.#inner.read(bytes, at);
  }

  write(bytes: Uint8Array, at: number): void {
    // A disk fills up in the middle of a write, not before it.
    const code = this.#fault("write");
    if (code === undefined) return this.#inner.write(bytes, at);
    this.#inner.write(bytes.subarray(0, bytes.length >> 1), at);
    throw new SystemError(code);
  }

  dressAs(like: Parameters<OpenFile["dressAs"]>[0]): void {
    ask(this.#fault, "dressAs");
    this.#inner.dressAs(like);
  }

  sync(): void {
    ask(this.#fault, "sync");
    this.#inner.sync();
  }

  [Symbol.dispose](): void {
    this.#inner[Symbol.dispose]();
  }
}
