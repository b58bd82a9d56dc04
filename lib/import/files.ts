/** Client configs on disk: written whole or not at all, with a copy of what was there, and put back on request. @module */

import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { LoomError } from "../errors.ts";
import { fileReason } from "../file_errors.ts";

/** What stands between a file's name and the fingerprint in the name of its backup. */
const BACKUP_MARK = ".before-loom-";

/** Hexadecimal digits of the fingerprint. */
const FINGERPRINT_CHARS = 16;

/** Mode of a file that may hold secrets. */
const PRIVATE_MODE = 0o600;

function fingerprint(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, FINGERPRINT_CHARS);
}

/** The file itself, also when the path is a link: many keep their settings elsewhere. */
async function realFile(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return path;
    throw error;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).mode ?? undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes beside the file and renames, so that a reader sees the old text or the new one. The mode is kept. */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const mode = await modeOf(path);
  const beside = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    await Deno.writeFile(beside, bytes, { createNew: true, mode: (mode ?? PRIVATE_MODE) & 0o777 });
    if (mode !== undefined && Deno.build.os !== "windows") await Deno.chmod(beside, mode & 0o777);
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw error;
  }
}

/**
 * Replaces a client's config and keeps a copy of what it was.
 *
 * @returns The path of the copy.
 */
export async function applyToFile(path: string, text: string): Promise<string> {
  const file = await realFile(path);
  const bytes = new TextEncoder().encode(text);
  const backup = `${file}${BACKUP_MARK}${fingerprint(bytes)}`;
  await replaceFile(backup, await Deno.readFile(file));
  const mode = await modeOf(file);
  if (mode !== undefined && Deno.build.os !== "windows") await Deno.chmod(backup, mode & 0o777);
  await replaceFile(file, bytes);
  return backup;
}

/**
 * Writes a new file that only its owner may read. An existing one is never replaced.
 *
 * @returns Whether it was written; not when it holds this very text already.
 */
export async function writeNewFile(path: string, text: string): Promise<boolean> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: true, mode: PRIVATE_MODE });
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    if (await readIfThere(path) === text) return false;
    throw new LoomError("NAME_TAKEN", `Cannot write ${path}: it exists and is not replaced, name another with --to`);
  }
}

async function backupsOf(file: string): Promise<readonly string[]> {
  const prefix = `${basename(file)}${BACKUP_MARK}`;
  const found: string[] = [];
  try {
    for await (const { name } of Deno.readDir(dirname(file))) {
      if (name.startsWith(prefix)) found.push(join(dirname(file), name));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.toSorted();
}

/** What putting a backup back came to. */
export type Undone =
  | { readonly kind: "restored" }
  | { readonly kind: "none" }
  /** The file was edited since: putting the copy back would lose that. */
  | { readonly kind: "changed"; readonly backups: readonly string[] };

/** Puts back, byte for byte, what was there before {@link applyToFile}, unless the file was changed since. */
export async function undoFile(path: string): Promise<Undone> {
  const file = await realFile(path);
  const backups = await backupsOf(file);
  if (backups.length === 0) return { kind: "none" };
  const backup = `${file}${BACKUP_MARK}${fingerprint(await Deno.readFile(file))}`;
  if (!backups.includes(backup)) return { kind: "changed", backups };
  await Deno.rename(backup, file);
  return { kind: "restored" };
}

/** The text of a client's config, undefined when there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw new LoomError("CONFIG_INVALID", `Cannot read ${path}: ${fileReason(error)}`, { cause: error });
  }
}
