/** Where the rows of a result are: `structuredContent`, then JSON in the text, then formatted text. @module */

import type { ContextItem } from "../dataset.ts";
import { candidatesIn, chooseCandidate, tableOf } from "./candidates.ts";
import { skipBlank } from "./chars.ts";
import { JsonFault } from "./json_check.ts";
import { leftoversOf, textItem } from "./leftovers.ts";
import type { Located, ResultParts } from "./mod.ts";
import { outlineValue } from "./outline.ts";
import { Refusal } from "./refusal.ts";

/** Finds the table of a result with all that stood around it; throws a Refusal when there is none. */
export function locate(parts: ResultParts): Located {
  const rest = parts.rest ?? [];
  if (parts.structured !== undefined) {
    const found = readDocument(parts.structured);
    const texts = parts.texts.map((text, index) => textItem(`content[${index}]`, text));
    return { ...found, source: "structuredContent", context: [...found.context, ...texts, ...rest] };
  }
  const [text] = parts.texts;
  if (text === undefined || parts.texts.length > 1) throw new Refusal("no-text");
  const found = readDocument(text);
  return { ...found, source: "text", context: [...found.context, ...rest] };
}

function readDocument(text: string): Located & { kind: "table"; context: readonly ContextItem[] } {
  if (!text.isWellFormed()) throw new Refusal("lone-surrogate: the text cannot be held in UTF-8");
  try {
    const root = outlineValue(text, skipBlank(text, 0));
    if (skipBlank(text, root.end) < text.length) throw new Refusal("trailing-text");
    const best = chooseCandidate(candidatesIn(text, root));
    const table = tableOf(text, best);
    return { kind: "table", table, source: "text", context: leftoversOf(text, root, best.consumed) };
  } catch (error) {
    if (error instanceof JsonFault) throw new Refusal(`not-json: at ${error.at} of ${text.length}`);
    throw error;
  }
}
