/** Where records begin and end in lines: under leads, or between blank lines and rules. @module */

import type { PairMark } from "./key_lines.ts";
import { isBlank, trimSpaces } from "./lines.ts";

/** How the records of a text begin. */
export interface LeadForm {
  readonly mark: PairMark | undefined;
  /** Names of the columns that a lead fills. */
  readonly names: readonly string[];
  /** The number and the rest of a lead line; `undefined` for any other line. */
  readonly match: (line: string) => { readonly number?: number; readonly cells: readonly string[] } | undefined;
}

/** A record before its cells are ordered. */
export interface Block {
  readonly from: number;
  /** The line after its last one. */
  end: number;
  readonly cells: readonly string[];
  readonly number: number | undefined;
}

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
    match: (line) => lead(/^(?:#{1,6} +)?(\d{1,9})[.)] +(\S.*)$/.exec(line), true),
  },
  { mark: ":", names: ["title"], match: heading },
];

function lead(found: RegExpExecArray | null, titled: boolean): ReturnType<LeadForm["match"]> {
  if (found === null) return undefined;
  const number = found[1] ?? "";
  return { number: Number(number), cells: titled ? [number, trimSpaces(found[2] ?? "")] : [] };
}

function heading(line: string): ReturnType<LeadForm["match"]> {
  const found = /^(#{2,4}) +(\S.*)$/.exec(line);
  return found === null ? undefined : { cells: [trimSpaces(found[2] ?? "")] };
}

/** A block beneath each lead. */
export function leadBlocks(lines: readonly string[], form: LeadForm): Block[] {
  const blocks: Block[] = [];
  for (const [at, line] of lines.entries()) {
    const found = form.match(line);
    const open = blocks.at(-1);
    if (found !== undefined) blocks.push({ from: at + 1, end: at + 1, cells: found.cells, number: found.number });
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
    else blocks.push({ from: at, end: at + 1, cells: [], number: undefined });
    inside = true;
  }
  return blocks;
}

/** True for a line that only parts records: `---`, `===`, `***`, `———`. */
export function isRule(line: string): boolean {
  return /^[-=*_—─]{3,}\s*$/.test(line);
}
