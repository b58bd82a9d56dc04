/** Join hints: candidates by name and type, scored by their values, the surest first. @module */

import type { Dataset, JoinHint } from "../dataset.ts";
import { ChunkReader } from "./cells.ts";
import { type Candidate, joinCandidates, SCORINGS_MAX, secondLook } from "./hints.ts";
import { hintFrom, overlapsSql } from "./overlap.ts";
import type { Reading } from "./read.ts";

/** Share of either side's values that must occur in the other for a hint to be worth showing. */
export const CONTAINMENT_MIN = 0.1;
/** Share from which a match as it is needs no second look under a normalisation. */
export const CONTAINMENT_GOOD = 0.5;
/** Rows that all scorings for one dataset may read, both sides counted; the first pair is always scored. */
export const SCORED_ROWS_MAX = 800_000;
/** As many rows cost a comparison under a normalisation, for each row that it reads. */
const NORMALISED_COST = 8;
/** Pairs that are scored for each hint that is wanted. */
const SCORINGS_PER_HINT = 1.6;

/** Runs a statement of the store's own over these datasets. */
export type RunOwn = <T>(sql: string, refs: readonly string[], reading: Reading<T>) => Promise<T>;

/** The best hints for `dataset`, at most `limit`. Pairs that cannot be scored give no hint. */
export async function findHints(
  dataset: Dataset,
  all: readonly Dataset[],
  limit: number,
  run: RunOwn,
): Promise<JoinHint[]> {
  const scoringsMax = Math.min(SCORINGS_MAX, Math.ceil(limit * SCORINGS_PER_HINT));
  const first = affordable(joinCandidates(dataset, all).slice(0, scoringsMax), SCORED_ROWS_MAX);
  const hints = await score(first, run);
  const again = first.flatMap((candidate, i) => {
    const via = bestOf(hints[i]) >= CONTAINMENT_GOOD ? undefined : secondLook(candidate);
    return via ? [{ ...candidate, via }] : [];
  });
  const left = SCORED_ROWS_MAX - first.reduce((sum, candidate) => sum + costOf(candidate), 0);
  const second = affordable(again.slice(0, scoringsMax - first.length), left);
  return bestFew([...hints, ...await score(second, run)], limit);
}

/** The first candidates whose rows fit the budget; at least one when there is budget at all. */
function affordable(candidates: readonly Candidate[], budget: number): Candidate[] {
  let cost = 0;
  return candidates.filter((candidate, i) => (cost += costOf(candidate)) <= budget || (i === 0 && budget > 0));
}

function costOf({ left, right, via }: Candidate): number {
  return (left.rows + right.rows) * (via[0] === "none" ? 1 : NORMALISED_COST);
}

/** The surest hints, one for each pair of columns. */
function bestFew(hints: readonly (JoinHint | undefined)[], limit: number): JoinHint[] {
  const best = new Map<string, JoinHint>();
  for (const hint of hints) {
    if (!hint || bestOf(hint) < CONTAINMENT_MIN) continue;
    const pair = JSON.stringify([hint.column, hint.otherRef, hint.otherColumn]);
    if (bestOf(hint) > bestOf(best.get(pair))) best.set(pair, hint);
  }
  return [...best.values()].sort((a, b) => bestOf(b) - bestOf(a)).slice(0, limit);
}

async function score(candidates: readonly Candidate[], run: RunOwn): Promise<(JoinHint | undefined)[]> {
  if (candidates.length === 0) return [];
  const refs = new Set(candidates.flatMap(({ left, right }) => [left.ref, right.ref]));
  try {
    const counts = await run(overlapsSql(candidates), [...refs], readCounts);
    return candidates.map((candidate, i) => {
      const [leftDistinct = 0, rightDistinct = 0, common = 0, leftRepeats = 0, rightRepeats = 0] = counts.get(i) ?? [];
      return hintFrom(candidate, { leftDistinct, rightDistinct, common, leftRepeats, rightRepeats });
    });
  } catch {
    // A hint is an extra: a dataset that was dropped meanwhile or an engine short of memory costs the hints only.
    return [];
  }
}

const readCounts: Reading<Map<number, number[]>> = async ({ types }, next) => {
  const counts = new Map<number, number[]>();
  for (let chunk = await next(); chunk; chunk = await next()) {
    const reader = new ChunkReader(chunk, types);
    for (let row = 0; row < reader.rowCount; row++) {
      // Counts and sums may be wider than a double and then come as text.
      const [candidate = 0, ...five] = reader.cells.map((cell) => Number(JSON.parse(cell(row))));
      counts.set(candidate, five);
    }
  }
  return counts;
};

function bestOf(hint: JoinHint | undefined): number {
  return hint === undefined ? 0 : Math.max(hint.containment, hint.reverseContainment);
}
