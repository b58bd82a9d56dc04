/** `loom_raw`: the original text of a result, or a part of it. @module */

import { LoomError } from "../errors.ts";
import { RAW_CHARS_DEFAULT } from "../own_tools.ts";
import { originalText } from "../records/original_text.ts";
import { findDataset, type ToolContext } from "./context.ts";

/** Gives a part of an original. */
export async function readRaw(
  context: ToolContext,
  { ref, offset = 0, length = RAW_CHARS_DEFAULT }: {
    ref: string;
    offset?: number | undefined;
    length?: number | undefined;
  },
): Promise<string> {
  const dataset = findDataset(context, ref, "read the original of");
  const original = await context.original(ref);
  if (original === undefined) {
    const { server, tool } = dataset.provenance;
    const way = server === "loom" ? "it was derived by SQL and has none" : `call ${tool} of ${server} again`;
    throw new LoomError(
      "DATASET_NOT_FOUND",
      `Cannot read the original of "${ref}": it is no longer kept; ${way}. The dataset itself can be queried`,
    );
  }
  const { form, text, beside } = originalText(new TextDecoder().decode(original));
  const end = wholeCharacter(text, Math.min(text.length, offset + length));
  const part = text.slice(wholeCharacter(text, offset), end);
  return JSON.stringify({
    ref,
    form,
    beside,
    offset,
    length: part.length,
    totalChars: text.length,
    ...(end < text.length ? { next: `loom_raw with offset ${end}` } : {}),
    text: part.toWellFormed(),
  });
}

/** `at`, or one less where it would cut a character in two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}
