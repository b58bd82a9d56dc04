/**
 * A small MCP server over stdio for tests of the whole program: `rows` gives a table, `say` a text, `fail` an error.
 *
 * @module
 */

/** One JSON-RPC request, as far as this server looks at it. */
interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string; readonly arguments?: Arguments };
}

interface Arguments {
  readonly count?: number;
  readonly text?: string;
}

/** The arguments that start this server, in the form of a server of the config. */
export function tableServer(name: string): { name: string; command: string; args: readonly string[] } {
  return { name, command: Deno.execPath(), args: ["run", "--no-lock", "--quiet", import.meta.filename ?? ""] };
}

const TOOLS = [
  { name: "rows", description: "Gives a table.\nSecond line.", inputSchema: { type: "object" } },
  { name: "say", description: "Says a text.", inputSchema: { type: "object" } },
  { name: "fail", description: "Fails.", inputSchema: { type: "object" } },
];

function textOf(name: string | undefined, { count = 1_000, text = "" }: Arguments): string {
  if (name !== "rows") return text;
  const rows = Array.from(
    { length: count },
    (_, id) => ({ id, big: `9007199254740993${id}`, city: id % 2 ? "Oslo" : "Rome" }),
  );
  return JSON.stringify(rows).replaceAll(/"big":"(\d+)"/g, '"big":$1');
}

function resultOf({ method, params }: Request): unknown {
  if (method === "initialize") {
    const serverInfo = { name: "table-server", version: "1" };
    return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return {};
  const content = [{ type: "text", text: textOf(params?.name, params?.arguments ?? {}) }];
  return params?.name === "fail" ? { content, isError: true } : { content };
}

async function serve(): Promise<void> {
  let pending = "";
  for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    for (const request of lines.map((line): Request => JSON.parse(line))) {
      if (request.id === undefined) continue;
      const answer = JSON.stringify({ jsonrpc: "2.0", id: request.id, result: resultOf(request) });
      await Deno.stdout.write(new TextEncoder().encode(`${answer}\n`));
    }
  }
}

if (import.meta.main) await serve();
