/** What a cell looks like. @module */

import { equal } from "node:assert/strict";
import { cellKind, CLOSE_LOOK_CHARS_MAX, looksLikeName } from "../../../lib/records/cell_kinds.ts";

Deno.test.each([
  { cell: "0", kind: "number" },
  { cell: "-1,234.50", kind: "number" },
  { cell: "12,25", kind: "number" },
  { cell: ".097", kind: "number" },
  { cell: "1e-5", kind: "number" },
  { cell: "$1,200", kind: "number" },
  { cell: "45 %", kind: "number" },
  { cell: "1.234.567", kind: "number" },
  { cell: "(12.5)", kind: "number" },
  { cell: "2025-01-31", kind: "date" },
  { cell: "31.12.2025", kind: "date" },
  { cell: "1/2/2025 10:00", kind: "date" },
  { cell: "10:30", kind: "date" },
  { cell: "Jan 5 2000", kind: "date" },
  { cell: "Mon, 1 Jan 2025 10:00:00 +0000", kind: "date" },
  { cell: "10.0.0.1", kind: "address" },
  { cell: "10.0.0.0/8", kind: "address" },
  { cell: "v1.2.3-rc.1", kind: "version" },
  { cell: "123e4567-e89b-42d3-a456-426614174000", kind: "uuid" },
  { cell: "0x3f6fd5c8", kind: "hash" },
  { cell: "https://example.com/a", kind: "url" },
  { cell: "a.b@example.com", kind: "email" },
  { cell: "True", kind: "boolean" },
  { cell: "N/A", kind: "boolean" },
  { cell: "harbor", kind: undefined },
  { cell: "March of the harbor", kind: undefined },
  { cell: "", kind: undefined },
])("cellKind() $cell is $kind", ({ cell, kind }) => equal(cellKind(cell), kind));

Deno.test("cellKind() looks closely at short cells only", () => {
  equal(cellKind("1".repeat(CLOSE_LOOK_CHARS_MAX)), "number");
  equal(cellKind("1".repeat(CLOSE_LOOK_CHARS_MAX + 1)), undefined);
});

Deno.test.each([
  { cell: "id", is: true },
  { cell: "Cost Total $", is: true },
  { cell: "beløp", is: true },
  { cell: "名前", is: true },
  { cell: "dc:title", is: true },
  { cell: "Price (USD)", is: true },
  { cell: "No.", is: true },
  { cell: "#", is: true },
  { cell: "1990", is: false },
  { cell: "2025-01-01", is: false },
  { cell: "-", is: false },
  { cell: "id: 1", is: false },
  { cell: "a=1", is: false },
  { cell: "draw(1", is: false },
  { cell: "x)", is: false },
  { cell: "The harbor was late.", is: false },
  { cell: "if {", is: false },
  { cell: "", is: false },
])("looksLikeName() $cell is $is", ({ cell, is }) => equal(looksLikeName(cell), is));
