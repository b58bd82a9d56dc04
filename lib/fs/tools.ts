/** The table of tools: what a model is told of each, when it is offered, and what it runs. @module */

import type { z } from "zod";
import { argumentsError } from "../argument_faults.ts";
import type { FsConfig } from "./config.ts";
import { editFile } from "./edit.ts";
import { listDirectory, readFile } from "./read.ts";
import type { Gate } from "./resolve.ts";
import type { Permission } from "./roles.ts";
import { INPUTS, OUTPUTS, type ToolName } from "./schemas.ts";
import { searchFiles } from "./search.ts";
import { deleteEntry } from "./trash.ts";
import { createDirectory, moveEntry, writeFile } from "./write.ts";

/** What a tool works with. */
export interface ToolContext {
  /** Roots and limits as configured. */
  readonly config: FsConfig;
  /** Decides about every path. */
  readonly gate: Gate;
  /** Ends a long call early. */
  readonly signal: AbortSignal;
}

/** What a tool answers. */
export interface ToolAnswer {
  /** The answer for programs. */
  readonly structured: object;
  /** The answer for readers, when it is not simply the JSON of `structured`. */
  readonly texts?: readonly string[];
}

/** One tool. */
export interface FsTool {
  /** Its name. */
  readonly name: ToolName;
  /** Its name for people. */
  readonly title: string;
  /** What a model reads before it calls. */
  readonly description: string;
  /** It is offered when one root grants all of these. */
  readonly needs: readonly Permission[];
  /** Hints for clients. */
  readonly annotations: ToolHints;
  /** The shape of its arguments. */
  readonly input: z.ZodType;
  /** The shape of its answer. */
  readonly output: z.ZodType;
  /** Checks the arguments and does the work. */
  call(args: unknown, context: ToolContext): ToolAnswer | Promise<ToolAnswer>;
}

/** MCP's tool annotations, all of them said. */
export interface ToolHints {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** It may take something away. */
  readonly destructiveHint: boolean;
  /** A second call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** It reaches beyond this machine. */
  readonly openWorldHint: boolean;
}

const LOOKS: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ADDS: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const REPLACES: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
const ONCE: ToolHints = { ...REPLACES, idempotentHint: false };

interface Definition<Name extends ToolName> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly needs: readonly Permission[];
  readonly annotations: ToolHints;
  run(args: z.infer<(typeof INPUTS)[Name]>, context: ToolContext): ToolAnswer | Promise<ToolAnswer>;
}

function tool<Name extends ToolName>(definition: Definition<Name>): FsTool {
  const input = INPUTS[definition.name];
  const { run, ...told } = definition;
  return {
    ...told,
    input,
    output: OUTPUTS[definition.name],
    call(args, context) {
      const parsed = input.safeParse(withoutForeignKeys(args));
      if (!parsed.success) {
        const { issues } = parsed.error;
        throw argumentsError(definition.name, args, { issues, known: Object.keys(input.shape) });
      }
      return run(parsed.data as z.infer<(typeof INPUTS)[Name]>, context);
    },
  };
}

/** Keys that aim at the program's own objects. They are no slip in a name, so they are dropped and not refused. */
const FOREIGN_KEYS = ["__proto__", "constructor", "prototype"];

function withoutForeignKeys(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([key]) => !FOREIGN_KEYS.includes(key)));
}

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly FsTool[] = [
  tool({
    name: "list_roots",
    title: "List roots",
    description: "Lists the folders (roots) that can be reached, with what each allows. Call this first: every other " +
      "tool takes the name of a root and a path relative to it.",
    needs: [],
    annotations: LOOKS,
    run: (_args, { config }) => ({
      structured: {
        roots: config.roots.map((root) => ({
          name: root.name,
          role: root.role,
          permissions: root.permissions,
          max_read_bytes: root.maxReadBytes,
          description: root.description ?? null,
        })),
      },
    }),
  }),
  tool({
    name: "list_directory",
    title: "List a folder",
    description: "Lists the entries of one folder, sorted by name: name, kind (file, folder, link, other), size in " +
      "bytes, time of the last change. truncated and note say when entries are missing.",
    needs: ["read"],
    annotations: LOOKS,
    run: (args, { gate }) => ({ structured: listDirectory(gate.resolve({ ...args, operation: "list" })) }),
  }),
  tool({
    name: "read_file",
    title: "Read a text file",
    description: "Reads a text file, or some of its lines with start_line and end_line (from 1, both included). A " +
      "file larger than the root's max_read_bytes is read by lines only. Binary files are refused. The sha256 in the " +
      "answer can be given to write_file, so that a change in between is noticed.",
    needs: ["read"],
    annotations: LOOKS,
    run({ start_line, end_line, ...where }, { gate }) {
      const text = readFile(gate.resolve({ ...where, operation: "read" }), { start: start_line, end: end_line });
      return { structured: text, texts: text.note === null ? [text.content] : [text.content, `[${text.note}]`] };
    },
  }),
  tool({
    name: "search_files",
    title: "Search files",
    description: "Finds files in a root by name, and by content when contains is given (the first line that holds it " +
      "is shown). '*.py' finds names at any depth; 'pkg/*.py' only in pkg; 'pkg/**/*.py' below pkg. Links are not " +
      "followed. truncated and note say when a limit ended the search.",
    needs: ["read"],
    annotations: LOOKS,
    async run({ root, pattern, contains, max_results }, { gate, config, signal }) {
      const path = gate.resolve({ root, path: "", operation: "search" });
      const maxResults = Math.min(max_results ?? config.maxSearchResults, config.maxSearchResults);
      return {
        structured: await searchFiles(path, {
          pattern,
          contains,
          maxResults,
          maxBytes: config.maxSearchBytes,
          signal,
        }),
      };
    },
  }),
  tool({
    name: "write_file",
    title: "Write a file",
    description: "Creates a text file or replaces all of it, in one step: a failed write leaves the old file. Give " +
      "expected_sha256 from read_file to be refused if the file changed since. To change parts of a file use edit_file.",
    needs: ["write"],
    annotations: REPLACES,
    run({ content, expected_sha256, ...where }, { gate }) {
      return { structured: writeFile(gate.resolve({ ...where, operation: "write" }), content, expected_sha256) };
    },
  }),
  tool({
    name: "edit_file",
    title: "Edit a file",
    description: "Replaces pieces of a text file. Each old_text must occur exactly once, with its spaces and line " +
      "ends. All edits are made or none. The answer is a diff; with dry_run nothing is written.",
    needs: ["read", "write"],
    annotations: ONCE,
    run({ edits, dry_run, ...where }, { gate }) {
      return { structured: editFile(gate.resolve({ ...where, operation: "edit" }), edits, dry_run) };
    },
  }),
  tool({
    name: "create_directory",
    title: "Make a folder",
    description: "Makes a folder and whatever is missing on the way to it. One that exists is left as it is.",
    needs: ["write"],
    annotations: ADDS,
    run: (args, { gate }) => ({ structured: createDirectory(gate.resolve({ ...args, operation: "mkdir" })) }),
  }),
  tool({
    name: "move",
    title: "Move or rename",
    description: "Moves or renames a file or folder within its root. The new path must not exist: nothing is replaced.",
    needs: ["write"],
    annotations: { ...ADDS, idempotentHint: false },
    run({ root, from, to }, { gate }) {
      const source = gate.resolve({ root, path: from, operation: "move", itself: true });
      return { structured: moveEntry(source, gate.resolve({ root, path: to, operation: "move", itself: true })) };
    },
  }),
  tool({
    name: "delete",
    title: "Delete",
    description: "Moves a file or folder to the trash of its root. Nothing is erased: the answer says where it went " +
      "and how a person can bring it back.",
    needs: ["delete"],
    annotations: ONCE,
    run({ root, path }, { gate }) {
      return { structured: deleteEntry(gate.resolve({ root, path, operation: "delete", itself: true })) };
    },
  }),
];

/** Why a tool of this name is not there, in words for the model. */
export function absenceOf(name: unknown, offered: readonly { readonly name: string }[]): string {
  const known = TOOLS.find((tool) => tool.name === name);
  const lacking = known === undefined ? "" : `no root grants [${known.needs.join(", ")}], so it is not offered; `;
  return `unknown tool: ${lacking}this server has ${offered.map((tool) => tool.name).join(", ")}`;
}

/** The tools that a configuration offers: one is there when some root grants all it needs. */
export function offeredTools(config: Pick<FsConfig, "roots">): readonly FsTool[] {
  return TOOLS.filter(({ needs }) => {
    return config.roots.some((root) => needs.every((permission) => root.permissions.includes(permission)));
  });
}
