/** The tools that loom itself offers: names, descriptions and input schemas, read by relay and engine alike. @module */

import { z } from "zod";

/** Characters of SQL that a query may have. */
export const SQL_CHARS_MAX = 65_536;
/** Characters of original text that one `loom_raw` call gives at most. */
export const RAW_CHARS_MAX = 100_000;
/** Characters of original text that one `loom_raw` call gives when no length is asked for. */
export const RAW_CHARS_DEFAULT = 8_000;

const ref = z.string().min(1).describe("The dataset's ref, such as ds_github_list_issues_1.");
const sql = z.string().min(1).describe(
  `One SELECT in DuckDB's SQL dialect, at most ${SQL_CHARS_MAX} characters. Tables are dataset refs: FROM ds_crm_users_2.`,
);

/** The input schema of each of loom's own tools. */
export const OWN_INPUTS = {
  loom_query: z.strictObject({ sql }),
  loom_list_datasets: z.strictObject({
    offset: z.int().min(0).optional().describe("Datasets to skip, when an earlier answer said that there are more."),
  }),
  loom_describe: z.strictObject({
    ref,
    offset: z.int().min(0).optional().describe("Columns to skip, when an earlier answer said that there are more."),
  }),
  loom_materialize: z.strictObject({
    sql,
    name: z.string().min(1).max(64).describe(
      "A short name of letters, digits and _; the new dataset is ds_view_<name>_<n>.",
    ),
  }),
  loom_export: z.strictObject({
    ref,
    format: z.enum(["csv", "json"]),
    filename: z.string().min(1).optional().describe("A file name without folders; made from the ref when absent."),
  }),
  loom_raw: z.strictObject({
    ref,
    offset: z.int().min(0).optional().describe("Characters to skip; 0 when absent."),
    length: z.int().min(1).max(RAW_CHARS_MAX).optional().describe(
      `Characters to give; ${RAW_CHARS_DEFAULT} when absent, at most ${RAW_CHARS_MAX}.`,
    ),
  }),
} as const;

/** The name of one of loom's own tools. */
export type OwnToolName = keyof typeof OWN_INPUTS;

interface OwnToolText {
  readonly title: string;
  readonly description: string;
  readonly readOnly: boolean;
}

const TEXTS: Record<OwnToolName, OwnToolText> = {
  loom_query: {
    title: "Query datasets with SQL",
    description: `Runs one read-only SQL query over the datasets that loom keeps.

When a tool's result is a large table, loom answers with a small JSON envelope (kind "loom_dataset_ref") instead of \
the rows. Its "ref" is a table name here: SELECT status, count(*) AS n FROM ds_github_list_issues_1 GROUP BY ALL \
ORDER BY n DESC. Datasets of different servers join in one query: SELECT … FROM ds_crm_users_2 u JOIN ds_hn_stories_1 s \
ON s.author = u.name.

The dialect is DuckDB's: SELECT, WITH, FROM-first, VALUES, SUMMARIZE, DESCRIBE, PIVOT … IN (…), UNPIVOT, window \
functions, list and JSON functions (payload->>'$.user.id'). One statement, nothing that writes. Quote odd column names: "Order Total".

Answers {"rows": [...], "rowCount": n}. Integers beyond 2^53 and decimals that a double would change come as \
strings. A large answer becomes a dataset ds_query_<n> of its own, so select only the columns you need, aggregate, or add LIMIT.
Example: {"sql": "SELECT * FROM ds_crm_users_2 WHERE email LIKE '%@example.org' LIMIT 10"}`,
    readOnly: true,
  },
  loom_list_datasets: {
    title: "List datasets",
    description: `Lists the datasets that loom keeps, newest first: ref, rows, bytes, age, whether it is \
pinned, and which tool call it came from. Use it to find a ref again. Datasets live as long as the session and may be \
evicted when memory runs short; the listing says which were, and how to get them back. Example: {}`,
    readOnly: true,
  },
  loom_describe: {
    title: "Describe a dataset",
    description: `Gives everything about one dataset: every column with type and statistics (in pages when there are \
many), ten rows, how it joins with other datasets, and where it came from. Use it when an envelope left columns out or \
before writing a join. Example: {"ref": "ds_crm_users_2"}`,
    readOnly: true,
  },
  loom_materialize: {
    title: "Keep a query as a dataset",
    description:
      `Stores the answer of a SELECT as a new dataset ds_view_<name>_<n>, with the engine's own types. It is \
pinned: it is never evicted. Use it for a result that several later queries build on. A name that is in \
use is an error. Example: {"sql": "SELECT author, count(*) AS n FROM ds_hn_stories_1 GROUP BY author", "name": "authors"}`,
    readOnly: false,
  },
  loom_export: {
    title: "Export a dataset to a file",
    description:
      `Writes a whole dataset as csv or json into loom's export folder and returns the file's absolute path. \
Never replaces a file that exists. In csv, NULL is an empty field and an empty text is "" in quotes. Export a query's \
answer by giving it to loom_materialize first. Example: {"ref": "ds_crm_users_2", "format": "csv"}`,
    readOnly: false,
  },
  loom_raw: {
    title: "Read the original result",
    description: `Gives the original text of the result that a dataset was made from, or a part of it, character for \
character, while loom still keeps it. Use it when the envelope's context names something that it does not show. \
Answers {"ref", "form", "offset", "length", "totalChars", "text"}; "form" is "text" for the text of the result, with \
"beside" naming what else the result held, or "json" for the whole result, where its text alone does not say all. Example: {"ref": "ds_crm_users_2", "offset": 0, "length": 2000}`,
    readOnly: true,
  },
};

/** One of loom's own tools, as `tools/list` shows it. */
export interface OwnTool {
  readonly name: OwnToolName;
  /** JSON text of the tool definition. */
  readonly definition: string;
}

function definitionOf(name: OwnToolName): string {
  const { title, description, readOnly } = TEXTS[name];
  const { $schema: _, ...inputSchema } = z.toJSONSchema(OWN_INPUTS[name], { io: "input" });
  return JSON.stringify({
    name,
    title,
    description,
    inputSchema,
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: false,
    },
    // A client that defers tools must still load these: an envelope that names an unloaded tool is a dead end.
    _meta: { "anthropic/alwaysLoad": true },
  });
}

/** loom's own tools in the order in which they are listed. */
export const OWN_TOOLS: readonly OwnTool[] = (Object.keys(OWN_INPUTS) as OwnToolName[])
  .map((name) => ({ name, definition: definitionOf(name) }));

/** loom's part of the server instructions; at most 500 characters. */
export const OWN_INSTRUCTIONS =
  `Large tabular results are kept by loom as datasets: instead of the rows you get a JSON envelope (kind \
"loom_dataset_ref") with a ref, the schema, statistics, a sample and join hints. Query the ref with loom_query (DuckDB \
SQL), also across servers. loom_describe shows a dataset whole, loom_list_datasets finds refs again, loom_raw gives the \
original text, loom_materialize and loom_export keep answers. Small results pass unchanged.`;
