/** The text between and around the JSON values of a text: how much it is, and whether it is code. @module */

/** Characters of `text` that are no blanks. */
export function countVisible(text: string): number {
  let visible = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) visible++;
  return visible;
}

/** A stretch of text between values, without the blanks and code fences that only frame them. */
export function trimProse(text: string, afterValue: boolean, beforeValue: boolean): string {
  let prose = text.replace(/^\uFEFF/, "").trim();
  if (beforeValue) prose = prose.replace(/(?:^|\n)(?:```|~~~)[\w+-]*$/, "").trimEnd();
  if (afterValue) prose = prose.replace(/^(?:```|~~~)(?=\n|$)/, "").trimStart();
  return prose;
}

/**
 * Whether a bracket is open at the end of `prefix`: what follows is then part of something larger, source code or a
 * document that is not JSON. Quotes are not heeded, so that an apostrophe in a sentence does not hide a bracket.
 */
export function leavesBracketOpen(prefix: string): boolean {
  let round = 0;
  let square = 0;
  let curly = 0;
  for (const char of prefix) {
    if (char === "(") round++;
    else if (char === ")") round--;
    else if (char === "[") square++;
    else if (char === "]") square--;
    else if (char === "{") curly++;
    else if (char === "}") curly--;
  }
  return round > 0 || square > 0 || curly > 0;
}
