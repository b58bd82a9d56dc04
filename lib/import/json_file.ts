/** Client configs in JSON: what servers they hold, and the text with loom in their place, all else as it was. @module */

import { applyEdits, type FormattingOptions, modify, type Node, type ParseError, parseTree } from "jsonc-parser";
import { LoomError } from "../errors.ts";

/** A byte order mark, which some editors put first. */
const BYTE_ORDER_MARK = "\ufeff";

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** The root of a client's config as a tree; throws when it is not JSON. */
function treeOf(text: string, path: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length === 0) return root;
  throw new LoomError("CONFIG_INVALID", `Cannot read ${path}: it is not JSON, nothing was changed`);
}

function plain(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plain);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(members(node).map(([key, value]) => [key, plain(value)]));
}

function members(node: Node | undefined): readonly (readonly [string, Node])[] {
  return (node?.type === "object" ? node.children ?? [] : []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [[String(key.value), value] as const] : []
  );
}

function at(root: Node | undefined, keys: readonly string[]): Node | undefined {
  return keys.reduce<Node | undefined>((node, key) => members(node).find(([name]) => name === key)?.[1], root);
}

/** The entries under `keys`, in the order of the file. */
export function jsonEntries(
  text: string,
  keys: readonly string[],
  path: string,
): readonly (readonly [string, unknown])[] {
  return members(at(treeOf(text, path), keys)).map(([name, node]) => [name, plain(node)] as const);
}

/** Whether the file has an object under `keys`. */
export function hasJsonObject(text: string, keys: readonly string[], path: string): boolean {
  return at(treeOf(text, path), keys)?.type === "object";
}

/** The ids of VS Code's `inputs`, which stand beside the object of servers under `keys`. */
export function inputIds(text: string, keys: readonly string[], path: string): ReadonlySet<string> {
  const inputs = at(treeOf(text, path), [...keys.slice(0, -1), "inputs"]);
  const values = inputs?.type === "array" ? (inputs.children ?? []).map(plain) : [];
  return new Set(values.flatMap((input) => {
    const id = typeof input === "object" && input !== null && "id" in input ? input.id : undefined;
    return typeof id === "string" ? [id] : [];
  }));
}

/** How the file is indented, so that what is put in looks like the rest. */
export function formattingOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** What to change in a client's config. */
export interface Replacement {
  /** Keys to the object that holds the servers. */
  readonly keys: readonly string[];
  /** Names of the entries that go. */
  readonly removed: readonly string[];
  /** The entry that comes, under the name `loom`. */
  readonly entry: unknown;
}

/** The text with some entries gone and loom's there; comments and everything else stay byte for byte. */
export function replaceInJson(text: string, replacement: Replacement): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return mark + replaced(withoutMark(text), replacement);
}

function replaced(text: string, { keys, removed, entry }: Replacement): string {
  const formattingOptions = formattingOf(text);
  const without = removed.reduce(
    (edited, name) => applyEdits(edited, modify(edited, [...keys, name], undefined, { formattingOptions })),
    text,
  );
  return applyEdits(without, modify(without, [...keys, "loom"], entry, { formattingOptions }));
}
