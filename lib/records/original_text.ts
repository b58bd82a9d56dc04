/** A whole result as one text to be read: its text block where that says everything, else its JSON. @module */

import { membersOf, partResult } from "./result_parts.ts";
import { sameJson } from "./same_json.ts";

/** One text for a result. */
export interface OriginalText {
  /** Whether this is the text of a content block, decoded, or the JSON of the whole result. */
  readonly form: "text" | "json";
  readonly text: string;
  /** What the result holds beside the text, in words; absent when that is nothing. */
  readonly beside?: string | undefined;
}

/** The text of a result. `json` is what the server wrote; nothing that only a part of it says is left out unnamed. */
export function originalText(json: string): OriginalText {
  const whole: OriginalText = { form: "json", text: json };
  const parted = partResult(json);
  if (parted.kind === "passed") return whole;
  const { texts: [text, ...others], structured, rest } = parted.parts;
  if (text === undefined || others.length > 0 || rest !== undefined) return whole;
  const echo = structured === undefined ? "" : echoWords(structured, text);
  if (echo === undefined) return whole;
  const words = [echo, parted.meta === undefined ? "" : "_meta, which went with the envelope"].filter(Boolean);
  return { form: "text", text, ...(words.length === 0 ? {} : { beside: words.join("; ") }) };
}

/** How `structuredContent` says nothing but what the text says; undefined when it says more, less or something else. */
function echoWords(structured: string, text: string): string | undefined {
  if (sameJson(structured, 0, structured.length, text)) return "structuredContent, which is the same JSON";
  const members = structured.startsWith("{") ? [...membersOf(structured) ?? []] : [];
  const [only, ...others] = members;
  if (only === undefined || others.length > 0) return undefined;
  // Servers with typed answers wrap what is no object: {"result": …}.
  const [key, value] = only;
  const isSame = sameJson(value, 0, value.length, text) || value.startsWith('"') && JSON.parse(value) === text;
  return isSame ? `structuredContent, which is the same under ${JSON.stringify(key)}` : undefined;
}
