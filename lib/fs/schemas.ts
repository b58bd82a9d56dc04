/** The shapes of the tools' arguments and answers; what a model and its client read of them. @module */

import { z } from "zod";
import { EDITS_MAX } from "./edit.ts";
import { PERMISSIONS, type Role, ROLES } from "./roles.ts";

const root = z.string().describe("Name of a root, as list_roots gives it");
const inRoot = (what: string) => z.string().describe(`${what}, relative to the root, with '/' between names`);
const line = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const note = z.string().nullable().describe("What there is to say about the answer");
const madeFolders = z.array(z.string()).describe("Folders that were missing on the way and were made");
const sha256 = z.string().regex(/^[0-9a-fA-F]{64}$/, "expected 64 hexadecimal digits");

/** Arguments of each tool. Unknown ones are refused, so that a slip in a name never drops a safeguard. */
export const INPUTS = {
  list_roots: z.strictObject({}),
  list_directory: z.strictObject({ root, path: inRoot("The folder; empty for the root itself").default("") }),
  read_file: z.strictObject({
    root,
    path: inRoot("The file"),
    start_line: line.optional().describe("First line wanted, from 1"),
    end_line: line.optional().describe("Last line wanted, included"),
  }),
  search_files: z.strictObject({
    root,
    pattern: z.string().describe(
      "Pattern for file names: '*' and '?' stay within a name, '[a-z]' and '[!a-z]' are sets, '**' crosses folders. " +
        "Without '/' it is matched against the name at any depth; with '/' against the path from the root",
    ),
    contains: z.string().optional().describe("Text that the file must hold, exactly and case-sensitively"),
    max_results: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe("Matches wanted at most"),
  }),
  write_file: z.strictObject({
    root,
    path: inRoot("The file; missing folders on the way are made"),
    content: z.string().describe("The whole new text"),
    expected_sha256: sha256.optional().describe("The sha256 that read_file gave: if the file changed since, no write"),
  }),
  edit_file: z.strictObject({
    root,
    path: inRoot("The file"),
    edits: z.array(z.strictObject({
      old_text: z.string().describe("Text that occurs exactly once, line ends included"),
      new_text: z.string().describe("What takes its place"),
    })).min(1).max(EDITS_MAX).describe("Made in order, all or none"),
    dry_run: z.boolean().default(false).describe("Only show the diff"),
  }),
  create_directory: z.strictObject({ root, path: inRoot("The folder; missing ones on the way are made") }),
  move: z.strictObject({ root, from: inRoot("What to move"), to: inRoot("Its new path, which must not exist") }),
  delete: z.strictObject({ root, path: inRoot("What to delete") }),
} as const satisfies Record<string, z.ZodObject>;

/** The names of all tools. */
export type ToolName = keyof typeof INPUTS;

/** Structured answers of each tool. */
export const OUTPUTS = {
  list_roots: z.object({
    roots: z.array(z.object({
      name: z.string(),
      role: z.enum(Object.keys(ROLES) as [Role, ...Role[]]),
      permissions: z.array(z.enum(PERMISSIONS)),
      max_read_bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      description: z.string().nullable(),
    })),
  }),
  list_directory: z.object({
    root: z.string(),
    path: z.string(),
    entries: z.array(z.object({
      name: z.string(),
      kind: z.enum(["file", "folder", "link", "other"]),
      size: z.number().nullable().describe("Bytes"),
      modified: z.string().nullable().describe("UTC"),
    })),
    truncated: z.boolean(),
    note,
  }),
  read_file: z.object({
    root: z.string(),
    path: z.string(),
    content: z.string(),
    start_line: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    end_line: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    total_lines: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
    size: z.number().describe("Bytes of the whole file"),
    sha256: z.string().nullable().describe("Of the whole file; give it to write_file as expected_sha256"),
    truncated: z.boolean(),
    note,
  }),
  search_files: z.object({
    matches: z.array(z.object({
      path: z.string(),
      line: z.number().nullable().describe("First line that holds the text"),
      preview: z.string().nullable(),
    })),
    truncated: z.boolean(),
    examined_files: z.number(),
    scanned_bytes: z.number(),
    skipped_too_large: z.number(),
    skipped_binary: z.number(),
    note,
  }),
  write_file: z.object({
    root: z.string(),
    path: z.string(),
    created: z.boolean(),
    bytes: z.number(),
    sha256: z.string(),
    created_folders: madeFolders,
    note,
  }),
  edit_file: z.object({
    root: z.string(),
    path: z.string(),
    written: z.boolean(),
    diff: z.string(),
    sha256: z.string().describe("Of the file as it is now"),
    note,
  }),
  create_directory: z.object({
    root: z.string(),
    path: z.string(),
    created: z.boolean(),
    created_folders: madeFolders,
  }),
  move: z.object({ root: z.string(), from: z.string(), to: z.string(), created_folders: madeFolders }),
  delete: z.object({ root: z.string(), path: z.string(), trash: z.string(), restore: z.string() }),
} as const satisfies Record<ToolName, z.ZodObject>;

/** A zod schema as JSON Schema, as tool listings carry it. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
