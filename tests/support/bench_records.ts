/** Records as a busy API answers them, the input of every benchmark of rows. @module */

/** `n` records of eleven columns, about 210 bytes each. */
export function benchRecords(n: number): Record<string, unknown>[] {
  return Array.from({ length: n }, (_, id) => ({
    id,
    name: `customer ${id}`,
    email: `c${id}@example.com`,
    score: id * 1.5,
    active: id % 2 === 0,
    created_at: new Date(1.7e12 + id * 1000).toISOString(),
    team: { id: id % 50, name: `team ${id % 50}` },
    tags: ["a", `b${id % 7}`],
    note: id % 3 ? null : `note ${id}`,
    amount: (id % 1000) / 100,
  }));
}
