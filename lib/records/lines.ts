/** Lines of a text, and whether a line is a remark beside a table. @module */

/** The lines of a text without their line ends (LF or CRLF). */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (text.includes("\r")) {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] ?? "";
      if (line.charCodeAt(line.length - 1) === 13) lines[i] = line.replace(/\r+$/, "");
    }
  }
  return lines;
}

/** True for an empty line and for one of blanks. */
export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

/** The source of lines `from` up to `to`, as one piece. */
export function piece(lines: readonly string[], from: number, to: number): string {
  return lines.slice(Math.max(from, 0), to).join("\n");
}

// How the remarks that tools print right above or below a table begin: comments, brackets, tags, counts.
const REMARK_REGEXP =
  /^\s*(?:[#([<>*]|--|\/\/|\.\.\.|…|sep=|Time: |Total\b|Showing\b|Displaying\b|Returned\b|Results?\b|Rows?\b|Records?\b|Note:|Page \d|Truncated\b|Output\b|\d+ (?:of \d+ )?(?:rows?|records?|results?|items?|entries|lines|more|total|matches|in set)\b|and \d+ more)/i;

/** True when a line next to a table plainly speaks about it and can't be one of its rows. */
export function isRemark(line: string): boolean {
  return line.length <= 400 && (REMARK_REGEXP.test(line) || /:\s*$/.test(line));
}

const TAB = 9;
const SPACE = 32;

/** A text without the spaces and tabs at its ends. Other blanks, such as a no-break space, are content and stay. */
export function trimSpaces(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

/** True for the code of a space or a tab. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}
