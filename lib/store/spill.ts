/** The private folder into which the engine spills, and the removal of those that dead processes left. @module */

const PREFIX = "loom-spill-";
const NAME_REGEXP = /^loom-spill-(\d+)-(\d+)-/;

/**
 * Makes a folder of its own (0700) under `parent` and removes those of processes that no longer run.
 * Its name carries the process id and the start time of the process, so that a recycled id is not mistaken for the owner.
 */
export async function makeSpillFolder(parent: string): Promise<string> {
  await Deno.mkdir(parent, { recursive: true, mode: 0o700 });
  await removeStale(parent);
  const started = (await startTimeOf(Deno.pid)) ?? "0";
  const folder = await Deno.makeTempDir({ dir: parent, prefix: `${PREFIX}${Deno.pid}-${started}-` });
  if (Deno.build.os !== "windows") await Deno.chmod(folder, 0o700);
  return folder;
}

/** Removes a spill folder; one that is gone already is no error. */
export async function removeSpillFolder(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function removeStale(parent: string): Promise<void> {
  for await (const entry of Deno.readDir(parent)) {
    const match = NAME_REGEXP.exec(entry.name);
    if (!entry.isDirectory || !match) continue;
    const [, pid, started] = match;
    if (await isRunning(Number(pid), started ?? "0")) continue;
    // Another process may be clearing the same folder, or it may belong to another user.
    await removeSpillFolder(`${parent}/${entry.name}`).catch(() => {});
  }
}

async function isRunning(pid: number, started: string): Promise<boolean> {
  if (pid === Deno.pid) return true;
  if (Deno.build.os === "linux") {
    const now = await startTimeOf(pid);
    return now !== undefined && (started === "0" || now === started);
  }
  try {
    Deno.kill(pid, "SIGURG");
    return true;
  } catch (error) {
    // What cannot be asked about is taken for alive: a leftover folder is the smaller harm.
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** The start time of a process in clock ticks since boot, or undefined when it does not run or cannot be read. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    // The command's name may hold blanks and brackets: fields are counted from its last closing bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch (error) {
    // Without the right to read /proc nothing can be said, and everybody counts as alive.
    return error instanceof Deno.errors.NotFound ? undefined : "0";
  }
}
