/** JSON made by chance, with odd numbers, escapes and blanks, and what a reader should make of it. @module */

import type { Random } from "./random.ts";

/** A JSON text, and what a reader should make of it. */
export type Written =
  | { readonly kind: "string"; readonly text: string; readonly value: string }
  | { readonly kind: "number" | "constant" | "json" | "null" | "missing"; readonly text: string }
  | { readonly kind: "object"; readonly text: string; readonly members: ReadonlyMap<string, Written> };

export const KEYS = [
  "id",
  "name",
  "ID",
  "a b",
  "__proto__",
  "",
  "select",
  "größe",
  "x_y",
  "k\n",
  'quo"te',
  "😀",
  "toString",
  "e\u0301",
  "é",
  "İ",
  "ß",
];
const CHARS = [
  "a",
  "Z",
  "7",
  " ",
  '"',
  "\\",
  "/",
  "\n",
  "\t",
  "\u0000",
  "\u007f",
  "é",
  "€",
  "漢",
  "😀",
  "\u2028",
  "'",
  ",",
  "e\u0301",
  "\u1100\u1161",
  "\uFEFF",
  "\u202E",
  "ﬁ",
];
const NUMBERS = ["0", "-0", "1", "-1", "42", "1.10", "100.00", "1e5", "1E-7", "0.1", "-0.0", "5e-324", "1E400"];
const LONG_NUMBERS = [
  "9007199254740991",
  "9007199254740993",
  "-9223372036854775808",
  "18446744073709551615",
  "170141183460469231731687303715884105728",
  "-170141183460469231731687303715884105728",
  "12345678901234567890.12",
  "0.30000000000000004",
  "0.1000000000000000055511151231257827",
  "123456789012345678901234567890123456789012345",
];

/** A string as JSON, each character in one of the ways in which it may be spelled. */
function spell(random: Random, value: string): string {
  let text = "";
  for (const char of value) {
    const plain = JSON.stringify(char).slice(1, -1);
    const escaped = Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join("");
    text += random.chance(0.15) ? escaped : char === "/" && random.chance(0.5) ? "\\/" : plain;
  }
  return `"${text}"`;
}

export function blank(random: Random): string {
  return random.chance(0.8) ? "" : random.pick([" ", "\n", "\t", "\r\n", "  "]);
}

function writtenString(random: Random): Written {
  const value = random.list(0, 12, () => random.pick(CHARS)).join("");
  return { kind: "string", text: spell(random, value), value };
}

function writtenNumber(random: Random): Written {
  const digits = () => random.list(1, 20, () => String(random.below(10))).join("").replace(/^0+(?=\d)/, "");
  const made = `${random.pick(["", "-"])}${digits()}${random.pick(["", "", `.${digits()}0`, `e${random.below(40)}`])}`;
  return { kind: "number", text: random.pick([random.pick(NUMBERS), random.pick(LONG_NUMBERS), made]) };
}

function writtenJson(random: Random, depth: number): string {
  const choice = depth > 3 ? random.below(3) : random.below(5);
  if (choice === 0) return writtenString(random).text;
  if (choice === 1) return writtenNumber(random).text;
  if (choice === 2) return random.pick(["true", "false", "null"]);
  const comma = `${blank(random)},${blank(random)}`;
  if (choice === 3) return `[${blank(random)}${random.list(0, 3, () => writtenJson(random, depth + 1)).join(comma)}]`;
  const members = random.list(
    0,
    3,
    (n) => `${spell(random, `${random.pick(KEYS)}${n}`)}:${writtenJson(random, depth + 1)}`,
  );
  return `{${members.join(comma)}}`;
}

function writtenValue(random: Random, flat: boolean, style: number): Written {
  switch (style < 6 ? style : random.below(6)) {
    case 0:
      return writtenString(random);
    case 1:
      return writtenNumber(random);
    case 2:
      return { kind: "number", text: String(random.below(1_000_000)) };
    case 3:
      return { kind: "constant", text: random.pick(["true", "false"]) };
    case 4:
      return { kind: "json", text: `[${blank(random)}${writtenJson(random, 1)}]` };
    default:
      if (flat) return { kind: "json", text: `{"deep":${writtenJson(random, 1)}}` };
      return writtenObject(random, true, random.list(1, 3, (n) => [`${random.pick(KEYS)}${n}`, 9] as const));
  }
}

export function writtenObject(random: Random, flat: boolean, keys: readonly (readonly [string, number])[]): Written {
  const members = new Map<string, Written>();
  for (const [key, style] of keys) {
    if (random.chance(0.1)) continue;
    members.set(key, random.chance(0.1) ? { kind: "null", text: "null" } : writtenValue(random, flat, style));
  }
  const texts = [...members].map(([key, { text }]) =>
    `${blank(random)}${spell(random, key)}${blank(random)}:${blank(random)}${text}${blank(random)}`
  );
  // An empty nested object would stay JSON text: it is tested by itself.
  if (flat && members.size === 0) return { kind: "json", text: "{}" };
  return { kind: "object", text: `{${texts.join(",")}}`, members };
}

/** A number's value as a whole number times a power of ten, without trailing zeros. */
export function decimal(text: string): readonly [bigint, number] {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  let size = BigInt(whole + fraction);
  let exponent = Number(power) - fraction.length;
  if (size === 0n) return [0n, 0];
  while (size % 10n === 0n) {
    size /= 10n;
    exponent++;
  }
  return [sign === "-" ? -size : size, exponent];
}

/** Records of one kind: some keys are missing, some null, each has its own habits of value. */
export function writtenRecords(random: Random): (Written & { readonly kind: "object" })[] {
  const keys = [...new Set(random.list(1, 8, () => random.pick(KEYS)))];
  const styled = keys.map((key) => [key, random.below(8)] as const);
  return random.list(2, 30, () => {
    const row = writtenObject(random, false, styled);
    if (row.kind !== "object") throw new Error("unreachable: records are objects");
    return row;
  });
}
