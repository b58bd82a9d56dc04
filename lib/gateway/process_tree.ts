/** The processes below a child, and how to end them all. @module */

/** What is known of one process of this machine. */
interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Tells a process from a later one with the same id. */
  readonly startedAt: string;
}

/** A process that was below a child when it was looked for. */
export type TreeMember = Pick<ProcessEntry, "pid" | "startedAt">;

/** Every process below `root`, also those that left its process group, without `root` itself. */
export async function descendantsOf(root: number): Promise<TreeMember[]> {
  const entries = await listProcesses() ?? [];
  const below = new Set([root]);
  const members: TreeMember[] = [];
  // Parents don't always come before their children in the listing.
  for (let grew = true; grew;) {
    grew = false;
    for (const entry of entries) {
      if (below.has(entry.pid) || !below.has(entry.parent)) continue;
      below.add(entry.pid);
      members.push(entry);
      grew = true;
    }
  }
  return members;
}

/**
 * Those of `members` and of the process group `group` that still run. Zombies don't. Undefined where loom may not see
 * other processes.
 */
export async function stillRunning(group: number, members: readonly TreeMember[]): Promise<TreeMember[] | undefined> {
  const known = new Map(members.map((member) => [member.pid, member.startedAt]));
  const entries = await listProcesses();
  return entries?.filter((entry) =>
    entry.pid !== Deno.pid && (entry.group === group || known.get(entry.pid) === entry.startedAt)
  );
}

/** Sends a signal to a process, or with a negative id to a whole group. False when it could not be sent. */
export async function sendSignal(pid: number, signal: Deno.Signal): Promise<boolean> {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) return false;
  }
  // Under scoped permissions only named commands may act on other processes.
  return await signalByCommand(pid, signal);
}

async function signalByCommand(pid: number, signal: Deno.Signal): Promise<boolean> {
  try {
    const command = new Deno.Command("/bin/kill", { args: [`-${signal.slice(3)}`, "--", String(pid)], ...SILENT });
    return (await command.output()).success;
  } catch {
    return false;
  }
}

const SILENT = { stdin: "null", stdout: "null", stderr: "null", clearEnv: true } as const;

/** Ends a process tree the way Windows offers. */
export async function taskkill(pid: number): Promise<void> {
  try {
    await new Deno.Command("taskkill", { args: ["/T", "/F", "/PID", String(pid)], ...SILENT }).output();
  } catch {
    // Not permitted or not there: the child itself is ended by its handle.
  }
}

async function listProcesses(): Promise<ProcessEntry[] | undefined> {
  if (Deno.build.os === "windows") return undefined;
  try {
    return Deno.build.os === "linux" ? await readProc() : await askPs();
  } catch {
    try {
      return await askPs();
    } catch {
      return undefined;
    }
  }
}

async function readProc(): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  const pids: string[] = [];
  for await (const entry of Deno.readDir("/proc")) if (/^\d+$/.test(entry.name)) pids.push(entry.name);
  await Promise.all(pids.map(async (pid) => {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => undefined);
    const entry = stat === undefined ? undefined : entryOfStat(stat);
    if (entry) entries.push(entry);
  }));
  return entries;
}

/** One line of `/proc/<pid>/stat`. The command's name stands in parentheses and may hold anything. */
export function entryOfStat(stat: string): ProcessEntry | undefined {
  const pid = Number.parseInt(stat, 10);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  if (!Number.isInteger(pid) || state === undefined || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), startedAt: fields[19] ?? "" };
}

async function askPs(): Promise<ProcessEntry[]> {
  const command = new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,pgid=,stat=,lstart="], stdin: "null" });
  const { stdout } = await command.output();
  const entries: ProcessEntry[] = [];
  for (const line of new TextDecoder().decode(stdout).split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match || match[4]?.startsWith("Z")) continue;
    const [pid, parent, group] = [match[1], match[2], match[3]].map(Number);
    if (pid === undefined || parent === undefined || group === undefined) continue;
    entries.push({ pid, parent, group, startedAt: match[5] ?? "" });
  }
  return entries;
}
