/** The configuration of loom-fs: TOML text to roots, roles, deny patterns and limits, or every problem at once. @module */

import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { LoomError } from "../errors.ts";
import { fileReason } from "../file_errors.ts";
import { nearestOf } from "../nearest.ts";
import { compileDeny, type DenyList } from "./deny.ts";
import { PatternError } from "./glob.ts";
import { HOST_STYLE, type PathStyle } from "./names.ts";
import { type Permission, PERMISSIONS, type Role, ROLES } from "./roles.ts";
import { isWindowsAbsolute } from "./windows.ts";

/** Bytes that one read may give, unless the root says otherwise. */
export const READ_BYTES_DEFAULT = 1_048_576;

/** The largest `max_read_bytes`: an answer is one message, and clients refuse larger ones long before. */
export const READ_BYTES_MAX = 67_108_864;

/** Bytes of one audit log file, unless the file says otherwise. */
export const AUDIT_LOG_BYTES_DEFAULT = 8_388_608;

/** Rotated audit logs that are kept, unless the file says otherwise, and at most. */
export const AUDIT_LOG_BACKUPS_DEFAULT = 3;
/** The largest `audit_log_backups`. */
export const AUDIT_LOG_BACKUPS_MAX = 100;

/** Matches of one search, unless the file says otherwise, and at most. */
export const SEARCH_RESULTS_DEFAULT = 200;
/** The largest `max_search_results`. */
export const SEARCH_RESULTS_MAX = 100_000;

/** Bytes of content read by one search, unless the file says otherwise. */
export const SEARCH_BYTES_DEFAULT = 67_108_864;

/** Characters of a root's name and of its description. */
export const ROOT_NAME_CHARS_MAX = 64;
/** Characters of a root's description. */
export const DESCRIPTION_CHARS_MAX = 1_000;

/** Where decisions are logged. */
export interface AuditConfig {
  /** Absolute path. */
  readonly path: string;
  /** Bytes of one file before it is rotated. */
  readonly maxBytes: number;
  /** Rotated files that are kept. */
  readonly backups: number;
}

/** One root as it was configured; nothing of it has been looked at on disk. */
export interface RootConfig {
  /** What the model calls it. */
  readonly name: string;
  /** Absolute path of the host. */
  readonly path: string;
  /** Its role. */
  readonly role: Role;
  /** What it grants, never more than its role. */
  readonly permissions: readonly Permission[];
  /** The names that it hides: built in, for all roots, and its own. */
  readonly deny: DenyList;
  /** The patterns that were configured for it and for all roots, as they were written. */
  readonly denyPatterns: readonly string[];
  /** Bytes that one read may give. */
  readonly maxReadBytes: number;
  /** What the model is told about it. */
  readonly description?: string;
}

/** A configuration without contradictions. */
export interface FsConfig {
  /** Absolute path of the file it came from, if it came from one. */
  readonly configPath?: string;
  /** Where decisions are logged, if anywhere. */
  readonly audit?: AuditConfig;
  /** Matches of one search at most. */
  readonly maxSearchResults: number;
  /** Bytes of content read by one search at most. */
  readonly maxSearchBytes: number;
  /** The roots, in the order of the file. */
  readonly roots: readonly RootConfig[];
}

const ROOT_NAME_REGEXP = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u;
const bytes = z.int("expected a whole number of bytes").min(1);

const rootSchema = z.strictObject({
  name: z.string().max(ROOT_NAME_CHARS_MAX).regex(ROOT_NAME_REGEXP, "expected letters, digits, '_', '-' and '.' only"),
  path: z.string().min(1),
  role: z.enum(Object.keys(ROLES) as [Role, ...Role[]]),
  permissions: z.array(z.enum(PERMISSIONS)).optional(),
  deny: z.array(z.string()).default([]),
  max_read_bytes: bytes.max(READ_BYTES_MAX).default(READ_BYTES_DEFAULT),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
});

const fileSchema = z.strictObject({
  audit_log: z.string().min(1).optional(),
  audit_log_max_bytes: bytes.default(AUDIT_LOG_BYTES_DEFAULT),
  audit_log_backups: z.int().min(0).max(AUDIT_LOG_BACKUPS_MAX).default(AUDIT_LOG_BACKUPS_DEFAULT),
  max_search_results: z.int().min(1).max(SEARCH_RESULTS_MAX).default(SEARCH_RESULTS_DEFAULT),
  max_search_bytes: bytes.default(SEARCH_BYTES_DEFAULT),
  deny: z.array(z.string()).default([]),
  roots: z.array(rootSchema, "expected at least one [[roots]] table").min(1, "expected at least one [[roots]] table"),
});

type FileConfig = z.infer<typeof fileSchema>;
type FileRoot = z.infer<typeof rootSchema>;

/**
 * Reads the file at `path` and parses it.
 *
 * @throws {LoomError} `CONFIG_INVALID` when it cannot be read, and for everything {@link parseFsConfig} refuses.
 */
export async function loadFsConfig(path: string): Promise<FsConfig> {
  let text: string;
  let real: string;
  try {
    text = await Deno.readTextFile(path);
    real = await Deno.realPath(path);
  } catch (error) {
    throw new LoomError("CONFIG_INVALID", `Cannot read the config file "${path}": ${fileReason(error)}`, {
      cause: error,
    });
  }
  return { ...parseFsConfig(text, { name: path }), configPath: real };
}

/**
 * Parses a configuration and checks all that can be checked without touching a disk.
 *
 * @param text TOML.
 * @param options `name`: what the message calls the file; `style`: how absolute paths are spelled.
 * @throws {LoomError} `CONFIG_INVALID` with a line for every problem.
 */
export function parseFsConfig(
  text: string,
  options: { readonly name?: string; readonly style?: "posix" | "windows" } = {},
): FsConfig {
  const name = options.name ?? "the config";
  const parsed = fileSchema.safeParse(tomlOf(text, name));
  if (!parsed.success) throw invalid(name, parsed.error.issues.flatMap(problemsOf));
  const problems = contradictions(parsed.data, options.style ?? HOST_STYLE);
  if (problems.length > 0) throw invalid(name, problems);
  return configOf(parsed.data);
}

function tomlOf(text: string, name: string): unknown {
  try {
    // Some editors start a file with a byte order mark, which TOML does not know.
    return parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = "not TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw invalid(name, [`line ${error.line}, column ${error.column}: ${reason}`]);
  }
}

/** The one form of every refusal to start: what file, and a line for each problem. */
export function invalid(name: string, problems: readonly string[]): LoomError {
  const count = problems.length === 1 ? "one problem" : `${problems.length} problems`;
  return new LoomError("CONFIG_INVALID", [`Cannot use ${name}: ${count}`, ...problems].join("\n  "));
}

function problemsOf(issue: z.core.$ZodIssue): readonly string[] {
  const place = issue.path.reduce<string>(
    (path, key) => typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`,
    "",
  );
  if (issue.code !== "unrecognized_keys") return [`${place}: ${issue.message}`];
  const known = Object.keys(place === "" ? fileSchema.shape : rootSchema.shape);
  return issue.keys.map((key) => {
    return `${place === "" ? "" : `${place}.`}${key}: unknown key; did you mean ${nearestOf(key, known)}?`;
  });
}

/** Every rule that a well-formed file can still break. Each problem names the root and the rule. */
function contradictions(file: FileConfig, style: PathStyle): readonly string[] {
  const isAbsolute = (path: string) => style === "windows" ? isWindowsAbsolute(path) : path.startsWith("/");
  const problems: string[] = denyProblems(file.deny, "deny");
  if (file.audit_log !== undefined && !isAbsolute(file.audit_log)) {
    problems.push("audit_log: expected an absolute path, since a client may start this server in any folder");
  }
  for (const [index, root] of file.roots.entries()) {
    const first = file.roots.findIndex((other) => other.name === root.name);
    if (first < index) problems.push(`root '${root.name}': roots[${first}] has this name already`);
    if (!isAbsolute(root.path)) {
      problems.push(`root '${root.name}': path must be absolute, since a client may start this server in any folder`);
    }
    if (root.path.includes("\0")) problems.push(`root '${root.name}': path holds a NUL character`);
    problems.push(...permissionProblems(root), ...denyProblems(root.deny, `root '${root.name}': deny`));
  }
  return problems;
}

function permissionProblems(root: FileRoot): readonly string[] {
  const ceiling: readonly Permission[] = ROLES[root.role];
  if (root.permissions === undefined) return [];
  if (root.permissions.length === 0) {
    return [`root '${root.name}': permissions is empty, so nothing could be done there`];
  }
  return root.permissions.filter((permission) => !ceiling.includes(permission)).map((permission) => {
    return `root '${root.name}': permissions may only narrow the role, and role ${root.role} grants ` +
      `[${ceiling.join(", ")}], not ${permission}`;
  });
}

function denyProblems(patterns: readonly string[], place: string): string[] {
  return patterns.flatMap((pattern) => {
    if (pattern.trim() === "") return [`${place}: a pattern is empty`];
    if (/[/\0]/.test(pattern)) {
      return [`${place}: "${pattern}" holds a '/'; deny patterns are matched against single names at any depth`];
    }
    try {
      compileDeny([pattern]);
      return [];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return [`${place}: cannot read "${pattern}": ${error.message}`];
    }
  });
}

function configOf(file: FileConfig): FsConfig {
  return {
    ...(file.audit_log !== undefined && {
      audit: { path: file.audit_log, maxBytes: file.audit_log_max_bytes, backups: file.audit_log_backups },
    }),
    maxSearchResults: file.max_search_results,
    maxSearchBytes: file.max_search_bytes,
    roots: file.roots.map((root) => rootOf(root, file.deny)),
  };
}

function rootOf(root: FileRoot, denyEverywhere: readonly string[]): RootConfig {
  const denyPatterns = [...denyEverywhere, ...root.deny];
  const wanted: readonly Permission[] = root.permissions ?? ROLES[root.role];
  return {
    name: root.name,
    path: root.path,
    role: root.role,
    permissions: PERMISSIONS.filter((permission) => wanted.includes(permission)),
    deny: compileDeny(denyPatterns),
    denyPatterns,
    maxReadBytes: root.max_read_bytes,
    ...(root.description !== undefined && { description: root.description }),
  };
}
