/** File name patterns, matched without backtracking that could explode. @module */

/** Characters that a pattern may have. */
export const PATTERN_CHARS_MAX = 1_000;

type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "set"; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] };

/** A pattern that cannot be read; the message says why. */
export class PatternError extends Error {
  /** @param message What is wrong with the pattern. */
  constructor(message: string) {
    super(message);
    this.name = "PatternError";
  }
}

/** Whether one name fits. */
export type NamePredicate = (name: string) => boolean;

/**
 * Compiles a pattern over one name: `*` is any run of characters, `?` one, `[…]` and `[!…]` a set with ranges, and all
 * else itself. Matching takes at most name length × pattern length steps.
 *
 * @throws {PatternError} for a `[` that is never closed.
 */
export function namePattern(pattern: string): NamePredicate {
  const tokens = tokensOf(pattern);
  if (tokens.every((token) => token.kind === "char")) return (name) => name === pattern;
  if (tokens.every((token) => token.kind === "star")) return () => true;
  const [first, ...rest] = tokens;
  if (first?.kind === "star" && rest.every((token) => token.kind === "char")) {
    const suffix = pattern.replace(/^\*+/, "");
    return (name) => name.endsWith(suffix);
  }
  const fits = codePattern(pattern);
  return (name) => fits(Array.from(name, (char) => char.codePointAt(0) ?? 0));
}

/** What {@link namePattern} does with a name that is no simple case, over the code points of the name. */
export function codePattern(pattern: string): (codes: readonly number[]) => boolean {
  const tokens = tokensOf(pattern);
  return (codes) => matches(tokens, codes);
}

function tokensOf(pattern: string): readonly Token[] {
  const chars = Array.from(pattern);
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "[") {
      const end = closingBracket(chars, at);
      tokens.push(setOf(chars.slice(at + 1, end)));
      at = end;
    } else tokens.push({ kind: "char", code: char.codePointAt(0) ?? 0 });
  }
  return tokens;
}

/** A `]` right after `[` or `[!` is a member of the set. */
function closingBracket(chars: readonly string[], open: number): number {
  const first = chars[open + 1] === "!" ? open + 2 : open + 1;
  const end = chars.indexOf("]", first + 1);
  if (end < 0) throw new PatternError("'[' is never closed");
  return end;
}

function setOf(inner: readonly string[]): Token {
  const negated = inner[0] === "!";
  const members = negated ? inner.slice(1) : inner;
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at++) {
    const low = members[at]?.codePointAt(0) ?? 0;
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    const high = isRange ? members[at + 2]?.codePointAt(0) ?? 0 : low;
    ranges.push([low, high]);
    if (isRange) at += 2;
  }
  return { kind: "set", negated, ranges };
}

function fits(token: Token, code: number): boolean {
  if (token.kind === "char") return token.code === code;
  if (token.kind === "set") return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
  return true;
}

/** Only the last star is ever tried again: whatever an earlier one could give, the later one can as well. */
function matches(tokens: readonly Token[], codes: readonly number[]): boolean {
  let at = 0, token = 0, star = -1, starAt = 0;
  while (at < codes.length) {
    const next = tokens[token];
    if (next?.kind === "star") {
      star = token++;
      starAt = at;
    } else if (next !== undefined && fits(next, codes[at] ?? 0)) {
      at++;
      token++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

/** Where a walk stands within a path pattern: the segments that the next name may be matched by. */
export type PatternState = readonly number[];

/** A pattern over relative paths, followed folder by folder as a walk goes down. */
export interface PathPattern {
  /** Where the walk stands at the root. */
  readonly start: PatternState;
  /** Whether a file called `name` in a folder that was reached with `state` fits. */
  matchesFile(state: PatternState, name: string): boolean;
  /** The state inside the folder called `name`; empty when nothing below it can fit. */
  into(state: PatternState, name: string): PatternState;
}

type Segment = "deep" | NamePredicate;

/**
 * Compiles a pattern over paths: as {@link namePattern} within a segment, and `**` as a whole segment for any number of
 * folders. Without a `/` it is matched against the base name at any depth. Each name costs at most one match per
 * segment, whatever the depth, and no name is ever matched twice.
 *
 * @param text The pattern as it was asked for.
 * @param fold Brings pattern and names into one form (Unicode form, and case where the file system ignores it).
 * @throws {PatternError} for a pattern that is empty, too long, absolute, climbs, or has an unclosed `[`.
 */
export function pathPattern(text: string, fold: (text: string) => string = (name) => name): PathPattern {
  const segments = segmentsOf(text, fold);
  const last = segments.length - 1;
  // "deep" may stand for no folder at all, so a state holds what follows it as well.
  const closed = (positions: readonly number[]): PatternState => {
    const state = new Set<number>();
    for (let position of positions) {
      state.add(position);
      while (segments[position] === "deep" && position < last) state.add(++position);
    }
    return [...state];
  };
  return {
    start: closed([0]),
    matchesFile(state, name) {
      const segment = state.includes(last) ? segments[last] : undefined;
      return segment === "deep" || (segment?.(fold(name)) ?? false);
    },
    into(state, name) {
      const folded = fold(name);
      return closed(state.flatMap((position) => {
        const segment = segments[position];
        if (segment === "deep") return [position];
        return position < last && segment?.(folded) ? [position + 1] : [];
      }));
    },
  };
}

function segmentsOf(text: string, fold: (text: string) => string): readonly Segment[] {
  if (text === "") throw new PatternError("it is empty; '*' finds every file");
  if (text.length > PATTERN_CHARS_MAX) throw new PatternError(`it is longer than ${PATTERN_CHARS_MAX} characters`);
  if (!text.isWellFormed() || text.includes("\0")) throw new PatternError("it holds a NUL or half of a surrogate pair");
  if (text.startsWith("/")) throw new PatternError("it is absolute; patterns start at the root");
  const names = text.split("/").filter((name) => name !== ".");
  if (names.includes("..")) throw new PatternError("it holds '..'");
  if (names.at(-1) === "") throw new PatternError("it ends in '/'; add '**' to find every file below that folder");
  const segments = names.filter((name) => name !== "").map((name) => name === "**" ? "deep" : namePattern(fold(name)));
  if (segments.length === 0) throw new PatternError("it names no file; '*' finds every file");
  return text.includes("/") ? segments : ["deep", ...segments];
}
