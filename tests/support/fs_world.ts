/** A small world for loom-fs: a root, a reference root, a folder outside both, and a server over them. @module */

import { dirname, join } from "node:path";
import { libcAccess } from "../../lib/fs/beneath.ts";
import type { FileAccess } from "../../lib/fs/folder.ts";
import { type FsServer, loadFsConfig } from "../../lib/fs/mod.ts";
import { plainAccess } from "../../lib/fs/plain.ts";
import { procAccess } from "../../lib/fs/proc.ts";
import { type CallResult, openServer } from "../../lib/fs/server.ts";

/** What the file outside both roots says; no answer may hold it. */
export const SECRET = "SECRET\n";

/** Every way to open files that this system has, the strongest first. Opened here, since a test may leave nothing open. */
const ACCESSES: readonly FileAccess[] = [libcAccess(), libcAccess({ walk: true }), procAccess(), plainAccess()]
  .filter((access) => access !== undefined);

/** Every way to open files that this system has, the strongest first. */
export function accesses(): readonly FileAccess[] {
  return ACCESSES;
}

/** The ways that let nothing be swapped in. */
export function safeAccesses(): readonly FileAccess[] {
  return ACCESSES.filter(({ opening }) => opening !== "best-effort");
}

/** A configuration as an object. */
export interface Settings {
  readonly [key: string]: unknown;
  readonly roots?: readonly Readonly<Record<string, unknown>>[];
}

/** TOML of a configuration. */
export function tomlOf({ roots = [], ...rest }: Settings): string {
  const value = (given: unknown): string => {
    return Array.isArray(given) ? `[${given.map(value).join(", ")}]` : JSON.stringify(given);
  };
  const lines = (table: Readonly<Record<string, unknown>>) => {
    return Object.entries(table).map(([key, given]) => `${key} = ${value(given)}`);
  };
  return [...lines(rest), ...roots.flatMap((root) => ["[[roots]]", ...lines(root)])].join("\n");
}

/** What {@link createWorld} may be given. */
export interface WorldOptions {
  /** Replaces the configuration; receives the folder of the world. */
  readonly settings?: (top: string) => Settings;
  /** How files are opened. */
  readonly access?: FileAccess;
  /** Runs before the server opens its roots. */
  readonly before?: (world: Place) => void | Promise<void>;
  /** Receives what the server logs. */
  readonly onLog?: (line: string) => void;
}

/** The folders of a world. */
export class Place implements Disposable {
  /** The folder that holds all others, by its real path. */
  readonly top: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "loom-fs-" }));

  constructor() {
    for (const folder of ["root/sub", "outside", "ref", "log"]) this.folder(folder);
    this.write("root/a.txt", "hello\n");
    this.write("root/sub/b.txt", "world\n");
    this.write("outside/secret.txt", SECRET);
    this.write("ref/doc.md", "# doc\n");
  }

  /** The path of something in this world. */
  path(name: string): string {
    return name.startsWith("/") ? name : join(this.top, name);
  }

  /** Makes a folder and those on the way. */
  folder(name: string): void {
    Deno.mkdirSync(this.path(name), { recursive: true });
  }

  /** Writes a file, and makes the folders on the way. */
  write(name: string, content: string | Uint8Array): void {
    Deno.mkdirSync(dirname(this.path(name)), { recursive: true });
    Deno.writeFileSync(this.path(name), typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  /** Makes a link that says `target`. */
  link(target: string, name: string): void {
    Deno.mkdirSync(dirname(this.path(name)), { recursive: true });
    Deno.symlinkSync(target, this.path(name));
  }

  /** The text of a file. */
  read(name: string): string {
    return Deno.readTextFileSync(this.path(name));
  }

  /** Whether something has that name, be it a dangling link. */
  has(name: string): boolean {
    try {
      Deno.lstatSync(this.path(name));
      return true;
    } catch {
      return false;
    }
  }

  /** The names in a folder, sorted. */
  names(name: string): readonly string[] {
    return [...Deno.readDirSync(this.path(name))].map((entry) => entry.name).sort();
  }

  /** Every file below a folder, as paths from it, sorted; links and folders are not entered through links. */
  files(name: string): readonly string[] {
    const below = (folder: string): string[] =>
      [...Deno.readDirSync(join(this.path(name), folder))].flatMap((entry) => {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        return entry.isDirectory ? below(path) : [path];
      });
    return below("").sort();
  }

  /** All that lies outside the roots, as one text that two moments can be compared by. */
  outside(): string {
    return this.files("outside").map((file) => `${file}=${this.read(`outside/${file}`)}`).join("\n");
  }

  /** The lines of the audit log. */
  auditLines(name: string = "log/audit.log"): readonly string[] {
    return this.has(name) ? this.read(name).split("\n").slice(0, -1) : [];
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.top, { recursive: true });
  }
}

/** A world with a server. */
export class World extends Place {
  /** The server, once it is open. */
  server!: FsServer;

  /** Calls a tool that is offered. */
  async call(name: string, args: unknown): Promise<CallResult> {
    return await this.server.call(name, args);
  }

  /** The structured answer of a call that must not fail. */
  async answer(name: string, args: unknown): Promise<Record<string, unknown>> {
    const result = await this.call(name, args);
    if (result.isError) throw new Error(`${name} failed: ${textOf(result)}`);
    return { ...result.structuredContent };
  }

  /** The message of a call that must fail. */
  async refusal(name: string, args: unknown): Promise<string> {
    const result = await this.call(name, args);
    if (!result.isError) throw new Error(`${name} succeeded: ${textOf(result)}`);
    return textOf(result);
  }

  override [Symbol.dispose](): void {
    this.server?.[Symbol.dispose]();
    super[Symbol.dispose]();
  }
}

/** Two roots: `r`, a workspace, and `ref`, a reference; and an audit log outside both. */
export function usualSettings(top: string): Settings {
  return {
    audit_log: `${top}/log/audit.log`,
    roots: [
      { name: "r", path: `${top}/root`, role: "workspace" },
      { name: "ref", path: `${top}/ref`, role: "reference" },
    ],
  };
}

/** Makes a world and opens its server; a refusal to start is thrown, and the folders are gone. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World();
  try {
    await options.before?.(world);
    world.write("roots.toml", tomlOf((options.settings ?? usualSettings)(world.top)));
    const config = await loadFsConfig(world.path("roots.toml"));
    const access = options.access ?? ACCESSES[0] ?? plainAccess();
    world.server = openServer(config, access, (level, component, message) => {
      options.onLog?.(`${level} ${component}: ${message}`);
    });
    return world;
  } catch (error) {
    world[Symbol.dispose]();
    throw error;
  }
}

/** The text of a result. */
export function textOf(result: CallResult): string {
  return result.content.map(({ text }) => text).join("\n");
}
