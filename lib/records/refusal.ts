/** Why a text is not read as a table: thrown inside this folder, caught at its face. @module */

/** A reason not to make a table; `locateRows` turns it into `{ kind: "none", reason }`. */
export class Refusal extends Error {
  /** No other way of reading the same text may be tried: it is known to be damaged. */
  readonly final: boolean;

  /**
   * @param reason A short slug, then a colon and what it is about, for the log.
   * @param options `final`: the text is damaged, so that no other reading of it could be the whole.
   */
  constructor(readonly reason: string, options: { readonly final?: boolean } = {}) {
    super(reason);
    this.name = "Refusal";
    this.final = options.final ?? false;
  }
}

/** What `find` gives, or its Refusal as a value, so that another way can be tried. A final one is thrown on. */
export function attempted<T>(find: () => T, options: { readonly alsoFinal?: boolean } = {}): T | Refusal {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refusal && (options.alsoFinal || !error.final)) return error;
    throw error;
  }
}
