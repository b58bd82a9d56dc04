/** Lanes: tasks of one lane run one after the other; a barrier waits for several. @module */

/** A queue of tasks, each of which starts when the one before it has ended, however it ended. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` after all tasks that were given before. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => {});
    return result;
  }
}

/**
 * Runs `task` when both lanes have come to it, and holds both until it has ended. The first lane should be the one with
 * the long tasks: the second is held only once the first has come to it, so what waits behind the second waits shortly.
 */
export function runAlone<T>(first: Lane, second: Lane, task: () => Promise<T>): Promise<T> {
  // Always taken in the same order, so that two barriers cannot wait for each other.
  return first.run(() => second.run(task));
}
