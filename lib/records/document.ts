/** A JSON document as a prospect: the table in it, or the text in a string of it. @module */

import type { ContextItem, SourceKind } from "../dataset.ts";
import type { Candidate } from "./candidate.ts";
import { chooseCandidate } from "./candidates.ts";
import { ColumnGroup, RowSpace } from "./column_store.ts";
import { finishTable } from "./finish.ts";
import { firstKeys, keyOf, stringAt } from "./inspect.ts";
import { holdsRows } from "./keys.ts";
import { leftoversOf, membersOf, type Span } from "./leftovers.ts";
import { MAX_ROWS } from "./limits.ts";
import type { Outline } from "./outline.ts";
import type { FoundTable, Prospect } from "./prospect.ts";
import { attempted, Refusal } from "./refusal.ts";

/** Finds rows in the text of a string, one level of encoding deeper. */
export type StringReader = (text: string) => Prospect;

/**
 * The table of the document `root` in `text`. When it has no list of records but is little more than one string,
 * `readString` looks into that. Throws a Refusal when there is none.
 */
export function prospectOfDocument(
  text: string,
  root: Outline,
  source: SourceKind,
  readString: StringReader,
): Prospect {
  const candidate = attempted(() => chooseCandidate(text, root));
  if (!(candidate instanceof Refusal)) return prospectOfCandidate(text, root, candidate, source);
  const inner = longString(text, root, root);
  if (!inner) throw candidate;
  return prospectOfString(text, root, inner, source, readString);
}

function prospectOfCandidate(text: string, root: Outline, candidate: Candidate, source: SourceKind): Prospect {
  return {
    rows: candidate.rows,
    size: candidate.size,
    source,
    recordKeys: firstKeys(text, candidate.node),
    read: () => ({
      table: candidate.ahead
        ? finishTable(text, candidate.ahead.group, candidate.rows)
        : readTable(text, candidate.rows, candidate.fill),
      context: [...leftoversOf(text, root, candidate.consumed), ...placeOf(text, candidate.node)],
    }),
  };
}

/** Where the rows stood, when a key of that says more than that rows stand there: `{"Oslo": […]}`. */
function placeOf(text: string, node: Outline): ContextItem[] {
  const keys: string[] = [];
  for (let at: Outline | undefined = node; at; at = at.parent) {
    const key = keyOf(text, at);
    if (key !== undefined) keys.unshift(key);
  }
  if (keys.every(holdsRows)) return [];
  return [{ path: "rows from", json: JSON.stringify(keys.join(".")) }];
}

/** Lets `fill` read `rows` rows of `text` and makes the table of them. */
export function readTable(text: string, rows: number, fill: (group: ColumnGroup) => void): FoundTable["table"] {
  if (rows > MAX_ROWS) throw new Refusal(`too-many-rows: ${rows}, at most ${MAX_ROWS}`);
  const group = new ColumnGroup(new RowSpace(rows));
  fill(group);
  return finishTable(text, group, rows);
}

/** Containers with more members than this are lists of something, not a wrapper around one text. */
const MAX_WRAPPER_MEMBERS = 100;

/** The string that is more than half of the document `root`, looked for in `node`. */
function longString(text: string, root: Outline, node: Outline): Span | undefined {
  if (node.members > MAX_WRAPPER_MEMBERS) return undefined;
  for (const member of membersOf(text, node)) {
    if (2 * (member.end - member.start) <= root.end - root.start) continue;
    if (member.node) return longString(text, root, member.node);
    return stringAt(text, member.start) === undefined ? undefined : member;
  }
  return undefined;
}

function prospectOfString(
  text: string,
  root: Outline,
  inner: Span,
  source: SourceKind,
  readString: StringReader,
): Prospect {
  const found = readString(stringAt(text, inner.start) ?? "");
  return {
    ...found,
    source: source === "text" || found.source !== "text" ? found.source : source,
    read: () => {
      const { table, context } = found.read();
      return { table, context: [...context, ...leftoversOf(text, root, [inner])] };
    },
  };
}
