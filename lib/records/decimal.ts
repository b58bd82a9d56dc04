/** Decimal numbers as they are written: what value a text denotes, and whether a double or a DECIMAL holds it. @module */

/** `digits` times ten to the `exponent`, without leading or trailing zeros in `digits`; zero has none. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER_REGEXP = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Exponents of more digits than this are beyond every carrier. */
const MAX_EXPONENT_DIGITS = 6;

/** Reads the text of a JSON number; undefined when it is none, or its exponent is beyond reason. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = NUMBER_REGEXP.exec(text);
  if (!match) return undefined;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  if (power.replace(/^[+-]?0*/, "").length > MAX_EXPONENT_DIGITS) return undefined;
  const all = trimLeadingZeros(whole + fraction);
  const digits = trimTrailingZeros(all);
  return {
    negative: sign === "-",
    digits,
    exponent: digits === "" ? 0 : Number(power) - fraction.length + (all.length - digits.length),
  };
}

// Loops instead of /0+$/, which is quadratic on long runs of zeros that do not end the text.
function trimLeadingZeros(text: string): string {
  let from = 0;
  while (text.charCodeAt(from) === 48) from++;
  return text.slice(from);
}

function trimTrailingZeros(text: string): string {
  let to = text.length;
  while (to > 0 && text.charCodeAt(to - 1) === 48) to--;
  return text.slice(0, to);
}

/** A double's shortest text has at most so many digits, so a number of more significant digits never survives. */
const MAX_DOUBLE_DIGITS = 17;

/** Whether the double nearest to the number `text` prints, at its shortest, as the same decimal value. */
export function doubleKeeps(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const written = parseDecimal(text);
  if (!written || written.digits.length > MAX_DOUBLE_DIGITS) return false;
  const kept = parseDecimal(String(value));
  return kept !== undefined && kept.digits === written.digits && kept.exponent === written.exponent;
}

/** Digits before and after the point that a DECIMAL needs for a value; `scale` counts those after. */
export interface DecimalShape {
  readonly whole: number;
  readonly scale: number;
}

/** The smallest shape that holds `value`. */
export function shapeOf(value: Decimal): DecimalShape {
  return {
    whole: Math.max(0, value.digits.length + value.exponent),
    scale: Math.max(0, -value.exponent),
  };
}

/** `value` times ten to the `scale`, which must be at least the value's own scale. */
export function unscaled(value: Decimal, scale: number): bigint {
  if (value.digits === "") return 0n;
  const size = BigInt(value.digits + "0".repeat(scale + value.exponent));
  return value.negative ? -size : size;
}
