/**
 * A program in the place of the engine's process. The tool name of an interception says what it does: `replace`,
 * `pass`, `hang`, `die`, `noise`, `slow`; calls answer with the tool's name and hang, die or break by `loom_query {"sql": …}`.
 * @module
 */

import { encodeFrame, FrameParser } from "../../lib/engine/frames.ts";
import type { FromEngine, ToEngine } from "../../lib/engine/messages.ts";

const [mode = ""] = Deno.args;
const parser = new FrameParser<ToEngine>();
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const refs: string[] = [];
let number = 1;

function send(message: FromEngine, body = ""): void {
  for (const part of encodeFrame(message, encoder.encode(body))) Deno.stdout.writeSync(part);
}

function act(how: string): boolean {
  if (how === "die") Deno.exit(3);
  if (how === "noise") Deno.stdout.writeSync(encoder.encode("printed by native code\n"));
  return how === "hang" || how === "noise";
}

function receive(message: ToEngine, body: Uint8Array): void {
  if (message.type === "open") {
    number = message.nextNumber;
    if (mode === "never-opens") return;
    if (mode === "dies-at-open") Deno.exit(4);
    send({ type: "opened", ...(mode === "unsealed" ? { failure: "ENGINE_NOT_SEALED: it read the host" } : {}) });
  } else if (message.type === "intercept") {
    const { id, tool, restore } = message;
    if (restore) {
      refs.push(restore.ref);
      if (act(mode === "restore-dies" ? "die" : "")) return;
      return send({ type: "answer", id, outcome: "passed", ref: restore.ref });
    }
    if (act(tool)) return;
    if (tool === "pass") return send({ type: "answer", id, outcome: "passed", reason: "no-rows" });
    const ref = `ds_${message.server}_${tool}_${number++}`;
    refs.push(ref);
    const answer = () =>
      send(
        { type: "answer", id, outcome: "replaced", ref, createdAt: "2026-01-01T00:00:00.000Z" },
        `{"envelope":${body.length}}`,
      );
    if (tool === "slow") setTimeout(answer, 600);
    else answer();
  } else if (message.type === "call") {
    const how = message.hasArgs ? JSON.parse(decoder.decode(body)).sql ?? "" : "";
    if (act(how)) return;
    const broken = how === "break";
    send({ type: "answer", id: message.id, outcome: "answered", broken }, JSON.stringify({ tool: message.tool, refs }));
  } else if (message.type === "drop") {
    refs.splice(refs.indexOf(message.ref), 1);
  } else if (message.type === "lost") {
    refs.push(`lost:${message.lost.ref}`);
  }
}

const buffer = new Uint8Array(65_536);
for (;;) {
  const count = await Deno.stdin.read(buffer);
  if (count === null) break;
  for (const { header, body } of parser.push(buffer.subarray(0, count))) receive(header, body);
}
