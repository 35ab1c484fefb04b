// Tests the shortest distance between occurrences.
import { expect, test } from "vitest";
import { shortestGapMs } from "#policy/calendar/shortest-gap.ts";
import { at, specOf } from "#test/support/recurring-trace.ts";

test.each([
  ["* * * * *", 60_000],
  ["*/10 * * * * *", 10_000],
  ["0,30 0 9 * * *", 30_000],
  ["0 9 * * *", 86_400_000],
  ["0 9 * * MON,TUE", 86_400_000],
  ["0 0 9 16 11 * 2027", null],
])("%s", (cron, gap) => {
  expect(shortestGapMs(specOf({ rule: { cron } }), at("2026-11-16"))).toBe(gap);
});
