/**
 * stdin and stdout. Where they are pipes or sockets they are waited for as such, while `Deno.stdin` and `Deno.stdout`
 * cost a thread's wake-up for every read and write.
 * @module
 */

import { Socket } from "node:net";
import type { ByteReadable, ByteWritable } from "../byte_streams.ts";
import { SocketReader, SocketWriter } from "./sockets.ts";

/** The two streams that a process speaks a protocol on. */
export interface StdioStreams {
  readonly readable: ByteReadable;
  readonly writable: ByteWritable;
}

/** Opens stdin and stdout. To be called once in a process. */
export function stdioStreams(): StdioStreams {
  const stdin = socketOf(0);
  const stdout = socketOf(1);
  return {
    readable: stdin ? { getReader: () => new SocketReader(stdin) } : Deno.stdin.readable,
    writable: stdout ? { getWriter: () => new SocketWriter(stdout) } : Deno.stdout.writable,
  };
}

/** A descriptor as a socket; nothing where it is neither a pipe nor a socket, such as a file or a terminal. */
function socketOf(fd: 0 | 1): Socket | undefined {
  // There are several kinds of pipes there, and not all of them can be waited for.
  if (Deno.build.os === "windows") return undefined;
  try {
    return new Socket({ fd, readable: fd === 0, writable: fd === 1 });
  } catch {
    return undefined;
  }
}
