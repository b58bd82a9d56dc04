/** The cells of a line that pipes part, as GitHub's markdown has them. @module */

import { isSpace, trimSpaces } from "./lines.ts";

/** Which edges of a line carry a pipe. A table keeps one style throughout. */
export interface PipeStyle {
  readonly leading: boolean;
  readonly trailing: boolean;
}

/** The style of a line. */
export function styleOf(line: string): PipeStyle {
  let from = 0;
  let to = line.length;
  while (from < to && isSpace(line.charCodeAt(from))) from++;
  while (to > from && isSpace(line.charCodeAt(to - 1))) to--;
  return { leading: line[from] === "|", trailing: to - from > 1 && line[to - 1] === "|" && line[to - 2] !== "\\" };
}

/**
 * The cells of a line, trimmed, with `\\|` as a pipe; `undefined` when two backslashes stand before a pipe, which
 * renderers read in different ways.
 */
export function splitCells(line: string, style: PipeStyle): string[] | undefined {
  const text = insideOf(line, style);
  if (!text.includes("\\|")) return splitPlain(text);
  if (text.includes("\\\\|")) return undefined;
  const cells: string[] = [];
  let cell = "";
  let at = 0;
  for (let pipe = text.indexOf("|"); pipe !== -1; pipe = text.indexOf("|", at)) {
    if (text[pipe - 1] === "\\") {
      cell += `${text.slice(at, pipe - 1)}|`;
    } else {
      cells.push(trimSpaces(cell + text.slice(at, pipe)));
      cell = "";
    }
    at = pipe + 1;
  }
  cells.push(trimSpaces(cell + text.slice(at)));
  return cells;
}

function splitPlain(text: string): string[] {
  const cells: string[] = [];
  let at = 0;
  for (let pipe = text.indexOf("|"); pipe !== -1; pipe = text.indexOf("|", at)) {
    cells.push(trimmed(text, at, pipe));
    at = pipe + 1;
  }
  cells.push(trimmed(text, at, text.length));
  return cells;
}

function trimmed(text: string, from: number, to: number): string {
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** As {@link splitCells}, but a pipe between two backticks belongs to its cell. */
export function splitAroundCode(line: string, style: PipeStyle): string[] | undefined {
  const text = insideOf(line, style);
  if (text.includes("\\\\|")) return undefined;
  const cells: string[] = [];
  let open = false;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "`") open = !open;
    else if (text[i] === "|" && !open && text[i - 1] !== "\\") {
      cells.push(trimmed(text, at, i).replaceAll("\\|", "|"));
      at = i + 1;
    }
  }
  cells.push(trimmed(text, at, text.length).replaceAll("\\|", "|"));
  return open ? undefined : cells;
}

// A line without its outer pipes and the spaces around them.
function insideOf(line: string, style: PipeStyle): string {
  let from = 0;
  let to = line.length;
  while (from < to && isSpace(line.charCodeAt(from))) from++;
  while (to > from && isSpace(line.charCodeAt(to - 1))) to--;
  if (style.leading && line[from] === "|") from++;
  if (style.trailing && to > from && line[to - 1] === "|" && line[to - 2] !== "\\") to--;
  return line.slice(from, to);
}
