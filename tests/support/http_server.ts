/** A Streamable HTTP server in the same process that writes fixed text, keeps sessions and forgets them on request. @module */

/** One request that the server got. */
export interface Received {
  readonly method: string;
  readonly body: string;
  readonly headers: Headers;
}

/** A server on a free port of this machine. */
export class HttpServer implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #sessions = new Set<string>();
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  /** What happens to the next calls of tools: `json`, `stream`, `drop` (the stream ends without an answer). */
  mode: "json" | "stream" | "drop" = "json";

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => this.#serve(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/mcp`;
  }

  /** Every session ends, as after a restart of the server. */
  forgetSessions(): void {
    this.#sessions.clear();
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }

  /** Sends a message over the open streams. */
  push(message: string): void {
    for (const stream of this.#streams) {
      stream.enqueue(new TextEncoder().encode(`event: message\ndata: ${message}\n\n`));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.forgetSessions();
    await this.#server.shutdown();
  }

  async #serve(request: Request): Promise<Response> {
    const body = await request.text();
    this.received.push({ method: request.method, body, headers: request.headers });
    const session = request.headers.get("mcp-session-id") ?? "";
    if (request.method === "GET") return this.#open();
    if (request.method === "DELETE") return new Response(null, { status: this.#sessions.delete(session) ? 200 : 404 });
    const message = JSON.parse(body);
    const id = /"id":([^,}]+)/.exec(body)?.[1] ?? "null";
    if (message.method === "server/discover") {
      return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "No session" } }, {
        status: 400,
      });
    }
    if (message.method === "initialize") return this.#initialize(id, message.params.protocolVersion);
    if (!this.#sessions.has(session)) return new Response("no such session", { status: 404 });
    if (message.id === undefined || message.method === undefined) return new Response(null, { status: 202 });
    return this.#answer(id, message, body);
  }

  #initialize(id: string, version: string): Response {
    const session = crypto.randomUUID();
    this.#sessions.add(session);
    const result =
      `{"protocolVersion":"${version}","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}`;
    const headers = { "content-type": "application/json", "mcp-session-id": session };
    return new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, { headers });
  }

  #open(): Response {
    const streams = this.#streams;
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        streams.add(controller);
      },
      cancel: () => void (own && streams.delete(own)),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #answer(id: string, message: { method: string; params: { name: string } }, body: string): Response {
    if (message.method === "tools/list") {
      const tools = ["echo", "digits"].map((name) => `{"name":"${name}","inputSchema":{"type":"object"}}`).join(",");
      return this.#json(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tools}]}}`);
    }
    const result = message.params.name === "digits"
      ? '{ "content":[],"structuredContent":{"id":9007199254740993,"p":1.10,"h":1e400,"é":"😀"}}'
      : JSON.stringify({ content: [{ type: "text", text: body }] });
    const answer = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    if (this.mode === "json") return this.#json(answer);
    const note = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.10}}';
    const events = [
      `event: message\r\ndata: ${note}\r\n\r\n`,
      ": a comment\n\n",
      this.mode === "drop" ? "" : `data: ${answer}\n\n`,
    ];
    return new Response(bytewise(events.join("")), { headers: { "content-type": "text/event-stream" } });
  }

  #json(text: string): Response {
    return new Response(text, { headers: { "content-type": "application/json" } });
  }
}

/** A text in pieces of seven bytes, so that characters and lines are cut anywhere. */
function bytewise(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += 7));
    },
  });
}
