/** A server's lists, read to the last page, each entry kept as the server wrote it. @module */

import { LoomError } from "../errors.ts";
import {
  bytesOf,
  type Edit,
  elementsOf,
  memberOf,
  type Message,
  type Span,
  spliced,
  stringAt,
  valueAt,
  valueOf,
} from "../wire/mod.ts";
import { recordOf } from "./handshake.ts";
import type { Session } from "./session.ts";

/** Pages of one list, beyond which a server is taken to go round in circles. */
export const LIST_PAGES_MAX = 1_000;

/** The lists that a server may have. */
export const LISTS = {
  tools: { method: "tools/list", array: "tools", key: "name" },
  prompts: { method: "prompts/list", array: "prompts", key: "name" },
  resources: { method: "resources/list", array: "resources", key: "uri" },
  resourceTemplates: { method: "resources/templates/list", array: "resourceTemplates", key: "uriTemplate" },
} as const;

/** The name of a list. */
export type ListName = keyof typeof LISTS;

/** One entry of a list: its own key (a name, a URI) and its bytes. */
export interface Entry {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** Where the key stands in the bytes. */
  readonly keySpan: Span;
}

/** All entries of a list. A cursor that comes a second time ends it, with a warning. */
export async function readList(
  session: Session,
  list: ListName,
  options: { readonly timeoutMs: number; readonly warn: (message: string) => void },
): Promise<Entry[]> {
  const { method } = LISTS[list];
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let params = "{}";
  for (let page = 1; page <= LIST_PAGES_MAX; page++) {
    const answer = await session.ask(method, params, options.timeoutMs);
    if (answer.kind === "error") throw new ListError(answer);
    entries.push(...entriesOf(answer, list));
    const cursor = nextCursor(answer);
    if (cursor === undefined) return entries;
    if (seen.has(cursor)) {
      options.warn(`${method} came back to a cursor it had given before: the list ends there`);
      return entries;
    }
    seen.add(cursor);
    params = `{"cursor":${JSON.stringify(cursor)}}`;
  }
  options.warn(`${method} has more than ${LIST_PAGES_MAX} pages: the list ends there`);
  return entries;
}

/** A server refused a list; the answer is kept, to be passed on. */
export class ListError extends LoomError {
  readonly answer: Message;

  constructor(answer: Message) {
    const { message, code } = recordOf(valueOf(answer.bytes, answer.outcome));
    super("SERVER_UNAVAILABLE", `${message} (${code})`);
    this.answer = answer;
  }
}

/** An empty string is a cursor; null and an absent one are none. */
function nextCursor(answer: Message): string | undefined {
  const span = answer.outcome && memberOf(answer.bytes, answer.outcome.start, "nextCursor");
  return stringAt(answer.bytes, span);
}

function entriesOf(answer: Message, list: ListName): Entry[] {
  const { array, key } = LISTS[list];
  const span = answer.outcome && valueAt(answer.bytes, answer.outcome.start, [array]);
  const elements = span ? elementsOf(answer.bytes, span.start) ?? [] : [];
  const entries: Entry[] = [];
  for (const element of elements) {
    const bytes = answer.bytes.subarray(element.start, element.end);
    const keySpan = memberOf(bytes, 0, key);
    const text = stringAt(bytes, keySpan);
    if (keySpan && text !== undefined) entries.push({ key: text, bytes, keySpan });
  }
  return entries;
}

/** An entry under another key, with further edits; its own bytes when nothing changes. */
export function renamed(entry: Entry, key: string, edits: readonly Edit[] = []): Uint8Array[] {
  if (key === entry.key) return spliced(entry.bytes, edits);
  return spliced(entry.bytes, [...edits, { ...entry.keySpan, bytes: bytesOf(JSON.stringify(key)) }]);
}
