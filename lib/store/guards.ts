/** Macros that stand in front of functions which would take all memory or time for some arguments. @module */

import { quoteLiteral } from "./sql.ts";

/** Elements of a list that `range` and `generate_series` may make in one call (as functions of FROM they are not bounded). */
export const RANGE_ITEMS_MAX = 10_000;
/** Characters or elements that `repeat` may make in one call. */
export const REPEATED_ITEMS_MAX = 10_000;
/** Product of the two lengths that an edit distance may compare: its time grows with it and cannot be interrupted. */
export const COMPARED_CHARS_MAX = 250_000;
/** Characters of a text that GLOB may look through: its time is not linear in them and cannot be interrupted. */
export const GLOBBED_CHARS_MAX = 20_000;
/** Characters or elements to which padding and resizing may grow a value: the greatest SMALLINT. */
export const PADDED_ITEMS_MAX = 32_767;

/** Functions that take two texts and an amount of work that is the product of their lengths. */
const COMPARISONS = [
  "levenshtein",
  "editdist3",
  "damerau_levenshtein",
  "jaccard",
  "jaro_similarity",
  "jaro_winkler_similarity",
  "mismatches",
  "hamming",
];

const PADDINGS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lpad: [["#n", "c"]],
  rpad: [["#n", "c"]],
  list_resize: [["#n"], ["#n", "v"]],
  array_resize: [["#n"], ["#n", "v"]],
};

/** Names that the guards take the place of, and that only the guards may reach. */
export const GUARDED_FUNCTIONS: ReadonlySet<string> = new Set([
  "repeat",
  "range",
  "generate_series",
  "~~~",
  ...COMPARISONS,
  ...Object.keys(PADDINGS),
]);

/**
 * The statements that make the guards. A macro in the main schema comes before a function of the system schema; the gate
 * lets no query name another schema. Arguments travel through a list of one struct, so that each is evaluated once: the
 * value that is checked is the value that is used.
 */
export function guardStatements(): string[] {
  return [
    macro(
      "repeat",
      [["s", "n"]],
      (name) =>
        guarded(["s", "n"], `loom_x.n * greatest(1, length(loom_x.s)) > ${REPEATED_ITEMS_MAX}`, name, [
          `the result would be longer than ${REPEATED_ITEMS_MAX}`,
        ]),
    ),
    macro('"~~~"', [["s", "p"]], (name) =>
      guarded(["s", "p"], `length(loom_x.s) > ${GLOBBED_CHARS_MAX}`, name, [
        "the text is too long for GLOB; use LIKE or regexp_matches",
      ])),
    macro("range", [["b"], ["a", "b"], ["a", "b", "c"]], series),
    macro("generate_series", [["b"], ["a", "b"], ["a", "b", "c"]], series),
    ...COMPARISONS.map((comparison) =>
      macro(
        comparison,
        [["s", "t"]],
        (name) =>
          guarded(["s", "t"], `length(loom_x.s) * length(loom_x.t) > ${COMPARED_CHARS_MAX}`, name, [
            "the texts are too long to compare; use left(column, 500)",
          ]),
      )
    ),
    ...Object.entries(PADDINGS).map(([padding, overloads]) => {
      const signatures = overloads.map((rest) => ["value", ...rest]);
      return macro(
        padding,
        signatures.map((signature) => signature.map((name) => name.replace("#", "p_"))),
        (name, args) =>
          `system.main.${name}(${args.map((arg) => `loom_${arg}${arg === "p_n" ? "::SMALLINT" : ""}`).join(", ")})`,
      );
    }),
  ];
}

type Body = (name: string, args: readonly string[]) => string;

function macro(name: string, overloads: readonly (readonly string[])[], body: Body): string {
  const variants = overloads.map((args) => `(${args.map((arg) => `loom_${arg}`).join(", ")}) AS ${body(name, args)}`);
  return `CREATE MACRO ${name}${variants.join(", ")}`;
}

function guarded(args: readonly string[], tooMuch: string, name: string, [reason]: readonly [string]): string {
  const fields = args.map((arg) => `${arg}: loom_${arg}`).join(", ");
  const call = `system.main.${name}(${args.map((arg) => `loom_x.${arg}`).join(", ")})`;
  const refusal = `error(${quoteLiteral(`${name === '"~~~"' ? "GLOB" : name}: ${reason}`)})`;
  return `list_transform([{${fields}}], lambda loom_x: CASE WHEN ${tooMuch} THEN ${refusal} ELSE ${call} END)[1]`;
}

/** Counted without knowing whether the arguments are numbers or times: does the bound lie beyond so many steps? */
function series(name: string, args: readonly string[]): string {
  const reason = [`more than ${RANGE_ITEMS_MAX} elements; use it in FROM instead: FROM ${name}(…)`] as const;
  const steps = `${RANGE_ITEMS_MAX}::BIGINT`;
  if (args.length === 1) return guarded(args, `loom_x.b > ${steps}`, name, reason);
  if (args.length === 2) return guarded(args, `loom_x.b > loom_x.a + ${steps}`, name, reason);
  const after = `loom_x.a + ${steps} * loom_x.c`;
  const up = `(loom_x.a < loom_x.a + loom_x.c AND ${after} < loom_x.b)`;
  const down = `(loom_x.a > loom_x.a + loom_x.c AND ${after} > loom_x.b)`;
  return guarded(args, `${up} OR ${down}`, name, reason);
}
