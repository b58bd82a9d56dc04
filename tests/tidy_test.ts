/** The project is tidy: import order, sizes, dead files, marks left behind, where stdout is touched. @module */

import { deepEqual, ok } from "node:assert/strict";
import { verifies } from "./support/verifies.ts";
import { type ProjectFile, projectFiles, projectText, shippedFiles } from "./support/tree.ts";
import plugin, { importProblem, PACKAGE_OWNERS, partOf, PARTS } from "./support/layers.ts";

/** Lines of one shipped file. */
const FILE_LINES_MAX = 400;

/** Lines of one test, whose tables are long. */
const TEST_LINES_MAX = 600;

/** Who may touch stdout, where a stray byte breaks the protocol, and why. */
const STDOUT_FILES: readonly string[] = [
  "cli.ts", // hands the streams to the commands
  "lib/engine/main.ts", // the worker's frames
  "lib/wire/stdio.ts", // the two streams that a client holds
];

/** Started by name, so imported by nobody. */
const ENTRIES: readonly string[] = ["mod.ts", "cli.ts", "lib/engine/main.ts"];

// Split, so that this file does not hold what it looks for.
const MARKS = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"];
const MARK_REGEXP = new RegExp(`\\b(${MARKS.join("|")})\\b`);
const MACHINE_REGEXP = new RegExp(`(/wo${"rk"}/|/fa${"rm"}/|https?://(registry|deb)\\.[a-z])`);
const MADE_REGEXP = new RegExp(`\\b(sub${"agent"}|ai assi${"stant"})\\b`, "i");

/** `path:line` of every line that matches. */
function linesWith(files: readonly ProjectFile[], regexp: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => regexp.test(line) ? [`${path}:${index + 1}`] : [])
  );
}

function importsOf(text: string): readonly string[] {
  const froms = text.matchAll(
    /\bfrom "([^"]+)"|\bimport\("([^"]+)"\)|\bresolve\("(\.[^"]+)"\)|new URL\("(\.[^"]+\.ts)"/g,
  );
  return [...froms].map((match) => match.slice(1).find((part) => part !== undefined) ?? "");
}

verifies("DIST-3", "importProblem() holds parts and packages to their places", () => {
  const value = (specifier: string) => ({ specifier, typeOnly: false });
  const type = (specifier: string) => ({ specifier, typeOnly: true });
  deepEqual(importProblem("lib/records/mod.ts", value("../dataset.ts")), undefined);
  deepEqual(importProblem("lib/records/mod.ts", value("../store/mod.ts")), "records may not import store");
  deepEqual(importProblem("lib/proxy.ts", value("./engine/mod.ts")), "proxy may not import engine, only its types");
  deepEqual(importProblem("lib/proxy.ts", type("./engine/mod.ts")), undefined);
  deepEqual(importProblem("lib/engine/mod.ts", value("./intercept.ts")), "engine may not import worker");
  deepEqual(importProblem("lib/tools/mod.ts", value("@duckdb/node-api")), "@duckdb/node-api is kept to lib/store/");
  deepEqual(importProblem("lib/store/mod.ts", value("@duckdb/node-api")), undefined);
  deepEqual(importProblem("lib/store/mod.ts", value("left-pad/x.js")), "left-pad has no owner in layers.ts");
  deepEqual(importProblem("lib/log.ts", value("node:assert/strict")), "node:assert/strict is kept to tests/");
  deepEqual(importProblem("lib/stray.ts", value("./log.ts")), "lib/stray.ts belongs to no part in layers.ts");
  deepEqual(importProblem("tests/a_test.ts", value("../lib/store/mod.ts")), undefined);
});

verifies("DIST-3", "the layers lint rule sees every way to import", () => {
  const source = [
    `import { a } from "../store/a.ts";`,
    `import type { B } from "../store/b.ts";`,
    `import { type C } from "../tools/c.ts";`,
    `export { d } from "../store/d.ts";`,
    `export * from "../store/e.ts";`,
    `const f = await import("../store/f.ts");`,
    `import { g } from "../dataset.ts";`,
  ].join("\n");
  const found = Deno.lint.runPlugin(plugin, "lib/envelope/x.ts", source);
  deepEqual(found.map(({ message }) => message), [
    "envelope may not import store, only its types",
    "envelope may not import tools",
    "envelope may not import store, only its types",
    "envelope may not import store, only its types",
    "envelope may not import store, only its types",
  ]);
});

verifies("DIST-3", "every shipped file imports only from the parts below it", async () => {
  const problems = (await shippedFiles()).flatMap(({ path, text }) =>
    Deno.lint.runPlugin(plugin, path, text).map(({ message }) => `${path}: ${message}`)
  );
  deepEqual(problems, []);
});

Deno.test("every part has files, and every package that is imported stands in deno.json", async () => {
  const paths = (await shippedFiles()).map(({ path }) => path);
  deepEqual(PARTS.filter((part) => !paths.some((path) => partOf(path) === part)).map(({ name }) => name), []);
  const { imports } = JSON.parse(await projectText("deno.json"));
  const packages = Object.keys(imports).filter((name) => !name.startsWith("@types/"));
  deepEqual(Object.keys(PACKAGE_OWNERS).toSorted(), packages.toSorted());
});

Deno.test("the docs of every export are linted", async () => {
  const { exports, tasks } = JSON.parse(await projectText("deno.json"));
  const linted = /deno doc --lint ([^&]+)$/.exec(tasks.lint.command)?.[1]?.split(" ") ?? [];
  deepEqual(linted.map((path) => `./${path}`), Object.values(exports));
});

Deno.test("every dependency has a sentence in SPEC.md", async () => {
  const dependencies = (await projectText("SPEC.md")).split("## DEP")[1]?.split("\n## ")[0] ?? "";
  const { imports } = JSON.parse(await projectText("deno.json"));
  deepEqual(Object.keys(imports).filter((name) => !dependencies.includes(`\`${name}\``)), []);
});

Deno.test("no file is too long to be about one thing", async () => {
  const shipped = new Set(await shippedFiles());
  const long = (await projectFiles()).filter((file) =>
    (shipped.has(file) || file.path.endsWith("_test.ts")) &&
    file.text.split("\n").length - 1 > (shipped.has(file) ? FILE_LINES_MAX : TEST_LINES_MAX)
  );
  deepEqual(long.map(({ path }) => path), []);
});

Deno.test("every file of lib is imported by another one", async () => {
  const files = await shippedFiles();
  const imported = new Set(
    files.flatMap(({ path, text }) =>
      importsOf(text).map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))
    ),
  );
  deepEqual(files.map(({ path }) => path).filter((path) => !ENTRIES.includes(path) && !imported.has(path)), []);
});

/** A way along imports, types among them, that leads back to where it began; undefined where there is none. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of imports.get(path) ?? []) {
      const circle = walk(next, [...way, path]);
      if (circle) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const circle = walk(path, []);
    if (circle) return circle;
  }
  return undefined;
}

verifies("DIST-3", "no files import each other in a circle", async () => {
  deepEqual(circleIn(new Map([["a", ["b", "d"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  const files = await shippedFiles();
  const imports = files.map(({ path, text }): [string, string[]] => {
    const specifiers = [...text.matchAll(/\bfrom "(\.[^"]+)"/g)].map((match) => match[1] ?? "");
    return [path, specifiers.map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))];
  });
  deepEqual(circleIn(new Map(imports)), undefined);
});

Deno.test("every file opens with a sentence about itself", async () => {
  const support = (await projectFiles()).filter(({ path }) => path.startsWith("tests/support/"));
  const code = [...await shippedFiles(), ...support];
  deepEqual(code.filter(({ text }) => !/^\/\*\*[\s\S]*?@module/.test(text)).map(({ path }) => path), []);
});

Deno.test("nothing is left behind that speaks of unfinished work, of a machine, or of how this was made", async () => {
  const files = await projectFiles();
  deepEqual(linesWith(files, MARK_REGEXP), []);
  deepEqual(linesWith(files, MACHINE_REGEXP), []);
  deepEqual(linesWith(files, MADE_REGEXP), []);
});

Deno.test("linesWith() finds a mark where there is one", () => {
  deepEqual(linesWith([{ path: "a.ts", text: `x\n// ${MARKS[0]} y` }], MARK_REGEXP), ["a.ts:2"]);
});

Deno.test("stdout is touched only by those who own it", async () => {
  const found = linesWith(
    (await shippedFiles()).filter(({ path }) => !STDOUT_FILES.includes(path)),
    /\bDeno\.stdout\b|\bconsole\.|process\.stdout/,
  );
  deepEqual(found, []);
});

Deno.test("every action of a workflow is named by a whole commit, and its version beside it", async () => {
  const workflows = (await projectFiles()).filter(({ path }) => path.startsWith(".github/workflows/"));
  const uses = workflows.flatMap(({ text }) => text.split("\n").filter((line) => /\buses:/.test(line)));
  ok(uses.length > 0);
  deepEqual(uses.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)), []);
});

Deno.test("no part of lib is a drawer", async () => {
  const drawers = (await projectFiles()).filter(({ path }) => /(^|\/)(index|utils?|helpers?|common)\.ts$/.test(path));
  deepEqual(drawers.map(({ path }) => path), []);
});

Deno.test("lib/README.md names every folder, and every file it names exists", async () => {
  const map = await projectText("lib/README.md");
  const files = await projectFiles();
  const paths = (await shippedFiles()).map(({ path }) => path).filter((path) => path.startsWith("lib/"));
  const folders = new Set(paths.flatMap((path) => path.split("/").length > 2 ? [`${path.split("/")[1]}/`] : []));
  deepEqual([...folders].filter((folder) => !map.includes(folder)), []);
  const named = [...map.matchAll(/\b([a-z_]+\/)*[a-z_]+\.ts\b/g)].map(([name]) => name);
  ok(named.length > 0);
  const exists = (name: string) => [`lib/${name}`, name].some((path) => files.some((file) => file.path === path));
  deepEqual(named.filter((name) => !exists(name)), []);
});
