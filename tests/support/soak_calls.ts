/** Random calls of a long run, each of which knows the one right answer. @module */

import { strict as assert } from "node:assert";
import { benchRecords } from "./bench_records.ts";
import type { StdioPeer } from "./stdio_peer.ts";

/** Rows of the results that are asked for: some pass, some become datasets. */
const SIZES = [20, 60, 150, 400, 700, 1_000, 1_500, 2_200, 3_000];
/** Datasets that a caller comes back to. */
const REMEMBERED_MAX = 40;
/** Milliseconds after which a call counts as one without an answer. */
const ANSWER_MS_MAX = 90_000;
/** Rows of a pinned dataset: nothing ever evicts it, so it must be small. */
const PINNED_ROWS = 40;

/** A dataset and what is known of it. */
interface Known {
  readonly ref: string;
  /** Its rows have the ids `tag`, 1, 2, … `rows - 1`. */
  readonly rows: number;
  readonly tag: number;
  readonly kind: "original" | "query" | "view";
}

/** Numbers of what was done; `lost` are calls without an answer, `wrong` are answers that are not the right one. */
export class SoakCounts {
  readonly done: Record<string, number> = {};
  readonly refused: Record<string, number> = {};
  wrong = 0;
  lost = 0;
  readonly faults: string[] = [];

  /** Counts one more of a kind. */
  add(counts: Record<string, number>, kind: string): void {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }

  /** Notes something that must not be. */
  fault(text: string): void {
    if (this.faults.length < 20) this.faults.push(text.slice(0, 400));
  }
}

/** Refusals that are right answers, by what they say. A dataset may be evicted; a kill takes what runs and, at times, datasets. */
const REFUSALS: readonly (readonly [string, RegExp])[] = [
  ["evicted", /was evicted/],
  ["original gone", /no longer kept/],
  ["lost with the engine", /DATASET_LOST|\blost\b/],
  ["engine replaced", /engine/],
  ["server gone", /server "(one|two|three)"|"(one|two|three)"/],
];

/** One caller before a loom. */
export class SoakCaller {
  readonly #loom: StdioPeer;
  readonly #counts: SoakCounts;
  readonly #number: number;
  readonly #known: Known[] = [];
  readonly #records = new Map<number, Record<string, unknown>[]>();
  #turn = 0;

  constructor(loom: StdioPeer, counts: SoakCounts, number: number) {
    this.#loom = loom;
    this.#counts = counts;
    this.#number = number;
  }

  /** Makes one random call and looks at its answer. */
  async turn(): Promise<void> {
    this.#turn++;
    const [kind, call] = pick<readonly [string, () => Promise<void>]>([
      [25, ["echo", () => this.#echo()]],
      [8, ["text", () => this.#text()]],
      [25, ["rows", () => this.#rows()]],
      [20, ["query", () => this.#query()]],
      [5, ["query kept", () => this.#keep()]],
      [3, ["materialize", () => this.#materialize()]],
      [4, ["export", () => this.#export()]],
      [6, ["raw", () => this.#raw()]],
      [2, ["list", () => this.#list()]],
      [2, ["describe", () => this.#describe()]],
    ]);
    try {
      await call();
      this.#counts.add(this.#counts.done, kind);
    } catch (error) {
      this.#judge(kind, error);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #judge(kind: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const told = `${this.#number}.${this.#turn} ${kind}: ${message}`;
    if (error instanceof assert.AssertionError || error instanceof SyntaxError) {
      this.#counts.wrong++;
      return this.#counts.fault(told);
    }
    if (error instanceof Unanswered) {
      this.#counts.lost++;
      return this.#counts.fault(told);
    }
    const refusal = REFUSALS.find(([, words]) => words.test(message))?.[0];
    if (refusal !== undefined) return this.#counts.add(this.#counts.refused, refusal);
    this.#counts.wrong++;
    this.#counts.fault(told);
  }

  async #echo(): Promise<void> {
    const tag = `${this.#number}.${this.#turn}`;
    assert.equal(await this.#call(`${server()}_echo`, { tag }), `ok ${tag}`);
  }

  async #text(): Promise<void> {
    const kb = 1 + Math.floor(Math.random() * 500);
    const text = await this.#call(`${server()}_text`, { kb });
    assert.ok(text === "plain words of no table. ".repeat(Math.ceil((kb * 1024) / 25)), "other text");
  }

  async #rows(): Promise<void> {
    const rows = SIZES[Math.floor(Math.random() * SIZES.length)] ?? 0;
    const tag = 1_000_000 + this.#number * 100_000 + this.#turn;
    const text = await this.#call(`${server()}_rows`, { n: rows, tag });
    if (text.startsWith("[")) return assert.ok(text === this.#textOf(rows, tag), "other bytes");
    const envelope = JSON.parse(text);
    assert.equal(envelope.rows, rows);
    await this.#check(this.#remember({ ref: envelope.ref, rows, tag, kind: "original" }));
  }

  async #query(): Promise<void> {
    await this.#check(await this.#some());
  }

  async #keep(): Promise<void> {
    const { ref, rows, tag } = await this.#some();
    const envelope = JSON.parse(await this.#call("loom_query", { sql: `SELECT * FROM ${ref}` }));
    if (envelope.ref === undefined) return assert.equal(envelope.rowCount, rows);
    assert.equal(envelope.rows, rows);
    await this.#check(this.#remember({ ref: envelope.ref, rows, tag, kind: "query" }));
  }

  async #materialize(): Promise<void> {
    const { ref, rows, tag } = await this.#some();
    const count = Math.min(rows, PINNED_ROWS);
    const sql = `SELECT id, score, note FROM ${ref} WHERE id < ${count} OR id >= 1000000`;
    const name = `v${this.#number}_${this.#turn}`;
    const envelope = JSON.parse(await this.#call("loom_materialize", { sql, name }));
    assert.equal(envelope.rows, count);
    await this.#check(this.#remember({ ref: envelope.ref, rows: count, tag, kind: "view" }));
  }

  async #export(): Promise<void> {
    const { ref, rows, tag } = await this.#some();
    const format = Math.random() < 0.5 ? "json" : "csv";
    const { path, rows: written } = JSON.parse(await this.#call("loom_export", { ref, format }));
    try {
      assert.equal(written, rows);
      const text = await Deno.readTextFile(path);
      const ids = format === "json"
        ? JSON.parse(text).map((row: { id: number }) => row.id)
        : text.trimEnd().split("\r\n").slice(1).map((line) => Number(line.split(",")[0]));
      assert.deepEqual(ids.toSorted((a: number, b: number) => a - b), this.#ids(rows, tag));
    } finally {
      await Deno.remove(path);
    }
  }

  async #raw(): Promise<void> {
    const { ref, rows, tag } = await this.#some("original");
    const whole = this.#textOf(rows, tag);
    const offset = Math.floor(Math.random() * whole.length);
    const raw = JSON.parse(await this.#call("loom_raw", { ref, offset, length: 300 }));
    assert.equal(raw.totalChars, whole.length);
    assert.equal(raw.text, whole.slice(offset, offset + 300));
  }

  async #list(): Promise<void> {
    const { datasets } = JSON.parse(await this.#call("loom_list_datasets"));
    for (const { ref, rows } of datasets) {
      const known = this.#known.find((dataset) => dataset.ref === ref);
      if (known) assert.equal(rows, known.rows);
    }
  }

  async #describe(): Promise<void> {
    const { ref, rows } = await this.#some();
    assert.equal(JSON.parse(await this.#call("loom_describe", { ref })).rows, rows);
  }

  /** Asks a dataset for what is known of it. */
  async #check({ ref, rows, tag, kind }: Known): Promise<void> {
    const sql = `SELECT count(*) AS n, sum(id)::BIGINT AS ids, sum(score) AS score, count(note) AS notes FROM ${ref}`;
    let text: string;
    try {
      text = await this.#call("loom_query", { sql });
    } catch (error) {
      const message = error instanceof Error ? error.message : "";
      if (kind === "view" && /was evicted/.test(message)) assert.fail(`pinned, and gone: ${message}`);
      throw error;
    }
    const records = this.#recordsOf(rows);
    assert.deepEqual(JSON.parse(text).rows, [{
      n: rows,
      ids: rows * (rows - 1) / 2 + tag,
      score: records.reduce((sum, { score }) => sum + Number(score), 0),
      notes: records.filter(({ note }) => note !== null).length,
    }]);
  }

  #remember(dataset: Known): Known {
    this.#known.push(dataset);
    if (this.#known.length > REMEMBERED_MAX) this.#known.shift();
    return dataset;
  }

  /** A dataset that this caller has seen; the first one is made here. */
  async #some(kind?: Known["kind"]): Promise<Known> {
    const fitting = this.#known.filter((dataset) => kind === undefined || dataset.kind === kind);
    // Mostly a young one: the old ones are evicted, and one refusal is like another.
    const dataset = fitting[Math.floor(Math.random() ** 0.2 * fitting.length)];
    if (dataset) return dataset;
    await this.#rows();
    return await this.#some(kind);
  }

  #recordsOf(rows: number): Record<string, unknown>[] {
    const known = this.#records.get(rows) ?? benchRecords(rows);
    this.#records.set(rows, known);
    return known;
  }

  #textOf(rows: number, tag: number): string {
    return JSON.stringify(this.#recordsOf(rows)).replace('[{"id":0', `[{"id":${tag}`);
  }

  #ids(rows: number, tag: number): number[] {
    return [...Array.from({ length: rows - 1 }, (_, i) => i + 1), tag];
  }

  async #call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Unanswered(`${name} got no answer`)), ANSWER_MS_MAX);
    try {
      return await Promise.race([this.#loom.call(name, args), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

class Unanswered extends Error {}

function server(): string {
  return ["one", "two", "three"][Math.floor(Math.random() * 3)] ?? "one";
}

/** One of several, by weight. */
function pick<T>(choices: readonly (readonly [number, T])[]): T {
  let left = Math.random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, choice] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  throw new Error("unreachable: weights");
}
