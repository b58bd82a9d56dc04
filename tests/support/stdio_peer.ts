/** A raw MCP client before a process, for benchmarks and tests that look from outside. @module */

/** An answer as it came. */
export interface PeerAnswer {
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly tools?: unknown[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A process that speaks MCP over stdio, and its client. */
export class StdioPeer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, (answer: PeerAnswer) => void>();
  readonly #reading: Promise<void>;
  #nextId = 1;
  readonly #folder: string | undefined;

  /** Runs `deno` with these arguments; `folder` goes when the peer does. */
  constructor(args: readonly string[], folder?: string) {
    this.#folder = folder;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** The process's id. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Says hello. */
  async open(): Promise<this> {
    const clientInfo = { name: "peer", version: "1.0.0" };
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    await this.#send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await this.request("tools/list", {});
    return this;
  }

  /** Sends one request and waits for its answer. */
  request(method: string, params: unknown): Promise<PeerAnswer> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<PeerAnswer>();
    this.#waiting.set(id, resolve);
    void this.#send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return promise;
  }

  /** Calls a tool; the text of its first block. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { result, error } = await this.request("tools/call", { name, arguments: args });
    if (error || result?.isError) throw new Error(error?.message ?? result?.content?.[0]?.text);
    return result?.content?.[0]?.text ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await Promise.all([this.#child.status, this.#reading]);
    if (this.#folder) await Deno.remove(this.#folder, { recursive: true });
  }

  #send(line: string): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(line));
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let parts: string[] = [];
    for await (const chunk of this.#child.stdout) {
      const pieces = decoder.decode(chunk, { stream: true }).split("\n");
      for (const [at, piece] of pieces.entries()) {
        parts.push(piece);
        if (at === pieces.length - 1) break;
        this.#settle(parts.join(""));
        parts = [];
      }
    }
  }

  #settle(line: string): void {
    if (line.trim() === "") return;
    const message = JSON.parse(line);
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}

const ROOT = new URL("../../", import.meta.url).pathname;

/** The benchmark server alone. */
export function directPeer(): Promise<StdioPeer> {
  return new StdioPeer(["run", "-A", `${ROOT}tests/support/bench_server.ts`]).open();
}

/** loom before one or more benchmark servers. */
export async function loomPeer(
  servers: readonly string[] = ["bench"],
  settings: Record<string, unknown> = {},
): Promise<StdioPeer> {
  const folder = await Deno.makeTempDir({ prefix: "loom-bench-" });
  const config = `${folder}/loom.config.json`;
  const args = ["run", "-A", `${ROOT}tests/support/bench_server.ts`];
  await Deno.writeTextFile(
    config,
    JSON.stringify({ servers: servers.map((name) => ({ name, command: Deno.execPath(), args })), ...settings }),
  );
  return await new StdioPeer(["run", "-A", `${ROOT}cli.ts`, "--config", config], folder).open();
}
