/** A file of lines that is appended to, rotated by size, and whose troubles stop nobody. @module */

import { fileReason } from "./file_errors.ts";
import type { Log } from "./log.ts";
import { isRegularOrNew, openAppending } from "./writable.ts";

/** Where the lines go, and when the file is rotated. */
export interface RotatingFileOptions {
  readonly path: string;
  /** Bytes of one file; a single line may be longer. */
  readonly maxBytes: number;
  /** Rotated files that are kept: `path.1` is the youngest. With 0 the file starts anew. */
  readonly backups: number;
  /** What the log calls the file, such as `the audit log`. */
  readonly name: string;
  readonly log: Log;
  /** Makes the line that tells of lines that could not be written. */
  readonly lostLine: (lines: number) => string;
}

const encoder = new TextEncoder();

/** Appends lines; never throws after it is open. A full disk is said once, and once when it is over. */
export class RotatingFile implements Disposable {
  readonly #options: RotatingFileOptions;
  readonly #rotates: boolean;
  #file: Deno.FsFile;
  #size: number;
  #lost = 0;
  #isMidLine = false;
  #hasSaidStuck = false;

  /** Opens the file for appending, for its owner alone; throws what the system says when it cannot be opened. */
  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#rotates = isRegularOrNew(options.path);
    this.#file = openAppending(options.path);
    this.#size = this.#file.statSync().size;
  }

  /** Writes one line, its end left out. */
  append(line: string): void {
    const { maxBytes, name, log, lostLine } = this.#options;
    const lines = this.#lost > 0 ? [lostLine(this.#lost), line] : [line];
    const text = encoder.encode(`${this.#isMidLine ? "\n" : ""}${lines.join("\n")}\n`);
    try {
      if (this.#rotates && this.#size > 0 && this.#size + text.length > maxBytes) this.#rotate();
      this.#write(text);
      if (this.#lost > 0) log("warn", "file", `${name} is written again; lines lost: ${this.#lost}`);
      this.#lost = 0;
    } catch (error) {
      if (this.#lost++ === 0) log("error", "file", `${name} cannot be written, lines are lost: ${fileReason(error)}`);
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  #write(text: Uint8Array): void {
    for (let done = 0; done < text.length;) {
      const written = this.#file.writeSync(text.subarray(done));
      done += written;
      this.#size += written;
      // A disk that fills up may take half a line.
      this.#isMidLine = done < text.length;
    }
  }

  #rotate(): void {
    const { path, backups, name, log } = this.#options;
    try {
      for (let index = backups; index > 0; index--) {
        renameIfThere(index === 1 ? path : `${path}.${index - 1}`, `${path}.${index}`);
      }
      if (backups === 0) Deno.truncateSync(path);
    } catch (error) {
      // A log that cannot be rotated goes on growing: a long log is better than none.
      if (!this.#hasSaidStuck) log("warn", "file", `${name} cannot be rotated: ${fileReason(error)}`);
      this.#hasSaidStuck = true;
      return;
    }
    const next = openAppending(path);
    this.#file.close();
    this.#file = next;
    this.#size = next.statSync().size;
    this.#isMidLine = false;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
