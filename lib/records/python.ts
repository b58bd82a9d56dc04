/** Python values as `str()` prints them, turned into JSON that says the same. @module */

import { isDigit, skipBlank } from "./chars.ts";
import { JsonFault } from "./json_check.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";
import { pythonCall } from "./python_call.ts";
import { pythonString } from "./python_string.ts";
import type { Spanned } from "./values.ts";

/** A Python value in a text, and the JSON text that it becomes. */
export interface PythonValue extends Spanned {
  readonly json: string;
}

/** Whether a Python list or dict could open at `at`, at a glance. */
export function plausiblePython(text: string, at: number): boolean {
  return /['"{[(\d\-A-Za-z]/.test(text.charAt(skipBlank(text, at + 1)));
}

/** Reads the list or dict at `at`. Throws a JsonFault where the text stops being one. */
export function readPython(text: string, at: number): PythonValue {
  const reader = new PythonReader(text, at);
  reader.value(0);
  return { start: at, end: reader.at, json: reader.json() };
}

const CLOSERS: Readonly<Record<string, string>> = { "[": "]", "(": ")" };

class PythonReader {
  at: number;
  readonly #text: string;
  readonly #out: string[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  json(): string {
    return this.#out.join("");
  }

  value(depth: number): void {
    if (depth >= MAX_JSON_DEPTH) throw new JsonFault(this.at);
    const char = this.#text.charAt(this.at);
    const closer = CLOSERS[char];
    if (closer !== undefined) this.#list(closer, depth);
    else if (char === "{") this.#dict(depth);
    else if (char === "'" || char === '"') this.#out.push(JSON.stringify(this.#string()));
    else if (char === "-" || isDigit(this.#text.charCodeAt(this.at))) this.#number();
    else this.#word();
  }

  /** A list or a tuple; `(1)` is no tuple, and no value prints so. */
  #list(closer: string, depth: number): void {
    this.#open("[");
    let members = 0;
    let comma = true;
    while (this.#text.charAt(this.at) !== closer) {
      if (!comma) throw new JsonFault(this.at);
      if (members++ > 0) this.#out.push(",");
      this.value(depth + 1);
      comma = this.#comma();
    }
    if (closer === ")" && members === 1 && !comma) throw new JsonFault(this.at);
    this.at++;
    this.#out.push("]");
  }

  #dict(depth: number): void {
    this.#open("{");
    let first = true;
    let comma = true;
    while (this.#text.charAt(this.at) !== "}") {
      if (!comma) throw new JsonFault(this.at);
      if (!first) this.#out.push(",");
      first = false;
      this.#out.push(JSON.stringify(this.#key()), ":");
      this.at = skipBlank(this.#text, this.at);
      if (this.#text.charAt(this.at) !== ":") throw new JsonFault(this.at);
      this.at = skipBlank(this.#text, this.at + 1);
      this.value(depth + 1);
      comma = this.#comma();
    }
    this.at++;
    this.#out.push("}");
  }

  #open(bracket: string): void {
    this.#out.push(bracket);
    this.at = skipBlank(this.#text, this.at + 1);
  }

  #comma(): boolean {
    this.at = skipBlank(this.#text, this.at);
    if (this.#text.charAt(this.at) !== ",") return false;
    this.at = skipBlank(this.#text, this.at + 1);
    return true;
  }

  /** A dict's key: a string, or a whole number, which becomes its digits. */
  #key(): string {
    const char = this.#text.charAt(this.at);
    if (char === "'" || char === '"') return this.#string();
    return this.#matched(/-?(?:0|[1-9]\d*)(?![\d.eE])/y);
  }

  #string(): string {
    const { value, end } = pythonString(this.#text, this.at);
    this.at = end;
    return value;
  }

  #number(): void {
    if (this.#text.startsWith("-inf", this.at)) {
      this.at += 4;
      this.#out.push("-Infinity");
    } else {
      this.#out.push(this.#matched(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y));
    }
  }

  /** A constant, or a call as the repr of a date or a decimal prints it. */
  #word(): void {
    const { json, end } = pythonCall(this.#text, this.at);
    this.at = end;
    this.#out.push(json);
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new JsonFault(this.at);
    this.at += found.length;
    return found;
  }
}
