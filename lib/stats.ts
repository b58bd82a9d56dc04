/** What a ledger tells: how much was saved, net of what the savings cost, and which tools cost most. @module */

/** Tools that are listed. */
export const COSTLY_TOOLS_MAX = 10;

/** What one tool of a server cost and saved, in estimated tokens. */
export interface ToolStats {
  readonly server: string;
  readonly tool: string;
  calls: number;
  /** Tokens of its results before loom. */
  before: number;
  /** Tokens of what the client got. */
  after: number;
}

/** The sums of a ledger, in estimated tokens. */
export interface LedgerStats {
  calls: number;
  datasets: number;
  queries: number;
  exports: number;
  /** Lines that are no entry, such as a line cut by a full disk. */
  unreadable: number;
  /** Tokens of all results of servers before loom. */
  before: number;
  /** Tokens of the envelopes and passed results that the client got. */
  after: number;
  /** Tokens of the answers of loom's own tools, which pay back some of the saving. */
  ownAnswers: number;
  /** Tools of servers, the most costly first. */
  tools: ToolStats[];
}

/** Adds up the lines of a ledger. */
export async function readStats(lines: AsyncIterable<string> | Iterable<string>): Promise<LedgerStats> {
  const tools = new Map<string, ToolStats>();
  const stats: LedgerStats = {
    calls: 0,
    datasets: 0,
    queries: 0,
    exports: 0,
    unreadable: 0,
    before: 0,
    after: 0,
    ownAnswers: 0,
    tools: [],
  };
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const entry = parseLine(line);
    if (entry === undefined) stats.unreadable++;
    else addEntry(stats, tools, entry);
  }
  stats.tools = [...tools.values()].toSorted((a, b) => b.before - a.before);
  return stats;
}

/** Tokens saved, net of envelopes and of every answer that loom's own tools gave. */
export function netSaving({ before, after, ownAnswers }: LedgerStats): number {
  return before - after - ownAnswers;
}

/** The report that `loom stats` prints. */
export function statsText(stats: LedgerStats): string {
  const number = (value: number) => value.toLocaleString("en-US");
  const share = stats.before === 0 ? "" : ` (${Math.round((netSaving(stats) / stats.before) * 100)} %)`;
  const rows = stats.tools.slice(0, COSTLY_TOOLS_MAX).map(({ server, tool, calls, before, after }) =>
    `  ${`${server} ${tool}`.padEnd(40)} ${String(calls).padStart(6)} ${number(before).padStart(12)} ${
      number(after).padStart(12)
    }`
  );
  return [
    `calls ${number(stats.calls)}, datasets ${number(stats.datasets)}, queries ${number(stats.queries)}, exports ${
      number(stats.exports)
    }`,
    `tokens of results          ${number(stats.before).padStart(12)}`,
    `tokens the client got      ${number(stats.after).padStart(12)}`,
    `tokens of loom's answers   ${number(stats.ownAnswers).padStart(12)}`,
    `saved, net                 ${number(netSaving(stats)).padStart(12)}${share}`,
    ...(rows.length === 0
      ? []
      : [`\n  ${"tool".padEnd(40)} ${"calls".padStart(6)} ${"before".padStart(12)} ${"after".padStart(12)}`]),
    ...rows,
    ...(stats.unreadable === 0 ? [] : [`\n${number(stats.unreadable)} lines could not be read`]),
    "",
    "Tokens are estimates: characters / 4.",
  ].join("\n");
}

type Entry = Readonly<Record<string, unknown>>;

function parseLine(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? entry as Entry : undefined;
  } catch {
    return undefined;
  }
}

const BYTES_PER_TOKEN = 4;

function addEntry(stats: LedgerStats, tools: Map<string, ToolStats>, entry: Entry): void {
  switch (entry.kind) {
    case "call": {
      stats.calls++;
      // A replaced result is counted by its dataset entry, which knows its characters.
      if (entry.outcome === "replaced") return void toolOf(tools, entry).calls++;
      const tokens = Math.ceil(amount(entry.bytes) / BYTES_PER_TOKEN);
      toolOf(tools, entry).calls++;
      return addTokens(stats, tools, entry, tokens, tokens);
    }
    case "dataset":
      stats.datasets++;
      return addTokens(stats, tools, entry, amount(entry.tokensBefore), amount(entry.tokensAfter));
    case "own":
      if (entry.tool === "loom_query") stats.queries++;
      if (entry.tool === "loom_export") stats.exports++;
      stats.ownAnswers += amount(entry.tokens);
      return;
    case "lost":
      return;
    default:
      stats.unreadable++;
  }
}

function addTokens(
  stats: LedgerStats,
  tools: Map<string, ToolStats>,
  entry: Entry,
  before: number,
  after: number,
): void {
  stats.before += before;
  stats.after += after;
  const tool = toolOf(tools, entry);
  tool.before += before;
  tool.after += after;
}

function toolOf(tools: Map<string, ToolStats>, entry: Entry): ToolStats {
  const server = String(entry.server);
  const tool = String(entry.tool);
  const key = `${server}\n${tool}`;
  const known = tools.get(key) ?? { server, tool, calls: 0, before: 0, after: 0 };
  tools.set(key, known);
  return known;
}

function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
