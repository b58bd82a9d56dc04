/** Whether a file or a folder could be written, found out by doing it and taking it back. @module */

import { dirname, join } from "node:path";

/** Mode of a file that only its owner may read. */
const PRIVATE_MODE = 0o600;

/** Opens a file for appending and makes it where there is none; throws what the system says, of a missing folder in words. */
export function openAppending(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { append: true, create: true, mode: PRIVATE_MODE });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error("its folder does not exist, make it first", { cause: error });
  }
}

/** Whether a path is a regular file or nothing yet; throws when it is neither that nor a character device. */
export function isRegularOrNew(path: string): boolean {
  const info = infoOf(path);
  // Opening a FIFO would wait for a reader.
  if (info && !info.isFile && !info.isCharDevice) {
    throw new Error("it is neither a regular file nor a character device");
  }
  return info === undefined || info.isFile;
}

/** Throws what opening the file for appending would throw; nothing is there afterwards that was not there before. */
export function assertAppendable(path: string): void {
  isRegularOrNew(path);
  if (infoOf(path) === undefined) assertHoldsFiles(dirname(path));
  else openAppending(path).close();
}

/** Throws when the folder could not be made or no file be written in it; nothing is made. */
export function assertFolder(path: string): void {
  let folder = path;
  while (infoOf(folder) === undefined && folder !== dirname(folder)) folder = dirname(folder);
  if (!infoOf(folder)?.isDirectory) throw new Error(`"${folder}" is not a folder`);
  assertHoldsFiles(folder);
}

/** A file of another name than the one in question: that one may be made by somebody else at any time. */
function assertHoldsFiles(folder: string): void {
  const beside = join(folder, `.loom-check-${crypto.randomUUID()}`);
  openAppending(beside).close();
  Deno.removeSync(beside);
}

/** What is known of a path; undefined when nothing is there. */
function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    // A folder on the way is a file: what lies beneath it is not there either, and the file is what is named.
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}
