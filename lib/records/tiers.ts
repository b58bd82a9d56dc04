/** Rows from formatted text: the tiers in order, and what they say together. @module */

import type { SourceKind } from "../dataset.ts";
import { alignedTier } from "./aligned.ts";
import { blocksTier } from "./blocks.ts";
import { boxTier } from "./box.ts";
import { isCut, nonBlankChars, RESIDUE_CHARS_MAX } from "./coverage.ts";
import { delimitedTier } from "./delimited.ts";
import { isDocumentation, unfence } from "./fences.ts";
import { fixedWidthTier } from "./fixed_width.ts";
import { htmlTier } from "./html.ts";
import { markdownTier } from "./markdown.ts";
import type { TextRecords, Tier, TierOutcome } from "./tier.ts";
import { xmlTier } from "./xml.ts";
import { yamlTier } from "./yaml.ts";

/** Every way of finding rows in formatted text, the most telling form first. */
export const TIERS: readonly Tier[] = [
  markdownTier,
  boxTier,
  alignedTier,
  htmlTier,
  xmlTier,
  delimitedTier,
  blocksTier,
  yamlTier,
  fixedWidthTier,
];

/** Fences beside the one with the rows; a text with more of them is a document. */
export const OTHER_FENCES_MAX = 4;

/** Rows that were found in a text, or why there are none. */
export type TextReading =
  | { readonly kind: "records"; readonly source: SourceKind; readonly records: TextRecords }
  | { readonly kind: "none"; readonly reason: string };

/**
 * Looks for rows in formatted text. Never throws; linear in the text.
 *
 * A text that is mostly one fenced block is read inside its fence. Two tiers that see different numbers of rows cancel
 * each other. The reason of a refusal names each tier that looked closer and its code:
 * `markdown-table: row-width, delimited: no-header`.
 */
export function readText(text: string): TextReading {
  const reading = readUnfenced(text);
  if (reading.kind === "records" && isDocumentation(reading.records.residue)) {
    return { kind: "none", reason: `${reading.source}: documentation` };
  }
  return reading;
}

function readUnfenced(text: string): TextReading {
  const unfenced = unfence(text);
  if (unfenced === undefined) return readPlain(text);
  const reading = readPlain(unfenced.inside);
  if (reading.kind === "none") return reading;
  const { others } = unfenced;
  if (others.length > OTHER_FENCES_MAX || others.some((other) => goesOn(reading.records, unfenced.inside, other))) {
    return { kind: "none", reason: `${reading.source}: rows-elsewhere` };
  }
  if (isCut(unfenced.inside, [unfenced.before, unfenced.after], "")) {
    return { kind: "none", reason: `${reading.source}: cut-off` };
  }
  const residue = [unfenced.before.trim(), ...reading.records.residue, unfenced.after.trim()].filter((piece) =>
    piece !== ""
  );
  const residueChars = residue.reduce((sum, piece) => sum + nonBlankChars(piece), 0);
  const consumedChars = nonBlankChars(text) - residueChars;
  if (consumedChars < residueChars) return { kind: "none", reason: `${reading.source}: covers-too-little` };
  if (residueChars > RESIDUE_CHARS_MAX) return { kind: "none", reason: `${reading.source}: much-around` };
  return { ...reading, records: { ...reading.records, residue, consumedChars } };
}

// Whether another fence holds more rows of the table, under the same names or without any.
function goesOn({ header, rows }: TextRecords, inside: string, other: string): boolean {
  const own = readPlain(other);
  if (own.kind === "records" && own.records.header.join("\n") === header.join("\n")) return true;
  const joined = readPlain(`${inside.trimEnd()}\n${other}`);
  return joined.kind === "records" && joined.records.rows.length > rows.length;
}

function readPlain(text: string): TextReading {
  const reasons: string[] = [];
  let found: { readonly source: SourceKind; readonly records: TextRecords } | undefined;
  for (const tier of TIERS) {
    if (!tier.plausible(text)) continue;
    const outcome = readSafely(tier, text);
    if (outcome.kind === "refused") {
      reasons.push(`${tier.source.replace("text:", "")}: ${outcome.reason}`);
    } else if (found === undefined) {
      found = { source: tier.source, records: outcome.records };
    } else if (found.records.rows.length !== outcome.records.rows.length) {
      return { kind: "none", reason: `tiers-disagree: ${found.source} and ${tier.source}` };
    }
  }
  if (found !== undefined) return { kind: "records", ...found };
  return { kind: "none", reason: reasons.length === 0 ? "no-tier" : reasons.join(", ") };
}

// A library that throws, or a text too large for it, is a refusal like any other.
function readSafely(tier: Tier, text: string): TierOutcome {
  try {
    return tier.read(text);
  } catch (error) {
    return { kind: "refused", reason: `threw ${error instanceof Error ? error.name : "something"}` };
  }
}
