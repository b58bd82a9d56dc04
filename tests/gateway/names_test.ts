import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { baseName, NameTable } from "../../lib/gateway/mod.ts";
import { verifies } from "../support/verifies.ts";

const TABLE: readonly { server: string; own: string; name: string }[] = [
  { server: "a", own: "list", name: "a_list" },
  { server: "a", own: "files/read", name: "a_files_read" },
  { server: "a", own: "admin.tools", name: "a_admin_tools" },
  { server: "a", own: "x-y", name: "a_x-y" },
  { server: "a", own: "größe_日本", name: "a_gr__e___" },
  { server: "a", own: "😀", name: "a__" },
  { server: "a", own: "__proto__", name: "a___proto__" },
];

for (const { server, own, name } of TABLE) {
  verifies("NAME-1", `baseName() makes ${name}`, async () => equal(await baseName(server, own, 50), name));
}

verifies("NAME-2", "baseName() keeps a name at the limit and shortens one beyond it", async () => {
  equal(await baseName("srv", "x".repeat(46), 50), `srv_${"x".repeat(46)}`);
  const cut = await baseName("srv", "x".repeat(47), 50);
  equal(cut.length, 50);
  match(cut, /^srv_x{37}_[0-9a-f]{8}$/);
  // The first digits of the SHA-256 of the whole name as the server spells it.
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`srv_${"x".repeat(47)}`));
  ok(cut.endsWith(new Uint8Array(digest).toHex().slice(0, 8)));
  notEqual(await baseName("srv", `${"x".repeat(47)}A`, 50), await baseName("srv", `${"x".repeat(47)}B`, 50));
});

verifies("NAME-3 NAME-4", "NameTable.nameFor() tells items of one name apart and stays by it", () => {
  const table = new NameTable(12);
  const first = { server: "a", own: "b_c", base: "a_b_c" };
  const second = { server: "a_b", own: "c", base: "a_b_c" };
  deepEqual(table.nameFor(first), { name: "a_b_c", collided: false });
  deepEqual(table.nameFor(second), { name: "a_b_c_2", collided: true });
  deepEqual(table.nameFor({ server: "a", own: "b.c", base: "a_b_c" }), { name: "a_b_c_3", collided: true });
  equal(table.nameFor(second).name, "a_b_c_2");
  equal(table.itemOf("a_b_c_2"), second);
  equal(table.itemOf("a_b_c"), first);
  equal(table.itemOf("a_b_c_4"), undefined);
  equal(table.exposed("a_b", "c"), "a_b_c_2");
});

verifies("NAME-3", "NameTable.nameFor() keeps the limit when it adds a number", () => {
  const table = new NameTable(10);
  table.nameFor({ server: "a", own: "1", base: "a_23456789" });
  equal(table.nameFor({ server: "a", own: "2", base: "a_23456789" }).name, "a_234567_2");
});

verifies("NAME-5", "NameTable.nameFor() gives no reserved name away", () => {
  const table = new NameTable(50, ["loom_query"]);
  equal(table.nameFor({ server: "loom_", own: "query", base: "loom_query" }).name, "loom_query_2");
});
