/** Where records begin and end in lines: under leads, or between blank lines and rules. @module */

import { type PairMark, pairsOf } from "./key_lines.ts";
import { isBlank, trimSpaces } from "./lines.ts";

/** How the records of a text begin. */
export interface LeadForm {
  readonly mark: PairMark | undefined;
  /** Names of the columns that a lead fills. */
  readonly names: readonly string[];
  /** What a lead line says; `undefined` for any other line. */
  readonly match: (line: string) => Lead | undefined;
}

/** A lead line: its number, if it has one, the cells it fills, and the word before the number. */
export interface Lead {
  readonly number?: number | undefined;
  readonly cells: readonly string[];
  readonly word?: string | undefined;
}

/** A record before its cells are ordered. */
export interface Block {
  readonly from: number;
  /** The line after its last one. */
  end: number;
  readonly lead: Lead;
}

/** Characters of a lead that is a word and a number. */
export const NAMED_LEAD_CHARS_MAX = 60;

/** The lead of a block that begins with its first key. */
export const NO_LEAD: Lead = { cells: [] };

/** Leads by which records are told apart, the most telling first. */
export const LEAD_FORMS: readonly LeadForm[] = [
  {
    // MySQL's `\G`: the number is the writer's own count.
    mark: ":",
    names: [],
    match: (line) => lead(/^\*{5,} (\d{1,9})\. row \*{5,}$/.exec(line), false),
  },
  {
    // psql's expanded display.
    mark: "|",
    names: [],
    match: (line) => lead(/^-\[ RECORD (\d{1,9}) \][-+]*$/.exec(line), false),
  },
  {
    mark: ":",
    names: ["position", "title"],
    match: (line) => lead(/^(?:#{1,6} +)?(?:\[(?=\d+\]))?(\d{1,9})[.)\]] +(\S.*)$/.exec(line), true),
  },
  { mark: ":", names: ["position", "title"], match: named },
  { mark: ":", names: ["title"], match: heading },
  { mark: ":", names: ["title"], match: bullet },
];

function lead(found: RegExpExecArray | null, titled: boolean): Lead | undefined {
  if (found === null) return undefined;
  const number = found[1] ?? "";
  return { number: Number(number), cells: titled ? [number, trimSpaces(found[2] ?? "")] : [] };
}

// `Result 7:`, `--- Item 7 ---`, `## Issue #7`, `**Record 7**`; nothing else stands on the line.
function named(line: string): Lead | undefined {
  if (line.length > NAMED_LEAD_CHARS_MAX) return undefined;
  const found = /^[-=*_#[( ]*(([A-Z][A-Za-z]{2,15}) #?(\d{1,9}))[\])]?:?[-=*_: ]*$/.exec(line);
  return found === null
    ? undefined
    : { number: Number(found[3]), cells: [found[3] ?? "", found[1] ?? ""], word: found[2] };
}

// `- **Harbor**` over indented pairs; a bullet before a pair is the pair's.
function bullet(line: string): Lead | undefined {
  const found = /^[-*•] +(\S.*)$/.exec(line);
  return found === null || pairsOf(line, ":") !== undefined ? undefined : { cells: [trimSpaces(found[1] ?? "")] };
}

function heading(line: string): Lead | undefined {
  const found = /^(#{2,4}) +(\S.*)$/.exec(line);
  return found === null ? undefined : { cells: [trimSpaces(found[2] ?? "")] };
}

/** A block beneath each lead. */
export function leadBlocks(lines: readonly string[], form: LeadForm): Block[] {
  const blocks: Block[] = [];
  for (const [at, line] of lines.entries()) {
    const found = form.match(line);
    const open = blocks.at(-1);
    if (found !== undefined) blocks.push({ from: at + 1, end: at + 1, lead: found });
    else if (open !== undefined && !isBlank(line) && !isRule(line)) open.end = at + 1;
  }
  return blocks;
}

/** A block between blank lines or rules. */
export function groupBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let inside = false;
  for (const [at, line] of lines.entries()) {
    if (isBlank(line) || isRule(line)) {
      inside = false;
      continue;
    }
    const open = blocks.at(-1);
    if (inside && open !== undefined) open.end = at + 1;
    else blocks.push({ from: at, end: at + 1, lead: NO_LEAD });
    inside = true;
  }
  return blocks;
}

/** A block on each line. */
export function lineBlocks(lines: readonly string[]): Block[] {
  return lines.flatMap((line, at) => isBlank(line) || isRule(line) ? [] : [{ from: at, end: at + 1, lead: NO_LEAD }]);
}

/** True for a line that only parts records: `---`, `===`, `***`, `———`. */
export function isRule(line: string): boolean {
  return /^[-=*_—─]{3,}\s*$/.test(line);
}
