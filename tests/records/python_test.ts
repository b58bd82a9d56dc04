/** Python literals as `str()` prints them. @module */

import { deepEqual, equal } from "node:assert/strict";
import { columnsOf, contextOf, refusalOf, rowTexts, tableIn } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

/** The cells of a two-row column in which `literal` stands first. */
function cellOf(literal: string): string | null {
  const { table } = tableIn({ texts: [`[{'k': 'first', 'v': ${literal}}, {'k': 'other', 'v': None}]`] });
  return rowTexts(table, 0)["v"] ?? null;
}

Deno.test.each([
  { literal: "None", cell: null },
  { literal: "True", cell: "true" },
  { literal: "-12", cell: "-12" },
  { literal: "123456789012345678901", cell: "123456789012345678901" },
  { literal: "1e-07", cell: "1e-7" },
  { literal: "nan", cell: "NaN" },
  { literal: "-inf", cell: "-Infinity" },
  { literal: "'it\\'s'", cell: "it's" },
  { literal: '"it\'s"', cell: "it's" },
  { literal: "'a\\n\\t\\\\\\x41\\u00e9\\U0001f600'", cell: "a\n\t\\Aé😀" },
  { literal: "Decimal('0.50')", cell: "0.5" },
  { literal: "Decimal('12345678901234567890.12')", cell: "12345678901234567890.12" },
  { literal: "Decimal('NaN')", cell: "NaN" },
  { literal: "datetime.datetime(2025, 1, 2, 3, 4)", cell: "2025-01-02T03:04:00" },
  { literal: "datetime.datetime(2025, 1, 2, 3, 4, 5, 67)", cell: "2025-01-02T03:04:05.000067" },
  { literal: "datetime.datetime(2025, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)", cell: "2025-01-02T00:00:00+00:00" },
  {
    literal:
      "datetime.datetime(2025, 1, 2, 0, 0, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=68400)))",
    cell: "2025-01-02T00:00:00-05:00",
  },
  { literal: "datetime.date(2025, 1, 2)", cell: "2025-01-02" },
  { literal: "datetime.time(3, 4, 5)", cell: "03:04:05" },
  { literal: "datetime.timedelta(days=1, seconds=2)", cell: "datetime.timedelta(days=1, seconds=2)" },
  { literal: "UUID('0b1c9b9e-0000-4000-8000-000000000000')", cell: "0b1c9b9e-0000-4000-8000-000000000000" },
  { literal: "np.float64(1.5)", cell: "1.5" },
  { literal: "b'\\x00a'", cell: "b'\\x00a'" },
  { literal: "(1, ('a',), ())", cell: '[1,["a"],[]]' },
  { literal: "[{'a': {1: None}}]", cell: '[{"a":{"1":null}}]' },
])("a Python cell $literal reads $cell", ({ literal, cell }) => equal(cellOf(literal), cell));

verifies("JSON-13", "dicts in a list, on lines, or after a sentence are rows", () => {
  const rows = "{'id': 1, 'name': \"O'Neil\"}|{'id': 2, 'name': None}|{'id': 3, 'name': 'x'}".split("|");
  for (const text of [`[${rows.join(", ")}]`, rows.join("\n")]) {
    const { table } = tableIn({ texts: [text] });
    deepEqual(columnsOf(table), ["id:BIGINT", "name:VARCHAR"]);
    deepEqual([0, 1, 2].map((row) => rowTexts(table, row)["name"]), ["O'Neil", null, "x"]);
  }
  const said = tableIn({ texts: [`Rows: [${rows.join(", ")}]\nDone`] });
  deepEqual(contextOf(said), { "text before": '"Rows:"', "text after": '"Done"' });
  const named = tableIn({
    texts: ["{'columns': ['id', 'name'], 'rows': [(1, 'abcdefgh'), (2, 'abcdefgh')], 'more': True}"],
  });
  deepEqual(columnsOf(named.table), ["id:BIGINT", "name:VARCHAR"]);
  deepEqual(contextOf(named), { more: "true" });
});

verifies("JSON-13", "tuples without names, unknown objects, elided and cut lists are no table", () => {
  equal(refusalOf({ texts: ["[(1, 'a'), (2, 'b'), (3, 'c')]"] }), "no-rows");
  equal(refusalOf({ texts: ["[{'id': 1, 'x': <object at 0x7f>}, {'id': 2, 'x': 1}]"] }), "no-json");
  equal(refusalOf({ texts: ["[{'id': 1, 'x': Foo(1)}, {'id': 2, 'x': 1}]"] }), "no-json");
  equal(refusalOf({ texts: ["[{'id': 1, 'x': 1}, ..., {'id': 9, 'x': 1}]"] }), "no-json");
  equal(refusalOf({ texts: ["[{'id': 1, 'x': 'one'}, {'id': 2, 'x': 'tw"] }), "cut-off");
});
