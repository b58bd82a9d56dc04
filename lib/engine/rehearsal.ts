/** The first result of a process would wait for everything to be compiled and loaded: it is done beforehand. @module */

import { locateRows } from "../records/mod.ts";
import { partResult } from "../records/result_parts.ts";
import type { Store } from "../store/mod.ts";

/** Times that the way of a result is gone, and the rows of each. */
const ROUNDS = 4;
const ROWS = 200;

/** The text of a result with rows as they often are. */
function resultText(round: number): string {
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    id: ROWS * round + i,
    name: `name ${i}`,
    at: "2026-01-02T03:04:05Z",
    open: i % 2 === 0,
    price: i / 4,
    owner: { id: i % 9, name: `owner ${i % 9}` },
    labels: ["a", "b"],
    note: i % 3 === 0 ? null : `note ${i}`,
  }));
  return JSON.stringify({ content: [{ type: "text", text: JSON.stringify(rows) }] });
}

/** Goes the way of a result and of a query, and leaves nothing behind. */
export async function rehearse(store: Pick<Store, "rehearse" | "query">): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const parted = partResult(resultText(round));
    const located = parted.kind === "parts" ? locateRows(parted.parts) : undefined;
    if (located?.kind === "table") await store.rehearse(located.table);
  }
  await store.query("SELECT 1 AS one", { rowLimit: 1, byteLimit: 1_000 });
}
