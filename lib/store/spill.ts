/** The private folder into which the engine spills, and the removal of those that dead processes left. @module */

const PREFIX = "loom-spill-";
/** In each folder: locked as long as its owner lives, however it dies, on every system and without any right to ask. */
const LOCK = ".lock";
/** Milliseconds after which a folder without a lock file is no longer taken for one that is being made. */
const MAKING_MS_MAX = 60_000;
/** Times that making a folder is tried when another process takes it for a leftover in the moment of its making. */
const ATTEMPTS_MAX = 3;

/** A folder of this process alone. */
export class SpillFolder {
  readonly path: string;
  #lock: Deno.FsFile | undefined;

  private constructor(path: string, lock: Deno.FsFile) {
    this.path = path;
    this.#lock = lock;
  }

  /** Makes a folder (0700) under `parent` and removes those whose owners no longer run. */
  static async make(parent: string): Promise<SpillFolder> {
    await Deno.mkdir(parent, { recursive: true, mode: 0o700 });
    await removeStale(parent);
    for (let attempt = 1;; attempt++) {
      const path = await Deno.makeTempDir({ dir: parent, prefix: PREFIX });
      if (Deno.build.os !== "windows") await Deno.chmod(path, 0o700);
      const lock = await lockIn(path, true).catch((error) => {
        if (attempt >= ATTEMPTS_MAX) throw error;
        return undefined;
      });
      if (lock) return new SpillFolder(path, lock);
      await removeFolder(path);
    }
  }

  /** Removes the folder and what is in it; one that is gone already is no error. */
  async remove(): Promise<void> {
    // Some systems do not remove a file that is open.
    this.#lock?.close();
    this.#lock = undefined;
    await removeFolder(this.path);
  }
}

/** The lock of a folder, held; undefined when another process holds it. Throws `NotFound` when there is none. */
async function lockIn(folder: string, createNew: boolean): Promise<Deno.FsFile | undefined> {
  const file = await Deno.open(`${folder}/${LOCK}`, { read: true, write: true, createNew });
  if (await file.tryLock(true)) return file;
  file.close();
  return undefined;
}

async function removeStale(parent: string): Promise<void> {
  for await (const entry of Deno.readDir(parent)) {
    if (!entry.isDirectory || !entry.name.startsWith(PREFIX)) continue;
    const folder = `${parent}/${entry.name}`;
    // Another process may be clearing the same folder, or it may belong to another user.
    if (await isStale(folder).catch(() => false)) await removeFolder(folder).catch(() => {});
  }
}

async function isStale(folder: string): Promise<boolean> {
  try {
    const lock = await lockIn(folder, false);
    lock?.close();
    return lock !== undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const { mtime } = await Deno.stat(folder);
    return mtime !== null && Date.now() - mtime.getTime() > MAKING_MS_MAX;
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
