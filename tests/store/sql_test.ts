/** Tests of lib/store/sql.ts. @module */

import { deepEqual, equal, throws } from "node:assert/strict";
import { quoteIdentifier, quoteLiteral, uniqueNames } from "../../lib/store/sql.ts";

Deno.test("quoteIdentifier() doubles quotes and keeps the rest", () => {
  equal(quoteIdentifier('a"; DROP TABLE b; --'), '"a""; DROP TABLE b; --"');
  equal(quoteIdentifier(""), '""');
});

Deno.test("quoteLiteral() doubles quotes and refuses NUL", () => {
  equal(quoteLiteral("it's"), "'it''s'");
  throws(() => quoteLiteral("a\0b"), /unreachable/);
});

Deno.test.each([
  { names: ["a", "b"], unique: ["a", "b"] },
  { names: ["a", "a", "a"], unique: ["a", "a_2", "a_3"] },
  { names: ["a", "A"], unique: ["a", "A_2"] },
  { names: ["a", "a", "a_2"], unique: ["a", "a_3", "a_2"] },
  { names: ["a_2", "a", "a"], unique: ["a_2", "a", "a_3"] },
  { names: ["", ""], unique: ["", "_2"] },
  { names: ["__proto__", "constructor", "__PROTO__"], unique: ["__proto__", "constructor", "__PROTO___2"] },
])("uniqueNames() makes $names unique", ({ names, unique }) => deepEqual(uniqueNames(names), unique));
