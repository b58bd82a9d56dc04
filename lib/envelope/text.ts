/** Text that a client can carry without harm: cut between whole characters, numbers that no client rounds. @module */

const encoder = new TextEncoder();
const LAST_SURROGATE_REGEXP = /[\ud800-\udbff]$/;
// Strings, numbers (the tokens NaN and Infinity included), and everything between them; linear, each branch starts apart.
const JSON_TOKEN_REGEXP = /"(?:[^"\\]|\\.)*"|-?(?:\d[\d.eE+-]*|Infinity|NaN)|[^"\dNI-]+|./gs;
// An escaped UTF-16 half that may stand alone.
const SURROGATE_ESCAPE_REGEXP = /\\u[dD][89a-fA-F]/;

/** The first `maxChars` characters of a text, never half a character, with `…` when something was cut. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text.toWellFormed();
  return `${text.slice(0, maxChars).replace(LAST_SURROGATE_REGEXP, "").toWellFormed()}…`;
}

/** Bytes that a text takes on the wire inside a JSON string, its quotes left out. */
export function wireBytes(text: string): number {
  return encoder.encode(JSON.stringify(text)).length - 2;
}

/**
 * JSON text in which every number survives a client that reads numbers as doubles: those that would change become
 * strings of the same digits. Lone surrogates become U+FFFD. Linear in the text.
 */
export function safeJson(json: string): string {
  return json.replace(JSON_TOKEN_REGEXP, (token) => {
    if (token.startsWith('"')) {
      return SURROGATE_ESCAPE_REGEXP.test(token) ? wellFormedToken(token) : token.toWellFormed();
    }
    if (token.startsWith("N") || token.startsWith("I") || token.startsWith("-I") || token.startsWith("-N")) {
      return `"${token}"`;
    }
    return NUMBER_START_REGEXP.test(token) && !isSafeNumber(token) ? `"${token}"` : token;
  });
}

const NUMBER_START_REGEXP = /^-?\d/;

function wellFormedToken(token: string): string {
  try {
    return JSON.stringify(String(JSON.parse(token)).toWellFormed());
  } catch {
    return JSON.stringify(token.slice(1, -1).toWellFormed());
  }
}

/** Whether a double of this decimal text has the same value, so that a client's reading does not change it. */
export function isSafeNumber(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (Object.is(value, -0)) return false;
  if (token.length <= 15) return !/[eE]/.test(token) || plainDigits(token) === plainDigits(String(value));
  return plainDigits(token) === plainDigits(String(value));
}

/** Sign, digits and exponent of a decimal text without redundant zeros: equal for equal values. */
function plainDigits(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const negative = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = mantissa.replace(/^[-+]/, "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  if (trimmed === "") return "0";
  return `${negative ? "-" : ""}${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`;
}
