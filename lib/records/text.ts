/** Rows in one text: JSON values in it, else Python values, else formatted text. @module */

import { Buffer } from "node:buffer";
import type { ContextItem } from "../dataset.ts";
import { QUOTE, skipBlank } from "./chars.ts";
import { prospectOfDocument } from "./document.ts";
import { sortedKeys } from "./inspect.ts";
import { checkString, JsonFault } from "./json_check.ts";
import { unescapeString } from "./json_cell.ts";
import { textItems, wholeItems } from "./leftovers.ts";
import { MAX_DOCUMENTS, MAX_ENCODING_DEPTH, MAX_PAYLOAD_BYTES, MAX_PROSE_CHARS } from "./limits.ts";
import { type Outline, outlineValue } from "./outline.ts";
import { countVisible, trimProse } from "./prose.ts";
import { bestOf, type Prospect, refuseHidden } from "./prospect.ts";
import { plausiblePython, type PythonValue, readPython } from "./python.ts";
import { attempted, Refusal } from "./refusal.ts";
import { prospectOfLines, prospectOfSequence, recordsIn } from "./sequence.ts";
import { tableFromText } from "./text_table.ts";
import { readText } from "./tiers.ts";
import { plausibleJson, runsOf, type Spanned, valuesIn } from "./values.ts";

/** The table in `text`; `depth` counts the strings it was taken out of. Throws a Refusal when there is none. */
export function prospectOfText(text: string, depth = 0): Prospect {
  refuseLarge(text);
  const encoded = encodedText(text);
  if (encoded !== undefined) {
    if (depth >= MAX_ENCODING_DEPTH) throw new Refusal("too-deep: JSON in a string in a string");
    return prospectOfText(encoded, depth + 1);
  }
  // Python values look like damaged JSON, so that even a final refusal is not the last word here.
  const inJson = attempted(() => prospectOfJson(text, depth), { alsoFinal: true });
  if (!(inJson instanceof Refusal)) return inJson;
  const inPython = mayBePython(inJson)
    ? attempted(() => prospectOfPython(text, depth), { alsoFinal: true })
    : undefined;
  if (inPython && !(inPython instanceof Refusal)) return inPython;
  if (inJson.final || inPython?.final) throw inJson.final ? inJson : inPython;
  if (!text.isWellFormed()) throw new Refusal("lone-surrogate: the text cannot be held in UTF-8");
  const reading = readText(text);
  if (reading.kind === "none") throw new Refusal(`${(inPython ?? inJson).reason}; ${reading.reason}`);
  const { records, source } = reading;
  return {
    rows: records.rows.length,
    size: records.consumedChars,
    source,
    recordKeys: JSON.stringify([...records.header].sort()),
    read: () => ({
      table: tableFromText(records),
      context: records.residue.flatMap((text) => textItems("residue", text)),
    }),
  };
}

/** Refuses a channel beyond the payload cap. A UTF-16 unit takes at most three bytes, so short texts need no counting. */
export function refuseLarge(text: string): void {
  if (3 * text.length <= MAX_PAYLOAD_BYTES) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_PAYLOAD_BYTES) throw new Refusal(`too-large: ${bytes} bytes, at most ${MAX_PAYLOAD_BYTES}`);
}

/** Python values are looked for where no JSON value is, or one that breaks off: a dict may open like an object. */
function mayBePython({ reason }: Refusal): boolean {
  return /^(?:no-json|not-json|cut-off|enclosed)/.test(reason);
}

/** The text in a text that is one JSON string; undefined for any other. */
function encodedText(text: string): string | undefined {
  const at = skipBlank(text, 0);
  if (text.charCodeAt(at) !== QUOTE) return undefined;
  try {
    const end = checkString(text, at);
    return skipBlank(text, end) === text.length ? unescapeString(text.slice(at, end)) : undefined;
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** A value in a text, and its outline in the JSON text `doc` that stands for it. */
interface Piece extends Spanned {
  readonly root: Outline;
}

function prospectOfJson(text: string, depth: number): Prospect {
  const lines = prospectOfLines(text);
  if (lines) return lines;
  return prospectOfPieces(text, text, jsonValuesIn(text).map(pieceOf), depth);
}

/** The JSON values of a text, in order. Throws a Refusal when one is broken or cut off. */
export function jsonValuesIn(text: string): Outline[] {
  return valuesIn(text, { plausible: plausibleJson, read: outlineValue, isProse });
}

function pieceOf(root: Outline): Piece {
  return { start: root.start, end: root.end, root };
}

/** What stands around `value`, one of the JSON values of `text`. */
export function aroundValue(text: string, values: readonly Outline[], value: Outline): ContextItem[] {
  const pieces = values.map(pieceOf);
  return aroundOf(text, text, pieces, pieces.filter(({ root }) => root === value));
}

/** `[1]` and `{}` among sentences are marks of the sentence, not data. */
function isProse(value: Outline): boolean {
  return value.kind === "array" ? value.objects + value.arrays === 0 : value.members === 0;
}

function isPlain(value: PythonValue): boolean {
  return !/[[{(]/.test(value.json.slice(1)) && value.json.startsWith("[");
}

function prospectOfPython(text: string, depth: number): Prospect {
  const values = valuesIn(text, { plausible: plausiblePython, read: readPython, isProse: isPlain });
  const doc = values.map((value) => value.json).join("\n");
  let at = 0;
  const pieces = values.map(({ start, end, json }): Piece => {
    const root = outlineValue(doc, at);
    at += json.length + 1;
    return { start, end, root };
  });
  return prospectOfPieces(text, doc, pieces, depth);
}

interface Chosen extends Prospect {
  readonly used: readonly Piece[];
}

function prospectOfPieces(text: string, doc: string, pieces: readonly Piece[], depth: number): Prospect {
  if (pieces.length === 0) throw new Refusal("no-json: nor Python");
  const refusals: Refusal[] = [];
  const found = runsOf(text, pieces).flatMap((run): Chosen[] => {
    const roots = new Set(recordsIn(doc, run.map((piece) => piece.root)));
    const sequence = prospectOfSequence(doc, [...roots]);
    if (sequence) return [{ ...sequence, used: run.filter(({ root }) => roots.has(root)) }];
    if (run.length > MAX_DOCUMENTS) throw new Refusal(`no-rows: ${run.length} values that are no records of one kind`);
    return run.flatMap((piece) => {
      const one = attempted(() =>
        prospectOfDocument(doc, piece.root, "text", (inner) => prospectOfText(inner, depth + 1))
      );
      if (one instanceof Refusal) refusals.push(one);
      return one instanceof Refusal ? [] : [{ ...one, used: [piece] }];
    });
  });
  const best = bestOf(found);
  if (!best) throw refusals[0] ?? new Refusal("no-rows: the values are no records");
  refuseHidden(best, found);
  refuseSeparate(text, doc, best, pieces);
  refuseSmallShare(text, best.used);
  refuseLongProse(text, pieces);
  refuseOtherTable(text, best, pieces);
  return {
    rows: best.rows,
    size: best.size,
    source: best.source,
    recordKeys: best.recordKeys,
    read: () => {
      const { table, context } = best.read();
      return { table, context: [...context, ...aroundOf(text, doc, pieces, best.used)] };
    },
  };
}

/** A record that stands apart from the sequence of its kind, behind a sentence or something broken, is a lost row. */
function refuseSeparate(text: string, doc: string, { used }: Chosen, pieces: readonly Piece[]): void {
  const [first] = used;
  const last = used.at(-1);
  if (!first || !last || used.length < 2) return;
  const inUse = new Set(used);
  const others = pieces.filter((piece) => !inUse.has(piece) && piece.root.kind === first.root.kind);
  const kindOf = ({ root }: Piece) => root.kind === "array" ? String(root.members) : sortedKeys(doc, root.start);
  const kinds = others.length === 0 ? undefined : new Set(used.map(kindOf));
  const apart = others.some((piece) => kinds?.has(kindOf(piece)));
  // Arrays of plain values among sentences count as marks of the sentence; not those that fill a line.
  const around = first.root.kind === "array" ? [text.slice(0, first.start), text.slice(last.end)] : [];
  if (apart || around.some((part) => ARRAY_LINE_REGEXP.test(part))) {
    throw new Refusal("split-rows: a record of the same kind stands apart");
  }
}

const ARRAY_LINE_REGEXP = /^[ \t]*\[.*,.*\],?[ \t]*$/m;

/** The values that became rows must be at least half of the text that is not blank. */
function refuseSmallShare(text: string, used: readonly Piece[]): void {
  let taken = 0;
  let rest = 0;
  let at = 0;
  for (const { start, end } of used) {
    rest += countVisible(text.slice(at, start));
    taken += end - start;
    at = end;
  }
  rest += countVisible(text.slice(at));
  if (rest === 0 || 10 * rest < taken) return;
  const visible = used.reduce((sum, { start, end }) => sum + countVisible(text.slice(start, end)), 0);
  if (visible < rest) throw new Refusal("small-share: less than half of the text are records");
}

/** More sentences around the values than an envelope shows whole are a document with data in it. */
function refuseLongProse(text: string, pieces: readonly Piece[]): void {
  let at = 0;
  let visible = 0;
  for (const { start, end } of pieces) {
    visible += countVisible(text.slice(at, start));
    at = end;
  }
  if (visible + countVisible(text.slice(at)) > MAX_PROSE_CHARS) {
    throw new Refusal("much-around: the text is a document");
  }
}

/** Formatted rows around the values, half as many or more, are a table that they would hide. */
function refuseOtherTable(text: string, { rows }: Chosen, pieces: readonly Piece[]): void {
  let at = 0;
  for (const { start, end } of [...pieces, { start: text.length, end: text.length }]) {
    const around = trimProse(text.slice(at, start), at > 0, end > start);
    at = end;
    if (around === "" || !around.includes("\n")) continue;
    const reading = readText(around);
    if (reading.kind === "records" && 2 * reading.records.rows.length >= rows) {
      throw new Refusal("split-rows: formatted rows stand beside the values");
    }
  }
}

/** The sentences around the values, and the values that are not the table. */
function aroundOf(text: string, doc: string, pieces: readonly Piece[], used: readonly Piece[]): ContextItem[] {
  const items: ContextItem[] = [];
  const inUse = new Set(used);
  let at = 0;
  let place = "before";
  pieces.forEach((piece, index) => {
    pushProse(items, `text ${place}`, trimProse(text.slice(at, piece.start), index > 0, true));
    if (inUse.has(piece)) place = "after";
    else items.push(...wholeItems(doc, piece.root, `value[${index}]`));
    at = piece.end;
  });
  pushProse(items, "text after", trimProse(text.slice(at), true, false));
  return items;
}

function pushProse(items: ContextItem[], path: string, prose: string): void {
  if (prose !== "") items.push(...textItems(path, prose));
}
