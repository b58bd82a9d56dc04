/** Secrets out of arguments, before they become provenance. @module */

import { cutText, safeJson } from "./text.ts";

/** Keys whose values are never shown. */
const SECRET_KEY_REGEXP =
  /token|secret|password|passwd|api[_-]?key|authorization|bearer|credential|cookie|private[_-]?key/i;
/** Characters of one argument string that are shown: a bound on length, not a control of secrets. */
export const ARGUMENT_CHARS_MAX = 200;
/** Bytes of arguments that are looked into; larger ones are named by their size. */
export const ARGUMENT_BYTES_MAX = 65_536;
/** Levels of nesting that are looked into. */
export const ARGUMENT_DEPTH_MAX = 32;
/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";
/** What stands in the place of the arguments of a denylisted tool. */
export const OMITTED_ARGS = JSON.stringify("[omitted]");

/**
 * JSON text of arguments that may be shown: values of secret-looking keys are `"[redacted]"` at any depth, long
 * strings are cut. Undefined when there were none; never throws.
 */
export function redactArguments(args: Uint8Array | undefined): string | undefined {
  if (args === undefined || args.length === 0) return undefined;
  if (args.length > ARGUMENT_BYTES_MAX) return JSON.stringify(`[${args.length} bytes]`);
  try {
    return JSON.stringify(redact(JSON.parse(safeJson(new TextDecoder().decode(args))), 0));
  } catch {
    return JSON.stringify(`[unreadable, ${args.length} bytes]`);
  }
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cutText(value, ARGUMENT_CHARS_MAX);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= ARGUMENT_DEPTH_MAX) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET_KEY_REGEXP.test(key) ? REDACTED : redact(item, depth + 1)]),
  );
}
