/** Values in a config that look like secrets and stand where they are seen. @module */

/** A word that names a secret. */
const SECRET_NAME_REGEXP =
  /token|secret|passw(or)?d|api[_-]?key|authorization|bearer|credential|cookie|private[_-]?key/i;

/** Shapes of well-known keys: GitHub, OpenAI and Anthropic, Slack, AWS, Google, JWT. */
const SECRET_VALUE_REGEXP =
  /\b(gh[opsu]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{20,}|xox[abp]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.eyJ)/;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLiteral(text: string): boolean {
  return !/\$\{/.test(text);
}

/** Whether one argument, alone or after the one before it, holds a secret as it is. */
function isSecretArgument(arg: string, before: string | undefined): boolean {
  if (!isLiteral(arg)) return false;
  if (SECRET_VALUE_REGEXP.test(arg)) return true;
  const [flag = "", value] = arg.split(/=(.*)/s);
  if (value) return flag.startsWith("-") && SECRET_NAME_REGEXP.test(flag);
  return before !== undefined && /^--?\w/.test(before) && !before.includes("=") && SECRET_NAME_REGEXP.test(before) &&
    !arg.startsWith("-");
}

function serversOf(root: unknown): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  if (!isObject(root)) return [];
  const listed = (Array.isArray(root.servers) ? root.servers : []).filter(isObject);
  const named = isObject(root.mcpServers) ? Object.entries(root.mcpServers) : [];
  return [
    ...listed.map((server) => [String(server.name), server] as const),
    ...named.flatMap(([name, server]) => isObject(server) ? [[name, server] as const] : []),
  ];
}

function argumentWarnings(name: string, args: unknown): readonly string[] {
  const texts = (Array.isArray(args) ? args : []).map(String);
  return texts.flatMap((arg, index) =>
    isSecretArgument(arg, texts[index - 1])
      ? [`args[${index}] of "${name}" looks like a secret, and every user of this machine can read arguments: use env`]
      : []
  );
}

function urlWarnings(name: string, url: unknown): readonly string[] {
  if (typeof url !== "string" || !URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  const named = [...searchParams].filter(([key, value]) => SECRET_NAME_REGEXP.test(key) && isLiteral(value));
  return username || password || named.length > 0
    ? [`url of "${name}" holds a secret, and addresses end in logs: use headers with \${VAR}`]
    : [];
}

function passthroughWarnings(name: string, names: unknown): readonly string[] {
  const secret = (Array.isArray(names) ? names : []).map(String).filter((each) => SECRET_NAME_REGEXP.test(each));
  return secret.map((each) =>
    `envPassthrough of "${name}" forwards ${each}: say env: { "${each}": "\${${each}}" } instead`
  );
}

function hasLiteralSecret(server: Readonly<Record<string, unknown>>): boolean {
  return [server.env, server.headers].filter(isObject).some((record) =>
    Object.entries(record).some(([key, value]) =>
      typeof value === "string" && value !== "" && isLiteral(value) &&
      (SECRET_NAME_REGEXP.test(key) || SECRET_VALUE_REGEXP.test(value))
    )
  );
}

/**
 * Secrets that stand where they are seen.
 *
 * @param root The config as it is written, before variables are replaced.
 * @param mode The mode of the file, where the system has modes.
 */
export function secretWarnings(root: unknown, mode: number | undefined): readonly string[] {
  const servers = serversOf(root);
  const readable = mode !== undefined && (mode & 0o077) !== 0;
  const literal = servers.filter(([, server]) => hasLiteralSecret(server)).map(([name]) => `"${name}"`);
  return [
    ...servers.flatMap(([name, server]) => [
      ...argumentWarnings(name, server.args),
      ...urlWarnings(name, server.url),
      ...passthroughWarnings(name, server.envPassthrough),
    ]),
    ...readable && literal.length > 0
      ? [`others may read this file, and it holds secrets of ${literal.join(", ")}: chmod 600, or use \${VAR}`]
      : [],
  ];
}
