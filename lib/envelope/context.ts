/** What stood around the rows, as much of it as fits; the rest is named with its kind and size. @module */

import type { ContextItem } from "../dataset.ts";
import { cutText, safeJson, wireBytes } from "./text.ts";

/** Bytes of one item beyond which it is always named instead of shown. */
export const CONTEXT_ITEM_BYTES_MAX = 4_000;
/** Characters that are shown of a text that is only named. */
export const CONTEXT_START_CHARS = 120;
/** Bytes of JSON that are read to count the members of an item that is only named. */
const COUNTED_BYTES_MAX = 1_048_576;

/** A part of the envelope, and how much of it was left out. */
export interface Fitted {
  readonly json: string;
  readonly omitted: number;
}

interface Entry {
  readonly at: number;
  readonly shown?: string;
  readonly named: string;
}

/** The object `{path: value}` of as many items as `bytesMax` holds; small items come first, all keep their order. */
export function fitContext(items: readonly ContextItem[], bytesMax: number): Fitted {
  const entries = items.map((item, at): Entry => ({ at, ...entryOf(item) }));
  const chosen = new Map<number, string>();
  let left = bytesMax;
  // First a name for everything, then the whole of whatever still fits, the smallest first.
  for (const { at, named } of entries.toSorted((a, b) => a.named.length - b.named.length)) {
    const cost = wireBytes(named) + 1;
    if (cost > left) break;
    left -= cost;
    chosen.set(at, named);
  }
  for (const entry of entries.toSorted((a, b) => (a.shown?.length ?? 0) - (b.shown?.length ?? 0))) {
    const before = chosen.get(entry.at);
    if (entry.shown === undefined || before === undefined || before === entry.shown) continue;
    const cost = wireBytes(entry.shown) - wireBytes(before);
    if (cost > left) continue;
    left -= cost;
    chosen.set(entry.at, entry.shown);
  }
  const parts = [...chosen].toSorted(([a], [b]) => a - b).map(([, part]) => part);
  return { json: `{${parts.join(",")}}`, omitted: items.length - parts.length };
}

/** Bytes that all items would take. */
export function contextBytes(items: readonly ContextItem[]): number {
  return items.reduce((sum, item) => sum + wireBytes(entryOf(item).shown ?? entryOf(item).named) + 1, 2);
}

function entryOf({ path, json }: ContextItem): Omit<Entry, "at"> {
  const key = JSON.stringify(path.toWellFormed());
  const whole = json.length <= CONTEXT_ITEM_BYTES_MAX ? `${key}:${safeJson(json)}` : undefined;
  const named = `${key}:${JSON.stringify(describe(json))}`;
  if (whole === undefined) return { named };
  return { shown: whole, named: whole.length <= named.length ? whole : named };
}

function describe(json: string): Record<string, unknown> {
  const first = json.trimStart()[0];
  if (first === '"') {
    const text = json.length <= COUNTED_BYTES_MAX ? String(JSON.parse(json)) : undefined;
    return {
      kind: "text",
      chars: text?.length ?? json.length,
      ...(text === undefined ? {} : { start: cutText(text, CONTEXT_START_CHARS) }),
    };
  }
  if (first !== "[" && first !== "{") return { kind: "number", chars: json.length };
  const kind = first === "[" ? "array" : "object";
  if (json.length > COUNTED_BYTES_MAX) return { kind, chars: json.length };
  try {
    const value: unknown = JSON.parse(safeJson(json));
    return { kind, members: Object.keys(value as object).length, chars: json.length };
  } catch {
    return { kind, chars: json.length };
  }
}
