/** The config file's schema: every key with its type, its default and a sentence about it. @module */

import { z } from "zod";

/** Milliseconds above which a timer cannot be set. */
export const TIMER_MS_MAX = 2_147_483_647;

/** Characters of a server's name. */
export const SERVER_NAME_CHARS_MAX = 32;

/** What a server's name looks like. */
export const SERVER_NAME_REGEXP = /^[a-z][a-z0-9_]{0,31}$/;

/** The prefix of loom's own tools, and so no server's name. */
export const RESERVED_SERVER_NAME = "loom";

/** What the engine takes for a memory limit. */
export const MEMORY_LIMIT_REGEXP = /^\d+(\.\d+)?(KB|MB|GB|TB)$/;

/** For each schema: what it accepts, in the words of a problem line. */
export const expectations = z.registry<{ expected: string }>();

/** `schema` with the words of its problem line and the sentence of its documentation. */
function described<S extends z.ZodType>(schema: S, expected: string, description?: string): S {
  const worded = description === undefined ? schema : schema.meta({ description });
  expectations.add(worded, { expected });
  return worded;
}

// A NUL would cut the text where it is handed to the system: what is read here is not what would run.
const plain = described(z.string().regex(/^[^\0]*$/), "a string (no NUL)");
const WORD = "a non-empty string";
const word = described(z.string().regex(/^[^\0]+$/), WORD);
const variable = described(z.string().regex(/^[^=\0]+$/), "a variable name");

const integer = (min: number, max: number, description: string) =>
  described(
    z.int().min(min).max(max),
    max === Number.MAX_SAFE_INTEGER || max === TIMER_MS_MAX
      ? `an integer of at least ${min}`
      : `an integer from ${min} to ${max}`,
    description,
  );

const globs = (description: string) => described(z.array(word), "an array of non-empty strings", description);

const mode = described(z.enum(["auto", "never"]), `"auto" or "never"`);

const shared = {
  env: described(
    z.record(variable, plain),
    "an object of strings",
    "Extra variables for this child only; the place for secrets.",
  ).default({}),
  envPassthrough: described(
    z.array(variable),
    "an array of variable names",
    "Names of further non-secret variables to forward from loom's own environment.",
  ).default([]),
  provenanceDenylist: described(
    z.array(word),
    "an array of non-empty strings",
    "This server's own tool names whose arguments are shown nowhere.",
  ).default([]),
  enabled: described(z.boolean(), "true or false", "Whether to start this server.").default(true),
  tools: described(
    z.strictObject({
      allow: globs("Only these; absent means all.").optional(),
      deny: globs("Never these; it has the last word.").optional(),
    }),
    "an object with allow and deny, each an array of globs",
    "Which of the server's tools are exposed, by globs over its own names.",
  ).default({}),
  intercept: described(
    z.union([mode, z.record(word, mode)]),
    `"auto", "never", or an object from tool glob to one of those`,
    "Whether large results may become datasets, for all tools or by tool glob.",
  ).default("auto"),
  startTimeoutMs: integer(1, TIMER_MS_MAX, "How long the handshake may take.").default(60_000),
  callTimeoutMs: integer(1, TIMER_MS_MAX, "How long a call may take; absent means as long as it takes.").optional(),
  tokenThreshold: integer(100, Number.MAX_SAFE_INTEGER, "As above, for this server.").optional(),
};

const reach = {
  command: described(word, WORD, "The executable of a process server.").optional(),
  args: described(z.array(plain), "an array of strings", "Its arguments.").default([]),
  cwd: described(word, WORD, "Its working folder, relative to the config file's folder.").optional(),
  url: described(word, "an http or https address", "A remote server over Streamable HTTP instead of a process.")
    .optional(),
  headers: described(z.record(word, plain), "an object of strings", "Headers for the remote server.").default({}),
};

const serverName = described(
  z.string().regex(SERVER_NAME_REGEXP),
  "a lowercase letter, then up to 31 of a-z, 0-9 and _",
  "Unique; `loom` is reserved.",
);

/** One entry of `servers`. */
export const serverSchema = described(
  z.strictObject({ name: serverName, ...reach, ...shared }),
  "an object with name, and command or url",
  "One server.",
);

/** One entry of `mcpServers`: what clients write there, and every key of `servers` but the name. */
export const clientServerSchema = described(
  z.strictObject({
    ...reach,
    ...shared,
    type: described(
      z.enum(["stdio", "http", "streamable-http", "streamableHttp"]),
      `"stdio", "http" or "streamable-http" (the older "sse" is not spoken)`,
      "Said again by command or url.",
    ).optional(),
    disabled: described(z.boolean(), "true or false", "The reverse of enabled.").optional(),
    description: z.unknown().optional(),
    timeout: z.unknown().optional(),
    trust: z.unknown().optional(),
    alwaysAllow: z.unknown().optional(),
    autoApprove: z.unknown().optional(),
  }),
  "an object with command or url",
  "One server, as MCP clients write it.",
);

/** Keys that clients put into `mcpServers` for themselves; they mean nothing to loom, and `check` says so. */
export const CLIENT_ONLY_KEYS: readonly string[] = ["description", "timeout", "trust", "alwaysAllow", "autoApprove"];

/** The whole file. */
export const configSchema = described(
  z.strictObject({
    $schema: described(z.string(), "a string", "Where an editor finds this schema.").optional(),
    servers: described(z.array(serverSchema), "an array of servers", "The servers, at least one.").optional(),
    mcpServers: described(
      z.record(z.string(), clientServerSchema),
      "an object from name to server",
      "The same in the form that MCP clients use; the key is the name.",
    ).optional(),
    tokenThreshold: integer(
      100,
      Number.MAX_SAFE_INTEGER,
      "Characters / 4 of a result above which it may become a dataset: a coarse dial, not a token count.",
    ).default(2_000),
    memoryBudgetBytes: integer(1_048_576, Number.MAX_SAFE_INTEGER, "Soft budget for the tracked bytes of datasets.")
      .default(268_435_456),
    duckdbMemoryLimit: described(
      z.string().regex(MEMORY_LIMIT_REGEXP).refine((limit) => parseFloat(limit) > 0),
      "a size such as 512MB or 1.5GB, above zero",
      "Hard memory limit of the engine; larger work spills to disk.",
    ).default("512MB"),
    exportDir: described(word, WORD, "Where exports go, relative to the config file's folder.").default("./exports"),
    storePath: described(
      word,
      WORD,
      "A file that keeps pinned datasets beyond the session; relative to the config file's folder.",
    ).optional(),
    auditLog: described(
      word,
      WORD,
      "A file that gets one JSON line for each call, dataset, query and export; relative to the config file's folder.",
    ).optional(),
    queryTimeoutMs: integer(1, TIMER_MS_MAX, "How long a query may take.").default(30_000),
    toolNameMaxLength: integer(48, 128, "Characters of an exposed tool name.").default(50),
    restart: described(
      z.strictObject({
        maxAttempts: integer(0, Number.MAX_SAFE_INTEGER, "Consecutive attempts; 0 never restarts.").default(5),
        baseDelayMs: integer(1, TIMER_MS_MAX, "The first delay; it doubles up to 30 seconds.").default(1_000),
      }),
      "an object with maxAttempts and baseDelayMs",
      "How a server that ended is started again.",
    ).prefault({}),
  }),
  "an object",
  "The configuration of loom.",
);

/** What a checked file says, defaults filled in. */
export type ConfigFile = z.infer<typeof configSchema>;

/** One checked server of either form. */
export type ServerEntry = Omit<z.infer<typeof serverSchema>, "name">;

/** The JSON Schema of the config file, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(configSchema, { io: "input" }), title: "loom.config.json" };
}
