/**
 * A small MCP server for tests, run as `deno run fake_server.ts`. It writes results as fixed text, so that tests can see
 * what became of their bytes, and misbehaves on request.
 *
 * Settings come as one JSON argument, see {@link FakeSettings}.
 * @module
 */

/** How a fake server is to behave. */
export interface FakeSettings {
  readonly name?: string;
  /** `dual` answers both eras. */
  readonly era?: "legacy" | "modern" | "dual";
  /** What it does with a request before `initialize`. */
  readonly strict?: "exit" | "silent";
  /** Milliseconds before `initialize` is answered; -1 means never, -2 that it exits instead. */
  readonly initializeMs?: number;
  /** A text on stdout before anything else. */
  readonly banner?: string;
  /** Ignores the end of its input and SIGTERM. */
  readonly stubborn?: boolean;
  /** Further tools, as the text of their definitions. */
  readonly tools?: readonly string[];
  /** Tools on one page of the list. */
  readonly pageSize?: number;
  readonly resources?: Readonly<Record<string, string>>;
  readonly templates?: readonly string[];
  readonly prompts?: readonly string[];
  readonly instructions?: string;
  readonly protocolVersion?: string;
  readonly tasks?: boolean;
  /** Answers `tools/list` with an error. */
  readonly unlisted?: boolean;
}

const MODERN = "2026-07-28";
const key = (name: string) => `io.modelcontextprotocol/${name}`;
const encoder = new TextEncoder();
const text = (value: string) => `{"content":[{"type":"text","text":${JSON.stringify(value)}}]}`;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The text that stands behind a member's name, for values without nested braces or brackets of their own kind. */
function rawAfter(line: string, name: string): string {
  const start = line.indexOf(`"${name}":`) + name.length + 3;
  let depth = 0;
  let inString = false;
  for (let i = start; i < line.length; i++) {
    const char = line[i] ?? "";
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && depth-- === 0) return line.slice(start, i);
    else if (char === "," && depth === 0) return line.slice(start, i);
  }
  return line.slice(start);
}

class FakeServer {
  readonly #settings: FakeSettings;
  readonly #waiting = new Map<string, (line: string) => void>();
  readonly #cancelled = new Map<string, () => void>();
  readonly #listens = new Map<string, string>();
  readonly #received: string[] = [];
  /** It reads no input any more. */
  isDeaf = false;
  #initialized = false;
  #added = 0;
  #nextId = 1;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(settings: FakeSettings) {
    this.#settings = settings;
    if (settings.banner !== undefined) this.#write(`${settings.banner}\n`);
  }

  #write(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    this.#writing = this.#writing.then(async () => {
      for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
    });
  }

  #line(line: string): void {
    this.#write(`${line}\n`);
  }

  #result(id: string, result: string): void {
    this.#line(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  }

  #error(id: string, error: string): void {
    this.#line(`{"jsonrpc":"2.0","id":${id},"error":${error}}`);
  }

  #notify(method: string, params?: string): void {
    this.#line(`{"jsonrpc":"2.0","method":"${method}"${params === undefined ? "" : `,"params":${params}`}}`);
  }

  #changed(list: string): void {
    if (this.#settings.era !== "modern") this.#notify(`notifications/${list}/list_changed`);
    for (const [id, filter] of this.#listens) {
      if (!filter.includes(`"${list}ListChanged":true`)) continue;
      this.#notify(`notifications/${list}/list_changed`, `{"_meta":{"${key("subscriptionId")}":${id}}}`);
    }
  }

  async receive(line: string): Promise<void> {
    const message = JSON.parse(line);
    if (!line.includes('"received"')) this.#received.push(line);
    if (message.method === undefined) {
      this.#waiting.get(String(message.id))?.(line);
      return;
    }
    if (message.id === undefined) {
      if (message.method === "notifications/cancelled") this.#cancelled.get(String(message.params.requestId))?.();
      return;
    }
    const id = rawAfter(line, "id");
    const { strict, era = "legacy" } = this.#settings;
    if (strict !== undefined && !this.#initialized && message.method !== "initialize") {
      if (strict === "exit") Deno.exit(3);
      return;
    }
    const version = message.params?._meta?.[key("protocolVersion")];
    const modern = version === MODERN && era !== "legacy";
    if (era === "modern" && !modern) {
      return this.#error(id, `{"code":-32022,"message":"Unsupported","data":{"supported":["${MODERN}"]}}`);
    }
    await this.#serve(id, message, line, modern);
  }

  // deno-lint-ignore no-explicit-any
  async #serve(id: string, message: any, line: string, modern: boolean): Promise<void> {
    const { settings } = { settings: this.#settings };
    const lists = modern ? ',"resultType":"complete","ttlMs":1,"cacheScope":"private"' : "";
    const info = `{"name":"fake-${settings.name ?? "fake"}","version":"1"}`;
    const capabilities = JSON.stringify({
      tools: { listChanged: true },
      ...(settings.resources || settings.templates ? { resources: { subscribe: true, listChanged: true } } : {}),
      ...(settings.prompts ? { prompts: {} } : {}),
      ...(settings.tasks ? { tasks: { list: {} } } : {}),
      logging: {},
      completions: {},
    });
    const instructions = settings.instructions === undefined
      ? ""
      : `,"instructions":${JSON.stringify(settings.instructions)}`;
    switch (message.method) {
      case "initialize": {
        const ms = settings.initializeMs ?? 0;
        if (ms === -2) Deno.exit(4);
        if (ms === -1) return;
        await sleep(ms);
        this.#initialized = true;
        const version = settings.protocolVersion ?? message.params.protocolVersion;
        return this.#result(
          id,
          `{"protocolVersion":"${version}","capabilities":${capabilities},"serverInfo":${info}${instructions}}`,
        );
      }
      case "server/discover":
        if (!modern) break;
        return this.#result(
          id,
          `{"supportedVersions":["${MODERN}"],"capabilities":${capabilities}${instructions}${lists}}`,
        );
      case "ping":
        return this.#result(id, "{}");
      case "tools/list": {
        if (settings.unlisted) return this.#error(id, '{"code":-32603,"message":"no list today"}');
        const tools = this.#tools();
        const size = settings.pageSize ?? tools.length;
        const page = message.params?.cursor === undefined ? 0 : Number(message.params.cursor || "1");
        const next = (page + 1) * size < tools.length ? `,"nextCursor":"${page === 0 ? "" : page + 1}"` : "";
        return this.#result(id, `{"tools":[${tools.slice(page * size, (page + 1) * size).join(",")}]${next}${lists}}`);
      }
      case "tools/call":
        return await this.#call(id, message.params, line, modern);
      case "resources/list": {
        const entries = Object.keys(settings.resources ?? {}).map((uri) => `{"uri":"${uri}","name":"n","x":1.10}`);
        return this.#result(id, `{"resources":[${entries.join(",")}]${lists}}`);
      }
      case "resources/templates/list": {
        const entries = (settings.templates ?? []).map((uri) => `{"uriTemplate":"${uri}","name":"t"}`);
        return this.#result(id, `{"resourceTemplates":[${entries.join(",")}]${lists}}`);
      }
      case "resources/read": {
        const { uri } = message.params;
        const known = settings.resources?.[uri];
        const fits = settings.templates?.some((template) => uri.startsWith(template.split("{")[0]));
        if (known === undefined && !fits) {
          return this.#error(
            id,
            `{"code":-32002,"message":"Resource not found","data":{"uri":${JSON.stringify(uri)}}}`,
          );
        }
        return this.#result(id, `{"contents":[{"uri":"${uri}","text":"${known ?? `made by ${settings.name}`}"}]}`);
      }
      case "resources/subscribe":
      case "resources/unsubscribe":
      case "logging/setLevel":
        return this.#result(id, "{}");
      case "prompts/list": {
        const entries = (settings.prompts ?? []).map((name) => `{"name":"${name}"}`);
        return this.#result(id, `{"prompts":[${entries.join(",")}]${lists}}`);
      }
      case "prompts/get":
        return this.#result(id, `{"messages":[],"x":"${settings.name}:${message.params.name}"}`);
      case "completion/complete": {
        const { ref } = message.params;
        return this.#result(id, `{"completion":{"values":["${settings.name}:${ref.name ?? ref.uri}"]}}`);
      }
      case "tasks/get":
        return this.#result(id, `{"taskId":"${message.params.taskId}","status":"completed"}`);
      case "tasks/result":
        return this.#result(id, text(`result of ${message.params.taskId} at ${settings.name}`));
      case "subscriptions/listen":
        this.#listens.set(id, rawAfter(line, "notifications"));
        return this.#notify(
          "notifications/subscriptions/acknowledged",
          `{"_meta":{"${key("subscriptionId")}":${id}},"notifications":${rawAfter(line, "notifications")}}`,
        );
      case "x-vendor/who":
        return this.#result(id, `{"who":"${settings.name}"}`);
    }
    this.#error(id, `{"code":-32601,"message":"Method not found: ${message.method}"}`);
  }

  #tools(): string[] {
    const plain = (name: string) => `{"name":"${name}","description":"d","inputSchema":{"type":"object"}}`;
    const names = ["echo", "fixed", "fail", "slow", "hang", "crash", "ask", "notify", "rows", "big", "emit", "env"];
    const more = ["received", "mutate", "half", "deaf", "grandchild", "pid", "task", "question"];
    const shifting = plain("shifting").replace('"d"', `"d${this.#added}"`);
    const added = Array.from({ length: this.#added }, (_, i) => plain(`added_${i + 1}`));
    return [...names.map(plain), ...more.map(plain), shifting, ...(this.#settings.tools ?? []), ...added];
  }

  // deno-lint-ignore no-explicit-any
  async #call(id: string, params: any, line: string, modern: boolean): Promise<void> {
    const args = params.arguments ?? {};
    const done = (result: string) => this.#result(id, modern ? `{"resultType":"complete",${result.slice(1)}` : result);
    const token = params._meta?.progressToken;
    switch (params.name) {
      case "echo":
        return done(text(line));
      case "fixed":
        return done(args.result);
      case "fail":
        return this.#error(id, args.error);
      case "slow": {
        const steps = args.steps ?? 1;
        for (let i = 1; i <= steps; i++) {
          await sleep((args.ms ?? 10) / steps);
          if (token === undefined) continue;
          this.#notify("notifications/progress", `{"progressToken":${JSON.stringify(token)},"progress":${i}.50}`);
        }
        return done(text(`slept ${args.tag ?? ""}`));
      }
      case "hang": {
        await new Promise<void>((resolve) => this.#cancelled.set(id, resolve));
        return done(text("too late"));
      }
      case "crash":
        return Deno.exit(7);
      case "ask": {
        const asked = this.#nextId++;
        const answer = new Promise<string>((resolve) => this.#waiting.set(String(asked), resolve));
        const rawParams = rawAfter(line, "askParams");
        this.#line(`{"jsonrpc":"2.0","id":${asked},"method":"${args.method}","params":${rawParams}}`);
        if (args.withdraw) {
          await sleep(50);
          this.#notify("notifications/cancelled", `{"requestId":${asked},"reason":"enough"}`);
          return done(text("withdrawn"));
        }
        return done(text(await answer));
      }
      case "notify":
        this.#notify(args.method, JSON.stringify(args.params));
        return done(text("sent"));
      case "rows": {
        const rows = Array.from({ length: args.n }, (_, i) => ({ id: i, name: `row ${i}` }));
        return done(text(JSON.stringify(rows)));
      }
      case "big":
        return done(text((args.char ?? "y").repeat(args.length)));
      case "deaf":
        this.isDeaf = true;
        return done(text("deaf from now on"));
      case "half": {
        // Most of an answer, and then nothing more.
        this.#write(
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${"y".repeat(args.length)}`,
        );
        await this.#writing;
        await sleep(20);
        return Deno.exit(8);
      }
      case "emit":
        for (const chunk of args.chunks) {
          this.#write(chunk.replaceAll("$ID", id));
          await sleep(args.delayMs ?? 1);
        }
        return;
      case "env":
        return done(text(JSON.stringify(Deno.env.toObject())));
      case "received":
        return done(text(JSON.stringify(this.#received)));
      case "mutate":
        if (args.list === "tools") this.#added++;
        for (let i = 0; i < (args.times ?? 1); i++) this.#changed(args.list);
        return done(text("mutated"));
      case "grandchild": {
        const [command = "", ...rest] = args.command;
        const child = new Deno.Command(command, { args: rest, stdin: "null", stdout: "null", stderr: "null" }).spawn();
        return done(text(String(child.pid)));
      }
      case "pid":
        return done(text(String(Deno.pid)));
      case "task":
        return done(`{"task":{"taskId":"${args.id}","status":"working"}}`);
      case "question": {
        const answers = params.inputResponses;
        if (answers !== undefined) return done(text(rawAfter(line, "inputResponses") + rawAfter(line, "requestState")));
        const request =
          `{"method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object"}}}`;
        return this.#result(
          id,
          `{"resultType":"input_required","inputRequests":{"q":${request}},"requestState":"s é"}`,
        );
      }
      default:
        return done(text(`called ${this.#settings.name}:${params.name}`));
    }
  }
}

if (import.meta.main) {
  const settings: FakeSettings = JSON.parse(Deno.args[0] ?? "{}");
  const server = new FakeServer(settings);
  if (settings.stubborn) Deno.addSignalListener("SIGTERM", () => {});
  let rest = "";
  for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) server.receive(line).catch(() => Deno.exit(9));
    while (server.isDeaf) await sleep(1_000);
  }
  if (settings.stubborn) await new Promise((resolve) => setTimeout(resolve, 60_000));
  Deno.exit(0);
}
