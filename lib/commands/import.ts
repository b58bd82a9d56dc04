/** `loom import`: makes a loom config from a client's, and puts loom in the place of its servers. @module */

import { resolve } from "node:path";
import {
  applyToFile,
  CLIENT_TITLES,
  type ClientId,
  clientLocations,
  currentSystem,
  findServers,
  type Found,
  homeOf,
  type Location,
  locationOfFile,
  loomConfigsIn,
  loomConfigText,
  type Place,
  readIfThere,
  undoFile,
  withLoom,
  writeNewFile,
} from "../import/mod.ts";
import { parseConfig } from "../config.ts";
import { CONFIG_FILE_DEFAULT } from "../config/load.ts";
import { LoomError } from "../errors.ts";
import { nearestOf } from "../nearest.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption, UsageError } from "./io.ts";
import { loomCommand } from "./loom_command.ts";
import { renderTable } from "./table.ts";

function isClient(word: string): word is ClientId {
  return Object.hasOwn(CLIENT_TITLES, word);
}

function isPath(word: string): boolean {
  return /[\\/.]/.test(word);
}

/** The places that a word means: a client's, one file, or all of them. */
async function placesOf(word: string | undefined, place: Place): Promise<readonly Location[]> {
  const known = clientLocations(place);
  if (word === undefined) return known;
  if (isClient(word)) return known.filter(({ client }) => client === word);
  if (!isPath(word)) {
    const nearest = nearestOf(word, Object.keys(CLIENT_TITLES));
    throw new UsageError(`Cannot import "${word}": it is neither a file nor a client, the nearest is "${nearest}"`);
  }
  const path = resolve(place.folder, word);
  const text = await readIfThere(path);
  if (text === undefined) throw new LoomError("CONFIG_INVALID", `Cannot read ${path}: there is no such file`);
  const listed = known.filter((location) => location.path === path);
  return listed.length > 0 ? listed : [locationOfFile(path, text, undefined)];
}

async function findAll(places: readonly Location[], place: Place): Promise<readonly Found[]> {
  const found = await Promise.all(places.map(async (location) => {
    const text = await readIfThere(location.path);
    return text === undefined ? undefined : findServers(location, text, homeOf(place));
  }));
  return found.filter((each) => each !== undefined)
    .filter(({ servers, left, hasLoom }) => servers.length + left.length > 0 || hasLoom);
}

/** How a server is reached, without anything that may be a secret. */
function reachOf({ server }: Found["servers"][number]): string {
  if (server.url !== undefined) return URL.canParse(server.url) ? new URL(server.url).origin : "an address";
  const names = Object.keys(server.env ?? {});
  return [server.command ?? "", ...names.length > 0 ? [`env ${names.join(" ")}`] : []].join(", ");
}

function describe({ location, servers, left, hasLoom }: Found, io: CommandIo): string {
  const rows = [
    ...servers.map((each) => [each.writtenName, each.name, [reachOf(each), ...each.notes].join("; ")]),
    ...left.map(({ writtenName, reason }) => [writtenName, "-", `stays: ${reason}`]),
    ...hasLoom ? [["loom", "-", "loom stands here already"]] : [],
  ];
  const style = { columns: io.terminalColumns, colours: io.colours };
  return `${CLIENT_TITLES[location.client]}: ${location.path}\n${
    renderTable(["SERVER", "IN LOOM", "IS"], rows, style)
  }\n`;
}

/** The one place that is to be changed, or why that cannot be said. */
function onlyOne(found: readonly Found[]): Found {
  const full = found.filter(({ servers }) => servers.length > 0);
  const [only, ...more] = full;
  if (!only) throw new LoomError("SERVER_UNAVAILABLE", "Cannot import: no servers were found that loom could run");
  // Of several places in one file, such as ~/.claude.json, one is done at a time, the user's own first.
  if (more.every(({ location }) => location.path === only.location.path)) return only;
  const paths = full.map(({ location }) => `  loom import ${location.path}`).join("\n");
  throw new UsageError(`Cannot choose between several configs, name one:\n${paths}`);
}

async function undo(word: string | undefined, place: Place, io: CommandIo): Promise<ExitCode> {
  const paths = word !== undefined && isPath(word)
    ? [resolve(place.folder, word)]
    : [...new Set((await placesOf(word, place)).map(({ path }) => path))];
  let restored = 0;
  let changed = 0;
  for (const path of paths) {
    const configs = await loomConfigsOf(path, place);
    const outcome = await undoFile(path);
    if (outcome.kind === "restored") {
      restored++;
      io.print(`${path} is as it was before loom\n`);
      for (const config of configs) {
        io.print(`The loom config stays: ${config}\nIt may hold secrets: delete it when nothing else uses it\n`);
      }
    } else if (outcome.kind === "changed") {
      changed++;
      io.remark(`${path} was changed since: compare it with ${outcome.backups.join(", ")} and put that back by hand\n`);
    }
  }
  if (restored + changed === 0) io.remark("Nothing to undo: no backup of a client config was found\n");
  return restored > 0 && changed === 0 ? EXIT.done : EXIT.failed;
}

/** The loom configs that stand on the disk and are named by loom's entries in a client's config. */
async function loomConfigsOf(path: string, place: Place): Promise<readonly string[]> {
  const text = await readIfThere(path);
  if (text === undefined) return [];
  const known = clientLocations(place).filter((location) => location.path === path);
  try {
    const locations = known.length > 0 ? known : [locationOfFile(path, text, undefined)];
    const named = new Set(locations.flatMap((location) => loomConfigsIn(location, text)));
    const there = await Promise.all(
      [...named].map(async (config) => await readIfThere(config) === undefined ? [] : config),
    );
    return there.flat();
  } catch (error) {
    // A file that cannot be read any more was changed since, and undoing says so.
    if (error instanceof LoomError) return [];
    throw error;
  }
}

/** Refuses options of which one would silently win. */
function refuseContradictions(values: OptionValues): void {
  const given = ["undo", "json", "apply", "to"].filter((name) => values[name] !== undefined && values[name] !== false);
  const [first] = given;
  const others = given.slice(1).map((name) => `--${name}`).join(" and ");
  if (others === "") return;
  if (first === "undo") throw new UsageError(`Cannot import: --undo puts back what was there, ${others} would do more`);
  if (first === "json") throw new UsageError(`Cannot import: --json only prints, ${others} would write`);
}

/** Writes the loom config and, when asked to, the client's. */
async function write(found: Found, to: string, apply: boolean, io: CommandIo): Promise<void> {
  const text = loomConfigText(found.servers);
  parseConfig(text, { path: to, env: io.env });
  // Made before anything is written: a config that cannot be edited changes nothing.
  const edited = withLoom(found, loomCommand(to));
  const isNew = await writeNewFile(to, text);
  io.print(isNew ? `Wrote ${to}\n` : `${to} is as it should be already\n`);
  if (!apply) return;
  const backup = await applyToFile(found.location.path, edited);
  io.print(`Changed ${found.location.path}\nKept what it was as ${backup}\nloom import --undo puts it back\n`);
}

/** Runs the command. */
export async function importServers(
  values: OptionValues,
  [word]: readonly string[],
  io: CommandIo,
): Promise<ExitCode> {
  refuseContradictions(values);
  const place: Place = { system: currentSystem(), env: io.env, folder: Deno.cwd() };
  if (values.undo === true) return await undo(word, place, io);
  const found = await findAll(await placesOf(word, place), place);
  const to = textOption(values, "to");
  const apply = values.apply === true;
  if (values.json === true) {
    io.print(loomConfigText(onlyOne(found).servers));
    return EXIT.done;
  }
  if (found.length === 0) {
    io.remark("Found no client config with servers: name a file\n");
    return EXIT.failed;
  }
  for (const each of found) io.print(describe(each, io));
  if (to === undefined && !apply) {
    io.remark(
      "Nothing was written. --to FILE writes the loom config, --apply also changes the client's, --json shows it\n",
    );
    return EXIT.done;
  }
  await write(onlyOne(found), resolve(to ?? CONFIG_FILE_DEFAULT), apply, io);
  return EXIT.done;
}
