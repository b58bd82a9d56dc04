/** The project's own files, as the tests that look after it see them. @module */

/** The folder that holds deno.json. */
export const TOP = new URL("../../", import.meta.url);

/** One file of the project. */
export interface ProjectFile {
  /** From the top of the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

const SHOWN_DOT_FOLDERS = new Set([".ci", ".github"]);
const SKIPPED_FOLDERS = new Set(["node_modules", "coverage", "dist", "testdata", "exports"]);

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(folder, TOP))) {
    const path = `${folder}${entry.name}`;
    if (entry.name.startsWith(".") && !SHOWN_DOT_FOLDERS.has(entry.name)) continue;
    if (entry.isDirectory && !SKIPPED_FOLDERS.has(entry.name)) yield* walk(`${path}/`);
    if (entry.isFile) yield path;
  }
}

const TEXT_REGEXP = /\.(ts|md|json|yml|yaml)$|^\.ci\/|^LICENSE$/;

let files: Promise<readonly ProjectFile[]> | undefined;

/** Every text file of the project but the lock file and test data, sorted by path; read once. */
export function projectFiles(): Promise<readonly ProjectFile[]> {
  files ??= (async () => {
    const paths: string[] = [];
    for await (const path of walk("")) if (TEXT_REGEXP.test(path) && path !== "deno.lock") paths.push(path);
    return await Promise.all(paths.toSorted().map(async (path) => ({ path, text: await projectText(path) })));
  })();
  return files;
}

/** The text of one file. */
export function projectText(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, TOP));
}

/** The TypeScript that is shipped: `lib/`, `mod.ts`, `cli.ts`. */
export async function shippedFiles(): Promise<readonly ProjectFile[]> {
  return (await projectFiles()).filter(({ path }) => path.endsWith(".ts") && !/^(tests|\.ci)\//.test(path));
}
