/** Spelling of paths, on this system and on Windows. @module */

import { deepEqual, equal, throws } from "node:assert/strict";
import { PATH_BYTES_MAX, type PathStyle, relativeParts } from "../../lib/fs/names.ts";
import { Refusal, type Rule } from "../../lib/fs/refusal.ts";
import { isWindowsAbsolute, windowsNameProblem } from "../../lib/fs/windows.ts";
import { verifies } from "../support/verifies.ts";

function ruleOf(text: string, style: PathStyle = "posix"): Rule | "none" {
  try {
    relativeParts(text, style);
    return "none";
  } catch (error) {
    if (error instanceof Refusal) return error.rule;
    throw error;
  }
}

const SPELLINGS: readonly { readonly text: string; readonly parts: readonly string[] }[] = [
  { text: "", parts: [] },
  { text: ".", parts: [] },
  { text: "./", parts: [] },
  { text: "a", parts: ["a"] },
  { text: "a/b", parts: ["a", "b"] },
  { text: "a//b/", parts: ["a", "b"] },
  { text: "./a/../b", parts: ["b"] },
  { text: "a/b/../../c", parts: ["c"] },
  { text: "%2e%2e/a", parts: ["%2e%2e", "a"] },
  { text: "~/a", parts: ["~", "a"] },
  { text: "\u2024\u2024/a", parts: ["\u2024\u2024", "a"] },
  { text: "..\\a", parts: ["..\\a"] },
  { text: "...", parts: ["..."] },
  { text: "..a/.b", parts: ["..a", ".b"] },
  { text: "C:/a", parts: ["C:", "a"] },
  { text: "new\nline", parts: ["new\nline"] },
];

verifies("FS-7", "relativeParts() resolves dots by spelling and decodes nothing", () => {
  for (const { text, parts } of SPELLINGS) deepEqual(relativeParts(text, "posix"), parts, JSON.stringify(text));
});

verifies("FS-7", "relativeParts() refuses what climbs out or is no path", () => {
  for (const text of ["..", "../a", "a/../..", "a/../../b", "a/../../a", "/", "/etc/passwd", "//a"]) {
    equal(ruleOf(text), "confinement", text);
  }
  for (const text of ["a\0", "\0", "a\ud800", "\udc00/b"]) equal(ruleOf(text), "syntax", JSON.stringify(text));
});

verifies("FS-7", "relativeParts() takes 4,096 bytes and no more", () => {
  equal(ruleOf("x".repeat(PATH_BYTES_MAX)), "none");
  equal(ruleOf("x".repeat(PATH_BYTES_MAX + 1)), "syntax");
  equal(ruleOf("\u00fc".repeat(PATH_BYTES_MAX / 2)), "none");
  equal(ruleOf("\u00fc".repeat(PATH_BYTES_MAX / 2) + "x"), "syntax");
});

verifies("FS-16", "relativeParts() refuses what Windows would read elsewhere", () => {
  const refused = [
    "C:\\x",
    "c:/x",
    "C:x",
    "\\x",
    "/x",
    "\\\\host\\share\\x",
    "//host/share/x",
    "\\\\?\\C:\\x",
    "\\\\.\\PhysicalDrive0",
    "\\??\\C:\\x",
    "..\\x",
    "a\\..\\..\\x",
    "..\\/../x",
  ];
  for (const text of refused) equal(ruleOf(text, "windows"), "confinement", text);
  deepEqual(relativeParts("a\\b/c", "windows"), ["a", "b", "c"]);
  deepEqual(relativeParts("a\\..\\b", "windows"), ["b"]);
});

verifies("FS-16", "windowsNameProblem() knows devices, streams, short names and endings", () => {
  const bad = [
    "nul",
    "NUL",
    "nul.txt",
    "Con",
    "aux.",
    "prn .x",
    "COM1",
    "lpt9.log",
    "com\u00b9",
    "CONIN$",
    "conout$.x",
    "clock$",
    "a.txt:s",
    "a.txt::$DATA",
    ".git::$INDEX_ALLOCATION",
    "a.",
    "a ",
    ".env.",
    "PROGRA~1",
    "GIT~1.TXT",
    "a<b",
    "a|b",
    "a?",
    "a*",
    'a"',
    "a\u0001",
    "nul:",
  ];
  for (const name of bad) equal(typeof windowsNameProblem(name), "string", name);
  const fine = ["a", "null", "console.log", "com", "com10", "lpt", ".env", "a.b c", "nulx", "~a", "a~b", "..", "."];
  for (const name of fine) equal(windowsNameProblem(name), undefined, name);
});

verifies("FS-16", "relativeParts() names the Windows name that it refuses", () => {
  throws(() => relativeParts("sub\\NUL", "windows"), /path holds the name 'NUL': it is the name of a device/);
  equal(isWindowsAbsolute("a/b"), false);
});
