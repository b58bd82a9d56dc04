/** Ways into a config, and what is wrong at the end of one. @module */

/** A way to a value: keys and indexes from the root. */
export type Path = readonly PropertyKey[];

/** One thing that is wrong with a config, and where. */
export interface Problem {
  readonly path: Path;
  /** What was expected, and what stands there instead. */
  readonly message: string;
  /** Offset in the text, for problems that have no path. */
  readonly offset?: number | undefined;
}

/** `servers[0].env.API_KEY`, and `servers[0].intercept["a*"]` where a key is not a plain word. */
export function printPath(path: Path): string {
  const printed = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    const key = String(step);
    return /^[$\w]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }).join("");
  return printed.startsWith(".") ? printed.slice(1) : printed;
}
