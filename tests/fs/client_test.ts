/** loom-fs through the official client, which checks every structured answer against the schema that was listed. @module */

import { deepEqual, equal, ok } from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { Session } from "../../lib/fs/protocol.ts";
import { createWorld, type World } from "../support/fs_world.ts";
import { verifies } from "../support/verifies.ts";

/** Joins a client to a world without a process between them. */
class Joined implements Transport {
  readonly #session: Session;
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;

  constructor(world: World) {
    this.#session = new Session(world.server);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const answer = await this.#session.receive(JSON.stringify(message));
    if (answer !== undefined) this.onmessage?.(JSON.parse(answer));
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

verifies("FS-18 FS-36", "the official client connects, lists, and takes every answer", async () => {
  using world = await createWorld();
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new Joined(world));
  equal(client.getServerVersion()?.name, "loom-fs");
  const { tools } = await client.listTools();
  equal(tools.length, 9);
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    ok(!result.isError, JSON.stringify(result.content));
    return result.structuredContent as Record<string, unknown>;
  };
  await call("list_roots", {});
  await call("write_file", { root: "r", path: "x/new.txt", content: "one\n" });
  await call("edit_file", { root: "r", path: "x/new.txt", edits: [{ old_text: "one", new_text: "two" }] });
  equal((await call("read_file", { root: "r", path: "x/new.txt" })).content, "two\n");
  await call("list_directory", { root: "r" });
  await call("search_files", { root: "r", pattern: "*.txt" });
  await call("search_files", { root: "r", pattern: "*.txt", contains: "two" });
  await call("create_directory", { root: "r", path: "y" });
  await call("move", { root: "r", from: "x/new.txt", to: "y/new.txt" });
  await call("delete", { root: "r", path: "y" });
  const failed = await client.callTool({ name: "read_file", arguments: { root: "r", path: "../x" } });
  deepEqual(failed.content, [{ type: "text", text: "path escapes the root: it climbs with '..'" }]);
  await client.close();
});
