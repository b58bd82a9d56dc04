import assert from "node:assert/strict";
import { GONE_DATASETS_MAX, Journal } from "../../lib/engine/journal.ts";
import { verifies } from "../support/verifies.ts";

const origin = { server: "crm", tool: "users", args: new Uint8Array([1]), tokenThreshold: 1, omitArgs: false };
const original = {
  kind: "original",
  origin,
  result: new Uint8Array([2]),
  createdAt: "2026-01-01T00:00:00.000Z",
} as const;
const derived = { kind: "derived", sql: "SELECT 1", derivation: { kind: "view", name: "x" }, volatile: false } as const;

Deno.test("Journal keeps datasets in the order in which they were made, and numbers never repeat", () => {
  const journal = new Journal();
  journal.note("ds_crm_users_7", original);
  journal.note("ds_view_x_8", derived);
  journal.evict({ ref: "ds_view_x_8", reason: "evicted", was: "1 row", how: "ask again" });
  assert.deepEqual(journal.entries.map(([ref]) => ref), ["ds_crm_users_7"]);
  assert.equal(journal.nextNumber, 9);
});

verifies("ENG-7", "Journal.lose() says how to get each kind of dataset back", () => {
  const journal = new Journal();
  journal.note("ds_crm_users_1", original);
  journal.note("ds_view_x_2", derived);
  journal.note("ds_crm_users_3", original);
  journal.forgetOriginal("ds_crm_users_3");
  for (const ref of ["ds_crm_users_1", "ds_view_x_2", "ds_crm_users_3", "ds_unknown_4"]) journal.lose(ref);
  assert.deepEqual(journal.entries, []);
  assert.deepEqual(journal.lost.map(({ ref }) => ref), ["ds_crm_users_1", "ds_view_x_2", "ds_crm_users_3"]);
  assert.match(journal.lost[0]?.how ?? "", /tool "users" of server "crm": call that tool again/);
  assert.match(journal.lost[1]?.how ?? "", /run it again: SELECT 1/);
});

Deno.test("Journal.forgetOriginal() lets go of the bytes and of the arguments", () => {
  const journal = new Journal();
  journal.note("ds_crm_users_1", original);
  journal.forgetOriginal("ds_crm_users_1");
  assert.equal(journal.original("ds_crm_users_1"), undefined);
  assert.equal(JSON.stringify(journal.entries).includes('"args"'), false);
  journal.note("ds_crm_users_1", original);
  assert.deepEqual(journal.original("ds_crm_users_1"), new Uint8Array([2]));
});

Deno.test("Journal remembers the newest evicted and lost datasets, up to a bound", () => {
  const journal = new Journal();
  for (let n = 1; n <= GONE_DATASETS_MAX + 1; n++) {
    const evicted = `ds_a_b_${n}`, lost = `ds_c_d_${n}`;
    journal.note(evicted, original);
    journal.evict({ ref: evicted, reason: "evicted", was: "1 rows of a's b, now", how: "call a_b again" });
    journal.note(lost, original);
    journal.lose(lost);
  }
  for (const [gone, first] of [[journal.evicted, "ds_a_b_2"], [journal.lost, "ds_c_d_2"]] as const) {
    assert.equal(gone.length, GONE_DATASETS_MAX);
    assert.equal(gone[0]?.ref, first);
  }
});
