/** Whatever a config or a client's file holds, it is read whole or refused in words. @module */

import { deepEqual, ok } from "node:assert/strict";
import { firstSeed, forRandom, type Random } from "./support/random.ts";
import { projectText } from "./support/tree.ts";
import { parseConfig } from "../lib/config.ts";
import { plainValue } from "../lib/config/load.ts";
import { readConfigText } from "../lib/config/text.ts";
import { LoomError } from "../lib/errors.ts";
import { findServers, type Location, withLoom } from "../lib/import/mod.ts";

const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "null",
  "1e999",
  "-1",
  '"servers"',
  "//",
  "/*",
  "*/",
  "\n",
  "\u0000",
  "${A}",
  "__proto__",
  "🦆",
  "= ",
  "[mcp_servers.a]",
];

/** The text with a few pieces put in, taken out or put in the place of others. */
function mutated(text: string, random: Random): string {
  let result = text;
  for (let n = random.below(4) + 1; n > 0; n--) {
    const at = random.below(result.length + 1);
    const gone = random.chance(0.5) ? random.below(8) : 0;
    result = result.slice(0, at) + (PIECES[random.below(PIECES.length)] ?? "") + result.slice(at + gone);
  }
  return result;
}

/** Runs `work`, which may only fail as a refusal of the config. */
function refusesInWords<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    ok(error instanceof LoomError && error.code === "CONFIG_INVALID", String(error));
    ok(error.message.length > 10);
    return undefined;
  }
}

Deno.test("property: parseConfig() gives a whole config or refuses in words", async () => {
  const text = await projectText("loom.config.example.json");
  forRandom(300, (random) => {
    const source = { path: "/etc/loom.json", env: () => "x" };
    const config = refusesInWords(() => parseConfig(mutated(text, random), source));
    if (config) ok(config.servers.length > 0 && config.servers.every(({ cwd }) => cwd.startsWith("/")));
  });
});

Deno.test("property: what plainValue() reads, the parser reads the same", () => {
  let plain = 0;
  forRandom(300, (random) => {
    const changed = mutated(`{"a":[1,"x",{"b":null}],"c":true}`, random);
    const value = plainValue(changed);
    if (value === undefined) return;
    plain++;
    const read = readConfigText(changed);
    deepEqual([value, [], []], [read.value, read.breaks, read.problems]);
  });
  ok(plain > 0 || firstSeed() !== 1);
});

const PLACES: readonly { readonly location: Location; readonly text: string }[] = [
  {
    location: { client: "vscode", path: "/c.json", keys: ["servers"], format: "json" },
    text:
      `{\n  // mine\n  "inputs": [{ "id": "k" }],\n  "servers": { "a": { "command": "a", "args": ["\${input:k}"] }, "b": { "url": "https://x.org" } }\n}\n`,
  },
  {
    location: { client: "codex", path: "/c.toml", keys: ["mcp_servers"], format: "toml" },
    text:
      `model = "o"\n\n[mcp_servers.a]\ncommand = "a"\nargs = ["x"]\n\n[mcp_servers.a.env]\nK = "v"\n\n[tui]\nx = 1\n`,
  },
];

for (const { location, text } of PLACES) {
  Deno.test(`property: a ${location.format} file of a client is read and changed, or refused in words`, () => {
    forRandom(300, (random) => {
      const changed = mutated(text, random);
      const found = refusesInWords(() => findServers(location, changed, "/home/me"));
      if (!found) return;
      const edited = refusesInWords(() => withLoom(found, { command: "/opt/loom", args: [] }));
      if (edited === undefined) return;
      const again = findServers(location, edited, "/home/me");
      ok(again.hasLoom && again.servers.length === 0, edited);
    });
  });
}
