/** Whose tasks are whose, as long as the client is connected. @module */

import type { Server, ToolRoute } from "../gateway/mod.ts";

/** Which tool a result comes from. */
export interface ResultOrigin {
  readonly route: ToolRoute;
  /** The arguments of the call, as the client wrote them. */
  readonly args: () => Uint8Array | undefined;
}

/** Tasks that are remembered. */
export const TASKS_MAX = 10_000;

/** The tasks that a client has started. */
export class TaskTable {
  readonly #tasks = new Map<string, { readonly server: Server; readonly origin: ResultOrigin | undefined }>();

  /** Remembers whose a task is. False when another server has one of that id: the first keeps it. */
  add(taskId: string, server: Server, origin: ResultOrigin | undefined): boolean {
    const known = this.#tasks.get(taskId);
    if (known && known.server !== server) return false;
    this.#tasks.set(taskId, { server, origin });
    const oldest = this.#tasks.keys().next();
    if (this.#tasks.size > TASKS_MAX && !oldest.done) this.#tasks.delete(oldest.value);
    return true;
  }

  /** Whose a task is. */
  find(taskId: string): { readonly server: Server; readonly origin: ResultOrigin | undefined } | undefined {
    return this.#tasks.get(taskId);
  }
}
