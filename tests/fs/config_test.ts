/** The configuration: defaults, bounds, and every contradiction with its root and rule. @module */

import { deepEqual, equal, match, throws } from "node:assert/strict";
import {
  AUDIT_LOG_BACKUPS_MAX,
  DESCRIPTION_CHARS_MAX,
  parseFsConfig,
  READ_BYTES_MAX,
  ROOT_NAME_CHARS_MAX,
  SEARCH_RESULTS_MAX,
} from "../../lib/fs/config.ts";
import { LoomError } from "../../lib/errors.ts";
import { verifies } from "../support/verifies.ts";

const ROOT = `[[roots]]\nname = "r"\npath = "/srv/r"\nrole = "workspace"\n`;

/** The message of a refusal. */
function refusalOf(toml: string): string {
  try {
    parseFsConfig(toml, { name: "roots.toml" });
  } catch (error) {
    if (error instanceof LoomError && error.code === "CONFIG_INVALID") return error.message;
    throw error;
  }
  throw new Error("accepted");
}

verifies("FS-2", "parseFsConfig() fills in the defaults", () => {
  const config = parseFsConfig(`audit_log = "/var/log/fs.log"\n${ROOT}`);
  deepEqual(config.audit, { path: "/var/log/fs.log", maxBytes: 8_388_608, backups: 3 });
  deepEqual([config.maxSearchResults, config.maxSearchBytes], [200, 67_108_864]);
  const [root] = config.roots;
  equal(root?.maxReadBytes, 1_048_576);
  deepEqual(root?.permissions, ["read", "write", "delete"]);
  equal(parseFsConfig(ROOT).audit, undefined);
});

const BOUNDS: readonly { readonly line: string; readonly ok: boolean }[] = [
  { line: `audit_log_max_bytes = 1`, ok: true },
  { line: `audit_log_max_bytes = 0`, ok: false },
  { line: `audit_log_max_bytes = 1.5`, ok: false },
  { line: `audit_log_backups = 0`, ok: true },
  { line: `audit_log_backups = -1`, ok: false },
  { line: `audit_log_backups = ${AUDIT_LOG_BACKUPS_MAX}`, ok: true },
  { line: `audit_log_backups = ${AUDIT_LOG_BACKUPS_MAX + 1}`, ok: false },
  { line: `max_search_results = 1`, ok: true },
  { line: `max_search_results = 0`, ok: false },
  { line: `max_search_results = ${SEARCH_RESULTS_MAX}`, ok: true },
  { line: `max_search_results = ${SEARCH_RESULTS_MAX + 1}`, ok: false },
  { line: `max_search_bytes = 0`, ok: false },
  { line: `max_search_bytes = 1`, ok: true },
  { line: `${ROOT}max_read_bytes = 1`, ok: true },
  { line: `${ROOT}max_read_bytes = 0`, ok: false },
  { line: `${ROOT}max_read_bytes = ${READ_BYTES_MAX}`, ok: true },
  { line: `${ROOT}max_read_bytes = ${READ_BYTES_MAX + 1}`, ok: false },
  { line: `${ROOT}description = "${"x".repeat(DESCRIPTION_CHARS_MAX)}"`, ok: true },
  { line: `${ROOT}description = "${"x".repeat(DESCRIPTION_CHARS_MAX + 1)}"`, ok: false },
];

verifies("FS-2", "parseFsConfig() holds every number to its bounds", () => {
  for (const { line, ok } of BOUNDS) {
    const toml = line.startsWith("[[") ? line : `${line}\n${ROOT}`;
    if (ok) parseFsConfig(toml);
    else match(refusalOf(toml), /Cannot use roots\.toml: one problem/, line.slice(0, 80));
  }
});

verifies("FS-1", "parseFsConfig() lists every problem with its place and names the nearest key", () => {
  const message = refusalOf(
    `audit_logg = "/x"\nmax_search_results = "many"\n[[roots]]\nname = "r"\npath = "/r"\nroles = "workspace"\n`,
  );
  match(message, /^Cannot use roots\.toml: 4 problems\n/);
  match(message, /\n {2}audit_logg: unknown key; did you mean audit_log\?/);
  match(message, /\n {2}max_search_results: /);
  match(message, /\n {2}roots\[0\]\.role: /);
  match(message, /\n {2}roots\[0\]\.roles: unknown key; did you mean role\?/);
});

verifies("FS-1", "parseFsConfig() says where text is no TOML, and wants a root", () => {
  match(refusalOf(`${ROOT}\nname = "again"\n`), /line \d+, column \d+: /);
  equal(parseFsConfig(`\ufeff${ROOT}`).roots.length, 1);
  match(refusalOf(""), /roots: expected at least one \[\[roots\]\] table/);
  match(refusalOf("roots = []"), /roots: expected at least one \[\[roots\]\] table/);
});

Deno.test.each([
  { role: "reference", permissions: ["read"] },
  { role: "sourcecode", permissions: ["read", "write"] },
  { role: "workspace", permissions: ["read", "write", "delete"] },
])("parseFsConfig() gives role $role its permissions", ({ role, permissions }) => {
  const config = parseFsConfig(`[[roots]]\nname = "r"\npath = "/r"\nrole = "${role}"\n`);
  deepEqual(config.roots[0]?.permissions, permissions);
});

verifies("FS-3", "parseFsConfig() lets permissions narrow a role and never widen it", () => {
  deepEqual(parseFsConfig(`${ROOT}permissions = ["delete", "read"]`).roots[0]?.permissions, ["read", "delete"]);
  match(refusalOf(`${ROOT}permissions = []`), /root 'r': permissions is empty/);
  match(refusalOf(`${ROOT}permissions = ["fly"]`), /roots\[0\]\.permissions\[0\]: /);
  const widened = `[[roots]]\nname = "ref"\npath = "/ref"\nrole = "reference"\npermissions = ["read", "write"]\n`;
  match(
    refusalOf(widened),
    /root 'ref': permissions may only narrow the role, and role reference grants \[read\], not write/,
  );
});

verifies("FS-4", "parseFsConfig() refuses two roots of one name, and paths that depend on the current folder", () => {
  match(refusalOf(`${ROOT}\n${ROOT.replace("/srv/r", "/srv/s")}`), /root 'r': roots\[0\] has this name already/);
  for (const path of ["root", "./root", "~/root", "../root"]) {
    match(refusalOf(ROOT.replace("/srv/r", path)), /root 'r': path must be absolute/);
  }
  match(refusalOf(`audit_log = "audit.log"\n${ROOT}`), /audit_log: expected an absolute path/);
  parseFsConfig(ROOT.replace("/srv/r", "C:\\\\srv"), { style: "windows" });
  throws(() => parseFsConfig(ROOT.replace("/srv/r", "srv"), { style: "windows" }), /must be absolute/);
});

verifies("FS-1", "parseFsConfig() takes names that a line of a log can hold, and no others", () => {
  for (const name of ["notes", "Notizen_2", "büro", "a.b-c", "x".repeat(ROOT_NAME_CHARS_MAX)]) {
    equal(parseFsConfig(ROOT.replace(`"r"`, JSON.stringify(name))).roots[0]?.name, name);
  }
  for (const name of ["", "a b", "a\nALLOW", "../r", "a/b", "-x", "\u202ex", "x".repeat(ROOT_NAME_CHARS_MAX + 1)]) {
    match(refusalOf(ROOT.replace(`"r"`, JSON.stringify(name))), /roots\[0\]\.name: /);
  }
});

verifies("FS-5", "parseFsConfig() refuses deny patterns that would protect nothing", () => {
  match(refusalOf(`deny = ["a/b"]\n${ROOT}`), /deny: "a\/b" holds a '\/'/);
  match(refusalOf(`deny = [" "]\n${ROOT}`), /deny: a pattern is empty/);
  match(refusalOf(`${ROOT}deny = ["[x"]`), /root 'r': deny: cannot read "\[x": '\[' is never closed/);
});

verifies("FS-3", "the example configuration means what its comments say", () => {
  const text = Deno.readTextFileSync(new URL("../testdata/fs/roots.example.toml", import.meta.url));
  const config = parseFsConfig(text, { style: "posix" });
  deepEqual(config.roots.map(({ name, role, permissions }) => [name, role, permissions.join(" ")]), [
    ["handbook", "reference", "read"],
    ["project", "sourcecode", "read write"],
    ["scratch", "workspace", "read write delete"],
    ["inbox", "workspace", "read delete"],
  ]);
  deepEqual(config.roots[1]?.denyPatterns, ["*.bak", "private*", "*.lock"]);
  equal(config.audit?.backups, 3);
});
