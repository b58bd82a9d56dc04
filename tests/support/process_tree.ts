/** Processes below a process, as Linux shows them under /proc. @module */

/** A process and its command line. */
export interface ProcessEntry {
  readonly pid: number;
  readonly command: string;
}

/** Every live process below `root`, itself left out. Zombies do not count. */
export function descendantsOf(root: number): ProcessEntry[] {
  const children = new Map<number, number[]>();
  for (const { name } of Deno.readDirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statusOf(Number(name)) : undefined;
    if (stat === undefined || stat.state === "Z") continue;
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(root).map((pid) => ({ pid, command: commandOf(pid) }));
}

/** Resident megabytes of a process; 0 when it is gone or a zombie. */
export function residentMbOf(pid: number): number {
  const status = readProc(pid, "status");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function statusOf(pid: number): { readonly parent: number; readonly state: string } | undefined {
  const status = readProc(pid, "status");
  const parent = /PPid:\s+(\d+)/.exec(status)?.[1];
  return parent === undefined ? undefined : { parent: Number(parent), state: /State:\s+(\w)/.exec(status)?.[1] ?? "" };
}

function commandOf(pid: number): string {
  return readProc(pid, "cmdline").replaceAll("\0", " ").trim();
}

function readProc(pid: number, file: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${file}`);
  } catch {
    return "";
  }
}
