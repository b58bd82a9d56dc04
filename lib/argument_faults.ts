/** Wrong arguments of a tool, in sentences: which argument, what is expected there, what came. @module */

import type { z } from "zod";
import { LoomError } from "./errors.ts";
import { nearestOf } from "./nearest.ts";

/** Characters of a value, and of a name that is not known, that a sentence repeats. */
export const SHOWN_CHARS_MAX = 60;
/** Faults that are told; a list of many items may have as many. */
export const FAULTS_MAX = 10;

/** The types of JSON Schema as a person calls them. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** What is counted where a value is too small or too large. */
const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item" };

/**
 * The error for a call whose arguments the schema refuses: every fault, and the names that the tool knows.
 *
 * @param tool The tool's name.
 * @param args The arguments as they came.
 * @param known The tool's arguments.
 */
export function argumentsError(
  tool: string,
  args: unknown,
  { issues, known }: { readonly issues: readonly z.core.$ZodIssue[]; readonly known: readonly string[] },
): LoomError {
  const faults = new Map<string, string>();
  // One argument may break a rule twice over; one sentence says what is expected.
  for (const issue of issues) {
    const key = `${issue.code === "unrecognized_keys" ? "unknown in " : ""}${issue.path.join(".")}`;
    if (!faults.has(key)) faults.set(key, faultOf(issue, args, known));
  }
  const told = [...faults.values()].slice(0, FAULTS_MAX);
  if (faults.size > FAULTS_MAX) told.push(`and ${faults.size - FAULTS_MAX} more`);
  const takes = known.length === 0 ? "it takes no arguments" : `it takes ${known.join(", ")}`;
  return new LoomError("ARGUMENTS_INVALID", `Cannot call ${tool}: ${told.join("; ")} (${takes})`);
}

function faultOf(issue: z.core.$ZodIssue, args: unknown, known: readonly string[]): string {
  if (issue.code === "unrecognized_keys") return unknownKeys(issue, known);
  const value = valueAt(args, issue.path);
  if (issue.path.length === 0) return `the arguments must be an object, got ${shown(value)}`;
  const name = `"${printed(issue.path)}"`;
  const must = requirement(issue);
  if (value === undefined) return `${name} is missing, it must ${must}`;
  return `${name} must ${must}, got ${/^have /.test(must) ? lengthOf(value) : shown(value)}`;
}

/** A name inside another argument is told with its place; the nearest known name helps with a slip. */
function unknownKeys({ path, keys }: z.core.$ZodIssueUnrecognizedKeys, known: readonly string[]): string {
  const names = keys.map((key) => JSON.stringify(cut(key))).join(", ");
  const [key] = keys;
  const nearest = path.length > 0 || key === undefined || keys.length > 1 ? undefined : nearestOf(key, known);
  const where = path.length === 0 ? "" : ` in "${printed(path)}"`;
  return `unknown argument ${names}${where}${nearest === undefined ? "" : `, the nearest is "${nearest}"`}`;
}

/** What a value has to be or to have, said behind "must". */
function requirement(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `be ${TYPE_WORDS[issue.expected] ?? `of type ${issue.expected}`}`;
    case "invalid_value":
      return `be ${issue.values.map((each) => JSON.stringify(each)).join(" or ")}`;
    case "too_small":
      return bound(issue.origin, "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, "at most", issue.maximum);
    default:
      return `be ${issue.message.replace(/^expected /, "")}`;
  }
}

function bound(origin: string, side: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? `be ${side} ${limit}` : `have ${side} ${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
}

function lengthOf(value: unknown): string {
  return typeof value === "string" || Array.isArray(value) ? String(value.length) : shown(value);
}

/** A short value as JSON, any other by its kind. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > SHOWN_CHARS_MAX ? `a text of ${String(value).length} characters` : json;
}

function cut(text: string): string {
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX).toWellFormed()}…` : text;
}

/** `edits[0].old_text`. */
function printed(path: readonly PropertyKey[]): string {
  return path.map((step, at) => typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${String(step)}`).join(
    "",
  );
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}
