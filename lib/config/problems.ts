/** What is wrong with a config, each violated field with what was expected there. @module */

import { z } from "zod";
import { nearestOf } from "../nearest.ts";
import { configSchema, expectations } from "./schema.ts";
import { type Path, printPath, type Problem } from "./paths.ts";
import type { ConfigText } from "./text.ts";

/** Characters of a value that a problem line repeats. */
const SHOWN_VALUE_CHARS_MAX = 40;

/** Keys whose values may be secrets and are never repeated. */
const SECRET_KEYS = new Set(["env", "headers", "args", "url"]);

/** The schema under default, optional and the like. */
function inner(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const wrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault;
  return wrapped ? inner(schema.def.innerType) : schema;
}

function childSchema(schema: z.core.$ZodType | undefined, step: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return inner(schema.shape[String(step)]);
  if (schema instanceof z.ZodArray) return inner(schema.element);
  if (schema instanceof z.ZodRecord) return inner(schema.def.valueType);
  return undefined;
}

function schemaAt(path: Path): z.core.$ZodType | undefined {
  return path.reduce<z.core.$ZodType | undefined>(childSchema, configSchema);
}

/** What the schema at `path` accepts; for a part without words of its own, what the nearest one around it accepts. */
function expectedAt(path: Path): string {
  for (let length = path.length; length > 0; length--) {
    const schema = schemaAt(path.slice(0, length));
    const words = schema && expectations.get(schema as z.ZodType)?.expected;
    if (words) return words;
  }
  return "an object";
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/** What stands at `path` now, in words; a value that may be a secret only by its kind. */
function foundAt(root: unknown, path: Path): string {
  const value = valueAt(root, path);
  if (value === undefined) return "it is missing";
  const shown = typeof value === "object" || path.some((step) => SECRET_KEYS.has(String(step)));
  const text = shown ? kindOf(value) : JSON.stringify(value);
  return `got ${text.length > SHOWN_VALUE_CHARS_MAX ? kindOf(value) : text}`;
}

function unknownKey(path: Path, key: string): Problem {
  const schema = schemaAt(path);
  const nearest = schema instanceof z.ZodObject ? nearestOf(key, Object.keys(schema.shape)) : undefined;
  const hint = nearest === undefined ? "" : `: the nearest known one is "${nearest}"`;
  return { path: [...path, key], message: `unknown key${hint}` };
}

/** The problems behind the issues of the schema, in the order of the schema. */
export function schemaProblems(issues: readonly z.core.$ZodIssue[], root: unknown): readonly Problem[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
    if (issue.code === "invalid_key") return [{ path: issue.path, message: "expected another name for this key" }];
    return [{ path: issue.path, message: `expected ${expectedAt(issue.path)}, ${foundAt(root, issue.path)}` }];
  });
}

/** The message of a refused config: one line per problem, in the order of the file. */
export function problemMessage(file: string, text: ConfigText, problems: readonly Problem[]): string {
  const lines = problems
    .map((problem) => ({ line: text.lineOf(problem), where: printPath(problem.path), message: problem.message }))
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, where, message }) => `  line ${line}: ${where}${where === "" ? "" : ": "}${message}`);
  const count = lines.length === 1 ? "1 problem" : `${lines.length} problems`;
  return `Cannot use ${file}: ${count}\n${[...new Set(lines)].join("\n")}`;
}
