/** What known clients refuse or cut in a list of tools. @module */

/** A tool as `tools/list` gives it; a server may write anything into any of these. */
export interface ListedTool {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
}

/** One thing that a client will not like. */
export interface ToolWarning {
  /** Undefined for a warning about the whole list. */
  readonly tool?: string;
  readonly client: string;
  readonly message: string;
}

/** Characters of a tool's name, `mcp__loom__` in front, that the Claude API takes. */
export const CLAUDE_NAME_CHARS_MAX = 64;
/** Characters of the server's and the tool's name together that Cursor takes. */
export const CURSOR_NAME_CHARS_MAX = 60;
/** Tools above which Cursor warns. */
export const CURSOR_TOOLS_MAX = 80;
/** Tools that VS Code takes. */
export const VSCODE_TOOLS_MAX = 128;
/** Characters of a description that Claude Code reads. */
export const CLAUDE_DESCRIPTION_CHARS_MAX = 2_048;

const CLAUDE_PREFIX = "mcp__loom__";
const CURSOR_PREFIX = "loom";

type Schema = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One rule: whose it is, and what it says of a tool that breaks it. */
interface Rule {
  readonly client: string;
  readonly complaint: (tool: ListedTool, schema: Schema) => string | undefined;
}

const RULES: readonly Rule[] = [
  {
    client: "OpenAI, Claude, VS Code",
    complaint: ({ name }) =>
      /^[A-Za-z0-9_-]{1,64}$/.test(name) ? undefined : "the name is not 1 to 64 of A-Z a-z 0-9 _ -",
  },
  {
    client: "Gemini",
    complaint: ({ name }) => /^[A-Za-z_]/.test(name) ? undefined : "the name does not begin with a letter or _",
  },
  {
    client: "Claude Code",
    complaint: ({ name }) =>
      CLAUDE_PREFIX.length + name.length > CLAUDE_NAME_CHARS_MAX
        ? `${CLAUDE_PREFIX}${name} is longer than ${CLAUDE_NAME_CHARS_MAX}: lower toolNameMaxLength`
        : undefined,
  },
  {
    client: "Cursor",
    complaint: ({ name }) =>
      CURSOR_PREFIX.length + name.length > CURSOR_NAME_CHARS_MAX
        ? `with the server's name it is longer than ${CURSOR_NAME_CHARS_MAX}: lower toolNameMaxLength`
        : undefined,
  },
  {
    client: "every client",
    complaint: (_tool, schema) => schema.type === "object" ? undefined : `the inputSchema is not of type "object"`,
  },
  {
    client: "Claude",
    complaint: (_tool, schema) => {
      const found = ["oneOf", "allOf", "anyOf"].find((key) => key in schema);
      return found && `the inputSchema has ${found} at its root, which fails the whole request`;
    },
  },
  {
    client: "Claude Code",
    complaint: ({ description }) =>
      typeof description === "string" && description.length > CLAUDE_DESCRIPTION_CHARS_MAX
        ? `the description is cut at ${CLAUDE_DESCRIPTION_CHARS_MAX} of its ${description.length} characters`
        : undefined,
  },
];

/** Everything that some client will not like in a list of tools. */
export function toolWarnings(tools: readonly ListedTool[]): readonly ToolWarning[] {
  const many = [
    { client: "Cursor", max: CURSOR_TOOLS_MAX, does: "warns" },
    { client: "VS Code", max: VSCODE_TOOLS_MAX, does: "refuses" },
  ].filter(({ max }) => tools.length > max)
    .map(({ client, max, does }) => ({
      client,
      message: `${does} above ${max} tools, there are ${tools.length}: narrow them with servers[].tools`,
    }));
  const single = tools.flatMap((tool) =>
    RULES.flatMap(({ client, complaint }) => {
      const message = complaint(tool, isObject(tool.inputSchema) ? tool.inputSchema : {});
      return message === undefined ? [] : [{ tool: tool.name, client, message }];
    })
  );
  return [...many, ...single];
}
