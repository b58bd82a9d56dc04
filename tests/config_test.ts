/** The config file: what is accepted, what it means, and how a bad one is refused. @module */

import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { CONFIG_CHARS_MAX, type LoomConfig, parseConfig, type ServerConfig } from "../lib/config.ts";
import { configJsonSchema } from "../lib/config/schema.ts";
import { LoomError } from "../lib/errors.ts";

const HOME: Record<string, string> = { TOKEN: "t0ken", HOST: "example.org", EMPTY: "" };

function parse(value: unknown): LoomConfig {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return parseConfig(text, { path: "/etc/loom/loom.json", env: (name) => HOME[name] });
}

function server(fields: Record<string, unknown>): ServerConfig {
  const only = parse({ servers: [{ name: "a", command: "x", ...fields }] }).servers[0];
  ok(only);
  return only;
}

function remote(fields: Record<string, unknown>): ServerConfig {
  return server({ command: undefined, ...fields });
}

/** The lines of the refusal, without the first. */
function problems(value: unknown): readonly string[] {
  try {
    parse(value);
  } catch (error) {
    ok(error instanceof LoomError);
    equal(error.code, "CONFIG_INVALID");
    return error.message.split("\n").slice(1).map((line) => line.replace(/^ {2}line \d+: /, ""));
  }
  return [];
}

function accepts(value: unknown): boolean {
  return problems(value).length === 0;
}

verifies("CONF-1", "parseConfig() takes comments, trailing commas and a byte order mark", () => {
  const config = parse(`\ufeff{
    // the only one
    "servers": [{ "name": "a", /* why not */ "command": "x", },],
  }`);
  equal(config.servers[0]?.name, "a");
});

verifies("CONF-2", "parseConfig() lists every violated field with its line, its path and what was expected", () => {
  const text = `{
    "servers": [
      { "name": "A", "command": "", "env": { "X": 1 } },
      { "name": "b", "command": "x", "intercept": "sometimes", "startTimeoutMs": 0.5 }
    ],
    "restart": { "maxAttempts": -1 },
    "tokenThreshold": "many"
  }`;
  throws(() => parse(text), {
    message: [
      "Cannot use /etc/loom/loom.json: 7 problems",
      `  line 3: servers[0].name: expected a lowercase letter, then up to 31 of a-z, 0-9 and _, got "A"`,
      `  line 3: servers[0].command: expected a non-empty string, got ""`,
      `  line 3: servers[0].env.X: expected a string (no NUL), got a number`,
      `  line 4: servers[1].intercept: expected "auto", "never", or an object from tool glob to one of those, got "sometimes"`,
      `  line 4: servers[1].startTimeoutMs: expected an integer of at least 1, got 0.5`,
      `  line 6: restart.maxAttempts: expected an integer of at least 0, got -1`,
      `  line 7: tokenThreshold: expected an integer of at least 100, got "many"`,
    ].join("\n"),
  });
});

verifies("CONF-2", "parseConfig() names the nearest known key for an unknown one, at every level", () => {
  deepEqual(
    problems({
      servers: [{ name: "a", comand: "x", tools: { alow: [] } }],
      restart: { maxatempts: 1 },
      querytimeout: 5,
    }).toSorted(),
    [
      `servers[0].comand: unknown key: the nearest known one is "command"`,
      `servers[0].command: expected command or url, both are missing`,
      `servers[0].tools.alow: unknown key: the nearest known one is "allow"`,
      `restart.maxatempts: unknown key: the nearest known one is "maxAttempts"`,
      `querytimeout: unknown key: the nearest known one is "queryTimeoutMs"`,
    ].toSorted(),
  );
});

verifies("CONF-2", "parseConfig() refuses a key that stands twice, and one that JSON objects cannot carry", () => {
  deepEqual(problems(`{ "servers": [{ "name": "a", "command": "x", "command": "y" }] }`), [
    "servers[0].command: expected this key once, it stands here twice",
  ]);
  deepEqual(
    problems(`{ "mcpServers": { "a": { "command": "x" }, "__proto__": { "command": "y" } } }`),
    [
      "mcpServers.__proto__: expected another name for this key",
      "mcpServers.__proto__: expected another name: the rest of it is not read",
    ].slice(0, 1),
  );
});

Deno.test.each([
  { text: "" },
  { text: "{" },
  { text: "[]" },
  { text: "null" },
  { text: `{ "servers": [] }` },
  { text: "{}" },
  { text: `{ "servers": {} }` },
  { text: `{ "servers": [1] }` },
  { text: `{ "servers": [{ "name": "a", "command": "x" }] ` },
])("parseConfig() refuses $text in one message", ({ text }) => equal(problems(text).length, 1));

Deno.test("parseConfig() refuses a text that is nested too deep", () => {
  deepEqual(problems("[".repeat(300_000)), ["expected fewer levels of nesting"]);
});

verifies("CONF-2", "parseConfig() takes a text of CONFIG_CHARS_MAX characters and refuses one more", () => {
  const text = `{ "servers": [{ "name": "a", "command": "x" }] }`;
  ok(accepts(text.padEnd(CONFIG_CHARS_MAX)));
  deepEqual(problems(text.padEnd(CONFIG_CHARS_MAX + 1)), [`expected at most ${CONFIG_CHARS_MAX} characters`]);
});

verifies("CONF-3", "parseConfig() fills in the defaults", () => {
  const { interceptModeOf, ...rest } = server({});
  deepEqual(rest, {
    name: "a",
    command: "x",
    args: [],
    cwd: "/etc/loom",
    env: {},
    envPassthrough: [],
    provenanceDenylist: [],
    url: undefined,
    headers: {},
    disabled: undefined,
    tools: {},
    startTimeoutMs: 60_000,
    callTimeoutMs: undefined,
    tokenThreshold: 2_000,
  });
  equal(interceptModeOf("any"), "auto");
  const { servers: _servers, ...settings } = parse({ servers: [{ name: "a", command: "x" }] });
  deepEqual(settings, {
    tokenThreshold: 2_000,
    memoryBudgetBytes: 268_435_456,
    duckdbMemoryLimit: "512MB",
    exportDir: "/etc/loom/exports",
    queryTimeoutMs: 30_000,
    toolNameMaxLength: 50,
    restart: { maxAttempts: 5, baseDelayMs: 1_000 },
    notes: [],
  });
});

const BOUNDS: readonly { field: string; good: readonly unknown[]; bad: readonly unknown[] }[] = [
  { field: "tokenThreshold", good: [100], bad: [99, 100.5, "100", null] },
  { field: "memoryBudgetBytes", good: [1_048_576], bad: [1_048_575] },
  { field: "duckdbMemoryLimit", good: ["1KB", "1.5GB", "2TB", "64MB"], bad: ["0MB", "1gb", "1 GB", "GB", "1.GB", 512] },
  { field: "queryTimeoutMs", good: [1, 2_147_483_647], bad: [0, 2_147_483_648] },
  { field: "toolNameMaxLength", good: [48, 128], bad: [47, 129] },
  { field: "exportDir", good: ["x"], bad: [""] },
  { field: "storePath", good: ["x"], bad: [""] },
  { field: "auditLog", good: ["x"], bad: [""] },
  { field: "$schema", good: ["x"], bad: [1] },
];

Deno.test.each(BOUNDS)("parseConfig() holds the bounds of $field", ({ field, good, bad }) => {
  const config = (value: unknown) => ({ servers: [{ name: "a", command: "x" }], [field]: value });
  for (const value of good) deepEqual(problems(config(value)), []);
  for (const value of bad) equal(problems(config(value)).length, 1, `${field}: ${String(value)}`);
});

const SERVER_BOUNDS: typeof BOUNDS = [
  { field: "name", good: ["a", "a_1", `a${"b".repeat(31)}`], bad: ["", "A", "1a", "_a", "a-b", `a${"b".repeat(32)}`] },
  { field: "command", good: ["x"], bad: ["", "x\0", 1] },
  { field: "args", good: [[], ["", "x"]], bad: ["x", [1], ["\0"]] },
  { field: "cwd", good: ["."], bad: ["", 1] },
  { field: "env", good: [{}, { A: "" }], bad: [{ A: 1 }, { "A=B": "x" }, { "": "x" }, ["x"]] },
  { field: "envPassthrough", good: [["A"]], bad: [[""], "A"] },
  { field: "provenanceDenylist", good: [["t"]], bad: [[""], "t"] },
  { field: "enabled", good: [true, false], bad: [0, "yes"] },
  { field: "tools", good: [{}, { allow: [] }, { deny: ["*"] }], bad: [[], { allow: "x" }, { allow: [""] }] },
  { field: "intercept", good: ["auto", "never", {}, { "a*": "never" }], bad: ["on", { a: true }, 1] },
  { field: "startTimeoutMs", good: [1, 2_147_483_647], bad: [0, 2_147_483_648] },
  { field: "callTimeoutMs", good: [1, 2_147_483_647], bad: [0, 2_147_483_648, null] },
  { field: "tokenThreshold", good: [100], bad: [99] },
];

Deno.test.each(SERVER_BOUNDS)("parseConfig() holds the bounds of servers[].$field", ({ field, good, bad }) => {
  const config = (value: unknown) => ({ servers: [{ name: "a", command: "x", [field]: value }] });
  for (const value of good) deepEqual(problems(config(value)), []);
  for (const value of bad) equal(problems(config(value)).length, 1, `${field}: ${String(value)}`);
});

verifies("CONF-3", "parseConfig() holds the bounds of restart", () => {
  const config = (restart: unknown) => ({ servers: [{ name: "a", command: "x" }], restart });
  deepEqual(parse(config({ maxAttempts: 0 })).restart, { maxAttempts: 0, baseDelayMs: 1_000 });
  ok(accepts(config({ baseDelayMs: 1 })));
  equal(problems(config({ maxAttempts: -1, baseDelayMs: 0 })).length, 2);
});

verifies("CONF-3", "a server's own tokenThreshold wins over the general one", () => {
  const config = parse({
    tokenThreshold: 300,
    servers: [{ name: "a", command: "x" }, { name: "b", command: "x", tokenThreshold: 400 }],
  });
  deepEqual(config.servers.map((each) => each.tokenThreshold), [300, 400]);
});

verifies("CONF-4", "mcpServers means the same as servers, with the key as the name", () => {
  const { interceptModeOf: _mode, ...written } = server({ args: ["y"], env: { A: "b" } });
  const config = parse({ mcpServers: { a: { type: "stdio", command: "x", args: ["y"], env: { A: "b" } } } });
  const { interceptModeOf: _sameMode, ...read } = config.servers[0] ?? server({});
  deepEqual(read, written);
  deepEqual(config.notes, []);
});

verifies("CONF-4", "mcpServers keys are made to fit the rule for names, and notes say so", () => {
  const names = ["My Server", "2fa", "_x", "Ünï", "a".repeat(40), "-"];
  const config = parse({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: "x" }])) });
  deepEqual(config.servers.map((each) => each.name), ["my_server", "s_2fa", "s_x", "s_n_", "a".repeat(32), "s_"]);
  equal(config.notes?.length, names.length);
  equal(config.notes?.[0], `"My Server" is called "my_server" here`);
});

verifies("CONF-4", "mcpServers takes what clients write there, and says what it ignores", () => {
  const config = parse({
    mcpServers: { a: { command: "x", disabled: true, timeout: 60, autoApprove: ["y"] } },
    servers: [{ name: "b", command: "x" }],
  });
  deepEqual(config.servers.map((each) => [each.name, each.disabled !== undefined]), [["b", false], ["a", true]]);
  deepEqual(config.notes, [`"timeout" of "a" means nothing to loom`, `"autoApprove" of "a" means nothing to loom`]);
  deepEqual(problems({ mcpServers: { a: { command: "x", autoaprove: 1 } } }), [
    `mcpServers.a.autoaprove: unknown key: the nearest known one is "autoApprove"`,
  ]);
});

verifies("CONF-5", "variables are expanded in env, args, headers, url and cwd, and nowhere else", () => {
  const read = server({
    command: "${HOST}",
    args: ["--token=${TOKEN}", "${TOKEN}${HOST}"],
    cwd: "${HOST}/x",
    env: { A: "${TOKEN}", "${TOKEN}": "$TOKEN ${not a name}" },
    envPassthrough: ["${TOKEN}"],
  });
  equal(read.command, "${HOST}");
  deepEqual(read.args, ["--token=t0ken", "t0kenexample.org"]);
  equal(read.cwd, "/etc/loom/example.org/x");
  deepEqual(read.env, { A: "t0ken", "${TOKEN}": "$TOKEN ${not a name}" });
  deepEqual(read.envPassthrough, ["${TOKEN}"]);
  const far = remote({ url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${TOKEN}" } });
  equal(far.url, "https://example.org/mcp");
  deepEqual(far.headers, { Authorization: "Bearer t0ken" });
});

verifies("CONF-5", "a default stands in for a variable that is not set or empty", () => {
  deepEqual(server({ args: ["${NOPE:-a}", "${EMPTY:-b}", "${TOKEN:-c}", "${NOPE:-}", "${EMPTY}"] }).args, [
    "a",
    "b",
    "t0ken",
    "",
    "",
  ]);
});

verifies("CONF-5", "a missing variable disables that one server and names the field", () => {
  const config = parse({
    servers: [
      { name: "a", command: "x", env: { KEY: "${NOPE}" }, args: ["${GONE}"] },
      { name: "b", command: "x" },
      { name: "c", url: "${NOWHERE}" },
    ],
  });
  deepEqual(config.servers.map((each) => each.disabled), [
    "args[0] needs the variable GONE, which is not set; env.KEY needs the variable NOPE, which is not set",
    undefined,
    "url needs the variable NOWHERE, which is not set",
  ]);
});

verifies("CONF-6", "names are unique over both forms, and loom is reserved", () => {
  const twice = {
    servers: [{ name: "a", command: "x" }, { name: "a", command: "y" }],
    mcpServers: { A: { command: "z" } },
  };
  deepEqual(problems(twice), [
    `servers[1].name: expected a name of its own: "a" is taken`,
    `mcpServers.A: expected a name of its own: "a" is taken`,
  ]);
  deepEqual(
    problems({ mcpServers: { Loom: { command: "x" } }, servers: [{ name: "loom", command: "x" }] }).toSorted(),
    [
      `mcpServers.Loom: expected another name: "loom" is reserved for loom's own tools`,
      `servers[0].name: expected another name: "loom" is reserved for loom's own tools`,
    ],
  );
});

verifies("CONF-6", "a server has a command or an http address, not both and not neither", () => {
  deepEqual(problems({ servers: [{ name: "a" }, { name: "b", command: "x", url: "https://x.org" }] }), [
    "servers[0].command: expected command or url, both are missing",
    "servers[1].url: expected command or url, got both",
  ]);
  for (const url of ["ftp://x.org", "x.org", "file:///etc", "${TOKEN}"]) {
    deepEqual(problems({ servers: [{ name: "a", url }] }), [
      "servers[0].url: expected an http or https address, got another text",
    ]);
  }
});

verifies("CONF-7", "of the intercept globs that match a tool, the one with most literal characters decides", () => {
  const { interceptModeOf } = server({
    intercept: { "*": "never", "search_*": "auto", "search_all": "never", "*_x": "auto", "y_*": "never" },
  });
  equal(interceptModeOf("read"), "never");
  equal(interceptModeOf("search_some"), "auto");
  equal(interceptModeOf("search_all"), "never");
  equal(interceptModeOf("y_x"), "never");
  equal(server({ intercept: { read: "never" } }).interceptModeOf("write"), "auto");
  equal(server({ intercept: "never" }).interceptModeOf("write"), "never");
});

verifies("CONF-8", "relative paths start at the config file's folder", () => {
  equal(server({ cwd: "../srv" }).cwd, "/etc/srv");
  equal(server({ cwd: "/abs" }).cwd, "/abs");
  equal(parse({ servers: [{ name: "a", command: "x" }], exportDir: "../out" }).exportDir, "/etc/out");
  equal(parse({ servers: [{ name: "a", command: "x" }], storePath: "pins.db" }).storePath, "/etc/loom/pins.db");
  equal(parse({ servers: [{ name: "a", command: "x" }], auditLog: "audit.jsonl" }).auditLog, "/etc/loom/audit.jsonl");
});

verifies("CONF-9", "configJsonSchema() is a closed JSON Schema with defaults and descriptions", () => {
  const schema = JSON.parse(JSON.stringify(configJsonSchema()));
  equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
  equal(schema.additionalProperties, false);
  equal(schema.properties.tokenThreshold.default, 2_000);
  equal(schema.properties.servers.items.properties.startTimeoutMs.default, 60_000);
  ok(schema.properties.servers.items.properties.env.description.includes("secrets"));
  ok("$schema" in schema.properties);
});

verifies("CONF-10", "a refusal repeats no value of env, headers, args or url", () => {
  const text = problems({
    servers: [
      { name: "a", command: "x", env: { K: ["s3cret"] }, args: "s3cret", headers: { K: "s3cret\0" } },
      { name: "b", url: "s3cret" },
    ],
  }).join("\n");
  equal(text.split("\n").length, 4);
  ok(!text.includes("s3cret"));
});
