/** What the system says of a file or folder, in words a person would use. @module */

import { messageOf } from "./errors.ts";

/** What a failed call of the system means, by the name that POSIX has for it; said behind the name of a file. */
export const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EEXIST: "exists already",
  EACCES: "is not accessible to this user",
  EPERM: "is not accessible to this user",
  ENOTDIR: "is not a folder, or a part of its path is not one",
  EISDIR: "is a folder",
  ELOOP: "is a link that leads back to itself",
  EXDEV: "lies on another file system",
  ENOSPC: "could not be written: the disk is full",
  EDQUOT: "could not be written: the disk quota is used up",
  EFBIG: "could not be written: it is larger than the file system allows",
  EROFS: "could not be changed: the file system is read-only",
  ENAMETOOLONG: "has a name or path that is too long for the file system",
  ENOTEMPTY: "is a folder that is not empty",
  EBUSY: "is in use by the system",
  ETXTBSY: "is a program that is running",
  EINVAL: "is not a valid name here",
  EMFILE: "could not be opened: too many files are open; try again",
  ENFILE: "could not be opened: too many files are open; try again",
  EILSEQ: "has a name that is not valid on this file system",
  EAGAIN: "was not ready; try again",
};

/** The runtime's tail behind what the system said: `(os error 2): rename '/a' -> '/b'`. */
const TAIL_REGEXP = /\s*\(os error \d+\)(?:: \w+ '(?<path>.*?)'(?: -> '.*')?)?$/s;

/** Why a file could not be used, as a sentence about it for who has named it: `it does not exist`. */
export function fileReason(error: unknown): string {
  const words = wordsOf(error);
  return words === undefined ? messageOf(error) : `it ${words}`;
}

/** The message of anything that was thrown; of a failed call of the system a sentence that names the file. */
export function failureText(error: unknown): string {
  // What went wrong first is what matters, not what the clearing up met afterwards.
  if (error instanceof SuppressedError) return failureText(error.suppressed);
  const words = wordsOf(error);
  if (words === undefined) return messageOf(error);
  const path = TAIL_REGEXP.exec(messageOf(error))?.groups?.path;
  return `${path === undefined ? "the file" : `"${path}"`} ${words}`;
}

/** The words for a failed call of the system; undefined for any other error. */
function wordsOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (!TAIL_REGEXP.test(error.message)) return undefined;
  const said = error.message.replace(TAIL_REGEXP, "");
  // A longer message speaks of something else, such as a program that cannot be started.
  if (/[:']/.test(said)) return undefined;
  return SYSTEM_WORDS[error.code] ?? `could not be used: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}
