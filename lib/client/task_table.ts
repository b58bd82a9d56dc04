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

  /** Remembers whose a task is. */
  add(taskId: string, server: Server, origin: ResultOrigin | undefined): void {
    this.#tasks.set(taskId, { server, origin });
    const oldest = this.#tasks.keys().next();
    if (this.#tasks.size > TASKS_MAX && !oldest.done) this.#tasks.delete(oldest.value);
  }

  /** Whose a task is. */
  find(taskId: string): { readonly server: Server; readonly origin: ResultOrigin | undefined } | undefined {
    return this.#tasks.get(taskId);
  }
}
