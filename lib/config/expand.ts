/** `${VAR}` and `${VAR:-default}` in the fields where they mean something. @module */

/** Reads one variable of loom's own environment. */
export type EnvLookup = (name: string) => string | undefined;

const REFERENCE_REGEXP = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The fields in which variables are expanded. */
export interface Expandable {
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The fields with every reference replaced, and why not all could be. */
export interface Expanded {
  readonly fields: Expandable;
  /** `env.TOKEN needs the variable GH_TOKEN, which is not set`, one for each. */
  readonly missing: readonly string[];
}

/**
 * Replaces `${VAR}` and `${VAR:-default}` in one text. As in a shell, the default also stands in for an empty
 * variable, and what a variable holds is not expanded again. Other text with a `$` stays as it is.
 */
export function expandText(
  text: string,
  env: EnvLookup,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const expanded = text.replaceAll(REFERENCE_REGEXP, (whole, name: string, fallback: string | undefined) => {
    const value = env(name);
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) missing.push(name);
    return value ?? whole;
  });
  return { text: expanded, missing };
}

/** {@link expandText} for every field of a server. */
export function expandFields(fields: Expandable, env: EnvLookup): Expanded {
  const missing: string[] = [];
  const expand = (field: string, text: string) => {
    const expanded = expandText(text, env);
    missing.push(...expanded.missing.map((name) => `${field} needs the variable ${name}, which is not set`));
    return expanded.text;
  };
  const expandAll = (field: string, record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, expand(`${field}.${key}`, text)]));
  const expanded: Expandable = {
    args: fields.args.map((arg, index) => expand(`args[${index}]`, arg)),
    cwd: fields.cwd === undefined ? undefined : expand("cwd", fields.cwd),
    env: expandAll("env", fields.env),
    url: fields.url === undefined ? undefined : expand("url", fields.url),
    headers: expandAll("headers", fields.headers),
  };
  return { fields: expanded, missing };
}
