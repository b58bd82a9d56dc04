/** A loom in the same process with fake servers behind it, and a client that sees every line as text. @module */

import { parseConfig } from "../../lib/config.ts";
import type { Engine, Origin } from "../../lib/engine/messages.ts";
import type { Log } from "../../lib/log.ts";
import { createLoom, type Loom } from "../../lib/loom.ts";
import type { FakeSettings } from "./fake_server.ts";

const FAKE_SERVER = new URL("./fake_server.ts", import.meta.url).pathname;
const ANSWER_WAIT_MS = 20_000;
const NOTE_WAIT_MS = 10_000;

/** One message that loom wrote. */
export interface Line {
  readonly text: string;
  // deno-lint-ignore no-explicit-any
  readonly message: any;
}

/** What a rig may be told. */
export interface RigOptions {
  readonly engine?: Engine;
  /** Members of the configuration beside `servers`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Members of each server's configuration, by its name. */
  readonly servers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Loom's own environment, as far as `${VAR}` sees it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a fake server is started. */
export function fakeServer(name: string, settings: FakeSettings = {}): Record<string, unknown> {
  const args = ["run", "--quiet", "--no-config", "-A", FAKE_SERVER, JSON.stringify({ name, ...settings })];
  return { name, command: Deno.execPath(), args };
}

/** An engine that does nothing, and says what it was asked. */
export function idleEngine(answers: Partial<Engine> = {}): Engine & { readonly offered: [Origin, Uint8Array][] } {
  const offered: [Origin, Uint8Array][] = [];
  return {
    offered,
    start: () => {},
    intercept: (origin, result) => {
      offered.push([origin, result]);
      return Promise.resolve(undefined);
    },
    call: (tool) => Promise.resolve(new TextEncoder().encode(`{"content":[{"type":"text","text":"own ${tool}"}]}`)),
    stop: () => Promise.resolve(),
    ...answers,
  };
}

/** A connected client. Dispose of it to end loom and its servers. */
export class Rig implements AsyncDisposable {
  readonly lines: Line[] = [];
  readonly log: string[] = [];
  /** Answers to requests of servers, by method: JSON text of a result. */
  readonly answers: Record<string, (line: Line) => string | undefined | Promise<string | undefined>> = {};
  readonly served: Promise<void>;
  readonly loom: Loom;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<string, (line: Line) => void>();
  readonly #reading: Promise<void>;
  readonly #encoder = new TextEncoder();
  #nextId = 100;
  #watchers = new Set<() => void>();

  constructor(servers: readonly Record<string, unknown>[], options: RigOptions = {}) {
    const config = parseConfig(
      JSON.stringify({
        servers: servers.map((server) => ({ ...server, ...options.servers?.[String(server["name"])] })),
        restart: { maxAttempts: 3, baseDelayMs: 50 },
        ...options.config,
      }),
      { path: "/tmp/loom.config.json", env: (name) => options.env?.[name] ?? Deno.env.get(name) },
    );
    const log: Log = (level, component, message) => void this.log.push(`${level} ${component}: ${message}`);
    this.loom = createLoom(config, { engine: options.engine ?? idleEngine(), log });
    const up = new TransformStream<Uint8Array, Uint8Array>();
    const down = new TransformStream<Uint8Array, Uint8Array>();
    this.#writer = up.writable.getWriter();
    this.#reading = this.#read(down.readable);
    this.served = this.loom.serve({ readable: up.readable, writable: down.writable });
    this.served.catch(() => {});
  }

  /** Writes bytes as they are. */
  async write(chunk: string | Uint8Array): Promise<void> {
    await this.#writer.write(typeof chunk === "string" ? this.#encoder.encode(chunk) : chunk);
  }

  /** Sends a request and waits for its answer. `params` is JSON text. */
  request(method: string, params?: string, id: string = String(this.#nextId++)): Promise<Line> {
    const answer = this.answerTo(id);
    const text = params === undefined ? "" : `,"params":${params}`;
    this.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${text}}\n`).catch(() => {});
    return answer;
  }

  /** Waits for the answer to an id that is sent otherwise. */
  async answerTo(id: string): Promise<Line> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<Line>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        timer = setTimeout(() => reject(new Error(`no answer to ${id}; log: ${this.log.join("\n")}`)), ANSWER_WAIT_MS);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls a tool; `args` is JSON text. */
  call(name: string, args = "{}", more = ""): Promise<Line> {
    return this.request("tools/call", `{"name":${JSON.stringify(name)},"arguments":${args}${more}}`);
  }

  async notify(method: string, params?: string): Promise<void> {
    await this.write(`{"jsonrpc":"2.0","method":"${method}"${params === undefined ? "" : `,"params":${params}`}}\n`);
  }

  /** The legacy handshake. */
  async initialize(
    version = "2025-11-25",
    capabilities = '{"roots":{"listChanged":true},"elicitation":{},"sampling":{}}',
  ) {
    const info = '{"name":"rig","version":"1.10"}';
    const params = `{"protocolVersion":"${version}","capabilities":${capabilities},"clientInfo":${info}}`;
    const answer = await this.request("initialize", params);
    await this.notify("notifications/initialized");
    return answer;
  }

  /** The names of all tools, after they were listed. */
  async toolNames(params = "{}"): Promise<string[]> {
    const { message } = await this.request("tools/list", params);
    return message.result.tools.map((tool: { name: string }) => tool.name);
  }

  /** Waits for a notification or a request of a server. */
  async seen(test: (line: Line) => boolean, from = 0): Promise<Line> {
    return await this.until(() => this.lines.slice(from).find(test));
  }

  /** Waits until a condition holds; it is looked at whenever loom has written, and now and then. */
  async until<T>(test: () => T | undefined | false): Promise<T> {
    const end = Date.now() + NOTE_WAIT_MS;
    for (;;) {
      const found = test();
      if (found) return found;
      if (Date.now() > end) throw new Error(`never came true; log: ${this.log.join("\n")}`);
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, 20);
        this.#watchers.add(resolve);
      });
      clearTimeout(timer);
      this.#watchers.clear();
    }
  }

  /** Ends the input and waits until loom is done. */
  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.served.catch(() => {});
    await this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #read(readable: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    try {
      for await (const chunk of readable.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#take(line);
      }
    } catch {
      // loom gave up writing: what was read counts.
    }
  }

  #take(text: string): void {
    const message = JSON.parse(text);
    const line = { text, message };
    this.lines.push(line);
    for (const watcher of this.#watchers) watcher();
    if (Array.isArray(message)) return;
    if (message.method === undefined) {
      const id = /"id":("(?:[^"\\]|\\.)*"|-?\d+)/.exec(
        text.startsWith('{"result"') ? text.slice(text.lastIndexOf('"id":')) : text,
      )?.[1];
      this.#waiting.get(id ?? "")?.(line);
    } else if (message.id !== undefined) {
      this.#answer(line);
    }
  }

  async #answer(line: Line): Promise<void> {
    const result = await this.answers[line.message.method]?.(line);
    if (result === undefined) return;
    await this.write(`{"jsonrpc":"2.0","id":${JSON.stringify(line.message.id)},${result}}\n`).catch(() => {});
  }
}

/** The text of the first content block. */
export function textOfResult(line: Line): string {
  return line.message.result?.content?.[0]?.text ?? `no text: ${line.text}`;
}

/** The bytes of a line's result, as text. */
export function resultText(line: Line): string {
  return line.text.slice(line.text.indexOf('"result":') + 9, -1);
}

/** The lines that a fake server has received so far. */
export async function receivedBy(rig: Rig, server: string): Promise<string[]> {
  return JSON.parse(textOfResult(await rig.call(`${server}_received`)));
}

/** `_meta` of a request of the modern era, as a member. */
export function modernMeta(capabilities = "{}", more = ""): string {
  const prefix = "io.modelcontextprotocol/";
  return `"_meta":{"${prefix}protocolVersion":"2026-07-28","${prefix}clientInfo":{"name":"rig","version":"1"},` +
    `"${prefix}clientCapabilities":${capabilities}${more}}`;
}

/** Whether a process runs; a zombie doesn't. */
export function isRunning(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}
