/** Fenced blocks: a text whose rows stand between lines of backticks. @module */

import { nonBlankChars } from "./coverage.ts";

/** A text with one fenced block taken out of its fence. */
export interface Unfenced {
  readonly before: string;
  readonly inside: string;
  readonly after: string;
  /** What stands in the other fences. */
  readonly others: readonly string[];
}

/** Names behind a fence under which rows may stand. Any other names a language, and code is no table. */
const ROW_LANGUAGES = new Set(
  "  csv tsv psv txt text plain plaintext table md markdown yaml yml xml rss html console output sql psql mysql result results data none"
    .split(" "),
);

// Part of the text that must stand in the block for the fence to be opened.
const BLOCK_SHARE_MIN = 0.5;

/** The one block that holds most of a text, or `undefined` when there is none or when it names a language. */
export function unfence(text: string): Unfenced | undefined {
  const blocks = [...fencesIn(text)];
  const best = blocks.reduce<Fence | undefined>(
    (most, block) => most !== undefined && block.close - block.open <= most.close - most.open ? most : block,
    undefined,
  );
  if (best === undefined || best.close <= best.open) return undefined;
  const inside = text.slice(best.open, best.close);
  if (nonBlankChars(inside) < nonBlankChars(text) * BLOCK_SHARE_MIN) return undefined;
  const others = blocks.filter((block) => block !== best).map(({ open, close }) => text.slice(open, close));
  return { before: text.slice(0, best.from), inside, after: text.slice(best.to), others };
}

/** Headings beside a table from which code beside it tells of documentation. */
export const DOCUMENT_HEADINGS_MIN = 3;

// Languages of data that is no code either.
const DATA_LANGUAGES = new Set("json json5 jsonc jsonl ndjson toml ini diff mermaid".split(" "));

/** Whether the text beside a table is documentation: sections under headings, and code among them. */
export function isDocumentation(pieces: readonly string[]): boolean {
  let headings = 0;
  let code = false;
  for (const piece of pieces) {
    let fence: string | undefined;
    for (const line of piece.split("\n")) {
      const [, mark, language = ""] = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+-]*)/.exec(line) ?? [];
      if (mark !== undefined) {
        if (fence === undefined) {
          fence = mark;
          const name = language.toLowerCase();
          code ||= !ROW_LANGUAGES.has(name) && !DATA_LANGUAGES.has(name);
        } else if (mark.startsWith(fence)) fence = undefined;
      } else if (fence === undefined && /^#{1,6}[ \t]+\S/.test(line)) headings++;
    }
  }
  return code && headings >= DOCUMENT_HEADINGS_MIN;
}

/** Where a fence begins, its block opens and closes, and the fence ends. */
interface Fence {
  readonly from: number;
  readonly open: number;
  readonly close: number;
  readonly to: number;
}

/** The fences of a text under whose names rows may stand. */
function* fencesIn(text: string): Generator<Fence> {
  let open:
    | { readonly at: number; readonly content: number; readonly fence: string; readonly language: string }
    | undefined;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    const fence = fenceAt(text, start, stop);
    if (fence !== undefined) {
      if (open === undefined) open = { at: start, content: stop + 1, ...fence };
      else if (fence.language === "" && fence.fence.startsWith(open.fence)) {
        if (ROW_LANGUAGES.has(open.language)) {
          yield { from: open.at, open: open.content, close: start, to: Math.min(stop + 1, text.length) };
        }
        open = undefined;
      }
    }
    start = stop + 1;
  }
}

function fenceAt(
  text: string,
  start: number,
  stop: number,
): { readonly fence: string; readonly language: string } | undefined {
  let at = start;
  while (at < stop && at - start < 3 && text[at] === " ") at++;
  const char = text[at];
  if ((char !== "`" && char !== "~") || stop - at < 3 || stop - at > 60) return undefined;
  const found = /^(`{3,}|~{3,})[ \t]*([\w+-]*)[ \t\r]*$/.exec(text.slice(at, stop));
  return found === null ? undefined : { fence: found[1] ?? "", language: (found[2] ?? "").toLowerCase() };
}
