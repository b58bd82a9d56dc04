/** Repeatable chance for property tests and fuzzers. @module */

/** A source of chance that gives the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    // The mulberry32 step: small, well spread, and the same in every engine.
    this.#state = (this.#state + 0x6D2B79F5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** True in `share` of all cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of `choices`. */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error("pick() needs something to choose from");
    return choice;
  }

  /** Between `least` and `most` things made by `make`. */
  list<T>(least: number, most: number, make: (index: number) => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => make(index));
  }
}

/** How often a property is tried: `LOOM_RUNS`, else `usual`. */
export function runsOf(usual: number): number {
  return Number(Deno.env.get("LOOM_RUNS") ?? usual);
}

/** Where the seeds start: `LOOM_SEED`, else 1; run `n` uses the seed `start + n`, which a failure names. */
export function firstSeed(): number {
  return Number(Deno.env.get("LOOM_SEED") ?? 1);
}

/** Runs `property` with a fresh source of chance `runsOf(usual)` times; a failure names its seed. */
export function forRandom(usual: number, property: (random: Random) => void): void {
  const start = firstSeed();
  for (let run = 0; run < runsOf(usual); run++) {
    try {
      property(new Random(start + run));
    } catch (error) {
      throw new Error(`Failed with LOOM_SEED=${start + run} LOOM_RUNS=1`, { cause: error });
    }
  }
}
