import { deepEqual, equal } from "node:assert/strict";
import { descendantsOf, entryOfStat, sendSignal } from "../../lib/gateway/process_tree.ts";

const REST = "0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2";

Deno.test.each([
  { stat: `12 (node) S 3 4 ${REST}`, entry: { pid: 12, parent: 3, group: 4 } },
  { stat: `12 (a) b) S 9 9) R 3 4 ${REST}`, entry: { pid: 12, parent: 3, group: 4 } },
  { stat: `12 (node) Z 3 4 ${REST}`, entry: undefined },
  { stat: "", entry: undefined },
])("entryOfStat() reads $stat", ({ stat, entry }) => {
  const read = entryOfStat(stat);
  deepEqual(read && { pid: read.pid, parent: read.parent, group: read.group }, entry);
});

Deno.test({
  name: "descendantsOf() finds grandchildren that left the process group",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const script = "setsid sleep 30 & sleep 30 & echo ready; wait";
    const child = new Deno.Command("sh", { args: ["-c", script], stdout: "piped" }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    const members = await descendantsOf(child.pid);
    equal(members.length, 2);
    for (const { pid } of members) await sendSignal(pid, "SIGKILL");
    await sendSignal(child.pid, "SIGKILL");
    await child.status;
    await reader.cancel();
  },
});

Deno.test("sendSignal() says false when there is no such process", async () => {
  equal(await sendSignal(2 ** 22 - 3, "SIGTERM"), false);
});
