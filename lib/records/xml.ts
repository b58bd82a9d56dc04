/** XML record lists: many elements of one name beside each other, as feeds, sitemaps and exports have them. @module */

import { judge, refused } from "./coverage.ts";
import { MAX_COLUMNS } from "./limits.ts";
import type { Tier, TierOutcome } from "./tier.ts";
import { parseXml, type XmlElement } from "./xml_tree.ts";

/** Records below which elements of one name are structure rather than a list. */
export const XML_RECORDS_MIN = 5;

/** Characters of a text that is read as XML; its elements take many times as much memory. */
export const XML_CHARS_MAX = 16 * 1024 * 1024;

/** Part of the text that the list must take for its parent to hold the records. */
const LIST_SHARE_MIN = 0.5;

// Documents and drawings: their elements are marks in a text, not records.
const DOCUMENT_ROOTS = new Set(
  "html head body table div p span svg article section book math math:math office:document w:document xsl:stylesheet xs:schema xsd:schema project plist"
    .split(" "),
);

// Settings of programs are lists of a kind, but nobody asks them for sums.
const SETTINGS_ROOT_REGEXP = /config|settings|rules|preferences|schema|policy|manifest|beans|resources|layout/i;

/** Lists of elements in XML. */
export const xmlTier: Tier = { source: "text:xml", plausible, read };

/** Lines above the first tag. */
export const XML_PREAMBLE_LINES_MAX = 10;

function plausible(text: string): boolean {
  return text.length <= XML_CHARS_MAX && rootAt(text) !== undefined && text.trimEnd().endsWith(">");
}

// The first line that begins with a tag; above it there may be a sentence.
function rootAt(text: string): number | undefined {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let line = 0; line <= XML_PREAMBLE_LINES_MAX && start < text.length; line++) {
    while (start < text.length && (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9)) start++;
    if (text[start] === "<") return /^<(?:\?xml|!--|[\p{L}_])/u.test(text.slice(start, start + 8)) ? start : undefined;
    const end = text.indexOf("\n", start);
    if (end === -1) return undefined;
    start = end + 1;
  }
  return undefined;
}

function read(text: string): TierOutcome {
  const at = rootAt(text) ?? 0;
  const root = parseXml(text.slice(at));
  if (typeof root === "string") return refused(root);
  if (DOCUMENT_ROOTS.has(root.name.toLowerCase())) return refused("document");
  if (SETTINGS_ROOT_REGEXP.test(root.name) || text.slice(0, 4_000).includes("<!DOCTYPE")) return refused("settings");
  const list = findList(root, text.length);
  if (list === undefined) return refused("no-list");
  return recordsOf(text, at, list);
}

// The topmost element whose children of one name take most of the text.
function findList(root: XmlElement, chars: number): XmlElement[] | undefined {
  let element: XmlElement | undefined = root;
  while (element !== undefined) {
    const groups = Map.groupBy(element.children, (child) => child.name);
    for (const group of groups.values()) {
      const size = group.reduce((sum, child) => sum + child.to - child.from, 0);
      if (group.length >= XML_RECORDS_MIN && size >= chars * LIST_SHARE_MIN) return group;
    }
    element = element.children.find((child) => child.to - child.from >= chars * LIST_SHARE_MIN);
  }
  return undefined;
}

function recordsOf(text: string, offset: number, list: readonly XmlElement[]): TierOutcome {
  const xml = text.slice(offset);
  const whole = wholeNames(list);
  const columns = new Map<string, number>();
  const rows: (string | undefined)[][] = [];
  for (const element of list) {
    const row: (string | undefined)[] = [];
    for (const [name, value] of fieldsOf(xml, element, whole)) {
      let column = columns.get(name);
      if (column === undefined) columns.set(name, column = columns.size);
      // An attribute and a child of one name, or text between children: which is which would be lost.
      if (row[column] !== undefined) return refused("field-twice");
      row[column] = value;
    }
    rows.push(row);
    if (columns.size > MAX_COLUMNS) return refused("too-many-fields");
    if (element.children.length > 0 && element.text.trim() !== "") return refused("mixed-content");
  }
  if (columns.size < 2) return refused("one-field");
  if (columns.size === 2 && columns.has("text")) return refused("marked-text");
  if (whole.size * 2 >= columns.size) return refused("nested-deeply");
  const header = [...columns.keys()];
  for (const row of rows) for (let i = 0; i < header.length; i++) row[i] ??= undefined;
  const left = [text.slice(0, offset)];
  let at = 0;
  for (const { from, to } of list) {
    if (from > at) left.push(xml.slice(at, from));
    at = to;
  }
  return judge(text, { header, rows, left: [...left, xml.slice(at)] });
}

// Names of children that occur twice in a record or hold more than one level: their cells are their source.
function wholeNames(list: readonly XmlElement[]): Set<string> {
  const whole = new Set<string>();
  for (const { children } of list) {
    const seen = new Set<string>();
    for (const child of children) {
      if (seen.has(child.name)) whole.add(child.name);
      seen.add(child.name);
      const inner = new Set<string>();
      for (const { name, children: deeper, attributes } of child.children) {
        if (inner.has(name) || deeper.length > 0 || attributes.size > 0 || child.attributes.has(name)) {
          whole.add(child.name);
        }
        inner.add(name);
      }
      if (child.children.length > 0 && child.text.trim() !== "") whole.add(child.name);
    }
  }
  return whole;
}

// Attributes, children, and one level beneath them; text is trimmed, source is not.
function fieldsOf(text: string, element: XmlElement, whole: ReadonlySet<string>): [string, string][] {
  const fields: [string, string][] = [...element.attributes];
  const sources = new Map<string, string>();
  for (const child of element.children) {
    if (whole.has(child.name)) {
      sources.set(child.name, (sources.get(child.name) ?? "") + text.slice(child.from, child.to));
      continue;
    }
    for (const [name, value] of child.attributes) fields.push([`${child.name}.${name}`, value]);
    for (const inner of child.children) fields.push([`${child.name}.${inner.name}`, inner.text.trim()]);
    if (child.children.length === 0 && (child.text.trim() !== "" || child.attributes.size === 0)) {
      fields.push([child.name, child.text.trim()]);
    }
  }
  fields.push(...sources);
  if (element.children.length === 0 && element.text.trim() !== "") fields.push(["text", element.text.trim()]);
  return fields;
}
