/** Box tables and psql's aligned output. @module */

import { deepEqual, equal } from "node:assert/strict";
import { verifies } from "../../support/verifies.ts";
import { isMadeTable, isRefused, lines, NAMES, recordsOf, ROWS } from "./reading.ts";

const SOURCE = "text:box-table";
const WIDTHS = [4, 9, 5];
const padded = (cells: readonly string[]) => cells.map((cell, i) => ` ${cell.padEnd((WIDTHS[i] ?? 0) - 1)}`);
const border = (left: string, line: string, cross: string, right: string) =>
  left + WIDTHS.map((width) => line.repeat(width)).join(cross) + right;
const row = (cells: readonly string[], side: string) => side + padded(cells).join(side) + side;

function box([top, middle, bottom]: readonly string[], side: string, between?: string): string {
  const body = ROWS.map((cells) => row(cells, side)).join(between === undefined ? "\n" : `\n${between}\n`);
  return `${top}\n${row(NAMES, side)}\n${middle}\n${body}\n${bottom}\n`;
}

const ASCII = [border("+", "-", "+", "+"), border("+", "-", "+", "+"), border("+", "-", "+", "+")];
const LIGHT = [border("┌", "─", "┬", "┐"), border("├", "─", "┼", "┤"), border("└", "─", "┴", "┘")];
const DOUBLE = [border("╔", "═", "╦", "╗"), border("╠", "═", "╬", "╣"), border("╚", "═", "╩", "╝")];
const GRID = [border("+", "-", "+", "+"), border("+", "=", "+", "+"), border("+", "-", "+", "+")];

verifies("TEXT-15", "boxes of any lines are read", () => {
  isMadeTable(box(ASCII, "|"), SOURCE);
  isMadeTable(box(LIGHT, "│"), SOURCE);
  isMadeTable(box(DOUBLE, "║"), SOURCE);
  isMadeTable(box(GRID, "|", border("+", "-", "+", "+")), SOURCE);
});

verifies("TEXT-15 TEXT-3", "titles, types and counts of a box are residue", () => {
  const [top = "", middle = "", bottom = ""] = LIGHT;
  const typed = `${top}\n${row(NAMES, "│")}\n${row(["int64", "varchar", "int"], "│")}\n${middle}\n` +
    `${lines((cells) => row(cells, "│"))}\n├${"─".repeat(20)}┤\n│ 30 rows  3 columns │\n${bottom}`;
  const { rows, residue } = recordsOf(typed, SOURCE);
  deepEqual(rows, ROWS);
  deepEqual(residue, ["int64 | varchar | int", "30 rows  3 columns"]);
  isMadeTable(`${box(ASCII, "|")}30 rows in set (0.00 sec)\n`, SOURCE, ["30 rows in set (0.00 sec)"]);
});

verifies("TEXT-15 TEXT-6", "boxes with rows left out, cells cut or cells wrapped are refused", () => {
  const light = box(LIGHT, "│");
  const dots = row(["·", "·", "·"], "│");
  isRefused(light.replace(row(ROWS[9] ?? [], "│"), [dots, dots, dots].join("\n")), "rows-elided");
  isRefused(`${box(ASCII, "|")}300 rows in set\n`, "rows-elided");
  isRefused(light.replace(" harbor ", " harb…  "), "cells-cut");
  isRefused(light.replace(row(ROWS[9] ?? [], "│"), row(["", "and on", ""], "│")), "cells-wrapped");
  isRefused(
    box(GRID, "|", border("+", "-", "+", "+")).replace(
      row(ROWS[9] ?? [], "|"),
      `${row(ROWS[9] ?? [], "|")}\n${row(["", "x", ""], "|")}`,
    ),
    "cells-wrapped",
  );
  isRefused(light.replace("│ 9 ", "│ 9│"), "row-width");
  isRefused(`${light}\n${light}`, "several-tables");
  isRefused(`${box(ASCII, "|")}WARN: more\n${row(ROWS[9] ?? [], "|")}\n`, "rows-elsewhere");
});

verifies("TEXT-15", "a row with empty cells is a row when its numbers are there", () => {
  const { rows } = recordsOf(box(LIGHT, "│").replace(row(ROWS[9] ?? [], "│"), row(["9", "", "27"], "│")), SOURCE);
  deepEqual(rows[9], ["9", "", "27"]);
});

verifies("TEXT-15 TEXT-6", "a box that was drawn open and never closed was cut", () => {
  for (const [frame, side] of [[ASCII, "|"], [LIGHT, "│"]] as const) {
    const whole = box(frame, side).trimEnd().split("\n");
    equal(recordsOf(whole.join("\n"), SOURCE).rows.length, ROWS.length);
    isRefused(whole.slice(0, -1).join("\n"), "box-open");
    isRefused(`${whole.slice(0, -4).join("\n")}\n${whole.at(-3)?.slice(0, 8)}`, "box-open");
    equal(recordsOf(whole.slice(1, -1).join("\n"), SOURCE).rows.length, ROWS.length);
  }
});

const RULE = "----+---------+-----";
const aligned = (body: string, foot = "(30 rows)\n") => ` id |  name   | qty \n${RULE}\n${body}\n${foot}`;
const BODY = lines(([id = "", name = "", qty = ""]) => ` ${id.padStart(2)} | ${name.padEnd(7)} | ${qty.padStart(3)}`);

verifies("TEXT-16", "psql's aligned output is read, its count is residue", () => {
  isMadeTable(aligned(BODY), SOURCE, ["(30 rows)"]);
  isMadeTable(` id │  name   │ qty \n────┼─────────┼─────\n${BODY.replaceAll("|", "│")}\n`, SOURCE);
  equal(recordsOf(`List of things\n${aligned(BODY)}`, SOURCE).residue[0], "List of things");
});

verifies("TEXT-16 TEXT-6", "aligned output with wrapped cells, other counts or widths is refused", () => {
  isRefused(aligned(BODY, "(31 rows)\n"), "rows-elided");
  isRefused(aligned(BODY.replace("harbor  |", "harbor +|")), "cells-wrapped");
  isRefused(aligned(BODY.replace("harbor ", "har|bor")), "row-width");
  isRefused(aligned(`${BODY}\n 30 | har`), "row-width");
  isRefused(`${aligned(BODY)}\n${aligned(BODY)}`, "several-tables");
  isRefused(`${aligned(BODY, "")}\n 30 | harbor  |   9\n`, "rows-elsewhere");
});
