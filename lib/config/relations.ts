/** What no single field can say: one name for each server, one way to reach it, at least one of them. @module */

import { type EnvLookup, expandText } from "./expand.ts";
import { RESERVED_SERVER_NAME, SERVER_NAME_CHARS_MAX } from "./schema.ts";
import type { Path, Problem } from "./paths.ts";

/** One server as it stands in the file, of either form, checked or not. */
interface RawServer {
  readonly name: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: Path;
  /** Where a problem with its name belongs. */
  readonly namePath: Path;
}

/** A client's name for a server, made to fit the rule for names: `My-Server` becomes `my_server`. */
export function sanitizeServerName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
  const led = /^[a-z]/.test(plain) ? plain : `s_${plain.replace(/^_+/, "")}`;
  return led.slice(0, SERVER_NAME_CHARS_MAX);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rawServers(root: Readonly<Record<string, unknown>>): readonly RawServer[] {
  const listed = Array.isArray(root.servers) ? root.servers : [];
  const named = isObject(root.mcpServers) ? Object.entries(root.mcpServers) : [];
  return [
    ...listed.map((fields: unknown, index): RawServer | undefined => {
      const path = ["servers", index];
      return isObject(fields) ? { name: fields.name, fields, path, namePath: [...path, "name"] } : undefined;
    }),
    ...named.map(([key, fields]): RawServer | undefined => {
      const path = ["mcpServers", key];
      return isObject(fields) ? { name: sanitizeServerName(key), fields, path, namePath: path } : undefined;
    }),
  ].filter((server) => server !== undefined);
}

function nameProblems(servers: readonly RawServer[]): readonly Problem[] {
  const seen = new Set<unknown>();
  return servers.flatMap(({ name, namePath }) => {
    if (name === RESERVED_SERVER_NAME) {
      const message = `expected another name: "${RESERVED_SERVER_NAME}" is reserved for loom's own tools`;
      return [{ path: namePath, message }];
    }
    const taken = typeof name === "string" && seen.has(name);
    seen.add(name);
    return taken ? [{ path: namePath, message: `expected a name of its own: "${name}" is taken` }] : [];
  });
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function reachProblems({ fields, path }: RawServer, env: EnvLookup): readonly Problem[] {
  const { command, url } = fields;
  if (command !== undefined && url !== undefined) {
    return [{ path: [...path, "url"], message: "expected command or url, got both" }];
  }
  if (command === undefined && url === undefined) {
    return [{ path: [...path, "command"], message: "expected command or url, both are missing" }];
  }
  if (typeof url !== "string" || url === "") return [];
  const { text, missing } = expandText(url, env);
  return missing.length > 0 || isHttpUrl(text)
    ? []
    : [{ path: [...path, "url"], message: "expected an http or https address, got another text" }];
}

/** The problems between fields of the whole file, also of one that breaks the schema. */
export function relationProblems(root: unknown, env: EnvLookup): readonly Problem[] {
  if (!isObject(root)) return [];
  const servers = rawServers(root);
  // A form of the wrong type is the schema's to refuse.
  const none = isEmptyForm(root.servers ?? [], true) && isEmptyForm(root.mcpServers ?? {}, false);
  return [
    ...none ? [{ path: ["servers"], message: "expected at least one server in servers or mcpServers" }] : [],
    ...nameProblems(servers),
    ...servers.flatMap((server) => reachProblems(server, env)),
  ];
}

function isEmptyForm(form: unknown, listed: boolean): boolean {
  return typeof form === "object" && form !== null && Array.isArray(form) === listed && Object.keys(form).length === 0;
}
