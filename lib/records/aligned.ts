/** Aligned tables as psql prints them: names, a line of dashes with crosses, rows, and no frame. @module */

import { contradictsCount } from "./box.ts";
import { judge, refused } from "./coverage.ts";
import { isBlank, isRemark, linesOf, piece, trimSpaces } from "./lines.ts";
import type { Tier, TierOutcome } from "./tier.ts";

const RULES = [
  { regexp: /^-+(?:\+-+)+$/, cross: "+", side: "|" },
  { regexp: /^─+(?:┼─+)+$/, cross: "┼", side: "│" },
] as const;

/** psql's aligned output, also with unicode lines. */
export const alignedTier: Tier = { source: "text:box-table", plausible, read };

function plausible(text: string): boolean {
  return text.includes("-+-") || text.includes("─┼─");
}

function read(text: string): TierOutcome {
  const lines = linesOf(text);
  const found = lines.flatMap((line, at) => {
    const rule = RULES.find(({ regexp }) => regexp.test(trimSpaces(line)));
    return rule === undefined ? [] : [{ at, ...rule }];
  });
  const [first] = found;
  if (first === undefined || first.at === 0) return refused("no-dashes");
  if (found.length > 1) return refused("several-tables");
  const { at, cross, side } = first;
  const rule = lines[at] ?? "";
  const width = trimSpaces(rule).split(cross).length;
  const header = (lines[at - 1] ?? "").split(side).map(trimSpaces);
  if (header.length !== width) return refused("header-width");
  if (header.every((name) => name === "")) return refused("header-empty");
  // `|` at the edge belongs to a frame, which is another tier's.
  if ((lines[at - 1] ?? "").trim().startsWith(side)) return refused("framed");
  const rows: string[][] = [];
  let end = at + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    if (!line.includes(side)) break;
    // psql marks a cell that goes on in the next line with a sign in its last place.
    if (line.includes(`+${side}`) || (line.length === rule.length && line.endsWith("+")) || line.includes(`↵${side}`)) {
      return refused("cells-wrapped");
    }
    const cells = line.split(side);
    if (cells.length !== width) return refused("row-width");
    for (let i = 0; i < width; i++) cells[i] = trimSpaces(cells[i] ?? "");
    rows.push(cells);
  }
  if (!isBlank(lines[end]) && !isRemark(lines[end] ?? "")) return refused("row-width");
  const isStray = (line: string) => line.includes(side) && line.split(side).length === width;
  if (lines.slice(0, at - 1).some(isStray) || lines.slice(end).some(isStray)) return refused("rows-elsewhere");
  const after = piece(lines, end, lines.length);
  if (contradictsCount(after, rows.length)) return refused("rows-elided");
  return judge(text, { header, rows, left: [piece(lines, 0, at - 1), after] });
}
