/** Tables of chance, written in every form that the tiers read. @module */

import type { Random } from "../../support/random.ts";

/** Cells of text under names. */
export interface Written {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One form: what it writes, and what its cells are once read. */
export interface Writer {
  readonly name: string;
  readonly write: (table: Written, random: Random) => string;
  /** The cell as the form can hold it: without the blanks or line ends that it has no place for. */
  readonly cell: (cell: string) => string;
}

const PIECES = [
  "harbor",
  "O'Neil",
  " ",
  "  ",
  ",",
  ", ",
  ";",
  "|",
  " | ",
  "`",
  '"',
  "\\",
  ":",
  ": ",
  "key: value",
  "\n",
  "\n\n",
  "\t",
  "---",
  "…",
  "...",
  "<b>",
  "&amp;",
  "é",
  "漢字",
  "😀",
  "\u00a0",
  "#",
  "- ",
  "1. ",
  "{}",
  "[1, 2]",
  "Total",
  "*",
  "null",
  "~",
  "+",
];

/** A table of three to six columns; the first is a number, others are words, numbers, dates or nearly anything. */
export function anyTable(random: Random): Written {
  const wild = random.chance(0.5);
  const kinds = ["count", ...random.list(2, 5, () => random.pick(["word", "number", "date", "text", "maybe"]))];
  const header = kinds.map((kind, i) => `${kind}_${i}`);
  const rows = random.list(6, 40, (row) => kinds.map((kind) => anyCell(random, kind, row, wild)));
  return { header, rows };
}

function anyCell(random: Random, kind: string, row: number, wild: boolean): string {
  if (kind === "count") return String(row + 1);
  if (kind === "number") return String(random.below(100_000) / 100);
  if (kind === "date") return `2025-0${1 + random.below(9)}-${10 + random.below(18)}`;
  if (kind === "maybe" && random.chance(0.3)) return "";
  if (kind === "word" || !wild) return random.pick(["harbor", "lantern", "meadow", "New York", "copper"]);
  return random.list(0, 4, () => random.pick(PIECES)).join("");
}

const trimmed = (cell: string) => cell.replaceAll(/^[ \t]+|[ \t]+$/g, "");
const oneLine = (cell: string) => cell.replaceAll(/[\n\t]/g, " ");
const trimmedLine = (cell: string) => trimmed(oneLine(cell));
const widths = ({ header, rows }: Written) =>
  header.map((name, i) => Math.max(name.length, ...rows.map((row) => oneLine(row[i] ?? "").length)));

function quoted(cell: string, delimiter: string, random: Random): string {
  const needed = cell.includes(delimiter) || /["\n\r]/.test(cell) || cell.startsWith(" ");
  return needed || random.chance(0.1) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function delimited(name: string, delimiter: string): Writer {
  return {
    name,
    cell: (cell) => cell,
    write: ({ header, rows }, random) =>
      [header, ...rows].map((row) => row.map((cell) => quoted(cell, delimiter, random)).join(delimiter)).join("\n"),
  };
}

function boxed(name: string, side: string, [top, middle, bottom]: readonly string[]): Writer {
  return {
    name,
    cell: trimmedLine,
    write: (table) => {
      const wide = widths(table);
      const line = (row: readonly string[]) =>
        `${side} ${row.map((cell, i) => oneLine(cell).padEnd(wide[i] ?? 0)).join(` ${side} `)} ${side}`;
      const rule = (marks = "") =>
        marks.charAt(0) + wide.map((width) => marks.charAt(1).repeat(width + 2)).join(marks.charAt(2)) +
        marks.charAt(3);
      return [rule(top), line(table.header), rule(middle), ...table.rows.map(line), rule(bottom)].join("\n");
    },
  };
}

const escapeMarkup = (cell: string) =>
  cell.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** All forms. */
export const WRITERS: readonly Writer[] = [
  delimited("comma", ","),
  delimited("semicolon", ";"),
  {
    name: "tab",
    cell: oneLine,
    write: ({ header, rows }) => [header, ...rows].map((row) => row.map(oneLine).join("\t")).join("\n"),
  },
  {
    name: "markdown",
    cell: trimmedLine,
    write: ({ header, rows }) => {
      const line = (row: readonly string[]) =>
        `| ${row.map((cell) => oneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
      return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
    },
  },
  {
    name: "padded markdown",
    cell: trimmedLine,
    write: ({ header, rows }) => {
      const escaped = { header, rows: rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|"))) };
      const wide = widths(escaped);
      const line = (row: readonly string[]) =>
        `| ${row.map((cell, i) => oneLine(cell).padEnd(wide[i] ?? 0)).join(" | ")} |`;
      return [line(header), `|${wide.map((width) => "-".repeat(width + 2)).join("|")}|`, ...escaped.rows.map(line)]
        .join("\n");
    },
  },
  boxed("ASCII box", "|", ["+-++", "+-++", "+-++"]),
  boxed("light box", "│", ["┌─┬┐", "├─┼┤", "└─┴┘"]),
  {
    name: "psql",
    cell: trimmedLine,
    write: (table) => {
      const wide = widths(table);
      const line = (row: readonly string[]) =>
        ` ${row.map((cell, i) => oneLine(cell).padEnd(wide[i] ?? 0)).join(" | ")} `;
      const rule = wide.map((width) => "-".repeat(width + 2)).join("+");
      return [line(table.header), rule, ...table.rows.map(line), `(${table.rows.length} rows)`].join("\n");
    },
  },
  {
    name: "pairs",
    cell: trimmedLine,
    write: ({ header, rows }) =>
      rows.map((row) => header.map((name, i) => `${name}: ${oneLine(row[i] ?? "")}`).join("\n")).join("\n\n"),
  },
  {
    name: "raw pairs",
    // Blank lines and rules at the end of a value are those between the records.
    cell: (cell) => {
      const lines = cell.split("\n");
      while (lines.length > 1 && /^(?:\s*|-{3,}\s*)$/.test(lines.at(-1) ?? "")) lines.pop();
      return trimmed(lines.join("\n"));
    },
    write: ({ header, rows }) =>
      rows.map((row) => header.map((name, i) => `${name}: ${row[i]}`).join("\n")).join("\n---\n"),
  },
  {
    name: "columns",
    cell: trimmedLine,
    write: (table) => {
      const wide = widths(table);
      const line = (row: readonly string[]) =>
        row.map((cell, i) => oneLine(cell).padEnd((wide[i] ?? 0) + 3)).join("").replace(/ +$/, "");
      return [line(table.header), ...table.rows.map(line)].join("\n");
    },
  },
  {
    name: "ruled columns",
    cell: trimmedLine,
    write: (table) => {
      const wide = widths(table);
      const line = (row: readonly string[]) => row.map((cell, i) => oneLine(cell).padEnd(wide[i] ?? 0)).join("  ");
      return [line(table.header), wide.map((width) => "-".repeat(width)).join("  "), ...table.rows.map(line)].join(
        "\n",
      );
    },
  },
  {
    name: "HTML",
    cell: (cell) => cell.replaceAll(/[ \t]*\n[ \n\t]*/g, " ").replaceAll(/^[ \t]+|[ \t]+$/g, ""),
    write: ({ header, rows }) =>
      `<table><tr>${header.map((name) => `<th>${name}</th>`).join("")}</tr>${
        rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`).join("\n")
      }</table>`,
  },
  {
    name: "XML",
    cell: (cell) => cell.trim(),
    write: ({ header, rows }) =>
      `<items>${
        rows.map((row) =>
          `<item>${header.map((name, i) => `<${name}>${escapeMarkup(row[i] ?? "")}</${name}>`).join("")}</item>`
        )
          .join("\n")
      }</items>`,
  },
  {
    name: "YAML",
    cell: (cell) => JSON.stringify(cell),
    write: ({ header, rows }) =>
      rows.map((row) =>
        header.map((name, i) => `${i === 0 ? "- " : "  "}${name}: ${JSON.stringify(row[i])}`).join("\n")
      ).join("\n"),
  },
];
