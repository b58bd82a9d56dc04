/** From a server as a client writes it to a server of loom's config, or the reason why it must stay there. @module */

import type { ClientId } from "./locations.ts";

/** A server's entry as it stands in a client's config. */
export type ForeignEntry = Readonly<Record<string, unknown>>;

/** One server in the words of loom's config, without its name. */
export interface ImportedServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly envPassthrough?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly startTimeoutMs?: number;
  readonly callTimeoutMs?: number;
}

/** What became of an entry. */
export type Converted =
  | { readonly kind: "server"; readonly server: ImportedServer; readonly notes: readonly string[] }
  | { readonly kind: "left"; readonly reason: string };

/** What an entry's variables mean. */
export interface Surroundings {
  readonly client: ClientId;
  readonly home: string | undefined;
  /** The folder of the project that the config belongs to. */
  readonly project: string | undefined;
  /** The ids of VS Code's `inputs`. */
  readonly inputs: ReadonlySet<string>;
}

/** An entry that loom cannot stand in for; the message is the reason. */
class Left extends Error {}

/** Clients that replace `${VAR}` as loom does. */
const PLAIN_VARIABLES: ReadonlySet<ClientId> = new Set<ClientId>(["claude-code", "gemini"]);

/** The variable that takes the place of an answer that VS Code asks for. */
export function inputVariable(id: string): string {
  return `INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rewrites the variables of one text to loom's `${VAR}`. */
function rewrite(text: string, around: Surroundings, notes: Set<string>): string {
  const known: Readonly<Record<string, string | undefined>> = {
    userHome: around.home,
    workspaceFolder: around.project,
    workspaceFolderBasename: around.project?.split(/[\\/]/).at(-1),
  };
  const dollars = around.client === "gemini" ? text.replaceAll(/\$([A-Za-z_]\w*)/g, "${$1}") : text;
  return dollars.replaceAll(/\$\{([^}]*)\}/g, (whole, inside: string) => {
    const [kind = "", name = ""] = inside.split(/:(.*)/s);
    if (kind === "env" && /^[A-Za-z_]\w*$/.test(name)) return `\${${name}}`;
    if (kind === "input" && around.inputs.has(name)) {
      notes.add(`\${input:${name}} is read from the variable ${inputVariable(name)}: set it where the client starts`);
      return `\${${inputVariable(name)}}`;
    }
    if (known[inside] !== undefined) return known[inside];
    if (PLAIN_VARIABLES.has(around.client) && /^[A-Za-z_]\w*(:-.*)?$/s.test(inside)) return whole;
    throw new Left(`it uses ${whole}, which loom cannot read as ${around.client} does`);
  });
}

/** Reads the members of one entry, each with its variables rewritten. */
class EntryReader {
  readonly #entry: ForeignEntry;
  readonly #around: Surroundings;
  readonly notes = new Set<string>();

  constructor(entry: ForeignEntry, around: Surroundings) {
    this.#entry = entry;
    this.#around = around;
  }

  text(...names: readonly string[]): string | undefined {
    const name = names.find((each) => this.#entry[each] !== undefined);
    if (name === undefined) return undefined;
    const value = this.#entry[name];
    if (typeof value !== "string") throw new Left(`its ${name} is not a text`);
    return rewrite(value, this.#around, this.notes);
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#entry[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw new Left(`its ${name} is not a list of texts`);
    return value.map((item: unknown) => {
      if (typeof item !== "string" && typeof item !== "number") throw new Left(`its ${name} is not a list of texts`);
      return rewrite(String(item), this.#around, this.notes);
    });
  }

  record(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.#entry[name];
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) throw new Left(`its ${name} is not an object of texts`);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (item === null || typeof item === "object") throw new Left(`its ${name} is not an object of texts`);
        return [key, rewrite(String(item), this.#around, this.notes)];
      }),
    );
  }

  /** Whole milliseconds of a member that counts seconds. */
  seconds(name: string): number | undefined {
    const value = this.#entry[name];
    return typeof value === "number" && value > 0 ? Math.ceil(value * 1_000) : undefined;
  }

  is(name: string, value: unknown): boolean {
    return this.#entry[name] === value;
  }
}

/** Headers, also those that Codex keeps in variables. */
function headersOf(reader: EntryReader): Readonly<Record<string, string>> | undefined {
  const bearer = reader.text("bearer_token_env_var");
  const fromVariables = Object.entries(reader.record("env_http_headers") ?? {});
  const headers = {
    ...reader.record("headers"),
    ...reader.record("http_headers"),
    ...Object.fromEntries(fromVariables.map(([name, variable]) => [name, `\${${variable}}`])),
    ...bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` },
  };
  return Object.keys(headers).length > 0 ? headers : undefined;
}

function toolsOf(reader: EntryReader): ImportedServer["tools"] {
  const allow = reader.texts("enabled_tools") ?? reader.texts("includeTools");
  const deny = reader.texts("disabled_tools") ?? reader.texts("excludeTools") ?? reader.texts("disabledTools");
  if (allow === undefined && (deny === undefined || deny.length === 0)) return undefined;
  return { ...allow && { allow }, ...deny && { deny } };
}

/** What must stay with the client, because loom has no equal of it. */
function refuseForeignOnly(entry: ForeignEntry, url: string | undefined): void {
  if (entry.envFile !== undefined) throw new Left("it reads an envFile: put those variables into its env first");
  if (entry.source === "extension") throw new Left("it belongs to an extension");
  const older = entry.type === "sse" || (url !== undefined && /\/sse\/?$/.test(url));
  if (older) throw new Left("it speaks the older SSE transport");
  if (entry.oauth !== undefined || entry.auth !== undefined) throw new Left("the client signs in for it");
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** Turns one entry of a client's config into a server of loom's. */
export function convertEntry(written: unknown, around: Surroundings): Converted {
  if (!isObject(written)) return { kind: "left", reason: "it is not an object" };
  // Zed once nested what others write flat.
  const nested = isObject(written.command) ? written.command : undefined;
  const entry = nested ? { ...written, ...nested, command: nested.path } : written;
  const reader = new EntryReader(entry, around);
  try {
    const url = reader.text("httpUrl", "serverUrl", "url");
    const command = url === undefined ? reader.text("command") : undefined;
    refuseForeignOnly(entry, url);
    if (around.client === "gemini" && entry.url !== undefined && entry.httpUrl === undefined) {
      throw new Left("it speaks the older SSE transport");
    }
    if (command === undefined && url === undefined) throw new Left("it has neither a command nor an address");
    const off = reader.is("disabled", true) || reader.is("enabled", false);
    const server = withoutUndefined({
      command,
      args: command === undefined ? undefined : reader.texts("args"),
      cwd: reader.text("cwd") ?? (command === undefined ? undefined : around.project),
      env: command === undefined ? undefined : reader.record("env"),
      envPassthrough: reader.texts("env_vars"),
      url,
      headers: url === undefined ? undefined : headersOf(reader),
      enabled: off ? false : undefined,
      tools: toolsOf(reader),
      startTimeoutMs: reader.seconds("startup_timeout_sec"),
      callTimeoutMs: reader.seconds("tool_timeout_sec"),
    }) as ImportedServer;
    return { kind: "server", server, notes: [...reader.notes] };
  } catch (error) {
    if (error instanceof Left) return { kind: "left", reason: error.message };
    throw error;
  }
}
