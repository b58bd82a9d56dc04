/** Patterns over names and paths: what they match, what is refused, and that none is slow. @module */

import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { codePattern, namePattern, pathPattern, PATTERN_CHARS_MAX } from "../../lib/fs/glob.ts";
import { verifies } from "../support/verifies.ts";

const NAMES: readonly { readonly pattern: string; readonly yes: readonly string[]; readonly no: readonly string[] }[] =
  [
    { pattern: "a.txt", yes: ["a.txt"], no: ["A.txt", "aXtxt", "a.txt2"] },
    { pattern: "*", yes: ["", "a", "a.b"], no: [] },
    { pattern: "*.py", yes: [".py", "a.py", "a.b.py"], no: ["a.pyc", "py"] },
    { pattern: "a*", yes: ["a", "abc"], no: ["ba", ""] },
    { pattern: "a*b*c", yes: ["abc", "axxbxxc", "abbcc"], no: ["acb", "ab"] },
    { pattern: "**a", yes: ["a", "ba"], no: ["b"] },
    { pattern: "?", yes: ["a", "\u00e4", "\u{1f600}"], no: ["", "ab"] },
    { pattern: "[abc]", yes: ["a", "c"], no: ["d", "", "ab"] },
    { pattern: "[a-c]x", yes: ["ax", "cx"], no: ["dx", "-x"] },
    { pattern: "[!a-c]", yes: ["d", "-", "!"], no: ["b", ""] },
    { pattern: "[a-]", yes: ["a", "-"], no: ["b"] },
    { pattern: "[]a]", yes: ["]", "a"], no: ["b"] },
    { pattern: "[!]a]", yes: ["b"], no: ["]", "a"] },
    { pattern: "[z-a]*", yes: [], no: ["z", "a", "m"] },
    { pattern: "[\u{1f600}-\u{1f64f}]", yes: ["\u{1f610}"], no: ["a"] },
    { pattern: "a+b(c).txt", yes: ["a+b(c).txt"], no: ["aab(c).txt", "abc.txt"] },
    { pattern: "a]b", yes: ["a]b"], no: ["ab"] },
    { pattern: "a\\*", yes: ["a\\", "a\\x"], no: ["a*"] },
    { pattern: "x*?", yes: ["xa", "xab"], no: ["x"] },
  ];

verifies("FS-27", "namePattern() matches one name", () => {
  for (const { pattern, yes, no } of NAMES) {
    const fits = namePattern(pattern);
    for (const name of yes) equal(fits(name), true, `${pattern} fits ${name}`);
    for (const name of no) equal(fits(name), false, `${pattern} does not fit ${name}`);
  }
});

/** Whether a file fits, the way a walk finds out: folder by folder. */
function fits(pattern: string, path: string, fold?: (text: string) => string): boolean {
  const compiled = pathPattern(pattern, fold);
  const parts = path.split("/");
  const state = parts.slice(0, -1).reduce((at, name) => compiled.into(at, name), compiled.start);
  return compiled.matchesFile(state, parts.at(-1) ?? "");
}

const PATHS: readonly { readonly pattern: string; readonly yes: readonly string[]; readonly no: readonly string[] }[] =
  [
    { pattern: "*.py", yes: ["a.py", "x/y/a.py"], no: ["a.txt", "a.py/b"] },
    { pattern: "pkg/*.py", yes: ["pkg/a.py"], no: ["a.py", "pkg/sub/a.py", "x/pkg/a.py"] },
    { pattern: "./pkg/*.py", yes: ["pkg/a.py"], no: ["a.py"] },
    { pattern: "pkg//*.py", yes: ["pkg/a.py"], no: ["a.py"] },
    { pattern: "**/*.py", yes: ["a.py", "x/y/a.py"], no: ["a.pyc"] },
    { pattern: "pkg/**/*.py", yes: ["pkg/a.py", "pkg/x/y/a.py"], no: ["a.py", "x/pkg/a.py"] },
    { pattern: "pkg/**", yes: ["pkg/a", "pkg/x/y"], no: ["a", "x/pkg/a", "pkg"] },
    { pattern: "**", yes: ["a", "x/y/z"], no: [] },
    { pattern: "**/**", yes: ["a", "x/y/z"], no: [] },
    { pattern: "**/a/**/b", yes: ["a/b", "x/a/b", "a/y/z/b", "a/a/b"], no: ["b", "a", "b/a"] },
    { pattern: "a/*/b", yes: ["a/x/b"], no: ["a/b", "a/x/y/b"] },
    { pattern: "*/*", yes: ["x/a"], no: ["a", "x/y/a"] },
    { pattern: "a**b/c", yes: ["axxb/c", "ab/c"], no: ["a/b/c"] },
  ];

verifies("FS-27", "pathPattern() matches the name at any depth without '/', and the path with it", () => {
  for (const { pattern, yes, no } of PATHS) {
    for (const path of yes) equal(fits(pattern, path), true, `${pattern} fits ${path}`);
    for (const path of no) equal(fits(pattern, path), false, `${pattern} does not fit ${path}`);
  }
});

verifies("FS-27", "pathPattern() brings pattern and names into one form", () => {
  const fold = (text: string) => text.normalize("NFC").toLowerCase();
  equal(fits("B\u00dcRO/*.TXT", "bu\u0308ro/a.txt", fold), true);
});

verifies("FS-27", "pathPattern() refuses what it could only misread", () => {
  for (const pattern of ["", "/a", "../a", "a/..", "a/../b", "[abc", "a/[!", "a/", "/", ".", "./", "a\0b", "\ud800"]) {
    throws(() => pathPattern(pattern), { name: "PatternError" }, JSON.stringify(pattern));
  }
  pathPattern("x".repeat(PATTERN_CHARS_MAX));
  throws(() => pathPattern("x".repeat(PATTERN_CHARS_MAX + 1)), /longer than 1000/);
});

verifies("FS-28", "pathPattern() says when nothing below a folder can match", () => {
  const pattern = pathPattern("src/*/x.ts");
  deepEqual(pattern.into(pattern.start, "lib"), []);
  const inside = pattern.into(pattern.start, "src");
  ok(inside.length > 0);
  deepEqual(pattern.into(pattern.into(inside, "a"), "b"), []);
  ok(pathPattern("**/x").into(pathPattern("**/x").start, "any").length > 0);
});

/** Counts steps instead of milliseconds: how often a character of the name is read. */
function readsOf(pattern: string, name: string): number {
  let reads = 0;
  const codes = new Proxy(Array.from(name, (char) => char.codePointAt(0) ?? 0), {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key);
    },
  });
  codePattern(pattern)(codes);
  return reads;
}

verifies("FS-28", "codePattern() takes at most name length times pattern length steps, whatever the stars", () => {
  const name = "a".repeat(200);
  for (
    const pattern of ["*a*a*a*a*a*a*a*ab", `${"*a".repeat(100)}b`, `${"*?".repeat(50)}b`, `${"[a-z]*".repeat(80)}b`]
  ) {
    const reads = readsOf(pattern, name);
    ok(reads > 0, pattern);
    ok(reads <= (name.length + 1) * (pattern.length + 1), `${pattern}: ${reads} reads`);
  }
});

Deno.test("property: pathPattern() agrees with a plain recursive matcher on random patterns and paths", () => {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;
  const made = (length: number, make: () => string, between: string) => {
    return Array.from({ length: 1 + Math.floor(Math.random() * length) }, make).join(between);
  };
  for (let turn = 0; turn < 3_000; turn++) {
    const pattern = made(3, () => pick(["**", made(3, () => pick(["a", "b", "*", "?", "[ab]", "[!a]"]), "")]), "/");
    const path = made(4, () => made(3, () => pick(["a", "b"]), ""), "/");
    equal(fits(pattern, path), slowly(pattern, path), `${pattern} on ${path}`);
  }
});

/** The meaning of a pattern, written as plainly as can be. */
function slowly(pattern: string, path: string): boolean {
  const segments = pattern.includes("/") ? pattern.split("/") : ["**", pattern];
  return segmentsFit(segments, path.split("/"));
}

function segmentsFit(segments: readonly string[], names: readonly string[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined) return names.length === 0;
  if (segment === "**") {
    if (rest.length === 0) return names.length > 0;
    return names.some((_, skipped) => segmentsFit(rest, names.slice(skipped)));
  }
  const [name, ...below] = names;
  return name !== undefined && charsFit([...segment.matchAll(/\[!?[^\]]+\]|./g)].map(([token]) => token), [...name]) &&
    segmentsFit(rest, below);
}

function charsFit(tokens: readonly string[], chars: readonly string[]): boolean {
  const [token, ...rest] = tokens;
  if (token === undefined) return chars.length === 0;
  if (token === "*") return [...chars, ""].some((_, skipped) => charsFit(rest, chars.slice(skipped)));
  const [char, ...more] = chars;
  if (char === undefined) return false;
  const isFit = token === "?" || token === char ||
    (token.startsWith("[!") ? !token.slice(2).includes(char) : token.startsWith("[") && token.includes(char));
  return isFit && charsFit(rest, more);
}
