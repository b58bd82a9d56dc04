/** YAML record lists: a list of maps, alone or under one key, or one map per document. @module */

import { type Event, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import { judge, refused } from "./coverage.ts";
import { MAX_COLUMNS } from "./limits.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Characters of a text that is read as YAML; its events take many times as much memory. */
export const YAML_CHARS_MAX = 16 * 1024 * 1024;

/** Records below which a list is configuration rather than data. */
export const YAML_RECORDS_MIN = 5;

/** Lists and maps inside one record. */
export const YAML_DEPTH_MAX = 60;

// Maps around the list: `data: {result: {items: […]}}`. Deeper lists are details of something else.
const LIST_DEPTH_MAX = 2;

// Keys under which programs are told what to do; such lists are settings, however alike their members are.
const SETTINGS_KEYS = new Set(
  ("args build commands configs containers dependencies endpoints env environment environments exclude hooks hosts " +
    "include jobs listeners matrix middlewares mounts nav networks on parameters paths pipelines plugins ports " +
    "profiles providers repos requires roles routes rules scripts secrets servers services settings spec stages steps " +
    "tasks template triggers upstreams volumes workflows").split(" "),
);

const FIRST_LINE_REGEXP = /^(?:---\s*$|(?:- +)*(?:["']?[\p{L}\p{N}_$@./-][^:{}[\]"']{0,60}["']?:(?:\s|$)|\{))/u;

/** Lists of maps in YAML, every scalar as its source has it. */
export const yamlTier: Tier = { source: "text:yaml", plausible, read };

// The first line that is no comment opens a list of maps, a map or a document.
function plausible(text: string): boolean {
  if (text.length > YAML_CHARS_MAX) return false;
  let start = 0;
  for (let line = 0; line < 50 && start < text.length; line++) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    const content = text.slice(start, Math.min(stop, start + 300));
    const trimmed = content.trim();
    if (trimmed !== "" && !trimmed.startsWith("#")) {
      return !trimmed.startsWith("{") && FIRST_LINE_REGEXP.test(trimmed) &&
        /(?:^|\n) *- |\n---/.test(text.slice(0, 65_536));
    }
    start = stop + 1;
  }
  return false;
}

/** A record: its keys in order, and the JSON text of each value. */
type Fields = Map<string, string>;

/** A list of maps and where it stands in the source. */
interface List {
  readonly records: Fields[];
  readonly from: number;
  readonly to: number;
}

function read(text: string): TierOutcome {
  try {
    const reader = new EventReader(text, parseEvents(text, {}));
    const list = reader.list();
    if (typeof list === "string") return refused(list);
    return recordsOf(text, list);
  } catch {
    return refused("not-yaml");
  }
}

function recordsOf(text: string, { records, from, to }: List): TierOutcome {
  if (records.length < YAML_RECORDS_MIN) return refused("too-few-records");
  const columns = new Map<string, number>();
  for (const fields of records) {
    for (const key of fields.keys()) if (!columns.has(key)) columns.set(key, columns.size);
    if (columns.size > MAX_COLUMNS) return refused("too-many-keys");
  }
  if (columns.size < 2) return refused("one-key");
  const header = [...columns.keys()];
  const rows = records.map((fields) => header.map((key) => fields.get(key)));
  if (endsBeforeValue(text, rows)) return refused("cut-off");
  const comments = text.slice(from, to).split("\n").filter((line) => line.trimStart().startsWith("#")).join("\n");
  return judge(text, { header, rows, left: [text.slice(0, from), comments, text.slice(to)], jsonCells: true });
}

// The last key of the text has no value, where every other record has one: no line end follows, or maps or lists would.
function endsBeforeValue(text: string, rows: readonly (readonly (string | undefined)[])[]): boolean {
  if (!text.trimEnd().endsWith(":")) return false;
  const column = rows.at(-1)?.findLastIndex((cell) => cell !== undefined) ?? -1;
  const others = rows.slice(0, -1).map((row) => row[column] ?? "null");
  const isOpen = text.endsWith(":") || others.every((cell) => /^[[{]/.test(cell));
  return column >= 0 && isOpen && !others.includes("null");
}

function isSetting(text: string, key: ScalarEvent): boolean {
  return SETTINGS_KEYS.has(getScalarValue(text, key).toLowerCase());
}

const REMARK_REGEXP = /["']?[,\]}]*[ \t]+#/y;

/** Thrown inside this file for YAML that is not read; caught in `read`. */
class Unread extends Error {}

/** Walks the events of a text and writes values as JSON text. */
class EventReader {
  readonly #text: string;
  readonly #events: readonly Event[];
  #at = 0;
  #found: { readonly records: Fields[]; readonly from: number; to: number } | undefined;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** The list of maps, or the code of why there is none. */
  list(): List | string {
    const documents = this.#events.filter((event) => event.type === EVENT_ID.DOCUMENT).length;
    if (documents > 1) return this.#documents();
    this.#next();
    const root = this.#events[this.#at];
    if (root?.type === EVENT_ID.SEQUENCE) {
      const records = this.#records();
      return typeof records === "string"
        ? records
        : { records, from: this.#lineStart(root.start), to: this.#text.length };
    }
    return root?.type === EVENT_ID.MAPPING ? this.#listInMap() : "no-list";
  }

  #documents(): List | string {
    const records: Fields[] = [];
    while (this.#at < this.#events.length) {
      this.#next();
      const root = this.#events[this.#at];
      if (root?.type === EVENT_ID.POP) this.#next();
      else if (root?.type === EVENT_ID.MAPPING) {
        records.push(this.#fields());
        this.#next();
      } else return "document-without-map";
    }
    // Flat documents are record blocks, whose values are text as it stands.
    const nested = /\n +(?:- +)?[\w"'./-]+:(?:\s|$)/.test(this.#text);
    return nested ? { records, from: 0, to: this.#text.length } : "flat-documents";
  }

  // One member holds the list, of the root or a level or two beneath; the others stay as they stand.
  #listInMap(): List | string {
    const fault = this.#search(0);
    if (fault !== undefined) return fault;
    return this.#found ?? "no-list";
  }

  #search(depth: number): string | undefined {
    this.#next();
    while (this.#events[this.#at]?.type !== EVENT_ID.POP) {
      const key = this.#events[this.#at];
      if (key?.type !== EVENT_ID.SCALAR) throw new Unread();
      if (this.#found?.to === this.#text.length) this.#found.to = this.#lineStart(key.valueStart);
      this.#next();
      const value = this.#events[this.#at];
      if (value?.type === EVENT_ID.SEQUENCE && this.#events[this.#at + 1]?.type === EVENT_ID.MAPPING) {
        if (this.#found !== undefined) return "several-lists";
        if (isSetting(this.#text, key)) return "settings";
        const records = this.#records();
        if (typeof records === "string") return records;
        this.#found = { records, from: this.#lineStart(value.start), to: this.#text.length };
      } else if (value?.type === EVENT_ID.MAPPING && depth < LIST_DEPTH_MAX) {
        this.#refuseMarks();
        const found = this.#found;
        const fault = this.#search(depth + 1);
        if (this.#found !== found && isSetting(this.#text, key)) return "settings";
        if (fault !== undefined) return fault;
      } else this.#value(0);
    }
    this.#next();
    return undefined;
  }

  #records(): Fields[] | string {
    this.#next();
    const records: Fields[] = [];
    while (this.#events[this.#at]?.type !== EVENT_ID.POP) {
      if (this.#events[this.#at]?.type !== EVENT_ID.MAPPING) return "item-without-keys";
      records.push(this.#fields());
    }
    this.#next();
    return records;
  }

  #fields(): Fields {
    this.#refuseMarks();
    this.#next();
    const fields: Fields = new Map();
    while (this.#events[this.#at]?.type !== EVENT_ID.POP) {
      const key = this.#key();
      if (fields.has(key)) throw new Unread();
      fields.set(key, this.#value(1));
    }
    this.#next();
    return fields;
  }

  #key(): string {
    const event = this.#events[this.#at];
    if (event?.type !== EVENT_ID.SCALAR) throw new Unread();
    this.#refuseMarks();
    this.#next();
    const key = getScalarValue(this.#text, event);
    // A merge key stands for the keys of another map.
    if (key === "<<") throw new Unread();
    return key;
  }

  #value(depth: number): string {
    if (depth > YAML_DEPTH_MAX) throw new Unread();
    this.#refuseMarks();
    const event = this.#events[this.#at];
    this.#next();
    if (event?.type === EVENT_ID.SCALAR) return this.#scalar(event);
    const parts: string[] = [];
    if (event?.type === EVENT_ID.SEQUENCE) {
      while (this.#events[this.#at]?.type !== EVENT_ID.POP) parts.push(this.#value(depth + 1));
      this.#next();
      return `[${parts.join(",")}]`;
    }
    if (event?.type !== EVENT_ID.MAPPING) throw new Unread();
    const seen = new Set<string>();
    while (this.#events[this.#at]?.type !== EVENT_ID.POP) {
      const key = this.#key();
      if (seen.has(key)) throw new Unread();
      seen.add(key);
      parts.push(`${JSON.stringify(key)}:${this.#value(depth + 1)}`);
    }
    this.#next();
    return `{${parts.join(",")}}`;
  }

  // Plain scalars that are JSON stay so, digit for digit; all others are the text that they are.
  #scalar(event: ScalarEvent): string {
    const value = getScalarValue(this.#text, event);
    // A remark behind a value would stand nowhere.
    REMARK_REGEXP.lastIndex = event.valueEnd;
    if (REMARK_REGEXP.test(this.#text)) throw new Unread();
    if (event.style !== SCALAR_STYLE.PLAIN) return JSON.stringify(value);
    if (/^(?:|~|null|Null|NULL)$/.test(value)) return "null";
    if (/^(?:true|True|TRUE)$/.test(value)) return "true";
    if (/^(?:false|False|FALSE)$/.test(value)) return "false";
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? value : JSON.stringify(value);
  }

  // Anchors, aliases and tags make a value something else than what is written.
  #refuseMarks(): void {
    const event = this.#events[this.#at];
    if (event === undefined || event.type === EVENT_ID.ALIAS || !("anchorStart" in event)) throw new Unread();
    if (event.anchorStart !== -1 || event.tagStart !== -1) throw new Unread();
  }

  #next(): void {
    this.#at++;
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf("\n", at - 1) + 1;
  }
}
