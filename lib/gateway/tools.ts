/** Tool definitions: forwarded as they are, but for what would cost the client the whole list. @module */

import { bytesOf, concat, type Edit, membersOf, membersRemoved, valueOf } from "../wire/mod.ts";
import { type Entry, renamed } from "./lists.ts";
import type { Era } from "./revisions.ts";

/** A tool of a server, ready to be listed under any name. */
export interface Tool {
  /** The server's own name of it. */
  readonly own: string;
  /** What a change of which is worth a warning: everything but the name. */
  readonly definition: Uint8Array;
  /** Its definition under an exposed name. */
  readonly listedAs: (name: string) => Uint8Array;
}

/** Members that clients check; a value of another type makes them refuse the whole list. */
const CHECKED_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: (value) => typeof value === "string",
  description: (value) => typeof value === "string",
  annotations: isRecord,
  execution: isRecord,
  _meta: isRecord,
  icons: Array.isArray,
};

/**
 * A tool from its entry. `outputSchema` is left out, since an envelope may stand in for any result. A legacy client gets
 * an `inputSchema` of type object even where the server wrote none.
 */
export function toolOf(entry: Entry, era: Era, warn: (message: string) => void): Tool {
  const edits = repairs(entry, era, warn);
  return {
    own: entry.key,
    definition: entry.bytes,
    listedAs: (name) => concat(renamed(entry, name, edits)),
  };
}

function repairs(entry: Entry, era: Era, warn: (message: string) => void): Edit[] {
  const { bytes } = entry;
  const edits: Edit[] = [];
  const removed = new Set(["outputSchema"]);
  let schemaSeen = false;
  for (const member of membersOf(bytes, 0) ?? []) {
    const check = CHECKED_MEMBERS[member.name];
    if (member.name === "inputSchema") {
      schemaSeen = true;
      const edit = schemaRepair(entry, { start: member.start, end: member.end }, era);
      if (edit) edits.push(edit);
    } else if (Object.hasOwn(CHECKED_MEMBERS, member.name) && check && !check(valueOf(bytes, member))) {
      warn(`tool ${JSON.stringify(entry.key)}: "${member.name}" has a type that clients refuse and is left out`);
      removed.add(member.name);
    }
  }
  if (!schemaSeen) {
    warn(`tool ${JSON.stringify(entry.key)} has no inputSchema: it is listed as taking any object`);
    edits.push({ start: 1, end: 1, bytes: bytesOf('"inputSchema":{"type":"object"},') });
  }
  return [...edits, ...membersRemoved(bytes, 0, (name) => removed.has(name))];
}

/** Old clients refuse every schema whose type isn't "object", and with it the whole list. */
function schemaRepair(entry: Entry, span: { start: number; end: number }, era: Era): Edit | undefined {
  const schema = valueOf(entry.bytes, span);
  if (!isRecord(schema)) return { ...span, bytes: bytesOf('{"type":"object"}') };
  if (era === "modern" || schema["type"] === "object") return undefined;
  if (schema["type"] === undefined) {
    const empty = Object.keys(schema).length === 0;
    return {
      start: span.start + 1,
      end: span.start + 1,
      bytes: bytesOf(empty ? '"type":"object"' : '"type":"object",'),
    };
  }
  return { ...span, bytes: bytesOf(JSON.stringify({ ...schema, type: "object" })) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
