import assert from "node:assert/strict";
import { encodeFrame, type Frame, FrameParser } from "../../lib/engine/frames.ts";
import type { FromEngine, ToEngine } from "../../lib/engine/messages.ts";
import { serveEngine } from "../../lib/engine/serve.ts";
import { ENGINE_BROKEN_EXIT_CODE } from "../../lib/engine/watchdog.ts";
import { Store } from "../../lib/store/store.ts";
import { resultOf, someRows } from "../support/engine_rig.ts";
import { verifies } from "../support/verifies.ts";

verifies(
  "ENG-12",
  "serveEngine() ends the process of an engine that has damaged itself, after its last answer",
  async () => {
    const folder = await Deno.makeTempDir({ prefix: "loom-test-" });
    const usable = Store.prototype.isUsable;
    Store.prototype.isUsable = () => false;
    try {
      const settings = {
        memoryLimit: "512MB",
        memoryBudgetBytes: 1e8,
        queryTimeoutMs: 10_000,
        spillParent: folder,
        exportDir: folder,
        tokenThreshold: 100,
        residentBytesMax: 1e10,
      };
      const intercept = {
        type: "intercept",
        id: 1,
        server: "s",
        tool: "t",
        tokenThreshold: 100,
        omitArgs: false,
        argsBytes: -1,
      } as const;
      const input = [
        ...encodeFrame({ type: "open", settings, nextNumber: 1 } satisfies ToEngine),
        ...encodeFrame(intercept satisfies ToEngine, new TextEncoder().encode(resultOf(someRows(300)))),
      ];
      const parser = new FrameParser<FromEngine>();
      const frames: Frame<FromEngine>[] = [];
      const ended = Promise.withResolvers<number>();
      await serveEngine({
        read: async (buffer) => {
          const chunk = input.shift();
          if (chunk === undefined) {
            await ended.promise;
            return null;
          }
          buffer.set(chunk);
          return chunk.length;
        },
        write: (bytes) => {
          frames.push(...parser.push(bytes));
          return Promise.resolve(bytes.length);
        },
        end: ended.resolve,
      });
      assert.equal(await ended.promise, ENGINE_BROKEN_EXIT_CODE);
      assert.deepEqual(frames.map(({ header }) => header.type), ["opened", "answer", "log"]);
      assert.equal(frames[1]?.header.type === "answer" && frames[1].header.broken, true);
    } finally {
      Store.prototype.isUsable = usable;
      await Deno.remove(folder, { recursive: true });
    }
  },
);
