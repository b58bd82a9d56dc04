/** `loom call`: one call through the whole proxy, and a query on what it made. @module */

import type { ByteReadable } from "../byte_streams.ts";
import { printable } from "../log.ts";
import { type CommandIo, EXIT, type ExitCode, type OptionValues, textOption, UsageError, withProgress } from "./io.ts";
import type { Session } from "../session.ts";
import { startSession } from "./start.ts";
import { renderTable } from "./table.ts";

/** Where the SQL of `--sql` names the dataset that the call made. */
const REF_PLACEHOLDER = "{ref}";

interface ToolResult {
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

async function textOfAll(readable: ByteReadable): Promise<string> {
  const reader = readable.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

async function argumentsText(given: string | undefined, io: CommandIo): Promise<string> {
  const text = given === "-" ? await textOfAll(io.streams().readable) : given ?? "{}";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Said below, in words that help.
  }
  throw new UsageError(`Cannot read the arguments: expected one JSON object such as '{"path": "notes.txt"}'`);
}

/** What the runtime's JSON offers beyond the compiler's types: numbers as they are written. */
const exactJson = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};

/** Keeps a number as it is written: 1.10 and 1e400 are shown so. */
function exactly(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined ? exactJson.rawJSON(source) : value;
}

/** The value of a text that is JSON; its numbers are only to be written again. */
function jsonOf(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return exactJson.parse(text, exactly);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The rows of a query's answer, when `result` is one whose cells can be shown in a table. */
function rowsOf(result: ToolResult): readonly Readonly<Record<string, unknown>>[] | undefined {
  const answer = jsonOf(result.content?.[0]?.text);
  const rows = isObject(answer) && "rowCount" in answer ? answer.rows : undefined;
  return Array.isArray(rows) && rows.length > 0 && rows.every(isObject) ? rows : undefined;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a person reads: a table for rows, the text for text, a word for everything else. */
function renderResult(result: ToolResult, io: CommandIo): string {
  const rows = rowsOf(result);
  if (rows) {
    const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const cells = rows.map((row) => header.map((name) => cellText(row[name])));
    return renderTable(header, cells, { columns: io.terminalColumns, colours: io.colours });
  }
  const blocks = (result.content ?? []).map((block) => {
    const value = isObject(jsonOf(block.text)) ? jsonOf(block.text) : undefined;
    if (isObject(value) && value.kind === "loom_dataset_ref") return JSON.stringify(value, null, 2);
    return block.type === "text" ? String(block.text) : `[${String(block.type)}: use --json to see it]`;
  });
  if (blocks.length === 0 && result.structuredContent !== undefined) {
    blocks.push(JSON.stringify(result.structuredContent, null, 2));
  }
  const text = `${blocks.join("\n")}\n`;
  return io.terminalColumns === undefined ? text : safeForTerminal(text);
}

/** The ref of the dataset that a result speaks of. */
function refOf(result: ToolResult): string | undefined {
  const envelope = jsonOf(result.content?.[0]?.text);
  const isEnvelope = isObject(envelope) && envelope.kind === "loom_dataset_ref";
  return isEnvelope && typeof envelope.ref === "string" ? envelope.ref : undefined;
}

/** Text without the codes by which a server could reach the terminal; line breaks stay. */
function safeForTerminal(text: string): string {
  return text.split("\n").map((line) => printable(line, Infinity)).join("\n");
}

/** Makes one call and prints its result; the exit code says whether the tool failed. */
async function callOnce(session: Session, tool: string, args: string, json: boolean, io: CommandIo) {
  const params = `{"name":${JSON.stringify(tool)},"arguments":${args}}`;
  const text = await withProgress(io, `Waiting for ${tool}`, session.request("tools/call", params));
  const value = jsonOf(text);
  const result: ToolResult = isObject(value) ? value : {};
  const show = result.isError === true && !json ? io.remark : io.print;
  show(json ? `${text}\n` : renderResult(result, io));
  return { result, exit: result.isError === true ? EXIT.failed : EXIT.done };
}

/** Runs the command. */
export async function call(values: OptionValues, positionals: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [tool, given] = positionals;
  if (tool === undefined) throw new UsageError("Cannot call: name a tool, `loom tools` lists them");
  const args = await argumentsText(given, io);
  const sql = textOption(values, "sql");
  const json = values.json === true;
  await using session = await startSession(values, io);
  // Until the list is there, a server that is still starting does not know its tools.
  await withProgress(io, "Waiting for the servers' tools", session.request("tools/list", "{}"));
  const { result, exit } = await callOnce(session, tool, args, json, io);
  if (sql === undefined || exit !== EXIT.done) return exit;
  const ref = refOf(result);
  if (ref === undefined && sql.includes(REF_PLACEHOLDER)) {
    io.remark("Cannot query: the call made no dataset, its result passed as it was\n");
    return EXIT.failed;
  }
  const query = JSON.stringify({ sql: sql.replaceAll(REF_PLACEHOLDER, ref ?? "") });
  return (await callOnce(session, "loom_query", query, json, io)).exit;
}
