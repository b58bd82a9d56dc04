/** A model's text read as a relative path: no file is touched here. @module */

import { Refusal } from "./refusal.ts";
import { isWindowsAbsolute, windowsNameProblem, windowsParts } from "./windows.ts";

/** Bytes of UTF-8 that a relative path may have; the same bound that Linux sets. */
export const PATH_BYTES_MAX = 4_096;

/** The systems whose spelling of paths differs. */
export type PathStyle = "posix" | "windows";

/** How this system spells paths. */
export const HOST_STYLE: PathStyle = Deno.build.os === "windows" ? "windows" : "posix";

const encoder = new TextEncoder();

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * The names on the way from a root to what `text` means, with `.` and `..` resolved by spelling alone, so that no
 * `..` is left for the system to follow. Empty for the root itself. Nothing is decoded or expanded: `%2e` and `~` are
 * ordinary characters.
 *
 * @throws {Refusal} `syntax` for text that is no path, `confinement` for one that is absolute or climbs out.
 */
export function relativeParts(text: string, style: PathStyle = HOST_STYLE): readonly string[] {
  if (!text.isWellFormed()) throw new Refusal("syntax", "path is not valid Unicode: it holds half of a surrogate pair");
  if (text.includes("\0")) throw new Refusal("syntax", "path holds a NUL character");
  if (utf8Length(text) > PATH_BYTES_MAX) throw new Refusal("syntax", `path is longer than ${PATH_BYTES_MAX} bytes`);
  if (style === "windows" ? isWindowsAbsolute(text) : text.startsWith("/")) {
    throw new Refusal("confinement", "path escapes the root: it is absolute, and paths here start at the root");
  }
  return climbed(style === "windows" ? windowsNames(text) : text.split("/"));
}

function windowsNames(text: string): readonly string[] {
  const names = windowsParts(text);
  for (const name of names) {
    const problem = windowsNameProblem(name);
    if (problem !== undefined) throw new Refusal("syntax", `path holds the name '${name}': ${problem}`);
  }
  return names;
}

function climbed(names: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const name of names) {
    if (name === "" || name === ".") continue;
    if (name !== "..") parts.push(name);
    else if (parts.pop() === undefined) throw new Refusal("confinement", "path escapes the root: it climbs with '..'");
  }
  return parts;
}
