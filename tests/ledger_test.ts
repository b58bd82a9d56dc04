import assert from "node:assert/strict";
import { LEDGER_BYTES_MAX, openLedger } from "../lib/ledger.ts";
import { netSaving, readStats, statsText } from "../lib/stats.ts";
import { verifies } from "./support/verifies.ts";

const now = () => new Date("2026-01-02T03:04:05.678Z");
const dataset = {
  kind: "dataset",
  ref: "ds_crm_users_1",
  server: "crm",
  tool: "users",
  args: { token: "[redacted]" },
  source: "text",
  contentHash: "ab12",
  rows: 300,
  columns: 4,
  tokensBefore: 10_000,
  tokensAfter: 800,
} as const;

async function withFile(run: (path: string) => Promise<void> | void): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "loom-test-" });
  try {
    await run(`${folder}/audit.jsonl`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

verifies("LEDG-1", "openLedger() appends one line of JSON per fact, for its owner alone", () =>
  withFile((path) => {
    for (
      const fact of [
        dataset,
        { kind: "call", server: "crm", tool: "users", outcome: "replaced", bytes: 40_000 } as const,
      ]
    ) {
      using ledger = openLedger(path, () => {}, now);
      ledger.record(fact);
    }
    const lines = Deno.readTextFileSync(path).split("\n");
    assert.equal(lines.length, 3);
    assert.deepEqual(JSON.parse(lines[0] ?? ""), { time: "2026-01-02T03:04:05.678Z", ...dataset });
    if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  }));

verifies("LEDG-2", "openLedger() rotates by size and keeps three old files", () =>
  withFile((path) => {
    using ledger = openLedger(path, () => {}, now);
    const sql = `SELECT '${"x".repeat(LEDGER_BYTES_MAX / 4)}'`;
    for (let at = 0; at < 18; at++) ledger.record({ kind: "own", tool: "loom_query", isError: false, tokens: at, sql });
    for (const name of [path, `${path}.1`, `${path}.2`, `${path}.3`]) {
      assert.ok(Deno.statSync(name).size <= LEDGER_BYTES_MAX, name);
    }
    assert.throws(() => Deno.statSync(`${path}.4`), Deno.errors.NotFound);
  }));

verifies("LEDG-1", "openLedger() refuses a path that it cannot write to", () =>
  withFile((path) => {
    assert.throws(() => openLedger(`${path}/no/such/folder`, () => {}), { code: "CONFIG_INVALID" });
    Deno.mkdirSync(path);
    assert.throws(() => openLedger(path, () => {}), { code: "CONFIG_INVALID" });
  }));

verifies("LEDG-2", "a ledger on a full disk says so once and stops nothing (/dev/full is Linux's)", () => {
  if (Deno.build.os !== "linux") return;
  const log: string[] = [];
  using ledger = openLedger("/dev/full", (level, _component, message) => void log.push(`${level} ${message}`));
  for (let at = 0; at < 3; at++) ledger.record(dataset);
  assert.equal(log.length, 1);
  assert.match(log[0] ?? "", /^error the audit log cannot be written/);
});

verifies("LEDG-3", "readStats() counts savings net of envelopes and of loom's own answers", async () => {
  const facts = [
    { kind: "call", server: "crm", tool: "users", outcome: "replaced", bytes: 41_000 },
    dataset,
    { kind: "call", server: "crm", tool: "user", outcome: "passed", bytes: 400 },
    { kind: "call", server: "hn", tool: "stories", outcome: "error", bytes: 40 },
    { kind: "own", tool: "loom_query", isError: false, tokens: 150, sql: "SELECT 1" },
    { kind: "own", tool: "loom_export", isError: false, tokens: 20 },
  ];
  const stats = await readStats([...facts.map((fact) => JSON.stringify(fact)), "", '{"time":"cut by a full di']);
  assert.equal(stats.before, 10_000 + 100 + 10);
  assert.equal(stats.after, 800 + 100 + 10);
  assert.equal(netSaving(stats), 9_200 - 170);
  assert.deepEqual([stats.calls, stats.datasets, stats.queries, stats.exports, stats.unreadable], [3, 1, 1, 1, 1]);
  assert.deepEqual(stats.tools[0], { server: "crm", tool: "users", calls: 1, before: 10_000, after: 800 });
  assert.match(statsText(stats), /saved, net +9,030 \(89 %\)/);
});
