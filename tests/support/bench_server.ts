/**
 * A stdio MCP server for benchmarks: `echo {tag}` answers "ok" and the tag, `text {kb}` plain text of that size, `rows {n}` a JSON array
 * of n records in one text block.
 * @module
 */

import { benchRecords } from "./bench_records.ts";

const encoder = new TextEncoder();
const lines = new Map<number, string>();

function rowsText(n: number): string {
  const known = lines.get(n) ?? JSON.stringify(benchRecords(n));
  lines.set(n, known);
  return known;
}

async function send(id: unknown, result: unknown): Promise<void> {
  const bytes = encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

const tool = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });

function answer(
  method: string,
  params: { name?: string; arguments?: { kb?: number; n?: number; tag?: string } },
): unknown {
  if (method === "initialize") {
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "bench", version: "1.0.0" },
    };
  }
  if (method === "tools/list") return { tools: [tool("echo"), tool("text"), tool("rows")] };
  const text = params.name === "rows"
    ? rowsText(params.arguments?.n ?? 1)
    : params.name === "text"
    ? "plain words of no table. ".repeat(Math.ceil((params.arguments?.kb ?? 1) * 1024 / 25))
    : params.arguments?.tag === undefined
    ? "ok"
    : `ok ${params.arguments.tag}`;
  return { content: [{ type: "text", text }] };
}

const input = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
let rest = "";
for await (const chunk of input) {
  const parts = (rest + chunk).split("\n");
  rest = parts.pop() ?? "";
  for (const line of parts) {
    if (line.trim() === "") continue;
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined) await send(id, answer(method, params));
  }
}
