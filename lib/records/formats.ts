/** What the strings of a column look like, when all of them do: a hint beside the type, never in its place. @module */

/** A format's name and its test. Every pattern is linear: no two quantifiers can share a character. */
const FORMATS: readonly (readonly [string, RegExp])[] = [
  [
    "date-time",
    /^\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?: ?(?:[Zz]|[+-]\d{2}(?::?\d{2})?))?$/,
  ],
  ["date", /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/],
  ["time", /^(?:[01]\d|2[0-3]):[0-5]\d:[0-6]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:?\d{2})?$/],
  ["uuid", /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/],
  ["uri", /^[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s<>"]+$/],
  ["email", /^[A-Za-z0-9.!#$%&'*+\/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/],
];

/** Longer strings are prose or payload, never one of the formats. */
const MAX_FORMAT_CHARS = 2_048;

/** The format that every string among `values` has; undefined when there is none, or no string. */
export function formatOf(values: readonly (string | null)[]): string | undefined {
  const first = values.find((value) => value !== null);
  if (first === undefined || first === null) return undefined;
  const found = FORMATS.find(([, pattern]) => pattern.test(first.slice(0, MAX_FORMAT_CHARS)));
  if (!found) return undefined;
  const [name, pattern] = found;
  const fits = (value: string | null) => value === null || (value.length <= MAX_FORMAT_CHARS && pattern.test(value));
  return values.every(fits) ? name : undefined;
}
