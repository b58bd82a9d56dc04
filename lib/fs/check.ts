/** `loom fs --check`: what a configuration means, and the permissions that Deno needs to run it. @module */

import { dirname } from "node:path";
import { GUARANTEES } from "./access.ts";
import type { FsConfig, RootConfig } from "./config.ts";
import type { Opening } from "./folder.ts";
import { LIBC_PATHS } from "./libc.ts";
import { offeredTools } from "./tools.ts";

/** Roots, roles, permissions, limits, tools, and the exact flags, as text for a terminal. */
export function describeConfig(config: FsConfig, opening: Opening): string {
  const audit = config.audit;
  return [
    "Roots",
    ...config.roots.map(rootLine),
    "",
    `Tools       ${offeredTools(config).map(({ name }) => name).join(", ")}`,
    `Search      at most ${config.maxSearchResults} matches and ${config.maxSearchBytes} bytes read`,
    `Audit log   ${audit === undefined ? "none" : `${audit.path} (${audit.maxBytes} bytes, ${audit.backups} backups)`}`,
    `Opening     ${opening}: ${GUARANTEES[opening]}`,
    "",
    ...permissionLines(config),
  ].join("\n");
}

function rootLine(root: RootConfig): string {
  const deny = root.denyPatterns.length > 0 ? `, also denied: ${root.denyPatterns.join(" ")}` : "";
  return `  ${root.name}  ${root.role} [${root.permissions.join(", ")}]  ${root.path}  ` +
    `(reads up to ${root.maxReadBytes} bytes${deny})`;
}

function permissionLines(config: FsConfig): readonly string[] {
  return [
    "Permissions for Deno (never needed: run, net, env, sys)",
    "  Linux, the kernel keeps every file beneath its root:",
    `    ${linuxFlags(config).join(" ")}`,
    "  Linux, without the C library, the same by walking /proc/self/fd:",
    "    -A",
    "  macOS and Windows, paths checked before and after they are opened:",
    `    ${scopedFlags(config).join(" ")}`,
    "  --allow-read and --allow-write do not hold files inside a root: Deno follows links before it looks. What holds",
    "  them is the way they are opened. --allow-ffi lets this process call the C library with the rights of its user.",
  ];
}

function linuxFlags(config: FsConfig): readonly string[] {
  const written = config.audit === undefined ? [] : [dirname(config.audit.path)];
  return [
    flag("allow-ffi", [libcPath()]),
    ...flags("allow-read", [...(config.configPath === undefined ? [] : [config.configPath]), ...written]),
    ...flags("allow-write", written),
  ];
}

function scopedFlags(config: FsConfig): readonly string[] {
  const audit = config.audit === undefined ? [] : [dirname(config.audit.path)];
  const changed = config.roots.filter((root) => root.permissions.some((permission) => permission !== "read"));
  const read = [
    ...(config.configPath === undefined ? [] : [config.configPath]),
    ...config.roots.map(({ path }) => path),
  ];
  return [
    ...flags("allow-read", [...read, ...audit]),
    ...flags("allow-write", [...changed.map(({ path }) => path), ...audit]),
  ];
}

function flags(name: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [flag(name, paths)];
}

/** A comma separates paths in a flag, and one within a path is written twice. */
function flag(name: string, paths: readonly string[]): string {
  const text = `--${name}=${paths.map((path) => path.replaceAll(",", ",,")).join(",")}`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function libcPath(): string {
  const absolute = LIBC_PATHS.filter((path) => path.startsWith("/"));
  return absolute.find(isThere) ?? absolute[0] ?? "";
}

function isThere(path: string): boolean {
  try {
    return Deno.permissions.querySync({ name: "read", path }).state === "granted" && Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
