// Tests when recent attempts make an action slow, and when it is no longer slow.
import { expect, test } from "vitest";
import { afterAttempt, isSlowLately, type RecentDurations } from "#policy/gates/recent-durations.ts";
import { SLOW_LATELY_MS } from "#schema/limits/run-attempts.ts";

const T0 = 1_000_000;

test.each([
  ["no attempt is known", "", false],
  ["the first attempt took long", "L", true],
  ["the first attempt was short", "s", false],
  ["two long attempts followed short ones", "sssLL", false],
  ["three long attempts followed short ones", "sssLLL", true],
  ["two short attempts followed long ones", "LLLss", true],
  ["three short attempts followed long ones", "LLLsss", false],
  ["one of four attempts took long", "sssLsssLsssL", false],
])("%s (%s): slow is %s", (_what, attempts, slow) => {
  expect(isSlowLately(after(attempts), T0)).toBe(slow);
});

function after(attempts: string): RecentDurations | undefined {
  return [...attempts].reduce<RecentDurations | undefined>(
    (known, each) => afterAttempt(known, each === "L", T0),
    undefined,
  );
}

test("durations count for some minutes and then expire", () => {
  const slow = after("LLLL");
  const until = T0 + SLOW_LATELY_MS;
  expect([isSlowLately(slow, until - 1), isSlowLately(slow, until)]).toEqual([true, false]);
  expect(afterAttempt(slow, false, until - 1).longShare).toBe(0.75);
  expect(afterAttempt(slow, false, until)).toEqual({ longShare: 0, latestAt: until });
});
