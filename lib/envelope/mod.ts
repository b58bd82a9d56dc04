/** What the model reads in place of the rows: bounded, whatever the table and however many datasets there are. @module */

import type { ContextItem, Dataset, JoinHint, Provenance } from "../dataset.ts";
import { contextBytes, fitContext } from "./context.ts";
import { fitHints, fitSample, fitSchema, hintsBytes, sampleBytes, type SampleRow, schemaBytes } from "./parts.ts";
import { cutText, wireBytes } from "./text.ts";
import { estimateTokens } from "./tokens.ts";

export { OMITTED_ARGS, redactArguments } from "./redact.ts";
export { columnJson, cutJson, fitSample, hintJson, type SampleRow } from "./parts.ts";
export { cutText, safeJson, wireBytes } from "./text.ts";
export { estimateTokens } from "./tokens.ts";

/** Bytes of an envelope's text on the wire, inside its JSON string: about 2,000 estimated tokens. */
export const ENVELOPE_BYTES_MAX = 7_800;
/** Bytes of redacted arguments that an envelope shows. */
export const ARGS_BYTES_MAX = 600;
/** The `kind` that tells an envelope from any other JSON. */
export const ENVELOPE_KIND = "loom_dataset_ref";

/** Everything an envelope tells of. */
export interface EnvelopeInput {
  readonly dataset: Dataset;
  readonly sample: readonly SampleRow[];
  readonly hints: readonly JoinHint[];
  readonly context: readonly ContextItem[];
  /** UTF-16 units of the larger channel of the result that is replaced. */
  readonly originalChars: number;
  /** Estimated tokens above which results are replaced, for the sentence that says why. */
  readonly tokenThreshold: number;
  /** Whether `loom_raw` has an original to give. */
  readonly hasOriginal: boolean;
}

/** The parts that share the bytes left by the fixed members, and the share of each. */
const SHARES = { context: 0.3, schema: 0.36, sample: 0.24, hints: 0.1 } as const;
type Part = keyof typeof SHARES;

/** The envelope's text: JSON of at most {@link ENVELOPE_BYTES_MAX} bytes on the wire. */
export function buildEnvelope(input: EnvelopeInput): string {
  const { dataset, sample, hints, context } = input;
  const fixed = fixedMembers(input);
  const spare = ENVELOPE_BYTES_MAX - wireBytes(assemble(fixed, [], input.originalChars)) - RESERVE_BYTES;
  const bytes = allot(spare, {
    context: context.length === 0 ? 0 : contextBytes(context),
    schema: schemaBytes(dataset.columns, dataset.rowCount),
    sample: sampleBytes(dataset.columns, sample),
    hints: hints.length === 0 ? 0 : hintsBytes(hints),
  });
  const schema = fitSchema(dataset.columns, dataset.rowCount, bytes.schema);
  const shownColumns = dataset.columns.length - schema.omitted;
  const rows = fitSample(dataset.columns, sample, { columnCount: shownColumns, bytesMax: bytes.sample });
  const around = fitContext(context, bytes.context);
  const joins = fitHints(hints, bytes.hints);
  const omitted = {
    ...(schema.omitted > 0 ? { columns: schema.omitted } : {}),
    ...(schema.detail === "compact" ? { statistics: "see loom_describe" } : {}),
    ...(rows.omitted > 0 ? { sampleRows: rows.omitted } : {}),
    ...(around.omitted > 0 ? { contextItems: around.omitted } : {}),
    ...(joins.omitted > 0 ? { joinHints: joins.omitted } : {}),
  };
  return assemble(fixed, [
    `"schema":${schema.json}`,
    `"sample":${rows.json}`,
    `"joinHints":${joins.json}`,
    ...(context.length > 0 ? [`"context":${around.json}`] : []),
    ...(Object.keys(omitted).length > 0 ? [`"omitted":${JSON.stringify(omitted)}`] : []),
  ], input.originalChars);
}

/** The bytes of a `tools/call` result whose one text block is `text`. */
export function textResult(text: string, options: { readonly isError?: boolean } = {}): Uint8Array {
  return new TextEncoder().encode(
    `{"content":[{"type":"text","text":${JSON.stringify(text)}}]${options.isError ? ',"isError":true' : ""}}`,
  );
}

/** Provenance as every answer of loom shows it; the arguments were redacted when it was made. */
export function provenanceJson(provenance: Provenance, argsBytesMax: number = ARGS_BYTES_MAX): string {
  const { args, sql, ...plain } = provenance;
  const shownArgs = args === undefined ? [] : [
    `"args":${wireBytes(args) <= argsBytesMax ? args : JSON.stringify(cutText(args, Math.floor(argsBytesMax / 3)))}`,
  ];
  const shownSql = sql === undefined ? [] : [`"sql":${JSON.stringify(cutText(sql, argsBytesMax))}`];
  return `{${[JSON.stringify(plain).slice(1, -1), ...shownArgs, ...shownSql].join(",")}}`;
}

// Room for the `omitted` member and the separators between parts.
const RESERVE_BYTES = 260;
const SAVED_PLACE = '"approxTokensSaved":';

interface FixedMembers {
  readonly head: string;
  readonly tail: string;
}

function fixedMembers({ dataset, originalChars, tokenThreshold, hasOriginal }: EnvelopeInput): FixedMembers {
  const { ref, rowCount } = dataset;
  const rows = `${rowCount} ${rowCount === 1 ? "row" : "rows"}`;
  const what = dataset.implicit ? `answer (${rows})` : `result (${rows}, ${originalChars} characters)`;
  const why = dataset.pinned
    ? `loom keeps this answer (${rows}) as a dataset that is never evicted.`
    : `loom keeps this ${what} as a dataset and shows this summary instead, since it is above ${tokenThreshold} tokens.`;
  const original = hasOriginal ? ` The original text: loom_raw {"ref":"${ref}"}.` : "";
  const note = `${why} Ask for what you need with loom_query.${original}`;
  const usage = {
    query: `SELECT * FROM ${ref} LIMIT 20`,
    lifetime: `The ref lives as long as the session${dataset.pinned ? "" : " and may be evicted"}; ` +
      "loom_list_datasets finds refs again, loom_describe shows all columns.",
  };
  return {
    head: `"kind":"${ENVELOPE_KIND}","ref":"${ref}","rows":${rowCount},"note":${JSON.stringify(note)}`,
    tail: `"provenance":${provenanceJson(dataset.provenance)},"usage":${JSON.stringify(usage)}`,
  };
}

/** Puts the members together; the saving counts the envelope itself, so it comes last. */
function assemble({ head, tail }: FixedMembers, parts: readonly string[], originalChars: number): string {
  const rest = [...parts, tail].join(",");
  const without = head.length + rest.length + SAVED_PLACE.length + 10;
  const saved = Math.max(0, estimateTokens(originalChars) - estimateTokens(without));
  return `{${head},${SAVED_PLACE}${saved},${rest}}`;
}

/** Divides `total` bytes: nobody gets more than wanted, what one does not need goes to the others by their shares. */
function allot(total: number, wanted: Readonly<Record<Part, number>>): Record<Part, number> {
  const given: Record<Part, number> = { context: 0, schema: 0, sample: 0, hints: 0 };
  let open = (Object.keys(SHARES) as Part[]).filter((part) => wanted[part] > 0);
  let left = Math.max(0, total);
  while (open.length > 0) {
    const weight = open.reduce((sum, part) => sum + SHARES[part], 0);
    const content = open.filter((part) => wanted[part] <= left * SHARES[part] / weight);
    if (content.length === 0) {
      for (const part of open) given[part] = Math.floor(left * SHARES[part] / weight);
      return given;
    }
    for (const part of content) {
      given[part] = wanted[part];
      left -= wanted[part];
    }
    open = open.filter((part) => !content.includes(part));
  }
  return given;
}
