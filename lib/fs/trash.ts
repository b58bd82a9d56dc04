/** Deleting: an entry moves to the trash of its root; nothing is ever erased. @module */

import { LoomError } from "../errors.ts";
import type { Folder } from "./folder.ts";
import { explaining, SystemError } from "./refusal.ts";
import type { ResolvedPath } from "./resolve.ts";
import { refuseDeniedInside } from "./subtree.ts";
import { madeFolder } from "./write.ts";

/** The folder in each root that deleted entries are moved to. It is denied, so no tool reaches into it. */
export const TRASH_FOLDER = ".mcp-trash";

/** Deletes within one millisecond that get a folder of their own. */
export const TRASH_FOLDERS_PER_INSTANT_MAX = 10_000;

/** What a delete did. */
export interface Deleted {
  /** The root's name. */
  readonly root: string;
  /** What was deleted. */
  readonly path: string;
  /** Where it is now, from the root. */
  readonly trash: string;
  /** How a person brings it back. */
  readonly restore: string;
}

/**
 * Moves an entry to `.mcp-trash/<UTC time>/`, keeping its path below that, so that the trash itself tells where it
 * came from. A link is moved itself.
 *
 * @param path What to delete; never the root.
 * @param now The time; given by tests.
 * @throws {LoomError} `DENIED` when a folder holds something that is denied, `FILE_UNAVAILABLE` when nothing is there
 * or the trash is no folder.
 */
export function deleteEntry(path: ResolvedPath, now: Date = new Date()): Deleted {
  const name = path.parts.at(-1);
  if (name === undefined) throw new Error("unreachable: the gate never gives the root itself");
  return explaining(path.shown, () => {
    if (path.stat === undefined) throw new SystemError("ENOENT");
    if (path.stat.kind === "folder") refuseDeniedInside(path);
    const parents = path.parts.slice(0, -1);
    using from = path.root.folder.folder(parents);
    using trash = openTrash(path.root.folder);
    const stamp = makeStamped(trash, now);
    using target = madeFolder(trash, [stamp, ...parents], []);
    from.rename(name, target, name, "keep");
    const place = [TRASH_FOLDER, stamp, ...path.parts].join("/");
    return {
      root: path.root.name,
      path: path.shown,
      trash: place,
      restore: `A person can move '${place}' in the folder of root '${path.root.name}' back to '${path.shown}'; ` +
        "no tool of this server reaches into the trash",
    };
  });
}

function openTrash(root: Folder): Folder {
  try {
    return madeFolder(root, [TRASH_FOLDER], []);
  } catch (error) {
    if (!(error instanceof SystemError) || !["ELOOP", "ENOTDIR"].includes(error.code)) throw error;
    throw new LoomError("FILE_UNAVAILABLE", `Cannot delete: '${TRASH_FOLDER}' in this root is not a folder`, {
      cause: error,
    });
  }
}

/** A folder that nobody else has, so that two deletes in one instant cannot meet. */
function makeStamped(trash: Folder, now: Date): string {
  // Colons would be streams on Windows.
  const time = now.toISOString().replaceAll(/[:.]/g, "-");
  for (let turn = 1; turn <= TRASH_FOLDERS_PER_INSTANT_MAX; turn++) {
    const name = turn === 1 ? time : `${time}-${turn}`;
    try {
      trash.makeFolder(name);
      return name;
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== "EEXIST") throw error;
    }
  }
  throw new LoomError("LIMIT_EXCEEDED", "Cannot delete: too many deletes in one instant, so try again");
}
