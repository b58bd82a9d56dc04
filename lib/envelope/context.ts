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

/** One way to write an item. */
interface Form {
  readonly text: string;
  /** Bytes in the JSON string that carries the envelope. */
  readonly bytes: number;
}

/** The ways to write an item, from the shortest to the longest; they may be one and the same. */
interface Entry {
  /** Kind and size. */
  readonly sized: Form;
  /** Kind and size, and how a text starts. */
  readonly named: Form;
  /** The whole item; absent when it is too large for any envelope. */
  readonly shown?: Form | undefined;
}

/** The object `{path: value}` of as many items as `bytesMax` holds; small items come first, all keep their order. */
export function fitContext(items: readonly ContextItem[], bytesMax: number): Fitted {
  const entries = items.map(entryOf);
  const chosen = new Map<number, Form>();
  let left = bytesMax;
  // First everything is named, then texts are begun, then whatever still fits is whole: each time the smallest first.
  for (const form of ["sized", "named", "shown"] as const) {
    const forms = entries.flatMap((entry, at) => entry[form] ? [{ at, next: entry[form] }] : []);
    for (const { at, next } of forms.sort((a, b) => a.next.bytes - b.next.bytes)) {
      const before = chosen.get(at);
      if (before === undefined && form !== "sized") continue;
      const cost = next.bytes - (before?.bytes ?? -1);
      if (cost > left) continue;
      left -= cost;
      chosen.set(at, next);
    }
  }
  const parts = [...chosen].toSorted(([a], [b]) => a - b).map(([, { text }]) => text);
  return { json: `{${parts.join(",")}}`, omitted: items.length - parts.length };
}

/** Bytes that all items would take. */
export function contextBytes(items: readonly ContextItem[]): number {
  return items.map(entryOf).reduce((sum, { shown, named }) => sum + (shown ?? named).bytes + 1, 2);
}

function entryOf({ path, json }: ContextItem): Entry {
  const key = JSON.stringify(path.toWellFormed());
  const { start, ...size } = describe(json);
  const sized = formOf(`${key}:${JSON.stringify(size)}`);
  const named = start === undefined ? sized : formOf(`${key}:${JSON.stringify({ ...size, start })}`);
  if (json.length > CONTEXT_ITEM_BYTES_MAX) return { sized, named };
  const shown = formOf(`${key}:${safeJson(json)}`);
  const shorter = (other: Form) => shown.bytes <= other.bytes ? shown : other;
  return { sized: shorter(sized), named: shorter(named), shown };
}

function formOf(text: string): Form {
  return { text, bytes: wireBytes(text) };
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
