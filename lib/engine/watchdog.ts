/** The engine's process watches its own size and its own parent. @module */

/** Milliseconds between two looks; native calls leave the event loop free, so the looks go on while they run. */
export const WATCH_INTERVAL_MS = 25;
/** The exit code of a process that outgrew its limit. */
export const OUT_OF_MEMORY_EXIT_CODE = 86;

/** The exit code of a process whose engine has damaged itself. */
export const ENGINE_BROKEN_EXIT_CODE = 87;

/** Ends this process as soon as it holds more than `residentBytesMax`; gives a function that stops the watch. */
export function watchMemory(
  residentBytesMax: number,
  end: (code: number) => void,
  residentBytes: () => number = () => Deno.memoryUsage().rss,
): () => void {
  const timer = setInterval(() => {
    if (residentBytes() > residentBytesMax) end(OUT_OF_MEMORY_EXIT_CODE);
  }, WATCH_INTERVAL_MS);
  return () => clearInterval(timer);
}
