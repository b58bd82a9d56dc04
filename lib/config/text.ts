/** From the text of a config file to plain values, with the line of each one and no key lost unseen. @module */

import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Path, Problem } from "./paths.ts";

/** Breaks of the grammar that are listed; what follows the first is seldom worth reading. */
const SYNTAX_PROBLEMS_MAX = 5;

/** What a text says: its value, where things stand in it, and what breaks the grammar. */
export interface ConfigText {
  readonly value: unknown;
  /** What breaks the grammar; if anything does, `value` means little. */
  readonly breaks: readonly Problem[];
  /** Keys that would be ignored. */
  readonly problems: readonly Problem[];
  /** The line of the value at `path`, from 1, or of the nearest one that encloses it. */
  readonly lineOf: (problem: Problem) => number;
}

/** The plain value of a node. A key given twice is a problem: one of the two values would be ignored. */
function valueOf(node: Node, path: Path, problems: Problem[]): unknown {
  if (node.type === "array") return (node.children ?? []).map((child, i) => valueOf(child, [...path, i], problems));
  if (node.type !== "object") return node.value;
  const object: Record<string, unknown> = {};
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const name = String(key.value);
    const at = [...path, name];
    if (Object.hasOwn(object, name)) {
      problems.push({ path: at, message: "expected this key once, it stands here twice", offset: key.offset });
    }
    // The schema passes over this key without a word.
    if (name === "__proto__") problems.push({ path: at, message: "expected another name for this key" });
    // Not an assignment: `__proto__` is a key like any other.
    Object.defineProperty(object, name, {
      value: valueOf(value, at, problems),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

function offsetOf(root: Node | undefined, path: Path): number {
  let node = root;
  for (const step of path) {
    const child = node?.type === "array"
      ? node.children?.[Number(step)]
      : node?.children?.find((property) => property.children?.[0]?.value === step)?.children?.[1];
    if (!child) break;
    node = child;
  }
  return node?.offset ?? 0;
}

/** Reads JSON with comments and trailing commas. A byte order mark is skipped. Never throws on any text. */
export function readConfigText(text: string): ConfigText {
  try {
    return readTree(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The parser goes down the call stack with the text.
    const problem = { path: [], message: "expected fewer levels of nesting", offset: 0 };
    return { value: undefined, breaks: [problem], problems: [], lineOf: () => 1 };
  }
}

function readTree(text: string): ConfigText {
  const source = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  const errors: ParseError[] = [];
  const breaks: Problem[] = [];
  const problems: Problem[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  for (const { error, offset } of errors.slice(0, SYNTAX_PROBLEMS_MAX)) {
    const words = printParseErrorCode(error).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .toLowerCase();
    breaks.push({ path: [], message: `not JSON here: ${words}`, offset });
  }
  const value = root === undefined ? undefined : valueOf(root, [], problems);
  const lineOf = (problem: Problem) => {
    const offset = problem.offset ?? offsetOf(root, problem.path);
    return source.slice(0, offset).split("\n").length;
  };
  return { value, breaks, problems, lineOf };
}
