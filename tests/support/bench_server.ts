/**
 * A stdio MCP server for benchmarks: `echo {tag}` answers "ok" and the tag, `text {kb}` plain text of that size,
 * `rows {n, tag}` a JSON array of n records in one text block, the first of them with the tag as its id.
 *
 * Rows are made once for each size, so that a call costs what it takes to write them.
 * @module
 */

import { benchRecords } from "./bench_records.ts";

const encoder = new TextEncoder();
/** What follows the first record's id, as it stands in a line. */
const rowsAfterTag = new Map<number, Uint8Array>();

function rowsLine(id: unknown, n: number, tag: number): Uint8Array[] {
  const text = (value: unknown) => JSON.stringify(JSON.stringify(value)).slice(1, -1);
  const known = rowsAfterTag.get(n) ?? encoder.encode(`${text(benchRecords(n)).slice('[{\\"id\\":0'.length)}"}]}}\n`);
  rowsAfterTag.set(n, known);
  const head = `{"jsonrpc":"2.0","id":${
    JSON.stringify(id)
  },"result":{"content":[{"type":"text","text":"[{\\"id\\":${tag}`;
  return [encoder.encode(head), known];
}

async function write(...parts: readonly Uint8Array[]): Promise<void> {
  for (const bytes of parts) {
    for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
  }
}

const tool = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });

interface Params {
  readonly name?: string;
  readonly arguments?: { readonly kb?: number; readonly n?: number; readonly tag?: string | number };
}

function answer(method: string, params: Params): unknown {
  if (method === "initialize") {
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "bench", version: "1.0.0" },
    };
  }
  if (method === "tools/list") return { tools: [tool("echo"), tool("text"), tool("rows")] };
  const text = params.name === "text"
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
    if (id === undefined) continue;
    const { n = 1, tag = 0 } = params?.arguments ?? {};
    if (params?.name === "rows") await write(...rowsLine(id, n, Number(tag)));
    else await write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })}\n`));
  }
}
