/** The known words that are closest to a mistyped one. @module */

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
  return nearestFew(word, known, 1)[0];
}

/** Up to `count` entries of `known`, the closest to `word` first, without regard to case; of equals the first. */
export function nearestFew(word: string, known: Iterable<string>, count: number): readonly string[] {
  const target = word.slice(0, COMPARED_CHARS_MAX).toLowerCase();
  const distance = (entry: string) => editDistance(target, entry.slice(0, COMPARED_CHARS_MAX).toLowerCase());
  return [...known].map((entry) => ({ entry, distance: distance(entry) }))
    .toSorted((a, b) => a.distance - b.distance).slice(0, count).map(({ entry }) => entry);
}
