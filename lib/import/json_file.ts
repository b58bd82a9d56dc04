/** Client configs in JSON: what servers they hold, and the text with loom in their place, all else as it was. @module */

import {
  applyEdits,
  createScanner,
  type FormattingOptions,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
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
  const without = removed.reduce((edited, name) => withoutEntry(edited, keys, name), text);
  const servers = serversOf(without, keys);
  if (servers?.type !== "object") {
    return applyEdits(without, modify(without, [...keys, "loom"], entry, { formattingOptions: formattingOf(without) }));
  }
  const last = servers.children?.at(-1);
  const place = last ? last.offset + last.length : servers.offset + 1;
  const loom = without.includes("\n")
    ? ownLines(without, servers, last, entry)
    : `${last ? "," : ""}"loom":${JSON.stringify(entry)}`;
  return without.slice(0, place) + loom + without.slice(place);
}

function serversOf(text: string, keys: readonly string[]): Node | undefined {
  return at(parseTree(text, [], { allowTrailingComma: true }), keys);
}

/** The text without one entry: its lines go, or its part of a line, and nothing else is touched. */
function withoutEntry(text: string, keys: readonly string[], name: string): string {
  const entries = serversOf(text, keys)?.children ?? [];
  const index = entries.findIndex(({ children }) => children?.[0]?.value === name);
  const entry = entries[index];
  if (!entry) return text;
  const comma = commaBehind(text, entry);
  const before = entries[index - 1];
  const commaBefore = comma === undefined && before ? commaBehind(text, before) : undefined;
  let start = entry.offset;
  let end = comma === undefined ? entry.offset + entry.length : comma + 1;
  const lineStart = text.lastIndexOf("\n", start) + 1;
  const blanks = /[ \t]*(\r?\n)?/y;
  blanks.lastIndex = end;
  const [rest = "", lineEnd] = blanks.exec(text) ?? [];
  if (text.slice(lineStart, start).trim() !== "") end += lineEnd === undefined ? rest.length : 0;
  else if (lineEnd !== undefined) [start, end] = [lineStart, end + rest.length];
  const kept = text.slice(0, start) + text.slice(end);
  return commaBefore === undefined ? kept : kept.slice(0, commaBefore) + kept.slice(commaBefore + 1);
}

/** Where the comma behind an entry stands, if there is one. */
function commaBehind(text: string, { offset, length }: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset + length);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}

/** Loom's entry on lines of its own, behind `last` or as the only one, indented like what stands around it. */
function ownLines(text: string, servers: Node, last: Node | undefined, entry: unknown): string {
  const { insertSpaces, tabSize = 2, eol = "\n" } = formattingOf(text);
  const unit = insertSpaces ? " ".repeat(tabSize) : "\t";
  const outer = indentAt(text, servers.offset);
  const indent = last ? indentAt(text, last.offset) : outer + unit;
  const json = JSON.stringify(entry, null, unit).replaceAll("\n", eol + indent);
  const closes = last === undefined && text[servers.offset + 1] === "}" ? eol + outer : "";
  return `${last ? "," : ""}${eol}${indent}"loom": ${json}${closes}`;
}

/** The blanks that begin the line of a place. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset) + 1))?.[0] ?? "";
}
