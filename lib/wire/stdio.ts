/**
 * stdin and stdout as byte streams, by way of Node's: where they are pipes or sockets they are waited for as such,
 * while `Deno.stdin` and `Deno.stdout` cost a thread's wake-up for every read and write.
 * @module
 */

import { Socket } from "node:net";
import process from "node:process";

/** The two streams that a process speaks a protocol on. */
export interface StdioStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** Opens stdin and stdout. To be called once in a process. */
export function stdioStreams(): StdioStreams {
  return { readable: stdinStream(), writable: stdoutStream() };
}

function stdinStream(): ReadableStream<Uint8Array> {
  const { stdin } = process;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      stdin.on("data", (chunk: Uint8Array) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) stdin.pause();
      });
      stdin.on("end", () => controller.close());
      stdin.on("error", (error: Error) => controller.error(error));
      stdin.pause();
    },
    pull: () => void stdin.resume(),
    cancel: () => void stdin.destroy(),
  }, new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD_BYTES }));
}

/** Bytes that are read before anyone asks for them. */
const READ_AHEAD_BYTES = 64 * 1024;

function stdoutStream(): WritableStream<Uint8Array> {
  const socket = stdoutSocket();
  if (!socket) return Deno.stdout.writable;
  return new WritableStream<Uint8Array>({
    start: (controller) => {
      socket.on("error", (error: Error) => controller.error(error));
    },
    write: (chunk) =>
      new Promise((resolve, reject) => {
        socket.write(chunk, (error?: Error | null) => error ? reject(error) : resolve());
      }),
    abort: () => void socket.destroy(),
  });
}

/** `process.stdout` writes in a blocking way, and a client that doesn't read would stop all of loom. */
function stdoutSocket(): Socket | undefined {
  try {
    return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    // Neither a pipe nor a socket: a file, or a terminal.
    return undefined;
  }
}
