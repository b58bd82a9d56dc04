/** `loom import` from end to end, on files of a made-up home. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { loom } from "../support/cli_rig.ts";
import { verifies } from "../support/verifies.ts";

verifies("IMP-2 IMP-4 IMP-5", "loom import shows, writes, applies and undoes", async () => {
  const home = await Deno.makeTempDir();
  try {
    const client = `${home}/.cursor/mcp.json`;
    const text = `{\n  // mine\n  "mcpServers": { "db": { "command": "db-mcp", "env": { "KEY": "s3cret" } } }\n}\n`;
    await Deno.mkdir(`${home}/.cursor`);
    await Deno.writeTextFile(client, text);
    const to = `${home}/loom.json`;
    const run = (...args: readonly string[]) => loom(["import", ...args], { env: { HOME: home, USERPROFILE: home } });
    const shown = await run("cursor");
    equal(shown.code, 0);
    match(shown.out, /^db +db +db-mcp, env KEY$/m);
    match(shown.err, /^Nothing was written/);
    ok(!shown.out.includes("s3cret"));
    equal(JSON.parse((await run("cursor", "--json")).out).servers[0].env.KEY, "s3cret");
    deepEqual(await Array.fromAsync(Deno.readDir(home), ({ name }) => name), [".cursor"]);
    const applied = await run("cursor", "--apply", "--to", to);
    equal(applied.code, 0, applied.err);
    match(applied.out, /Wrote .*loom\.json\nChanged .*mcp\.json\nKept what it was as /);
    const changed = await Deno.readTextFile(client);
    match(changed, /\/\/ mine/);
    ok(changed.includes(JSON.stringify(to).slice(1, -1)) && !changed.includes("db-mcp"));
    equal(JSON.parse(await Deno.readTextFile(to)).servers[0].name, "db");
    equal((await run("cursor", "--to", to)).code, 1);
    equal((await run("--undo")).code, 0);
    equal(await Deno.readTextFile(client), text);
    equal((await run("--undo")).code, 1);
    equal((await run("courser")).code, 2);
    equal((await run("./nowhere.json")).code, 2);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

verifies(
  "IMP-1 IMP-5",
  "loom import names the configs when there are several, and does one place of a file at a time",
  async () => {
    const home = await Deno.makeTempDir();
    try {
      const run = (...args: readonly string[]) => loom(["import", ...args], { env: { HOME: home, USERPROFILE: home } });
      equal((await run()).code, 1);
      const claude = `${home}/.claude.json`;
      const project = { mcpServers: { mine: { command: "m" } } };
      const config = { mcpServers: { ours: { command: "o" } }, projects: { [Deno.cwd()]: project } };
      await Deno.writeTextFile(claude, JSON.stringify(config));
      deepEqual(JSON.parse((await run("claude-code", "--json")).out).servers, [{ name: "ours", command: "o" }]);
      await Deno.mkdir(`${home}/.gemini`);
      await Deno.writeTextFile(`${home}/.gemini/settings.json`, `{"mcpServers":{"g":{"command":"g"}}}`);
      const several = await run("--json");
      equal(several.code, 2);
      match(several.err, /name one:\n {2}loom import .*\.claude\.json\n/);
      equal((await run("--apply", "--to", `${home}/a.json`, "claude-code")).code, 0);
      deepEqual(JSON.parse((await run("claude-code", "--json")).out).servers, [{
        name: "mine",
        command: "m",
        cwd: Deno.cwd(),
      }]);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
);
