/** Dates, times and intervals as the engine writes them, from their integers; every digit kept. @module */

const DAY_MS = 86_400_000;
const DAY_MICROS = 86_400_000_000n;
const INT64_MAX = 9_223_372_036_854_775_807n;
const INT32_MAX = 2_147_483_647;
/** Days for which `Date` has a year; beyond, the calendar's 400-year cycle is used. */
const CYCLE_DAYS = 146_097;
const CYCLE_YEARS = 400;

/** `2026-01-31`, `0044-03-15 (BC)`, `infinity`. */
export function dateText(days: number): string {
  if (Math.abs(days) === INT32_MAX) return days > 0 ? "infinity" : "-infinity";
  const cycles = Math.floor(days / CYCLE_DAYS);
  const date = new Date((days - cycles * CYCLE_DAYS) * DAY_MS);
  const year = date.getUTCFullYear() + cycles * CYCLE_YEARS;
  const shownYear = String(year > 0 ? year : 1 - year).padStart(4, "0");
  const text = `${shownYear}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return year > 0 ? text : `${text} (BC)`;
}

/** `12:34:56`, `12:34:56.789`; `units` is a count of `digits` decimals of a second. */
export function timeText(units: bigint, digits: 0 | 3 | 6 | 9): string {
  const scale = 10n ** BigInt(digits);
  const seconds = Number(units / scale);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const fraction = units % scale;
  if (fraction === 0n) return clock;
  return `${clock}.${fraction.toString().padStart(digits, "0").replace(/0+$/, "")}`;
}

/** `2026-01-31 12:34:56.789`, `infinity`. */
export function timestampText(units: bigint, digits: 0 | 3 | 6 | 9): string {
  if (units === INT64_MAX) return "infinity";
  if (units === -INT64_MAX) return "-infinity";
  const perDay = 86_400n * 10n ** BigInt(digits);
  let days = units / perDay, rest = units % perDay;
  if (rest < 0n) {
    rest += perDay;
    days -= 1n;
  }
  return `${dateText(Number(days))} ${timeText(rest, digits)}`;
}

/** A timestamp with time zone, always shown in UTC: `2026-01-31 12:34:56+00`. */
export function timestampTzText(micros: bigint): string {
  const text = timestampText(micros, 6);
  return text.endsWith("infinity") ? text : `${text}+00`;
}

/** `12:34:56+02`, `12:34:56.5-03:30`, from the engine's packed form. */
export function timeTzText(bits: bigint): string {
  const micros = bits >> 24n;
  const seconds = 57_599 - Number(bits & 0xff_ffffn);
  const size = Math.abs(seconds);
  const parts = [two(Math.floor(size / 3600))];
  if (size % 3600 !== 0) parts.push(two(Math.floor(size / 60) % 60));
  if (size % 60 !== 0) parts.push(two(size % 60));
  return `${timeText(micros, 6)}${seconds < 0 ? "-" : "+"}${parts.join(":")}`;
}

/** `1 year 2 months 3 days 04:05:06.789`; each part with its own sign. */
export function intervalText(months: number, days: number, micros: bigint): string {
  const parts: string[] = [];
  const years = Math.trunc(months / 12);
  if (years !== 0) parts.push(counted(years, "year"));
  if (months % 12 !== 0) parts.push(counted(months % 12, "month"));
  if (days !== 0) parts.push(counted(days, "day"));
  if (micros !== 0n || parts.length === 0) parts.push(spanText(micros));
  return parts.join(" ");
}

/** A span of time, which may be longer than a day and is not shortened to one. */
function spanText(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const text = size < DAY_MICROS
    ? timeText(size, 6)
    : `${size / 3_600_000_000n}${timeText(size % 3_600_000_000n, 6).slice(2)}`;
  return micros < 0n ? `-${text}` : text;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${Math.abs(count) === 1 ? "" : "s"}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
