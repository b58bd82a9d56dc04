/** HTML tables: rows of cells between `<table>` and `</table>`. @module */

import { Parser } from "htmlparser2";
import { judge, nonBlankChars, refused } from "./coverage.ts";
import { couldBeHeader, lastRowKind, proveHeader } from "./header.ts";
import { OTHER_TABLE_ROWS_FACTOR } from "./markdown.ts";
import type { Tier, TierOutcome } from "./tier.ts";

/** Non-blank characters of further tables that may stay beside the largest one, since they are shown whole. */
export const OTHER_HTML_TABLES_CHARS_MAX = 600;

/** Elements open at one time; the parser looks through all of them at every tag. */
export const HTML_DEPTH_MAX = 200;

// What a cell may hold and still be text.
const INLINE_TAGS = new Set(
  "a abbr b bdi bdo br cite code data del dfn div em font i ins kbd li mark nobr ol p q s samp small span strong sub sup time tt u ul var wbr"
    .split(" "),
);
const LINE_TAGS = new Set(["br", "div", "li", "p"]);
const ROW_GROUP_TAGS = new Set(["thead", "tbody", "tfoot", "colgroup", "col"]);

/** A table as it is being read. */
interface HtmlTable {
  readonly from: number;
  to: number;
  readonly head: Cell[][];
  readonly body: Cell[][];
  readonly foot: Cell[][];
  caption: string;
  /** The first thing that can't be a plain table. */
  fault: string | undefined;
}

interface Cell {
  text: string;
  readonly heading: boolean;
  readonly links: string[];
}

/** Tables in HTML, alone or in a page that is mostly the table. */
export const htmlTier: Tier = {
  source: "text:html-table",
  plausible: (text) => /<table[\s>]/i.test(text),
  read,
};

function read(text: string): TierOutcome {
  const tables = readTables(text);
  if (typeof tables === "string") return refused(tables);
  let largest: HtmlTable | undefined;
  for (const table of tables) {
    if (largest === undefined || table.body.length > largest.body.length) largest = table;
  }
  if (largest === undefined) return refused("no-table");
  if (largest.fault !== undefined) return refused(largest.fault);
  let others = 0;
  for (const table of tables) {
    if (table === largest) continue;
    if (continues(table, largest)) return refused("rows-elsewhere");
    if (table.body.length * OTHER_TABLE_ROWS_FACTOR > largest.body.length) return refused("several-tables");
    others += nonBlankChars(text.slice(table.from, table.to));
  }
  if (others > OTHER_HTML_TABLES_CHARS_MAX) return refused("several-tables");
  return recordsOf(text, largest);
}

// Rows as wide as those of the table, and no names above them: the table goes on here.
function continues({ head, body }: HtmlTable, largest: HtmlTable): boolean {
  const width = largest.body[0]?.length;
  return head.length === 0 && body.some((row) => row.length === width && row.every((cell) => !cell.heading)) &&
    !body[0]?.every((cell) => cell.heading);
}

function recordsOf(text: string, table: HtmlTable): TierOutcome {
  const body = [...table.body];
  const head = [...table.head];
  let caption = table.caption;
  if (head.length === 0 && body[0]?.every((cell) => cell.heading)) head.push(body.shift() ?? []);
  const proved = head.length > 0;
  if (!proved) head.push(body.shift() ?? []);
  const [names, ...more] = head;
  if (names === undefined || more.length > 0) return refused("header-rows");
  const width = names.length;
  if (width < 2) return refused("one-column");
  if ([...body, ...table.foot].some((row) => row.length !== width)) return refused("row-width");
  let header = names.map((cell) => cell.text);
  if (header.every((name) => name === "")) return refused("header-empty");
  const sheet = isSheetGrid(header);
  if (sheet) {
    // The letters above the cells are the sheet's; the names stand in its first row, row numbers at the left.
    caption = `${caption} ${header.join(" | ")}`;
    if (!body.every((row, i) => row[0]?.text === String(i + Number(body[0]?.[0]?.text)))) return refused("sheet-grid");
    const first = body.shift() ?? [];
    header = ["row", ...first.slice(1).map((cell) => cell.text)];
  }
  const texts = body.map((row) => row.map((cell) => cell.text));
  if ((!proved || sheet) && (!couldBeHeader(header) || proveHeader(header, texts) === "none")) {
    return refused("no-header");
  }
  const last = lastRowKind(texts);
  if (last === "unsure") return refused("total-unsure");
  const foot = table.foot.map((row) => row.map((cell) => cell.text).join(" | "));
  if (last === "total") {
    foot.unshift((texts.pop() ?? []).join(" | "));
    body.pop();
  }
  const linked = withLinks(header, names, body, texts);
  if (linked === undefined) return refused("several-links");
  const left = [text.slice(0, table.from), caption, foot.join("\n"), text.slice(table.to)];
  return judge(text, { ...linked, left });
}

// A column with links gets their targets as a column beside it, since the text alone would drop them.
function withLinks(
  header: readonly string[],
  names: readonly Cell[],
  body: readonly Cell[][],
  texts: readonly string[][],
): { readonly header: string[]; readonly rows: string[][] } | undefined {
  if (names.some((cell) => cell.links.length > 0)) return undefined;
  if (body.some((row) => row.some((cell) => cell.links.length > 1))) return undefined;
  const linked = header.map((_, i) => body.some((row) => row[i]?.links.some((link) => link !== row[i]?.text)));
  return {
    header: header.flatMap((name, i) => linked[i] ? [name, `${name} link`] : [name]),
    rows: texts.map((row, r) => row.flatMap((cell, i) => linked[i] ? [cell, body[r]?.[i]?.links[0] ?? ""] : [cell])),
  };
}

// A spreadsheet's own letters above its cells: the names stand in some row beneath.
function isSheetGrid(header: readonly string[]): boolean {
  const names = header.slice(1);
  return header[0] === "" && names.length > 1 &&
    names.every((name, i) => i < 26 && name === String.fromCharCode(65 + i));
}

// The parser runs to the end of its text unless a handler throws.
class TooDeep extends Error {}

function readTables(text: string): readonly HtmlTable[] | string {
  try {
    return new TableReader(text).tables;
  } catch (error) {
    if (error instanceof TooDeep) return "too-deep";
    throw error;
  }
}

/** Collects the tables of a text. */
class TableReader {
  readonly tables: HtmlTable[] = [];
  #table: HtmlTable | undefined;
  /** Tables open inside the table. */
  #depth = 0;
  #openElements = 0;
  #section: "head" | "body" | "foot" = "body";
  #row: Cell[] | undefined;
  #cell: Cell | undefined;
  #inCaption = false;

  constructor(text: string) {
    const parser = new Parser({
      onopentag: (name, attribs) => this.#open(name, attribs, parser.startIndex),
      onclosetag: (name, implied) => this.#close(name, implied, parser.endIndex + 1),
      ontext: (data) => this.#text(data),
    }, { decodeEntities: true });
    parser.end(text);
    if (this.#table !== undefined) this.#table.fault = "table-cut";
  }

  #open(name: string, attribs: Readonly<Record<string, string>>, from: number): void {
    if (++this.#openElements > HTML_DEPTH_MAX) throw new TooDeep();
    if (name === "table") {
      if (this.#table !== undefined) {
        this.#depth++;
        this.#table.fault ??= "nested-table";
        return;
      }
      this.#table = { from, to: from, head: [], body: [], foot: [], caption: "", fault: undefined };
      this.tables.push(this.#table);
      this.#section = "body";
      return;
    }
    const table = this.#table;
    if (table === undefined || this.#depth > 0) return;
    if (name === "tr") {
      this.#row = [];
      table[this.#section].push(this.#row);
    } else if (name === "td" || name === "th") {
      if ((attribs["colspan"] ?? "1") !== "1" || (attribs["rowspan"] ?? "1") !== "1") table.fault ??= "spanning-cells";
      this.#cell = { text: "", heading: name === "th", links: [] };
      if (this.#row === undefined) table.fault ??= "cell-outside-row";
      this.#row?.push(this.#cell);
    } else if (this.#cell !== undefined) this.#inside(table, this.#cell, name, attribs);
    else if (name === "thead" || name === "tbody" || name === "tfoot") {
      this.#section = name === "thead" ? "head" : name === "tfoot" ? "foot" : "body";
    } else if (name === "caption") this.#inCaption = true;
    else if (!ROW_GROUP_TAGS.has(name) && !this.#inCaption) table.fault ??= "foreign-element";
  }

  #inside(table: HtmlTable, cell: Cell, name: string, attribs: Readonly<Record<string, string>>): void {
    if (!INLINE_TAGS.has(name)) table.fault ??= "cell-holds-more";
    if (LINE_TAGS.has(name) && (name === "br" || cell.text.trim() !== "")) cell.text += "\n";
    if (name === "a" && attribs["href"] !== undefined) cell.links.push(attribs["href"]);
  }

  #close(name: string, implied: boolean, to: number): void {
    this.#openElements--;
    const table = this.#table;
    if (table === undefined) return;
    if (name === "table") {
      if (this.#depth > 0) this.#depth--;
      else {
        if (implied) table.fault ??= "table-cut";
        table.to = to;
        this.#table = this.#row = this.#cell = undefined;
      }
    } else if (this.#depth === 0 && (name === "td" || name === "th")) {
      if (this.#cell !== undefined) this.#cell.text = collapse(this.#cell.text);
      this.#cell = undefined;
    } else if (this.#depth === 0 && name === "tr") this.#row = undefined;
    else if (name === "caption") this.#inCaption = false;
    else if (name === "thead" || name === "tfoot") this.#section = "body";
  }

  #text(data: string): void {
    const table = this.#table;
    if (table === undefined) return;
    // A line end in the source is layout and marked as such; those that tags make are added apart.
    if (this.#cell !== undefined) this.#cell.text += data.replaceAll(/[\n\r\f]+/g, SOURCE_LINE_END);
    else if (this.#inCaption) table.caption += data;
    else if (data.trim() !== "") table.fault ??= "text-outside-cells";
  }
}

const SOURCE_LINE_END = "\r";

// Blanks around a line end of the source are one blank: they lay out the source. Others are the cell's own.
function collapse(text: string): string {
  return text.replaceAll(/[ \t]*\r[ \t\r]*/g, " ").replaceAll(/[ \t]*\n[ \t]*/g, "\n").replaceAll(
    /^[ \t\n]+|[ \t\n]+$/g,
    "",
  );
}
