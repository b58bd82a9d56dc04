/**
 * Literal copies of what clients, scripts and configs rely on. When one goes red, the change breaks somebody: either
 * take it back, or say so under "Changes" in README and change the literal.
 * @module
 */

import { deepEqual } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { datasetOf } from "./support/datasets.ts";
import { projectText } from "./support/tree.ts";
import { COMMANDS } from "../lib/commands/mod.ts";
import { EXIT } from "../lib/commands/io.ts";
import { configJsonSchema } from "../lib/config/schema.ts";
import { buildEnvelope } from "../lib/envelope/mod.ts";
import { ENVIRONMENT_ALLOWED } from "../lib/gateway/environment.ts";
import { OWN_TOOLS } from "../lib/own_tools.ts";
import * as api from "../mod.ts";

verifies("DIST-2", "loom's tools and their arguments are pinned", () => {
  const tools = OWN_TOOLS.map(({ definition }) => JSON.parse(definition));
  deepEqual(
    tools.map(({ name, inputSchema: { properties, required } }) => [name, Object.keys(properties), required ?? []]),
    [
      ["loom_query", ["sql"], ["sql"]],
      ["loom_list_datasets", ["offset"], []],
      ["loom_describe", ["ref", "offset"], ["ref"]],
      ["loom_materialize", ["sql", "name"], ["sql", "name"]],
      ["loom_export", ["ref", "format", "filename"], ["ref", "format"]],
      ["loom_raw", ["ref", "offset", "length"], ["ref"]],
    ],
  );
});

verifies("DIST-2", "the envelope's fields are pinned", () => {
  const envelope = JSON.parse(buildEnvelope({
    dataset: datasetOf([{ name: "id", type: "BIGINT", min: "1", max: "9", path: "an id", format: "uuid" }]),
    sample: [],
    hints: [],
    context: [{ path: "total", json: "5" }],
    originalChars: 100_000,
    tokenThreshold: 2_000,
    hasOriginal: true,
  }));
  deepEqual(Object.keys(envelope), [
    "kind",
    "ref",
    "rows",
    "note",
    "approxTokensSaved",
    "schema",
    "sample",
    "joinHints",
    "context",
    "provenance",
    "usage",
  ]);
  deepEqual(envelope.kind, "loom_dataset_ref");
  deepEqual(Object.keys(envelope.provenance), ["server", "tool", "createdAt", "source"]);
});

verifies("DIST-2 DIST-5", "the error codes are pinned", async () => {
  const source = await projectText("lib/errors.ts");
  deepEqual([...source.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code]) => code), [
    "CONFIG_INVALID",
    "ARGUMENTS_INVALID",
    "DATASET_NOT_FOUND",
    "DATASET_LOST",
    "NAME_TAKEN",
    "QUERY_REJECTED",
    "QUERY_FAILED",
    "QUERY_TIMEOUT",
    "LIMIT_EXCEEDED",
    "OUT_OF_MEMORY",
    "SERVER_UNAVAILABLE",
    "ENGINE_NOT_SEALED",
    "ENGINE_UNAVAILABLE",
    "STORE_FILE_UNUSABLE",
    "EXPORT_FAILED",
    "ROLE",
    "OUTSIDE_ROOTS",
    "DENIED",
    "PATH_INVALID",
    "FILE_UNAVAILABLE",
    "FILE_CHANGED",
  ]);
});

verifies("DIST-2 CLI-2", "commands and exit codes are pinned", () => {
  deepEqual(Object.keys(COMMANDS), [
    "serve",
    "fs",
    "check",
    "tools",
    "call",
    "import",
    "stats",
    "doctor",
    "schema",
    "help",
  ]);
  deepEqual(EXIT, { done: 0, failed: 1, wrongUse: 2 });
});

verifies("DIST-2", "the config's keys are pinned", () => {
  const schema = JSON.parse(JSON.stringify(configJsonSchema()));
  deepEqual(Object.keys(schema.properties), [
    "$schema",
    "servers",
    "mcpServers",
    "tokenThreshold",
    "memoryBudgetBytes",
    "duckdbMemoryLimit",
    "exportDir",
    "storePath",
    "auditLog",
    "queryTimeoutMs",
    "toolNameMaxLength",
    "restart",
  ]);
  deepEqual(Object.keys(schema.properties.servers.items.properties), [
    "name",
    "command",
    "args",
    "cwd",
    "url",
    "headers",
    "env",
    "envPassthrough",
    "provenanceDenylist",
    "enabled",
    "tools",
    "intercept",
    "startTimeoutMs",
    "callTimeoutMs",
    "tokenThreshold",
  ]);
});

verifies("DIST-2", "the variables that a child inherits are pinned", () => {
  const windows = [
    "SystemRoot",
    "windir",
    "PATH",
    "PATHEXT",
    "ComSpec",
    "APPDATA",
    "LOCALAPPDATA",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "PROCESSOR_ARCHITECTURE",
  ];
  const others = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM"];
  deepEqual(ENVIRONMENT_ALLOWED, Deno.build.os === "windows" ? windows : others);
});

verifies("DIST-2", "what mod.ts exports is pinned", () => {
  deepEqual(Object.keys(api).toSorted(), [
    "LoomError",
    "loadConfig",
    "openLoom",
    "openSession",
    "parseConfig",
  ]);
});
