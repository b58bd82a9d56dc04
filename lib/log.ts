/** The log: stderr, one line per event, `level component: message`. Never arguments, environment values or headers. @module */

/** How much an event matters. `debug` lines appear only when `LOOM_DEBUG` was asked for. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Receives one event: level, the part of loom it comes from, and what happened. */
export type Log = (level: LogLevel, component: string, message: string) => void;

/** Characters of one log line, beyond which it is cut. */
export const LOG_LINE_CHARS_MAX = 2_000;

// C0 and C1 controls, DEL, line and paragraph separators, and the marks that turn writing direction.
// deno-lint-ignore no-control-regex
const UNPRINTABLE_REGEXP = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text that comes from a server or a client, made safe for a terminal: control characters, ANSI escapes, line breaks
 * and direction marks become `\u….` escapes, and it is cut at `maxChars` characters.
 */
export function printable(text: string, maxChars: number = LOG_LINE_CHARS_MAX): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text.toWellFormed();
  return cut.replace(UNPRINTABLE_REGEXP, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A log that writes one line per event through `write`; lines below `level` are dropped. */
export function createLog(write: (line: string) => void, level: LogLevel = "info"): Log {
  const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };
  return (eventLevel, component, message) => {
    if (rank[eventLevel] < rank[level]) return;
    write(`${eventLevel} ${component}: ${printable(message)}\n`);
  };
}

/** The log of a process: one line per event on stderr. */
export function stderrLog(level: LogLevel = "info"): Log {
  const encoder = new TextEncoder();
  return createLog((line) => {
    try {
      Deno.stderr.writeSync(encoder.encode(line));
    } catch {
      // Nobody reads stderr any more: a log line is no reason to fail.
    }
  }, level);
}
