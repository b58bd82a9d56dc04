/** Python's constants and calls as `repr` prints them: `None`, `Decimal('0.50')`, `datetime.datetime(2025, 1, 2)`. @module */

import { skipBlank } from "./chars.ts";
import { JsonFault } from "./json_check.ts";
import { pythonString } from "./python_string.ts";

/** What a constant or a call becomes, and the position after it. */
export interface Called {
  readonly json: string;
  readonly end: number;
}

const CONSTANTS: Readonly<Record<string, string>> = {
  None: "null",
  True: "true",
  False: "false",
  nan: "NaN",
  inf: "Infinity",
  "np.True_": "true",
  "np.False_": "false",
  "np.nan": "NaN",
  "np.inf": "Infinity",
};

const WORD_REGEXP = /[A-Za-z_][\w.]*/y;

/** Reads the constant or call at `at`. Throws a JsonFault for any that this table does not know. */
export function pythonCall(text: string, at: number): Called {
  WORD_REGEXP.lastIndex = at;
  const word = WORD_REGEXP.exec(text)?.[0];
  if (word === undefined) throw new JsonFault(at);
  let end = at + word.length;
  // A word that the end of the text may have cut short is a value cut off.
  if (end >= text.length) throw new JsonFault(text.length);
  const constant = Object.hasOwn(CONSTANTS, word) ? CONSTANTS[word] : undefined;
  if (constant !== undefined) return { json: constant, end };
  if ((word === "b") && (text[end] === "'" || text[end] === '"')) return bytesLiteral(text, at, end);
  const call = Object.hasOwn(CALLS, word) ? CALLS[word] : undefined;
  if (!call || text[end] !== "(") throw new JsonFault(at);
  const args = argumentsAt(text, end);
  end = args.end;
  const json = call(args.values, text.slice(at, end));
  if (json === undefined) throw new JsonFault(at);
  return { json, end };
}

/** Bytes keep the form in which Python printed them: they are no text. */
function bytesLiteral(text: string, at: number, quoteAt: number): Called {
  const { end } = pythonString(text, quoteAt);
  return { json: JSON.stringify(text.slice(at, end)), end };
}

interface Arguments {
  readonly values: readonly Argument[];
  readonly end: number;
}

/** An argument: its keyword, if any, and its source; `string` when it is a string literal. */
interface Argument {
  readonly keyword?: string;
  readonly source: string;
  readonly string?: string;
}

const MAX_ARGUMENTS = 10;

/** Reads `(a, b, key=c)` at `at`: numbers, strings, and calls of timezones. */
function argumentsAt(text: string, at: number): Arguments {
  const values: Argument[] = [];
  at = skipBlank(text, at + 1);
  while (text.charAt(at) !== ")") {
    if (values.length >= MAX_ARGUMENTS) throw new JsonFault(at);
    const argument = argumentAt(text, at);
    values.push(argument.value);
    at = skipBlank(text, argument.end);
    if (text.charAt(at) === ",") at = skipBlank(text, at + 1);
    else if (text.charAt(at) !== ")") throw new JsonFault(at);
  }
  return { values, end: at + 1 };
}

const PLAIN_REGEXP =
  /(?:[a-z]+=)?(?:-?[\d.]+(?:[eE][+-]?\d+)?|True|False|None|nan|inf|datetime\.timezone\.utc|datetime\.timezone\(datetime\.timedelta\([\w=, -]*\)\))/y;
const KEYWORD_REGEXP = /([a-z]+)=/y;

function argumentAt(text: string, at: number): { readonly value: Argument; readonly end: number } {
  KEYWORD_REGEXP.lastIndex = at;
  const keyword = KEYWORD_REGEXP.exec(text)?.[1];
  const from = keyword === undefined ? at : at + keyword.length + 1;
  const named = keyword === undefined ? {} : { keyword };
  if (text[from] === "'" || text[from] === '"') {
    const { value, end } = pythonString(text, from);
    return { value: { ...named, source: text.slice(from, end), string: value }, end };
  }
  PLAIN_REGEXP.lastIndex = from;
  const source = PLAIN_REGEXP.exec(text)?.[0];
  if (source === undefined) throw new JsonFault(from);
  return { value: { ...named, source }, end: from + source.length };
}

type Call = (args: readonly Argument[], source: string) => string | undefined;

const quotedString: Call = ([arg, ...rest]) =>
  arg?.string === undefined || arg.keyword !== undefined || rest.length > 0 ? undefined : JSON.stringify(arg.string);

const plainNumber: Call = ([arg, ...rest]) => {
  const written = arg?.string ?? arg?.source;
  if (written === undefined || arg?.keyword !== undefined || rest.length > 0) return undefined;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) return written;
  const special: Readonly<Record<string, string>> = { nan: "NaN", NaN: "NaN", inf: "Infinity", Infinity: "Infinity" };
  return Object.hasOwn(special, written) ? special[written] : JSON.stringify(written);
};

/** What has no plain form in JSON stays as Python printed it. */
const asPrinted: Call = (_args, source) => JSON.stringify(source);

const CALLS: Readonly<Record<string, Call>> = {
  Decimal: plainNumber,
  "decimal.Decimal": plainNumber,
  "np.float64": plainNumber,
  "np.float32": plainNumber,
  "np.int64": plainNumber,
  "np.int32": plainNumber,
  "np.str_": quotedString,
  UUID: quotedString,
  "uuid.UUID": quotedString,
  ObjectId: quotedString,
  "datetime.datetime": (args) => isoText(args, dateTimeText),
  "datetime.date": (args) => isoText(args, dateText),
  "datetime.time": (args) => isoText(args, timeText),
  "datetime.timedelta": asPrinted,
};

/** The ISO form of a date or time; undefined when an argument is not one that `repr` prints for it. */
function isoText(
  args: readonly Argument[],
  form: (parts: readonly number[]) => string | undefined,
): string | undefined {
  const parts: number[] = [];
  let zone = "";
  for (const { keyword, source, string } of args) {
    if (string !== undefined) return undefined;
    if (keyword === "tzinfo") zone = zoneText(source) ?? "?";
    else if (keyword === undefined && /^\d{1,6}$/.test(source)) parts.push(Number(source));
    else if (keyword !== "fold") return undefined;
  }
  const text = form(parts);
  return text === undefined || zone === "?" ? undefined : JSON.stringify(text + zone);
}

const pad = (value: number, width = 2): string => String(value).padStart(width, "0");

function dateText(parts: readonly number[]): string | undefined {
  const [year, month, day] = parts;
  if (year === undefined || month === undefined || day === undefined || parts.length > 3) return undefined;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

function timeText(parts: readonly number[]): string | undefined {
  const [hour = 0, minute = 0, second = 0, micro = 0] = parts;
  if (parts.length > 4) return undefined;
  return `${pad(hour)}:${pad(minute)}:${pad(second)}${micro === 0 ? "" : `.${pad(micro, 6)}`}`;
}

function dateTimeText(parts: readonly number[]): string | undefined {
  const date = dateText(parts.slice(0, 3));
  const time = timeText(parts.slice(3));
  return date === undefined || time === undefined ? undefined : `${date}T${time}`;
}

/** `+02:00` of a zone with a fixed offset; undefined for any other, whose offset is not printed. */
function zoneText(source: string): string | undefined {
  if (source === "datetime.timezone.utc") return "+00:00";
  const match = /^datetime\.timezone\(datetime\.timedelta\((?:days=(-?\d+), )?seconds=(\d+)\)\)$/.exec(source);
  if (!match) return undefined;
  const minutes = (Number(match[1] ?? 0) * 86_400 + Number(match[2])) / 60;
  if (!Number.isInteger(minutes)) return undefined;
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
