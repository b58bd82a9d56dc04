/** What Windows makes of a path before it opens it: device names, streams, drives, shares. Pure, so it is tested everywhere. @module */

// CON.txt, "NUL  .x" and COM1 with a superscript digit are devices too, in any folder.
const DEVICE_REGEXP =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ .]*(?:[.:].*)?$/i;
const SHORT_NAME_REGEXP = /^[^.]{1,7}~[0-9]{1,6}(?:\.[^.]{0,3})?$/;
// deno-lint-ignore no-control-regex
const FORBIDDEN_REGEXP = /[<>"|?*\u0000-\u001f]/;

/** Why Windows would not read `name` as the plain name of one file, or undefined when it would. */
export function windowsNameProblem(name: string): string | undefined {
  if (name === "." || name === "..") return undefined;
  if (DEVICE_REGEXP.test(name)) return "it is the name of a device";
  if (name.includes(":")) return "a colon names a drive or a stream";
  if (/[. ]$/.test(name)) return "Windows drops dots and spaces at the end of a name";
  if (SHORT_NAME_REGEXP.test(name)) return "it has the form of a short (8.3) name";
  if (FORBIDDEN_REGEXP.test(name)) return "it holds a character that no name may hold";
  return undefined;
}

/** Whether Windows reads `text` from a drive, a share or the root of a drive, rather than from the current folder. */
export function isWindowsAbsolute(text: string): boolean {
  return /^[\\/]/.test(text) || /^[a-z]:/i.test(text);
}

/** The names in `text`, cut at both of Windows' separators. */
export function windowsParts(text: string): string[] {
  return text.split(/[\\/]/);
}
