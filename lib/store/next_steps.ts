/** What to do about a fault of a query, where the engine's words leave a model without the next step. @module */

/** Candidate functions that are shown; `+` alone has thirty. */
const CANDIDATES_MAX = 8;

const COLUMNS = "loom_describe shows the columns of a dataset, with their types";

/** A pattern of the engine's message, and the step; the first that fits counts. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [
    /Referenced column "(?:year|quarter|month|week|day|hour|minute|second)s?" not found/i,
    "if it is a unit of time, it is a text: date_trunc('month', column), date_diff('day', a, b)",
  ],
  [/^Binder Error: [\s\S]*(?:not found|does not have)/, COLUMNS],
  [/extract specifier .* not recognized/, "the unit is a text and comes first: date_diff('day', earlier, later)"],
  [/WHERE clause cannot contain aggregates/, "a condition on an aggregate stands in HAVING, after GROUP BY"],
  [/WHERE clause cannot contain window/, "a condition on a window function stands in QUALIFY, after WHERE"],
  [/'\+\((?:[^)]*, )?(?:VARCHAR|STRING_LITERAL)[^']*(?:VARCHAR|STRING_LITERAL)\)'/, "texts are joined with ||"],
  [/'[^']*\([^')]*\bJSON\b[^')]*\)'/, "take a value out of JSON as a number: (column->>'$.key')::DOUBLE"],
  [/'date_sub\([^']*INTERVAL/, "write date - INTERVAL 1 DAY"],
  [/Macro date_add\(\)/, "write date + INTERVAL 1 DAY"],
  [
    /'(?:[-+]|date_\w+|datediff|datetrunc|year|quarter|month|week\w*|day\w*|hour|epoch\w*|age|to_timestamp|time_bucket)\([^']*VARCHAR|call "strftime\(/,
    "a text becomes a time with column::TIMESTAMP or ::DATE, or with strptime(column, '%d.%m.%Y')",
  ],
  [
    /^Binder Error: (?:No function matches[^\n]*'[^'~|\n]+\((?:[^']*, )?VARCHAR|Cannot compare values of type VARCHAR)/,
    "a text becomes a number with TRY_CAST(column AS DOUBLE), which gives NULL where it is none",
  ],
  [
    /^Binder Error: No function matches|^Binder Error: Could not choose/,
    "cast an argument: column::VARCHAR, ::DOUBLE, …",
  ],
  [/Cannot extract field/, "a text that holds JSON is read with column->>'$.key'"],
  [/UNNEST\(\) can only be applied to lists.*MAP\(/, "a map is unnested with unnest(map_entries(map))"],
  [
    /UNNEST\(\) can only be applied to lists/,
    "a text that holds a JSON array: unnest(column::JSON[]); other texts: string_split",
  ],
  [
    /according to format specifier/,
    "formats are written like '%Y-%m-%d %H:%M:%S'; try_strptime gives NULL where one does not fit",
  ],
  [/More than one row returned by a subquery/, "add LIMIT 1 or an aggregate to the subquery, or join"],
  [
    /invalid perl operator|invalid escape sequence|no argument for repetition/,
    "patterns are RE2: without lookaround and back references",
  ],
  [/Scalar Function with name \w+ does not exist/, "window functions need OVER (ORDER BY …)"],
  [/^(?:Conversion Error|Invalid Input Error: Failed to)/, "TRY_CAST gives NULL where a value does not fit"],
];

/** The step after this message; undefined when its own words say it. */
export function nextStep(message: string): string | undefined {
  const step = STEPS.find(([fault]) => fault.test(message))?.[1];
  const name = /Referenced column "([^"\n]+)" not found/.exec(message)?.[1];
  return step === COLUMNS && name !== undefined ? `${COLUMNS}; a text takes single quotes: '${name}'` : step;
}

/** The message without advice that cannot be followed here, and with no more candidates than a reader needs. */
export function readable(message: string): string {
  const lines = message.replace(/\n*Use "SET [^\n]*/, "").split("\n");
  const candidates = lines.filter((line) => line.startsWith("\t") && line.includes("->"));
  const left = new Set(candidates.slice(CANDIDATES_MAX));
  const shown = lines.filter((line) => !left.has(line));
  if (left.size > 0) {
    shown.splice(shown.indexOf(candidates[CANDIDATES_MAX - 1] ?? "") + 1, 0, `\tand ${left.size} more`);
  }
  return shown.join("\n").replace(/\n{3,}/g, "\n\n");
}
