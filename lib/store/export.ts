/** Writes a dataset to a new file under the export folder: all of it or no file, and never over another. @module */

import { LoomError, messageOf } from "../errors.ts";
import { fileReason } from "../file_errors.ts";
import type { ChunkReader } from "./cells.ts";
import { keysOf } from "./cells.ts";

/** Formats of an export. */
export type ExportFormat = "csv" | "json";

/** Bytes of UTF-8 of a file's name without its extension. */
export const FILE_NAME_BYTES_MAX = 120;
/** A file that is being written; locked until it is whole, so that one whose writer was killed can be told. */
const BESIDE_PREFIX = ".loom-export-";
/** Milliseconds without a write after which such a file is no longer taken for one that is just being made or moved. */
export const BESIDE_MS_MAX = 60_000;
/** Numbers that are tried behind a name that loom itself chose. */
const NUMBERED_NAMES_MAX = 1_000;

/** What an export came to. */
export interface Exported {
  /** Absolute. */
  readonly path: string;
  /** Rows that were written. */
  readonly rows: number;
  /** Bytes of the file. */
  readonly bytes: number;
}

/** Gives the rows of a dataset chunk by chunk. */
export type Chunks = AsyncIterable<ChunkReader>;

/**
 * A base name that is safe on every system: no folders, no control or reserved characters, no device names, no leading
 * dot, not too long. Undefined when nothing is left of it.
 */
export function safeBaseName(name: string, format: ExportFormat): string | undefined {
  const base = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const stem = base.replace(/\.(?:csv|json)$/i, "").replace(/[^\p{L}\p{N}\p{M}._ -]/gu, "_").replace(
    /^[. ]+|[. ]+$/g,
    "",
  );
  if (!/[\p{L}\p{N}]/u.test(stem)) return undefined;
  // Windows opens a device for these, whatever stands behind the dot.
  const safe = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:[. ]|$)/i.test(stem) ? `_${stem}` : stem;
  return `${cutToBytes(safe, FILE_NAME_BYTES_MAX).replace(/[. ]+$/, "")}.${format}`;
}

function cutToBytes(text: string, bytes: number): string {
  const buffer = new Uint8Array(bytes);
  return text.slice(0, new TextEncoder().encodeInto(text, buffer).read);
}

/**
 * Writes beside the target and moves into place.
 * @throws LoomError `NAME_TAKEN` when a file of the wanted name exists, `ARGUMENTS_INVALID` when the name cannot be used,
 * `EXPORT_FAILED` when it cannot be written; nothing is left behind.
 */
export async function writeExport(
  folder: string,
  target: { readonly ref: string; readonly format: ExportFormat; readonly filename?: string | undefined },
  names: readonly string[],
  chunks: Chunks,
): Promise<Exported> {
  const { format, filename } = target;
  const wanted = filename === undefined ? `${target.ref}.${format}` : safeBaseName(filename, format);
  if (wanted === undefined) {
    throw new LoomError("ARGUMENTS_INVALID", `Cannot use "${filename}" as a file name: it needs a letter or a digit`);
  }
  const real = await openFolder(folder);
  await removeStale(real);
  const beside = `${real}/${BESIDE_PREFIX}${crypto.randomUUID()}`;
  try {
    const written = await writeFile(beside, format, names, chunks);
    const path = await place(real, beside, wanted, filename === undefined);
    return { path, ...written };
  } catch (error) {
    if (error instanceof LoomError) throw error;
    throw new LoomError("EXPORT_FAILED", `Cannot export to "${wanted}": ${reasonOf(error)}; nothing was written`, {
      cause: error,
    });
  } finally {
    await Deno.remove(beside).catch(() => {});
  }
}

async function openFolder(folder: string): Promise<string> {
  try {
    await Deno.mkdir(folder, { recursive: true });
    return await Deno.realPath(folder);
  } catch (error) {
    throw new LoomError("EXPORT_FAILED", `Cannot open the export folder: ${reasonOf(error)}`, { cause: error });
  }
}

/** Removes what writers left that were killed. Whatever stands in the way of that is no fault of the new export. */
async function removeStale(folder: string): Promise<void> {
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || !name.startsWith(BESIDE_PREFIX)) continue;
      const path = `${folder}/${name}`;
      if (await isStale(path).catch(() => false)) await Deno.remove(path).catch(() => {});
    }
  } catch {
    // The folder may be written but not listed.
  }
}

async function isStale(path: string): Promise<boolean> {
  using file = await Deno.open(path, { read: true, write: true });
  const { mtime } = await file.stat();
  return mtime !== null && Date.now() - mtime.getTime() > BESIDE_MS_MAX && await file.tryLock(true);
}

async function writeFile(
  path: string,
  format: ExportFormat,
  names: readonly string[],
  chunks: Chunks,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o644 });
  // Not every file system can.
  await file.tryLock(true).catch(() => false);
  const encoder = new TextEncoder();
  const write = async (text: string): Promise<number> => {
    const bytes = encoder.encode(text);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    return bytes.length;
  };
  const writer = format === "csv" ? csvWriter(names) : jsonWriter(names);
  let rows = 0;
  let bytes = await write(writer.begin);
  for await (const chunk of chunks) {
    bytes += await write(writer.rows(chunk, rows));
    rows += chunk.rowCount;
  }
  bytes += await write(writer.end);
  // A full disk may only show when the system writes for real.
  await file.sync();
  return { rows, bytes };
}

/** Moves the finished file to its name, atomically and never over another file. */
async function place(folder: string, beside: string, wanted: string, mayNumber: boolean): Promise<string> {
  const dot = wanted.lastIndexOf(".");
  for (let n = 1; n <= (mayNumber ? NUMBERED_NAMES_MAX : 1); n++) {
    const name = n === 1 ? wanted : `${wanted.slice(0, dot)}_${n}${wanted.slice(dot)}`;
    if (await linkNew(beside, `${folder}/${name}`)) return `${folder}/${name}`;
  }
  throw new LoomError(
    "NAME_TAKEN",
    `Cannot export to "${wanted}": a file of this name exists and is never replaced; choose another`,
  );
}

/** A hard link fails when the name exists, even as a dangling link; where links are not possible, an exclusive create does. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await Deno.link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
  }
  try {
    (await Deno.open(to, { write: true, createNew: true })).close();
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
  try {
    await Deno.rename(from, to);
    return true;
  } catch (error) {
    await Deno.remove(to).catch(() => {});
    throw error;
  }
}

/** How a format writes its begin, the rows of a chunk and its end. */
interface FormatWriter {
  readonly begin: string;
  readonly rows: (chunk: ChunkReader, before: number) => string;
  readonly end: string;
}

/** RFC 4180: CRLF, quotes where needed. NULL is nothing, the empty string is `""`. */
function csvWriter(names: readonly string[]): FormatWriter {
  return {
    begin: `${names.map(csvField).join(",")}\r\n`,
    rows: (chunk) => {
      const lines: string[] = [];
      for (let row = 0; row < chunk.rowCount; row++) {
        lines.push(chunk.cells.map((cell) => csvCell(cell(row))).join(","));
      }
      return lines.length === 0 ? "" : `${lines.join("\r\n")}\r\n`;
    },
    end: "",
  };
}

function csvCell(json: string): string {
  if (json === "null") return "";
  return csvField(json.startsWith('"') ? JSON.parse(json) as string : json);
}

/** A text as a field of CSV. */
export function csvField(text: string): string {
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One array of objects, one row a line. */
function jsonWriter(names: readonly string[]): FormatWriter {
  const keys = keysOf(names);
  return {
    begin: "[",
    rows: (chunk, before) => {
      const lines: string[] = [];
      for (let row = 0; row < chunk.rowCount; row++) lines.push(chunk.rowJson(keys, row));
      return lines.length === 0 ? "" : `${before === 0 ? "" : ","}\n${lines.join(",\n")}`;
    },
    end: "\n]\n",
  };
}

/** Why writing failed, without paths of the host. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  if (/os error 28|no space/i.test(message)) return "the disk is full";
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return "loom may not write to the export folder";
  }
  const plain = fileReason(error);
  if (plain !== message) return plain;
  return message.replace(/'[^']*'|"[^"]*"|(?:[A-Za-z]:)?[/\\]\S+/g, "…").slice(0, 300);
}
