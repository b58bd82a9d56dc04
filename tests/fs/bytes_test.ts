/** Bytes of text: finding, lines, previews, and what is binary. @module */

import { equal, ok } from "node:assert/strict";
import {
  BINARY_HEAD_BYTES,
  ByteFinder,
  isBinary,
  lineAt,
  PREVIEW_BYTES_MAX,
  previewAt,
  wholeUntil,
} from "../../lib/fs/bytes.ts";
import { verifies } from "../support/verifies.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const find = (needle: string, text: string) => new ByteFinder(bytes(needle)).firstIn(bytes(text));

verifies("FS-30", "ByteFinder finds the first hit", () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ["a", "", -1],
    ["a", "a", 0],
    ["b", "ab", 1],
    ["ab", "aab", 1],
    ["aab", "aaab", 1],
    ["abab", "abaabab", 3],
    ["abcabd", "abcabcabd", 3],
    ["\n", "a\nb", 1],
    ["\u00e4", "xx\u00e4", 2],
    ["abc", "ab", -1],
    ["aa", "abab", -1],
  ];
  for (const [needle, text, at] of cases) equal(find(needle, text), at, `${needle} in ${text}`);
});

Deno.test("property: ByteFinder agrees with indexOf on random text", () => {
  const made = (length: number) => Array.from({ length }, () => Math.random() < 0.6 ? "a" : "b").join("");
  for (let turn = 0; turn < 5_000; turn++) {
    const [needle, text] = [made(1 + turn % 6), made(turn % 40)];
    equal(find(needle, text), text.indexOf(needle), `${needle} in ${text}`);
  }
});

verifies("FS-28", "ByteFinder reads each byte a bounded number of times", () => {
  const text = bytes("a".repeat(20_000));
  let reads = 0;
  const counted = new Proxy(text, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  equal(new ByteFinder(bytes(`${"a".repeat(500)}b`)).firstIn(counted), -1);
  ok(reads > 0 && reads <= 4 * text.length, `${reads} reads`);
});

verifies("FS-30", "previewAt() gives the line, or a part of it around the hit", () => {
  const text = bytes("first\nsecond line\r\nthird");
  equal(previewAt(text, 8), "second line");
  equal(previewAt(text, 0), "first");
  equal(previewAt(text, text.length - 1), "third");
  equal(lineAt(text, 0), 1);
  equal(lineAt(text, 5), 1);
  equal(lineAt(text, 6), 2);
  equal(lineAt(text, text.length - 1), 3);
});

verifies("FS-30", "previewAt() cuts long lines to at most 300 characters, between whole characters", () => {
  const exact = bytes("x".repeat(PREVIEW_BYTES_MAX));
  equal(previewAt(exact, 0), "x".repeat(PREVIEW_BYTES_MAX));
  for (const unit of ["x", "\u00e4", "\u65e5", "\u{1f600}"]) {
    const line = bytes(unit.repeat(2_000));
    for (const at of [0, bytes(unit).length * 1_000, bytes(unit).length * 1_999]) {
      const preview = previewAt(line, at);
      ok(preview.length <= 300, `${unit} ${preview.length}`);
      ok(!preview.includes("\ufffd") && preview.isWellFormed(), unit);
      equal(preview.startsWith("\u2026"), at > 0);
      equal(preview.endsWith("\u2026"), at < bytes(unit).length * 1_999);
    }
  }
});

verifies("FS-20", "isBinary() looks at the first 4,096 bytes", () => {
  const at = (position: number) => {
    const head = new Uint8Array(BINARY_HEAD_BYTES + 1).fill(97);
    head[position] = 0;
    return head;
  };
  equal(isBinary(at(0)), true);
  equal(isBinary(at(BINARY_HEAD_BYTES - 1)), true);
  equal(isBinary(at(BINARY_HEAD_BYTES)), false);
  equal(isBinary(new Uint8Array()), false);
});

Deno.test("wholeUntil() never cuts a character", () => {
  const text = bytes("a\u00e4\u65e5\u{1f600}");
  for (let at = 0; at <= text.length; at++) {
    ok(!new TextDecoder().decode(text.subarray(0, wholeUntil(text, at))).includes("\ufffd"), String(at));
  }
});
