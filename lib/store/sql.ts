/** Quoting for SQL, in one place. @module */

/** An identifier that means exactly `name`, whatever characters it holds. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A string literal that means exactly `text`. NUL cannot be written in SQL text and is refused. */
export function quoteLiteral(text: string): string {
  if (text.includes("\0")) throw new Error("unreachable: NUL in a SQL literal");
  return `'${text.replaceAll("'", "''")}'`;
}

/** Names that are unique without regard to case: the second `a` becomes `a_2`, the third `a_3`. */
export function uniqueNames(names: readonly string[]): string[] {
  // A later column that is really called `a_2` keeps its name, so every name in the list is spoken for.
  const spokenFor = new Set(names.map((name) => name.toLowerCase()));
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const key = name.toLowerCase();
    let unique = name;
    if (given.has(key)) {
      let n = counts.get(key) ?? 2;
      while (spokenFor.has(`${key}_${n}`) || given.has(`${key}_${n}`)) n++;
      counts.set(key, n + 1);
      unique = `${name}_${n}`;
    }
    given.add(unique.toLowerCase());
    return unique;
  });
}
