/** `loom import` from end to end, on files of a made-up home. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { loom } from "../support/cli_rig.ts";
import { verifies } from "../support/verifies.ts";

const ADVICE = "It may hold secrets: delete it when nothing else uses it";

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
    const undone = await run("--undo");
    equal(undone.code, 0);
    equal(undone.out, `${client} is as it was before loom\nThe loom config stays: ${to}\n${ADVICE}\n`);
    equal(JSON.parse(await Deno.readTextFile(to)).servers[0].env.KEY, "s3cret");
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

for (const name of ["mcp.json", "config.toml"]) {
  verifies("IMP-4", `loom import --undo of a file ${name} names the loom config that is still there`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const [client, to] = [`${folder}/${name}`, `${folder}/loom.json`];
      const text = name.endsWith("toml") ? '[mcp_servers.x]\ncommand = "x"\n' : '{"mcpServers":{"x":{"command":"x"}}}';
      const run = (...args: readonly string[]) => loom(["import", client, ...args], { env: { HOME: folder } });
      await Deno.writeTextFile(client, text);
      equal((await run("--apply", "--to", to)).code, 0);
      match((await run("--undo")).out, new RegExp(`\nThe loom config stays: ${to}\n${ADVICE}\n$`));
      equal((await run("--apply", "--to", to)).code, 0);
      await Deno.remove(to);
      equal((await run("--undo")).out, `${client} is as it was before loom\n`);
      equal(await Deno.readTextFile(client), text);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

verifies("IMP-4 CLI-2", "loom import refuses options of which one would silently win", async () => {
  for (const args of [["--undo", "--apply"], ["--undo", "--to", "x"], ["--undo", "--json"], ["--json", "--to", "x"]]) {
    const { code, out, err } = await loom(["import", ...args], { env: { HOME: "/nowhere" } });
    deepEqual([code, out], [2, ""], args.join(" "));
    match(err, new RegExp(`^Cannot import: ${args[0]} .*${args[1]} would`));
  }
});
