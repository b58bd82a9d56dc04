/** Globs over tool names, and the filter made of them. @module */

import { equal } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { filterAllows, globLiteralChars, globMatches } from "../lib/globs.ts";

Deno.test.each([
  { glob: "read", name: "read", matches: true },
  { glob: "read", name: "Read", matches: false },
  { glob: "read", name: "reads", matches: false },
  { glob: "", name: "", matches: true },
  { glob: "", name: "a", matches: false },
  { glob: "*", name: "", matches: true },
  { glob: "*", name: "anything", matches: true },
  { glob: "re*", name: "read", matches: true },
  { glob: "*ad", name: "read", matches: true },
  { glob: "r*d*", name: "read_all", matches: true },
  { glob: "r*x", name: "read", matches: false },
  { glob: "re?d", name: "read", matches: true },
  { glob: "re?d", name: "red", matches: false },
  { glob: "*?", name: "", matches: false },
  { glob: "*a*b", name: "xaxbxab", matches: true },
  { glob: "a.c", name: "abc", matches: false },
  { glob: "[ab]", name: "a", matches: false },
])("globMatches($glob, $name) is $matches", ({ glob, name, matches }) => equal(globMatches(glob, name), matches));

Deno.test("globMatches() takes no more than the product of both lengths in steps", () => {
  // A matcher that tries every way to place the stars would not come back.
  equal(globMatches(`${"a*".repeat(50)}b`, "a".repeat(2_000)), false);
});

verifies("CONF-7", "filterAllows() lets everything through without lists, and deny has the last word", () => {
  equal(filterAllows({}, "x"), true);
  equal(filterAllows({ allow: [] }, "x"), false);
  equal(filterAllows({ allow: ["read_*"] }, "read_a"), true);
  equal(filterAllows({ allow: ["read_*"] }, "write"), false);
  equal(filterAllows({ deny: ["write*"] }, "write"), false);
  equal(filterAllows({ deny: ["write*"] }, "read"), true);
  equal(filterAllows({ allow: ["*"], deny: ["write*"] }, "write"), false);
});

Deno.test("globLiteralChars() counts the characters that stand for themselves", () => {
  equal(globLiteralChars("a*b?c"), 3);
  equal(globLiteralChars("*"), 0);
});
