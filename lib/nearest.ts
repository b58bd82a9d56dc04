/** The known word that is closest to a mistyped one. @module */

/** Characters of a word that are compared; the rest of a longer one is ignored. */
export const COMPARED_CHARS_MAX = 100;

/** How many characters must be added, removed or changed to make `a` of `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The entry of `known` that is closest to `word` without regard to case; the first of equals, undefined of none. */
export function nearestOf(word: string, known: Iterable<string>): string | undefined {
  const target = word.slice(0, COMPARED_CHARS_MAX).toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const distance = editDistance(target, candidate.slice(0, COMPARED_CHARS_MAX).toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
