import { deepEqual, equal, ok } from "node:assert/strict";
import { capabilitiesOf, INSTRUCTIONS_CHARS_MAX, instructionsOf, type Introduction } from "../../lib/client/offers.ts";
import { OWN_INSTRUCTIONS } from "../../lib/own_tools.ts";
import { verifies } from "../support/verifies.ts";

function server(name: string, capabilities: Record<string, unknown>, instructions?: string): Introduction {
  return { name, hello: { era: "legacy", protocolVersion: "2025-11-25", capabilities, instructions } };
}

verifies("RELAY-18", "capabilitiesOf() is the union of what servers have, with tools and changed lists", () => {
  const union = capabilitiesOf([
    server("a", { tools: {}, resources: { subscribe: true }, experimental: { x: { v: 1 } } }),
    server("b", { prompts: {}, resources: { listChanged: false, subscribe: false }, experimental: { y: [1] } }),
  ], true);
  deepEqual(union, {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    experimental: { x: { v: 1 }, y: [1] },
  });
});

verifies("RELAY-18", "capabilitiesOf() offers nothing that no server has, once all are known", () => {
  deepEqual(capabilitiesOf([server("a", { tools: {} })], true), { tools: { listChanged: true } });
  deepEqual(Object.keys(capabilitiesOf([], false)).sort(), ["completions", "logging", "prompts", "resources", "tools"]);
});

verifies("RELAY-19", "OWN_INSTRUCTIONS fit their share", () => ok(OWN_INSTRUCTIONS.length <= 500));

verifies("RELAY-19", "instructionsOf() gives each server its name and a fair share of 2,000 characters", () => {
  const merged = instructionsOf("own".repeat(300), [
    server("short", {}, "Call x first."),
    server("none", {}),
    server("long", {}, "l".repeat(5_000)),
    server("longer", {}, "m".repeat(9_000)),
  ]);
  equal(merged.length, INSTRUCTIONS_CHARS_MAX);
  ok(merged.slice(0, 500).endsWith("…"));
  ok(merged.includes("\n\n## short\nCall x first."));
  ok(!merged.includes("## none"));
  const shares = [merged.split("l").length, merged.split("m").length];
  ok(Math.abs((shares[0] ?? 0) - (shares[1] ?? 0)) < 10);
  ok(merged.indexOf("## short") < merged.indexOf("## long"));
});

verifies("RELAY-19", "instructionsOf() cuts between whole characters", () => {
  for (let extra = 0; extra < 4; extra++) {
    const merged = instructionsOf("x".repeat(extra), [server("a", {}, "😀".repeat(3_000))]);
    ok(merged.isWellFormed());
    ok(merged.length <= INSTRUCTIONS_CHARS_MAX);
  }
});
