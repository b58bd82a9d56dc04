/** Deny patterns: names that no tool shows or touches. They filter names; they are no frontier. @module */

import { namePattern, type NamePredicate } from "./glob.ts";

/** Names that are refused in every root, whatever the configuration says. */
export const BUILT_IN_DENY = [
  ".env",
  ".env.*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "id_rsa*",
  "id_ecdsa*",
  "id_ed25519*",
  ".ssh",
  ".aws",
  ".gnupg",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git",
  ".venv",
  "node_modules",
  "__pycache__",
  ".mcp-trash",
] as const;

/** How the server's own unfinished files are called. They are denied as well, and a crash may leave one behind. */
export const UNFINISHED_PREFIX = ".mcp-unfinished-";

// Characters that HFS+ drops when it compares names.
const IGNORED_REGEXP = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
// deno-lint-ignore no-control-regex
const ASCII_REGEXP = /^[\u0000-\u007f]*$/;

/**
 * A name in the form in which names are compared: one Unicode form, one case, and without the characters that some
 * file system ignores. Case is folded everywhere, since a case-blind folder may be mounted anywhere.
 */
export function foldedName(name: string): string {
  if (ASCII_REGEXP.test(name)) return name.toLowerCase();
  return name.replace(IGNORED_REGEXP, "").normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

/** The deny patterns that hold in one root. */
export interface DenyList {
  /** The pattern that refuses `name`, as it was written, or undefined. */
  matching(name: string): string | undefined;
}

/**
 * Compiles deny patterns once, each over single names.
 *
 * @throws {PatternError} for a pattern that cannot be read.
 */
export function compileDeny(patterns: readonly string[]): DenyList {
  const exact = new Map<string, string>();
  const globs: (readonly [string, NamePredicate])[] = [];
  for (const pattern of [...BUILT_IN_DENY, `${UNFINISHED_PREFIX}*`, ...patterns]) {
    const folded = foldedName(pattern);
    if (/[*?[]/.test(folded)) globs.push([pattern, namePattern(folded)]);
    else exact.set(folded, pattern);
  }
  const find = (name: string) => exact.get(name) ?? globs.find(([, fits]) => fits(name))?.[0];
  return {
    matching(name) {
      const folded = foldedName(name);
      const whole = find(folded);
      if (whole !== undefined || !/[. ]$/.test(folded)) return whole;
      // Windows and its shares drop dots and spaces at the end, so ".git." may be ".git".
      return find(folded.replace(/[. ]+$/, ""));
    },
  };
}
