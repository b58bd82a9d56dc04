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
  /** The whole item; absent when it is too large for any envelope. */
  readonly shown?: string;
  /** Its kind and size, and how it starts when it is a text; the whole item when that is no longer. */
  readonly named: string;
  /** The same without a start. */
  readonly sized: string;
}

/** The object `{path: value}` of as many items as `bytesMax` holds; small items come first, all keep their order. */
export function fitContext(items: readonly ContextItem[], bytesMax: number): Fitted {
  const entries = items.map((item, at): Entry => ({ at, ...entryOf(item) }));
  const chosen = new Map<number, string>();
  let left = bytesMax;
  const bySize = (form: "shown" | "named" | "sized") => {
    return entries.toSorted((a, b) => (a[form]?.length ?? 0) - (b[form]?.length ?? 0));
  };
  // First everything is named, then texts are begun, then whatever still fits is whole: each time the smallest first.
  for (const { at, sized } of bySize("sized")) {
    const cost = wireBytes(sized) + 1;
    if (cost > left) break;
    left -= cost;
    chosen.set(at, sized);
  }
  for (const form of ["named", "shown"] as const) {
    for (const { at, [form]: next } of bySize(form)) {
      const before = chosen.get(at);
      if (next === undefined || before === undefined || before === next) continue;
      const cost = wireBytes(next) - wireBytes(before);
      if (cost > left) continue;
      left -= cost;
      chosen.set(at, next);
    }
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
  const { start, ...size } = describe(json);
  const sized = `${key}:${JSON.stringify(size)}`;
  const named = start === undefined ? sized : `${key}:${JSON.stringify({ ...size, start })}`;
  if (json.length > CONTEXT_ITEM_BYTES_MAX) return { named, sized };
  const shown = `${key}:${safeJson(json)}`;
  const shorter = (other: string) => shown.length <= other.length ? shown : other;
  return { shown, named: shorter(named), sized: shorter(sized) };
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
