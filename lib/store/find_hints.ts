/** Join hints: candidates by name and type, scored by their values, the surest first. @module */

import type { Dataset, JoinHint } from "../dataset.ts";
import { ChunkReader } from "./cells.ts";
import { type Candidate, joinCandidates, SCORINGS_MAX, secondLook } from "./hints.ts";
import { hintFrom, overlapSql } from "./overlap.ts";
import type { Reading } from "./read.ts";

/** Share of either side's values that must occur in the other for a hint to be worth showing. */
export const CONTAINMENT_MIN = 0.1;
/** Share from which a match as it is needs no second look under a normalisation. */
export const CONTAINMENT_GOOD = 0.5;
/** Milliseconds after which no further pair is scored. */
export const SCORING_MS_MAX = 80;
/** Pairs that are scored for each hint that is wanted. */
const SCORINGS_PER_HINT = 2;

/** Runs a statement of the store's own over these datasets. */
export type RunOwn = <T>(sql: string, refs: readonly string[], reading: Reading<T>) => Promise<T>;

/** The best hints for `dataset`, at most `limit`. A pair that cannot be scored is no hint. */
export async function findHints(
  dataset: Dataset,
  all: readonly Dataset[],
  limit: number,
  run: RunOwn,
): Promise<JoinHint[]> {
  const until = performance.now() + SCORING_MS_MAX;
  const found: JoinHint[] = [];
  const scoringsMax = Math.min(SCORINGS_MAX, limit * SCORINGS_PER_HINT);
  let scorings = 0;
  for (const candidate of joinCandidates(dataset, all)) {
    if (scorings >= scoringsMax || performance.now() > until) break;
    scorings++;
    let hint = await score(candidate, run);
    const via = hint && bestOf(hint) >= CONTAINMENT_GOOD ? undefined : secondLook(candidate);
    if (via && scorings < scoringsMax) {
      scorings++;
      const other = await score({ ...candidate, via }, run);
      if (other && (!hint || bestOf(other) > bestOf(hint))) hint = other;
    }
    if (hint && bestOf(hint) >= CONTAINMENT_MIN) found.push(hint);
  }
  return found.sort((a, b) => bestOf(b) - bestOf(a)).slice(0, limit);
}

async function score(candidate: Candidate, run: RunOwn): Promise<JoinHint | undefined> {
  try {
    const counts = await run(overlapSql(candidate), [candidate.left.ref, candidate.right.ref], readCounts);
    const [leftDistinct = 0, rightDistinct = 0, common = 0, leftRepeats = 0, rightRepeats = 0] = counts;
    return hintFrom(candidate, { leftDistinct, rightDistinct, common, leftRepeats, rightRepeats });
  } catch {
    // A hint is an extra: a dataset that was dropped meanwhile or an engine short of memory costs the hint only.
    return undefined;
  }
}

const readCounts: Reading<number[]> = async ({ types }, next) => {
  const chunk = await next();
  if (!chunk) return [];
  return new ChunkReader(chunk, types).cells.map((cell) => Number(cell(0)));
};

function bestOf({ containment, reverseContainment }: JoinHint): number {
  return Math.max(containment, reverseContainment);
}
