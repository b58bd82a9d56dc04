/**
 * Makes executables of loom: `deno task compile` for this system, `deno task compile:all` for every one.
 *
 * It compiles a copy of what is shipped, so that only what loom needs at run time is embedded and the project's own
 * node_modules stay as they are. With `--smoke` the executable for this system is tried at once.
 * @module
 */

const TOP = new URL("../", import.meta.url);

/** One system that executables are made for. */
interface Target {
  readonly name: string;
  readonly triple: string;
  readonly os: typeof Deno.build.os;
  readonly arch: typeof Deno.build.arch;
}

const TARGETS: readonly Target[] = [
  { name: "linux-x64", triple: "x86_64-unknown-linux-gnu", os: "linux", arch: "x86_64" },
  { name: "linux-arm64", triple: "aarch64-unknown-linux-gnu", os: "linux", arch: "aarch64" },
  { name: "macos-x64", triple: "x86_64-apple-darwin", os: "darwin", arch: "x86_64" },
  { name: "macos-arm64", triple: "aarch64-apple-darwin", os: "darwin", arch: "aarch64" },
  { name: "windows-x64", triple: "x86_64-pc-windows-msvc", os: "windows", arch: "x86_64" },
];

/** What loom needs of Deno; the servers and paths of a config are not known when it is compiled. */
const PERMISSIONS = ["read", "write", "env", "run", "ffi", "net"].map((name) => `--allow-${name}`);

/** The engine asks V8 to clean up when it holds much native memory. */
const V8_FLAGS = "--v8-flags=--expose-gc";

/** Packages that only tests, demo and type checks use. */
const DEVELOPMENT_REGEXP = /^(@modelcontextprotocol\/|@types\/|cities\.json$|world-countries$)/;

/** Megabytes above which an executable carries something that it does not need. */
const EXECUTABLE_MB_MAX = 230;

/** Copies what is shipped, with the packages that it needs at run time, into `stage`. */
async function writeStage(stage: string): Promise<void> {
  for (const name of ["cli.ts", "mod.ts", "LICENSE"]) await Deno.copyFile(new URL(name, TOP), `${stage}/${name}`);
  await copyFolder("lib", stage);
  const manifest = JSON.parse(await Deno.readTextFile(new URL("deno.json", TOP)));
  const imports = Object.entries(manifest.imports).filter(([name]) => !DEVELOPMENT_REGEXP.test(name));
  const { name, version, license, exports, compilerOptions } = manifest;
  const kept = { name, version, license, exports, imports: Object.fromEntries(imports), compilerOptions };
  await Deno.writeTextFile(`${stage}/deno.json`, JSON.stringify({ ...kept, nodeModulesDir: "auto", lock: false }));
}

async function copyFolder(folder: string, stage: string): Promise<void> {
  await Deno.mkdir(`${stage}/${folder}`, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, TOP))) {
    const path = `${folder}/${name}`;
    if (isDirectory) await copyFolder(path, stage);
    else await Deno.copyFile(new URL(path, TOP), `${stage}/${path}`);
  }
}

/** Takes out the bindings for the other C library of Linux, which weigh as much as the rest together. */
async function dropMusl(stage: string): Promise<void> {
  const packages = `${stage}/node_modules/.deno`;
  for await (const { name } of Deno.readDir(packages)) {
    const scope = `${packages}/${name}/node_modules/@duckdb`;
    if (!name.includes("-musl@")) continue;
    for await (const entry of Deno.readDir(scope)) {
      if (!entry.name.endsWith("-musl")) continue;
      // The folder stays, since links lead to it.
      for await (const file of Deno.readDir(`${scope}/${entry.name}`)) {
        await Deno.remove(`${scope}/${entry.name}/${file.name}`);
      }
    }
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<{ ok: boolean; text: string }> {
  const output = await new Deno.Command(command, { args: [...args], cwd, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return { ok: output.success, text: decoder.decode(output.stdout) + decoder.decode(output.stderr) };
}

async function compile(target: Target): Promise<string> {
  const stage = await Deno.makeTempDir({ prefix: "loom-compile-" });
  try {
    await writeStage(stage);
    const npm = { os: target.os === "windows" ? "win32" : target.os, arch: target.arch === "x86_64" ? "x64" : "arm64" };
    const installed = await run(Deno.execPath(), ["install", "--os", npm.os, "--arch", npm.arch], stage);
    if (!installed.ok) throw new Error(installed.text);
    await dropMusl(stage);
    const file = `${await Deno.realPath(TOP)}/dist/loom-${target.name}${target.os === "windows" ? ".exe" : ""}`;
    const args = ["compile", "--no-check", "--no-prompt", "--node-modules-dir=manual", V8_FLAGS, ...PERMISSIONS];
    const made = await run(Deno.execPath(), [...args, "--target", target.triple, "--output", file, "cli.ts"], stage);
    if (Deno.args.includes("--verbose")) print(made.text);
    if (!made.ok) throw new Error(explained(made.text, target));
    return file;
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/** What went wrong, and where the base binary can be had when that is it. */
function explained(text: string, target: Target): string {
  if (!/denort/.test(text)) return text;
  const { deno } = Deno.version;
  return `${text}
The base binary for ${target.triple} could not be had. Get denort-${target.triple}.zip from Deno's release v${deno}, unpack
it, and name the file in DENORT_BIN (for this system alone), or put it beside the deno executable as "denort".`;
}

/** Starts the executable, makes one dataset and queries it. */
async function smoke(file: string): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const config = `${folder}/loom.config.json`;
    const server = await Deno.realPath(new URL("tests/support/table_server.ts", TOP));
    const args = ["run", "--no-lock", "--quiet", server];
    await Deno.writeTextFile(config, JSON.stringify({ servers: [{ name: "t", command: Deno.execPath(), args }] }));
    const version = await run(file, ["--version"], folder);
    const sql = "SELECT 'rows', count(*) AS n FROM {ref}";
    const answer = await run(file, ["call", "t_rows", "{}", "--sql", sql, "--config", config], folder);
    if (!version.ok || !answer.ok || !/^rows +1000$/m.test(answer.text)) throw new Error(version.text + answer.text);
    print(`${file} starts, makes a dataset and answers a query\n`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

async function main(): Promise<number> {
  const own = TARGETS.filter(({ os, arch }) => os === Deno.build.os && arch === Deno.build.arch);
  const targets = Deno.args.includes("--all") ? TARGETS : own;
  await Deno.mkdir(new URL("dist", TOP), { recursive: true });
  for (const target of targets) {
    const file = await compile(target);
    const megabytes = (await Deno.stat(file)).size / 1e6;
    print(`${file} ${megabytes.toFixed(0)} MB\n`);
    if (megabytes > EXECUTABLE_MB_MAX) throw new Error(`${file} is larger than ${EXECUTABLE_MB_MAX} MB`);
    if (Deno.args.includes("--smoke") && own.includes(target)) await smoke(file);
  }
  return 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await main());
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${error instanceof Error ? error.message : String(error)}\n`));
    Deno.exit(1);
  }
}
