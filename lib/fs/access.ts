/** Chooses how files are opened: the strongest way that this system and the granted permissions allow. @module */

import { libcAccess } from "./beneath.ts";
import type { FileAccess, Opening } from "./folder.ts";
import { plainAccess } from "./plain.ts";

/** What each way of opening promises, in words for the log, `--check` and the specification. */
export const GUARANTEES: Record<Opening, string> = {
  "openat2": "the kernel opens every file beneath its root and refuses links (openat2), so nothing can be swapped in",
  "openat":
    "every name is opened from the folder before it and may not be a link (openat), so nothing can be swapped in",
  "proc-self-fd":
    "every name is opened from the folder before it through /proc/self/fd and may not be a link, so nothing can be swapped in",
  "best-effort":
    "paths are checked before and after they are opened; someone who swaps folders for links at the right instant can get past",
};

/** The strongest {@link FileAccess} that works here. */
export async function strongestAccess(): Promise<FileAccess> {
  return libcAccess() ?? await walkedAccess() ?? plainAccess();
}

/** `node:fs` takes 20 ms to load, so only those pay who need it. */
async function walkedAccess(): Promise<FileAccess | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const { procAccess } = await import("./proc.ts");
  return procAccess();
}
