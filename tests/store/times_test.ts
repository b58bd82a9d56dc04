/** Tests of lib/store/times.ts. @module */

import { equal } from "node:assert/strict";
import { dateText, intervalText, timestampText, timestampTzText, timeText, timeTzText } from "../../lib/store/times.ts";

Deno.test.each([
  { days: 0, text: "1970-01-01" },
  { days: -1, text: "1969-12-31" },
  { days: 11_016, text: "2000-02-29" },
  { days: -719_162, text: "0001-01-01" },
  { days: -719_163, text: "0001-12-31 (BC)" },
  { days: 2_932_897, text: "10000-01-01" },
  { days: 105_200_000, text: "289997-10-26" },
  { days: 2_147_483_647, text: "infinity" },
  { days: -2_147_483_647, text: "-infinity" },
])("dateText() of $days days", ({ days, text }) => equal(dateText(days), text));

Deno.test("timeText() trims the fraction and keeps its digits", () => {
  equal(timeText(45_296_789_000n, 6), "12:34:56.789");
  equal(timeText(45_296_000_000n, 6), "12:34:56");
  equal(timeText(45_296_123_456_789n, 9), "12:34:56.123456789");
  equal(timeText(86_400_000_000n, 6), "24:00:00");
});

Deno.test("timestampText() counts backwards before 1970", () => {
  equal(timestampText(-1n, 6), "1969-12-31 23:59:59.999999");
  equal(timestampText(1n, 0), "1970-01-01 00:00:01");
  equal(timestampText(9_223_372_036_854_775_807n, 6), "infinity");
  equal(timestampText(-9_223_372_036_854_775_807n, 9), "-infinity");
  equal(timestampTzText(0n), "1970-01-01 00:00:00+00");
});

Deno.test("timeTzText() shows offsets of hours, minutes and seconds", () => {
  const packed = (micros: bigint, seconds: number) => (micros << 24n) | BigInt(57_599 - seconds);
  equal(timeTzText(packed(45_296_000_000n, 7_200)), "12:34:56+02");
  equal(timeTzText(packed(0n, -12_600)), "00:00:00-03:30");
  equal(timeTzText(packed(0n, 3_661)), "00:00:00+01:01:01");
});

Deno.test("intervalText() gives each part its own sign", () => {
  equal(intervalText(14, 3, 14_706_789_000n), "1 year 2 months 3 days 04:05:06.789");
  equal(intervalText(-1, 1, -1n), "-1 month 1 day -00:00:00.000001");
  equal(intervalText(0, 0, 0n), "00:00:00");
  equal(intervalText(0, 0, 360_000_000_000n), "100:00:00");
});
