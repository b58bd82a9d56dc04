import { deepEqual, equal } from "node:assert/strict";
import {
  bytesOf,
  digitsOf,
  elementsOf,
  endOfValue,
  MemberNames,
  memberOf,
  membersOf,
  type Span,
  stringAt,
  textOf,
  valueAt,
  valueOf,
} from "../../lib/wire/mod.ts";
import { Random } from "../support/random.ts";
import { verifies } from "../support/verifies.ts";

function slice(text: string, span: Span | undefined): string | undefined {
  return span && textOf(bytesOf(text).subarray(span.start, span.end));
}

verifies("WIRE-5", "memberOf() gives the place of a value, whatever stands around it", () => {
  const text = ' { "a" : [1, {"b":"}"}] , "b" : "x\\"y,{" , "c":-1.50e3,"d": null } ';
  const bytes = bytesOf(text);
  equal(slice(text, memberOf(bytes, 0, "a")), '[1, {"b":"}"}]');
  equal(slice(text, memberOf(bytes, 0, "b")), '"x\\"y,{"');
  equal(slice(text, memberOf(bytes, 0, "c")), "-1.50e3");
  equal(slice(text, memberOf(bytes, 0, "d")), "null");
  equal(memberOf(bytes, 0, "e"), undefined);
});

verifies("WIRE-5", "memberOf() takes the last of members with one name, and decodes names with escapes", () => {
  const text = '{"id":1,"\\u0069d":2,"i":3,"id2":4}';
  equal(slice(text, memberOf(bytesOf(text), 0, "id")), "2");
  const awkward = '{"__proto__":1,"":2,"a\\"b":3}';
  equal(slice(awkward, memberOf(bytesOf(awkward), 0, "__proto__")), "1");
  equal(slice(awkward, memberOf(bytesOf(awkward), 0, "")), "2");
  equal(slice(awkward, memberOf(bytesOf(awkward), 0, 'a"b')), "3");
});

Deno.test.each([
  { text: '{"a":1' },
  { text: '{"a"}' },
  { text: '{"a":}' },
  { text: '{"a":"x}' },
  { text: '{"a":1,}' },
  { text: '{"a":[1,2}' },
  { text: "{a:1}" },
  { text: "[1]" },
  { text: "" },
])("membersOf() finds no object in $text", ({ text }) => equal(membersOf(bytesOf(text), 0), undefined));

Deno.test.each([
  { text: "[]", elements: [] },
  { text: ' [ 1 , [2,3] , "a]" ] ', elements: ["1", "[2,3]", '"a]"'] },
])("elementsOf() splits $text", ({ text, elements }) => {
  deepEqual(elementsOf(bytesOf(text), 0)?.map((span) => slice(text, span)), elements);
});

Deno.test.each([{ text: "[1,]" }, { text: "[1" }, { text: "{}" }, { text: "[1 2]" }])(
  "elementsOf() finds no array in $text",
  ({ text }) => equal(elementsOf(bytesOf(text), 0), undefined),
);

verifies("WIRE-5", "endOfValue() ends long strings where they end, also among backslashes", () => {
  for (const length of [0, 190, 191, 192, 193, 500]) {
    for (const ending of ["", "\\\\", '\\"', '\\\\\\"', "\\\\\\\\"]) {
      const value = `"${"x".repeat(length)}${ending}"`;
      equal(endOfValue(bytesOf(`${value},"next":"y"`), 0), value.length, `${length} ${ending}`);
    }
  }
});

verifies("WIRE-5", "valueAt() agrees with JSON.parse() on random values", () => {
  const random = new Random(7);
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 3 ? 4 : 6);
    if (kind === 0) return random.below(1000) / 8;
    if (kind === 1) return 'a"\\{}[],:é😀\n'.repeat(random.below(40));
    if (kind === 2) return random.below(2) === 0;
    if (kind === 3) return null;
    if (kind === 4) return Array.from({ length: random.below(5) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: random.below(5) }, (_, i) => [`k${i}"\\`, value(depth + 1)]));
  };
  for (let i = 0; i < 300; i++) {
    const whole = { before: value(0), wanted: value(0), after: value(0) };
    const text = JSON.stringify({ outer: whole }, null, random.below(3));
    deepEqual(valueOf(bytesOf(text), valueAt(bytesOf(text), 0, ["outer", "wanted"])), whole.wanted);
  }
});

Deno.test("stringAt() decodes strings and nothing else", () => {
  const at = (text: string) => stringAt(bytesOf(text), { start: 0, end: text.length });
  equal(at('"a"'), "a");
  equal(at('"\\u0061\\n"'), "a\n");
  equal(at("12"), undefined);
  equal(at('"\\x"'), undefined);
});

Deno.test("digitsOf() writes whole numbers", () => {
  for (const number of [0, 7, 10, 99, 100, 123_456_789_012_345]) equal(textOf(digitsOf(number)), String(number));
});

verifies("WIRE-5", "MemberNames.at() finds names as they are written, in escapes too, and no others", () => {
  const names = new MemberNames(["id", "ab", "method", "_meta"]);
  const found = (text: string) => names.at(bytesOf(text), 0, text.length);
  equal(found('"id"'), "id");
  equal(found('"ab"'), "ab");
  equal(found('"_meta"'), "_meta");
  equal(found('"\\u0069d"'), "id");
  equal(found('"met\\u0068od"'), "method");
  for (const other of ['""', '"ID"', '"i"', '"ids"', '"\\u0069"', '"metho"', '"\\u0069d "', '"__proto__"', '"\\q"']) {
    equal(found(other), undefined, other);
  }
});
