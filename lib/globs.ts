/** Globs over tool names: `*` for any text, `?` for one character, everything else for itself. @module */

/** Which names are wanted: `allow` absent means all, and `deny` has the last word. */
export interface NameFilter {
  /** Only these; absent means all. */
  readonly allow?: readonly string[] | undefined;
  /** Never these. */
  readonly deny?: readonly string[] | undefined;
}

/**
 * Whether `glob` matches the whole of `name`, upper and lower case told apart.
 *
 * It goes back to the last `*` only, so no pattern costs more than `glob.length * name.length` steps.
 */
export function globMatches(glob: string, name: string): boolean {
  let at = 0;
  let read = 0;
  let star = -1;
  let starRead = 0;
  while (read < name.length) {
    if (glob[at] === "*") {
      star = at++;
      starRead = read;
    } else if (at < glob.length && (glob[at] === "?" || glob[at] === name[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++starRead;
    } else {
      return false;
    }
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}

/** Whether `filter` lets `name` through. */
export function filterAllows(filter: NameFilter, name: string): boolean {
  const matches = (globs: readonly string[]) => globs.some((glob) => globMatches(glob, name));
  if (filter.deny !== undefined && matches(filter.deny)) return false;
  return filter.allow === undefined || matches(filter.allow);
}

/** How many characters of a glob stand for themselves; of two that match, the one with more says more. */
export function globLiteralChars(glob: string): number {
  return glob.replaceAll(/[*?]/g, "").length;
}
