/** What loom costs a call that it passes on, beside the same server called directly. @module */

import { directPeer, loomPeer } from "../support/stdio_peer.ts";

const direct = await directPeer();
const loom = await loomPeer();
const BURST = 500;

globalThis.addEventListener("unload", () => {
  void direct[Symbol.asyncDispose]();
  void loom[Symbol.asyncDispose]();
});

for (
  const [group, tool, args] of [
    ["a small call", "echo", {}],
    ["1 MiB of text", "text", { kb: 1_024 }],
    ["10 MiB of text", "text", { kb: 10_240 }],
  ] as const
) {
  Deno.bench({ name: "direct", group, baseline: true, fn: async () => void await direct.call(tool, args) });
  Deno.bench({ name: "through loom", group, fn: async () => void await loom.call(`bench_${tool}`, args) });
}

const group = `${BURST} small calls at once`;
Deno.bench({
  name: "direct",
  group,
  baseline: true,
  fn: async () => void await Promise.all(Array.from({ length: BURST }, () => direct.call("echo"))),
});
Deno.bench({
  name: "through loom",
  group,
  fn: async () => void await Promise.all(Array.from({ length: BURST }, () => loom.call("bench_echo"))),
});
