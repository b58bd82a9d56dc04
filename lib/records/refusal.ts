/** Why a text is not read as a table: thrown inside this folder, caught at its face. @module */

/** A reason not to make a table; `locateRows` turns it into `{ kind: "none", reason }`. */
export class Refusal extends Error {
  /** @param reason A short slug, then a colon and what it is about, for the log. */
  constructor(readonly reason: string) {
    super(reason);
    this.name = "Refusal";
  }
}
