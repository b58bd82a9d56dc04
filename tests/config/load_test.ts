/** The config file: where it is looked for, and how it is read. @module */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { verifies } from "../support/verifies.ts";
import { findConfig, loadConfig, plainValue } from "../../lib/config/load.ts";
import { LoomError } from "../../lib/errors.ts";

verifies("CONF-1", "findConfig() goes by --config, then LOOM_CONFIG, then ./loom.config.json", () => {
  const env = (name: string) => name === "LOOM_CONFIG" ? "/from/variable.json" : undefined;
  equal(findConfig("/from/flag.json", env), "/from/flag.json");
  equal(findConfig(undefined, env), "/from/variable.json");
  equal(findConfig(undefined, () => undefined), `${Deno.cwd()}/loom.config.json`);
  equal(findConfig(undefined, () => ""), `${Deno.cwd()}/loom.config.json`);
});

verifies("CONF-1 CONF-2", "loadConfig() says which file it missed and how to name one", async () => {
  const error = await loadConfig("/nowhere/loom.json").catch((thrown: unknown) => thrown);
  ok(error instanceof LoomError);
  equal(error.code, "CONFIG_INVALID");
  match(error.message, /^Cannot read the config \/nowhere\/loom\.json: there is no such file; .*--config.*LOOM_CONFIG/);
});

verifies("CONF-2", "loadConfig() refuses a file that is not UTF-8", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, new Uint8Array([0x7b, 0xff, 0x7d]));
    const error = await loadConfig(path).catch((thrown: unknown) => thrown);
    ok(error instanceof LoomError && error.code === "CONFIG_INVALID");
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("plainValue() reads plain JSON and leaves everything else to the parser", () => {
  deepEqual(plainValue(`{ "a": [1, "x y", true],\n "b c": "\\"" }`), { a: [1, "x y", true], "b c": '"' });
  for (const text of ["", "{", `{"a":1,"a":1}`, `{"a":1,}`, `{"a":1} // x`, `{"__proto__":1}`, `{"a":1.0}`]) {
    equal(plainValue(text), undefined, text);
  }
});

verifies(
  "CONF-1 CONF-2",
  "loadConfig() reads plain files, files with comments, and refuses as parseConfig() does",
  async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/loom.json`;
    const load = async (text: string) => {
      await Deno.writeTextFile(path, text);
      return await loadConfig(path, () => undefined).then(
        (config) => config.servers[0]?.name,
        (error: Error) => error.message,
      );
    };
    try {
      equal(await load(`{ "servers": [{ "name": "a", "command": "x" }] }`), "a");
      equal(await load(`{ "servers": [{ "name": "a", "command": "x" }], } // mine`), "a");
      match(await load(`{\n"servers": [{ "name": "a" }] }`) ?? "", /line 2: servers\[0\]\.command: expected/);
      match(await load(`{ "servers": [], "servers": [{ "name": "a", "command": "x" }] }`) ?? "", /stands here twice/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
