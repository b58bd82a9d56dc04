/** Editing: exact replacements in a text file, shown as a diff, made only if the file is still what was edited. @module */

import { createTwoFilesPatch } from "diff";
import { LoomError } from "../errors.ts";
import { printable } from "../log.ts";
import { isBinary, lineAt, readUpTo, sha256 } from "./bytes.ts";
import { strictText } from "./folder.ts";
import { binary, refuseSpecial } from "./read.ts";
import { explaining, quoted, SystemError } from "./refusal.ts";
import type { ResolvedPath } from "./resolve.ts";
import { writeFile } from "./write.ts";

/** Replacements of one call. */
export const EDITS_MAX = 100;

/** Characters of the diff in an answer. */
export const DIFF_CHARS_MAX = 50_000;

/** Lines of context around each change. */
const DIFF_CONTEXT_LINES = 3;

/** Milliseconds that making the diff may take. */
const DIFF_MS_MAX = 1_000;

/** Places that are named when a text occurs more than once. */
const PLACES_SHOWN_MAX = 5;

/** One replacement. */
export interface Edit {
  /** Text that occurs exactly once. */
  readonly old_text: string;
  /** What takes its place. */
  readonly new_text: string;
}

/** What an edit did, or would do. */
export interface Edited {
  /** The root's name. */
  readonly root: string;
  /** The file. */
  readonly path: string;
  /** Whether the file was changed; false for a dry run. */
  readonly written: boolean;
  /** A unified diff. */
  readonly diff: string;
  /** SHA-256 of the file as it is now. */
  readonly sha256: string;
  /** What there is to say about it. */
  readonly note: string | null;
}

/**
 * Replaces text in a file, each edit in what the ones before it made.
 *
 * @param path The file; it must be UTF-8 text of at most the root's `max_read_bytes`.
 * @param edits The replacements; all are made or none.
 * @param isDryRun Whether only the diff is wanted.
 * @throws {LoomError} `ARGUMENTS_INVALID` when an old text occurs never or more than once, `FILE_CHANGED` when the
 * file changed meanwhile.
 */
export function editFile(path: ResolvedPath, edits: readonly Edit[], isDryRun: boolean): Edited {
  const bytes = explaining(path.shown, () => textBytes(path));
  const before = strictText(bytes);
  if (before === undefined) {
    throw new LoomError("FILE_UNAVAILABLE", `${quoted(path.shown)} is not UTF-8 text, so an edit would damage it`);
  }
  const after = edits.reduce((text, edit, index) => edited(path, text, edit, index + 1), before);
  const hash = sha256(bytes);
  const { diff, note } = shownDiff(path.shown, before, after);
  const base = { root: path.root.name, path: path.shown, diff, note };
  if (isDryRun || after === before) return { ...base, written: false, sha256: hash };
  return { ...base, written: true, sha256: writeFile(path, after, hash).sha256 };
}

function textBytes(path: ResolvedPath): Uint8Array {
  if (path.stat?.kind === "folder") throw new SystemError("EISDIR");
  refuseSpecial(path);
  using file = path.root.folder.file(path.parts);
  const limit = path.root.maxReadBytes;
  const size = file.stat().size;
  const bytes = size > limit ? undefined : readUpTo(file, limit + 1);
  if (bytes === undefined || bytes.length > limit) {
    throw new LoomError(
      "LIMIT_EXCEEDED",
      `${quoted(path.shown)} has more than the ${limit} bytes that root '${path.root.name}' reads, so it is not edited`,
    );
  }
  if (isBinary(bytes)) throw binary(path);
  return bytes;
}

function edited(path: ResolvedPath, text: string, edit: Edit, number: number): string {
  const { old_text: oldText, new_text: newText } = edit;
  if (oldText === "") throw new LoomError("ARGUMENTS_INVALID", `edit ${number}: old_text is empty`);
  const at = text.indexOf(oldText);
  if (at < 0) throw absent(path, text, oldText, number);
  const next = text.indexOf(oldText, at + 1);
  if (next >= 0) throw repeated(path, text, oldText, number);
  return text.slice(0, at) + newText + text.slice(at + oldText.length);
}

function absent(path: ResolvedPath, text: string, oldText: string, number: number): LoomError {
  const endsDiffer = text.includes("\r\n") && !oldText.includes("\r\n") && oldText.includes("\n");
  const hint = endsDiffer ? ": its lines end in \\r\\n, and old_text must say so" : ": read the file again";
  return new LoomError("ARGUMENTS_INVALID", `edit ${number}: old_text does not occur in ${quoted(path.shown)}${hint}`);
}

function repeated(path: ResolvedPath, text: string, oldText: string, number: number): LoomError {
  const encoder = new TextEncoder();
  const lines: number[] = [];
  for (let at = text.indexOf(oldText); at >= 0 && lines.length < PLACES_SHOWN_MAX; at = text.indexOf(oldText, at + 1)) {
    const before = encoder.encode(text.slice(0, at));
    lines.push(lineAt(before, before.length));
  }
  return new LoomError(
    "ARGUMENTS_INVALID",
    `edit ${number}: old_text occurs more than once in ${quoted(path.shown)} (lines ${lines.join(", ")}): ` +
      "give more of the text around the one that is meant",
  );
}

function shownDiff(shown: string, before: string, after: string): { diff: string; note: string | null } {
  if (before === after) return { diff: "", note: "the edits change nothing" };
  const name = printable(shown);
  const diff = createTwoFilesPatch(name, name, before, after, undefined, undefined, {
    context: DIFF_CONTEXT_LINES,
    timeout: DIFF_MS_MAX,
  });
  if (diff === undefined) return { diff: "", note: "the change is too large to be shown as a diff" };
  if (diff.length <= DIFF_CHARS_MAX) return { diff, note: null };
  return {
    diff: diff.slice(0, DIFF_CHARS_MAX).toWellFormed(),
    note: `the diff is cut: ${DIFF_CHARS_MAX} of ${diff.length} characters are shown`,
  };
}
