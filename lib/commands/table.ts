/** Rows of cells as text: aligned columns, each on one line. @module */

import { printable } from "../log.ts";

/** How a table is written. */
export interface TableOptions {
  /** Characters of a line, beyond which the last column is cut; undefined cuts nothing. */
  readonly columns?: number | undefined;
  /** Whether the header is set off by terminal codes. */
  readonly colours?: boolean | undefined;
}

/** Characters between two columns. */
const GAP = "  ";

/** Characters of a line that are left to the last column at least. */
const LAST_COLUMN_CHARS_MIN = 20;

/** Text that is a number, and so stands on the right. */
const NUMBER_REGEXP = /^-?\d+(\.\d+)?$/;

function lengthOf(text: string): number {
  return [...text].length;
}

function cut(text: string, chars: number): string {
  const letters = [...text];
  return letters.length > chars ? `${letters.slice(0, chars - 1).join("")}…` : text;
}

/**
 * A table with a header, its columns aligned, numbers to the right. Control characters in cells are escaped, so that
 * no cell can reach the terminal or forge a line.
 */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const cells = [header, ...rows].map((row) => header.map((_, index) => printable(row[index] ?? "")));
  const numeric = header.map((_, index) => rows.length > 0 && cells.slice(1).every((row) => isNumber(row[index])));
  const widths = header.map((_, index) => cells.reduce((width, row) => Math.max(width, lengthOf(row[index] ?? "")), 0));
  const last = header.length - 1;
  if (options.columns !== undefined && last >= 0) {
    const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
    widths[last] = Math.min(widths[last] ?? 0, Math.max(LAST_COLUMN_CHARS_MIN, options.columns - before));
  }
  const lines = cells.map((row) =>
    row.map((cell, index) => {
      const width = widths[index] ?? 0;
      const text = index === last ? cut(cell, width) : cell;
      const padding = " ".repeat(Math.max(0, width - lengthOf(text)));
      return numeric[index] ? padding + text : text + padding;
    }).join(GAP).trimEnd()
  );
  const [head = "", ...body] = lines;
  return [options.colours ? `\x1b[1m${head}\x1b[22m` : head, ...body, ""].join("\n");
}

function isNumber(cell: string | undefined): boolean {
  return cell === "" || NUMBER_REGEXP.test(cell ?? "");
}
