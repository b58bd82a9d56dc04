/** The roots as they lie on the disk: opened once, and refused when one holds another or something that must stay out. @module */

import { basename, dirname, join } from "node:path";
import { type FsConfig, invalid, type RootConfig } from "./config.ts";
import type { FileAccess, Folder } from "./folder.ts";
import { HOST_STYLE } from "./names.ts";
import { explained, SystemError } from "./refusal.ts";
import { windowsParts } from "./windows.ts";

/** A root whose folder is open. */
export interface OpenRoot extends RootConfig {
  /** Its folder, open for as long as the server runs. */
  readonly folder: Folder;
  /** Its path on the host, every link resolved. */
  readonly realPath: string;
  /** The names of its real path. */
  readonly realParts: readonly string[];
  /** The names of its path as it was configured. */
  readonly spelledParts: readonly string[];
}

/** The names in an absolute path of the host. */
export function hostParts(path: string): readonly string[] {
  const parts = HOST_STYLE === "windows" ? windowsParts(path.replace(/^\\\\\?\\/, "")) : path.split("/");
  return parts.filter((part) => part !== "" && part !== ".");
}

/** Whether the path of the names `inner` is `outer` or lies below it. */
export function holds(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((name, index) => name === inner[index]);
}

/**
 * Opens every root.
 *
 * @throws {LoomError} `CONFIG_INVALID` with a line for each root that is no folder, that holds another one (by real
 * path, or by the identity of a parent folder, which sees through case-blind file systems), or through which the model
 * could change the configuration or reach the audit log.
 */
export function openRoots(config: FsConfig, access: FileAccess): readonly OpenRoot[] {
  const name = config.configPath ?? "the config";
  const problems: string[] = [];
  const roots: OpenRoot[] = [];
  for (const root of config.roots) {
    try {
      const { folder, realPath } = access.openRoot(root.path);
      roots.push({ ...root, folder, realPath, realParts: hostParts(realPath), spelledParts: hostParts(root.path) });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const said = explained(error, root.path);
      problems.push(`root '${root.name}': path ${said instanceof Error ? said.message : root.path}`);
    }
  }
  problems.push(...overlaps(roots, access), ...reachable(config, roots));
  if (problems.length === 0) return roots;
  for (const root of roots) root.folder[Symbol.dispose]();
  throw invalid(name, problems);
}

function overlaps(roots: readonly OpenRoot[], access: FileAccess): readonly string[] {
  const problems: string[] = [];
  for (const [index, root] of roots.entries()) {
    for (const other of roots.slice(0, index)) {
      if (isWithin(root, other, access)) problems.push(overlap(root, other));
      else if (isWithin(other, root, access)) problems.push(overlap(other, root));
    }
  }
  return problems;
}

function overlap(inner: OpenRoot, outer: OpenRoot): string {
  const isSame = inner.realParts.length === outer.realParts.length;
  return `root '${inner.name}': its folder ${isSame ? "is that" : "lies inside that"} of root '${outer.name}', ` +
    "so two roles would hold for one file";
}

function isWithin(inner: OpenRoot, outer: OpenRoot, access: FileAccess): boolean {
  if (holds(outer.realParts, inner.realParts)) return true;
  const wanted = identity(outer.folder);
  if (wanted === undefined) return false;
  if (identity(inner.folder) === wanted) return true;
  for (let path = inner.realPath; path !== dirname(path);) {
    path = dirname(path);
    if (parentIdentity(path, access) === wanted) return true;
  }
  return false;
}

/** Undefined where the system gives files no number, or does not say. */
function identity(folder: Folder): string | undefined {
  try {
    const { device, inode } = folder.stat([]);
    return inode === "null" || inode === "0" ? undefined : `${device}/${inode}`;
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

function parentIdentity(path: string, access: FileAccess): string | undefined {
  try {
    const { folder } = access.openRoot(path);
    try {
      return identity(folder);
    } finally {
      folder[Symbol.dispose]();
    }
  } catch {
    // A parent that this user may not look into: its real path has been compared already.
    return undefined;
  }
}

/** What a model must not reach: the file that grants its permissions, and the log that holds it to account. */
function reachable(config: FsConfig, roots: readonly OpenRoot[]): readonly string[] {
  const problems: string[] = [];
  for (const root of roots) {
    const mayChange = root.permissions.some((permission) => permission !== "read");
    if (config.configPath !== undefined && mayChange && holds(root.realParts, hostParts(config.configPath))) {
      problems.push(`root '${root.name}': it holds the config file, so the model could change its own permissions`);
    }
    if (config.audit !== undefined && holds(root.realParts, hostParts(realPathOf(config.audit.path)))) {
      problems.push(`root '${root.name}': it holds the audit log, so the model could read or change it`);
    }
  }
  return problems;
}

/** The path that opening `path` for writing would reach, be it there already or not. */
function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    try {
      return join(Deno.realPathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}
