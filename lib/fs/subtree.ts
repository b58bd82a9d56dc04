/** Looks through a folder that is about to move: what is denied inside it must not move along. @module */

import { LoomError } from "../errors.ts";
import { UNFINISHED_PREFIX } from "./deny.ts";
import { quoted, Refusal, SystemError } from "./refusal.ts";
import type { ResolvedPath } from "./resolve.ts";

/** Entries of a folder, at any depth, that can be looked through before it moves. */
export const SUBTREE_ENTRIES_MAX = 200_000;

/** Folders within each other that can be looked through; a path that a tool takes has no more. */
export const SUBTREE_DEPTH_MAX = 2_048;

/**
 * Refuses a folder that holds a denied name at any depth. The message does not say which, since a denied file is one
 * that the model does not know of.
 *
 * @param path The folder.
 * @param max Entries that are looked through; given by tests.
 * @throws {Refusal} `pattern` when it does.
 * @throws {LoomError} `LIMIT_EXCEEDED` when it is too large to be looked through.
 */
export function refuseDeniedInside(path: ResolvedPath, max: number = SUBTREE_ENTRIES_MAX): void {
  const { root } = path;
  const waiting: (readonly string[])[] = [path.parts];
  let seen = 0;
  for (let parts = waiting.pop(); parts !== undefined; parts = waiting.pop()) {
    const { entries, unreadable, cut } = listed(path, parts);
    seen += entries.length;
    if (cut || seen > max) throw tooMuch(path, `more than ${max} entries`);
    if (parts.length > SUBTREE_DEPTH_MAX) {
      throw tooMuch(path, `more than ${SUBTREE_DEPTH_MAX} folders within each other`);
    }
    for (const name of [...unreadable, ...entries.map((entry) => entry.name)]) {
      // What a crash left behind is the server's own, and hides nothing.
      if (name.startsWith(UNFINISHED_PREFIX) || root.deny.matching(name) === undefined) continue;
      throw new Refusal("pattern", `${quoted(path.shown)} holds an entry that matches deny pattern, so it stays`);
    }
    for (const { name, kind } of entries) if (kind === "folder") waiting.push([...parts, name]);
  }
}

function tooMuch(path: ResolvedPath, what: string): LoomError {
  return new LoomError(
    "LIMIT_EXCEEDED",
    `${quoted(path.shown)} holds ${what}, too many to look through: move parts of it`,
  );
}

function listed(path: ResolvedPath, parts: readonly string[]) {
  try {
    using folder = path.root.folder.folder(parts);
    return folder.entries();
  } catch (error) {
    if (!(error instanceof SystemError) || error.code === "ENOENT") throw error;
    throw new LoomError("FILE_UNAVAILABLE", `${quoted(path.shown)} holds a folder that cannot be looked through`, {
      cause: error,
    });
  }
}
