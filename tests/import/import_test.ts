/** Client configs: found on each system, read, changed without touching the rest, and put back byte for byte. @module */

import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { verifies } from "../support/verifies.ts";
import {
  applyToFile,
  clientLocations,
  currentSystem,
  findServers,
  type Found,
  type Location,
  locationOfFile,
  loomConfigText,
  type System,
  undoFile,
  withLoom,
} from "../../lib/import/mod.ts";
import { convertEntry } from "../../lib/import/convert.ts";
import { parseConfig } from "../../lib/config.ts";

const COMMAND = { command: "/opt/loom", args: ["--config", "/etc/loom.json"] };

function locations(system: System, env: Readonly<Record<string, string>>, folder: string): readonly Location[] {
  return clientLocations({ system, env: (name) => env[name], folder });
}

function find(location: Partial<Location>, text: string): Found {
  return findServers(
    { client: "claude-desktop", path: "/c.json", keys: ["mcpServers"], format: "json", ...location },
    text,
    "/home/me",
  );
}

verifies("IMP-1", "clientLocations() knows every client on every system", () => {
  const paths = (system: System, env: Readonly<Record<string, string>>, folder: string) =>
    locations(system, env, folder).map(({ path }) => path);
  deepEqual(paths("linux", { HOME: "/home/me" }, "/p"), [
    "/p/.mcp.json",
    "/p/.cursor/mcp.json",
    "/p/.vscode/mcp.json",
    "/p/.zed/settings.json",
    "/p/.codex/config.toml",
    "/p/.gemini/settings.json",
    "/home/me/.config/Claude/claude_desktop_config.json",
    "/home/me/.claude.json",
    "/home/me/.claude.json",
    "/home/me/.cursor/mcp.json",
    "/home/me/.config/Code/User/mcp.json",
    "/home/me/.config/Code/User/settings.json",
    "/home/me/.codeium/windsurf/mcp_config.json",
    "/home/me/.config/zed/settings.json",
    "/home/me/.codex/config.toml",
    "/home/me/.gemini/settings.json",
  ]);
  deepEqual(paths("darwin", { HOME: "/Users/me" }, "/p").slice(6), [
    "/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
    "/Users/me/.claude.json",
    "/Users/me/.claude.json",
    "/Users/me/.cursor/mcp.json",
    "/Users/me/Library/Application Support/Code/User/mcp.json",
    "/Users/me/Library/Application Support/Code/User/settings.json",
    "/Users/me/.codeium/windsurf/mcp_config.json",
    "/Users/me/.config/zed/settings.json",
    "/Users/me/.codex/config.toml",
    "/Users/me/.gemini/settings.json",
  ]);
  deepEqual(paths("windows", { USERPROFILE: "C:\\Users\\me", APPDATA: "C:\\Users\\me\\AppData\\Roaming" }, "D:\\p"), [
    "D:\\p\\.mcp.json",
    "D:\\p\\.cursor\\mcp.json",
    "D:\\p\\.vscode\\mcp.json",
    "D:\\p\\.zed\\settings.json",
    "D:\\p\\.codex\\config.toml",
    "D:\\p\\.gemini\\settings.json",
    "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    "C:\\Users\\me\\.claude.json",
    "C:\\Users\\me\\.claude.json",
    "C:\\Users\\me\\.cursor\\mcp.json",
    "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
    "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\settings.json",
    "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json",
    "C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json",
    "C:\\Users\\me\\.codex\\config.toml",
    "C:\\Users\\me\\.gemini\\settings.json",
  ]);
  equal(locations("linux", {}, "/p").length, 6);
  equal(locations("linux", { HOME: "/h", CODEX_HOME: "/codex" }, "/p").at(-2)?.path, "/codex/config.toml");
  deepEqual(["linux", "darwin", "windows", "freebsd"].map(currentSystem), ["linux", "darwin", "windows", "linux"]);
});

/** A config of each client, with what surrounds the servers, and what loom makes of them. */
const SAMPLES: readonly {
  name: string;
  location: Partial<Location>;
  text: string;
  servers: unknown;
  left?: string[];
}[] = [
  {
    name: "Claude Desktop",
    location: {},
    text: `{
  "mcpServers": {
    "Files": { "command": "npx", "args": ["-y", "files", "/data"], "env": { "TOKEN": "s3cret" } },
    "remote": { "command": "x", "args": ["\${odd}"] }
  },
  "globalShortcut": "Ctrl+Space"
}`,
    servers: [{ name: "files", command: "npx", args: ["-y", "files", "/data"], env: { TOKEN: "s3cret" } }],
    left: ["remote"],
  },
  {
    name: "Claude Code, a project",
    location: { client: "claude-code", project: "/p" },
    text: `{"mcpServers":{"gh":{"type":"stdio","command":"gh-mcp","args":[],"env":{"T":"\${GH:-none}"}},
"far":{"type":"http","url":"https://x.org/mcp","headers":{"A":"\${B}"}},"old":{"type":"sse","url":"https://x.org/y"}}}`,
    servers: [
      { name: "gh", command: "gh-mcp", args: [], cwd: "/p", env: { T: "${GH:-none}" } },
      { name: "far", url: "https://x.org/mcp", headers: { A: "${B}" } },
    ],
    left: ["old"],
  },
  {
    name: "Claude Code, inside ~/.claude.json",
    location: { client: "claude-code", keys: ["projects", "/p/x", "mcpServers"], project: "/p/x" },
    text: `{
\t"numStartups": 9007199254740993,
\t"projects": {
\t\t"/p/x": { "mcpServers": { "a": { "command": "a" } }, "history": [1.10, "\\u00e9"] },
\t\t"/p/y": { "mcpServers": { "b": { "command": "b" } } }
\t}
}
`,
    servers: [{ name: "a", command: "a", cwd: "/p/x" }],
  },
  {
    name: "Cursor",
    location: { client: "cursor", project: "/p" },
    text: `{
  // mine
  "mcpServers": {
    "db": { "command": "\${workspaceFolder}/db", "args": ["\${userHome}/x"], "env": { "K": "\${env:KEY}" } },
    "file": { "command": "y", "envFile": ".env" }
  }
}`,
    servers: [{ name: "db", command: "/p/db", args: ["/home/me/x"], cwd: "/p", env: { K: "${KEY}" } }],
    left: ["file"],
  },
  {
    name: "VS Code",
    location: { client: "vscode", keys: ["servers"] },
    text: `{\r
    "inputs": [{ "type": "promptString", "id": "api-key", "password": true }],\r
    "servers": {\r
        /* one */\r
        "web": { "type": "stdio", "command": "web", "env": { "KEY": "\${input:api-key}" } },\r
        "ask": { "command": "x", "args": ["\${input:unknown}"] }\r
    }\r
}\r
`,
    servers: [{ name: "web", command: "web", env: { KEY: "${INPUT_API_KEY}" } }],
    left: ["ask"],
  },
  {
    name: "VS Code, in its settings",
    location: { client: "vscode", keys: ["mcp", "servers"] },
    text: `\ufeff{
  "editor.fontSize": 12,
  "mcp": {
    "inputs": [{ "id": "k" }],
    "servers": { "a": { "command": "a", "args": null, "env": { "PORT": 80, "ON": true, "K": "\${input:k}" } } }
  }
}`,
    servers: [{ name: "a", command: "a", env: { PORT: "80", ON: "true", K: "${INPUT_K}" } }],
  },
  {
    name: "Windsurf",
    location: { client: "windsurf" },
    text:
      `{ "mcpServers": { "r": { "serverUrl": "https://x.org/mcp", "headers": { "K": "\${env:K}" }, "disabledTools": ["rm"] },
      "off": { "command": "x", "disabled": true }, "events": { "serverUrl": "https://x.org/sse" } } }`,
    servers: [
      { name: "r", url: "https://x.org/mcp", headers: { K: "${K}" }, tools: { deny: ["rm"] } },
      { name: "off", command: "x", enabled: false },
    ],
    left: ["events"],
  },
  {
    name: "Zed",
    location: { client: "zed", keys: ["context_servers"] },
    text: `// Zed settings
{
  "theme": "One Dark", // nice
  "context_servers": {
    "new": { "source": "custom", "command": "n", "args": ["1"], "env": {} },
    "older": { "command": { "path": "o", "args": ["2"], "env": { "A": "b" } } },
    "ext": { "source": "extension", "settings": {} },
  },
}
`,
    servers: [
      { name: "new", command: "n", args: ["1"], env: {} },
      { name: "older", command: "o", args: ["2"], env: { A: "b" } },
    ],
    left: ["ext"],
  },
  {
    name: "Codex",
    location: { client: "codex", format: "toml", keys: ["mcp_servers"] },
    text: `model = "o" # my model

# the first
[mcp_servers.one]
command = "one"
args = ["-y", 'x']
startup_timeout_sec = 20
tool_timeout_sec = 1.5
enabled_tools = ["read"]
env_vars = ["LOCAL"]

[mcp_servers.one.env]
KEY = "s3cret"

[mcp_servers."far away"]
url = "https://x.org/mcp"
bearer_token_env_var = "TOK"

[tui]
notifications = true
`,
    servers: [
      {
        name: "one",
        command: "one",
        args: ["-y", "x"],
        env: { KEY: "s3cret" },
        envPassthrough: ["LOCAL"],
        tools: { allow: ["read"] },
        startTimeoutMs: 20_000,
        callTimeoutMs: 1_500,
      },
      { name: "far_away", url: "https://x.org/mcp", headers: { Authorization: "Bearer ${TOK}" } },
    ],
  },
  {
    name: "Gemini",
    location: { client: "gemini" },
    text: `{ "mcpServers": { "g": { "command": "g", "env": { "A": "$TOKEN" }, "trust": true, "excludeTools": ["x"] },
  "h": { "httpUrl": "https://x.org/mcp" }, "s": { "url": "https://x.org/events" } }, "selectedAuthType": "x" }`,
    servers: [
      { name: "g", command: "g", env: { A: "${TOKEN}" }, tools: { deny: ["x"] } },
      { name: "h", url: "https://x.org/mcp" },
    ],
    left: ["s"],
  },
];

for (const { name, location, text, servers, left = [] } of SAMPLES) {
  verifies("IMP-2", `findServers() reads the config of ${name}`, () => {
    const found = find(location, text);
    deepEqual(JSON.parse(loomConfigText(found.servers)), { servers });
    deepEqual(found.left.map(({ writtenName }) => writtenName), left);
    ok(parseConfig(loomConfigText(found.servers), { path: "/etc/loom.json", env: () => "x" }).servers.length > 0);
  });

  verifies("IMP-3", `withLoom() changes nothing else in the config of ${name}`, () => {
    const found = find(location, text);
    const edited = withLoom(found, COMMAND);
    const read = (source: string) =>
      found.location.format === "toml" ? parseToml(source) : parseJsonc(source.replace("\ufeff", ""));
    const at = (root: Record<string, unknown>) =>
      found.location.keys.reduce((value, key) => value[key] as Record<string, unknown>, root);
    const [before, after] = [read(text), read(edited)];
    deepEqual(Object.keys(at(after)).toSorted(), ["loom", ...left].toSorted());
    const loom = at(after).loom as Record<string, unknown>;
    deepEqual([loom.command, loom.args], [COMMAND.command, COMMAND.args]);
    for (const each of [before, after]) for (const key of Object.keys(at(each))) delete at(each)[key];
    deepEqual(after, before);
    // Comments, digits and escapes as well.
    for (const kept of text.match(/\/\/ .*|# my model|9007199254740993|1\.10|\\u00e9|"theme"|\[tui\]/g) ?? []) {
      ok(edited.includes(kept), kept);
    }
    equal(edited.startsWith("\ufeff"), text.startsWith("\ufeff"));
    equal(edited.includes("\r\n"), text.includes("\r\n"));
    equal(/[^\r]\n/.test(edited), /[^\r]\n/.test(text) || !text.includes("\n"));
  });

  verifies("IMP-4", `applying to and undoing the config of ${name} leaves it byte for byte as it was`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const path = `${folder}/config`;
      await Deno.writeTextFile(path, text, { mode: 0o640 });
      const backup = await applyToFile(path, withLoom(find(location, text), COMMAND));
      equal(await Deno.readTextFile(backup), text);
      ok((await Deno.readTextFile(path)).includes("/opt/loom"));
      deepEqual(await undoFile(path), { kind: "restored" });
      deepEqual(await Deno.readFile(path), new TextEncoder().encode(text));
      if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o640);
      deepEqual(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["config"]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

verifies("IMP-3", "withLoom() touches no entry that stays, nor its comments", () => {
  const text = `{
  "mcpServers": {
    // about a
    "a": { "command": "x" },
    "k": { "url": "https://k.org/sse", "n": 1.10 }, // about k
    "b": { "command": "y" }
  }
}
`;
  equal(
    withLoom(find({}, text), { command: "/opt/loom", args: [] }),
    `{
  "mcpServers": {
    // about a
    "k": { "url": "https://k.org/sse", "n": 1.10 },
    "loom": {
      "command": "/opt/loom",
      "args": []
    } // about k
  }
}
`,
  );
  equal(
    withLoom(find({}, `{"mcpServers":{"a":{"command":"x"}},"n":1.10}`), { command: "/opt/loom", args: [] }),
    `{"mcpServers":{"loom":{"command":"/opt/loom","args":[]}},"n":1.10}`,
  );
});

verifies("IMP-2", "names that collide get a number, and loom itself is not imported", () => {
  const found = find(
    {},
    `{"mcpServers":{"a-b":{"command":"1"},"a_b":{"command":"2"},"A b":{"command":"3"},
    "loom":{"command":"x"},"mine":{"command":"deno","args":["run","-A","jsr:@loom/cli"]},"Loom":{"command":"y"}}}`,
  );
  deepEqual(found.servers.map(({ name }) => name), ["a_b", "a_b_2", "a_b_3", "loom_server"]);
  equal(found.hasLoom, true);
});

verifies("IMP-3", "withLoom() refuses a TOML file whose servers do not stand in tables of their own", () => {
  const location: Partial<Location> = { client: "codex", format: "toml", keys: ["mcp_servers"] };
  const found = find(location, `mcp_servers = { a = { command = "x" } }\n`);
  equal(found.servers.length, 1);
  throws(() => withLoom(found, COMMAND), { code: "CONFIG_INVALID" });
});

Deno.test.each([
  { path: "/x.json", text: `{"mcpServers":{"a":{}}}`, client: "claude-desktop", keys: ["mcpServers"] },
  { path: "/x.json", text: `{"servers":{"a":{}}}`, client: "vscode", keys: ["servers"] },
  {
    path: "/x.code-workspace",
    text: `{"settings":{"mcp":{"servers":{}}}}`,
    client: "vscode",
    keys: ["settings", "mcp", "servers"],
  },
  { path: "/x.json", text: `{"context_servers":{}}`, client: "zed", keys: ["context_servers"] },
  { path: "/x.toml", text: `[mcp_servers.a]\ncommand = "x"\n`, client: "codex", keys: ["mcp_servers"] },
  { path: "/x.json", text: `{}`, client: "claude-desktop", keys: ["mcpServers"] },
])("locationOfFile() finds the servers in $text", ({ path, text, client, keys }) => {
  const location = locationOfFile(path, text, undefined);
  deepEqual([location.client, location.keys], [client, keys]);
});

Deno.test("findServers() refuses a file that is not what its name says", () => {
  throws(() => find({}, "{"), { code: "CONFIG_INVALID" });
  throws(() => find({ format: "toml" }, "= 1"), { code: "CONFIG_INVALID" });
  deepEqual(find({}, "{}").servers, []);
  deepEqual(find({}, "").servers, []);
});

Deno.test.each([
  { entry: 5, reason: "it is not an object" },
  { entry: {}, reason: "it has neither a command nor an address" },
  { entry: { command: 5 }, reason: "its command is not a text" },
  { entry: { command: "x", args: "y" }, reason: "its args is not a list of texts" },
  { entry: { command: "x", env: { A: {} } }, reason: "its env is not an object of texts" },
  { entry: { url: "https://x.org", oauth: {} }, reason: "the client signs in for it" },
  { entry: { url: "https://x.org/sse" }, reason: "it speaks the older SSE transport" },
])("convertEntry() leaves $entry with the client", ({ entry, reason }) => {
  const around = { client: "cursor", home: "/h", project: undefined, inputs: new Set<string>() } as const;
  deepEqual(convertEntry(entry, around), { kind: "left", reason });
});
