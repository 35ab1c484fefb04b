// Tests the estimate of live executions from reported starts and occasional counts.
import { expect, test } from "vitest";
import {
  isCountValid,
  applyCount,
  estimateLive,
  noLiveCount,
  countStarts,
  isCountDue,
} from "#policy/gates/live-count.ts";

const T = 1_000_000_000;
const SECOND_MS = 1_000;

test("starts add up, and a count replaces all starts that it includes", () => {
  let live = countStarts(noLiveCount, 3, T);
  live = countStarts(live, 4, T + 20 * SECOND_MS);
  expect(estimateLive(live)).toBe(7);
  // All three starts before the count have ended. Of the four reported after the count's instant, one has ended.
  live = applyCount(live, { live: -1, at: T + 10 * SECOND_MS });
  expect(estimateLive(live)).toBe(4 - 1 + 3);
  live = applyCount(countStarts(live, 0, T + 25 * SECOND_MS), { live: 2, at: T + 25 * SECOND_MS });
  expect(estimateLive(live)).toBe(2);
});

test("a late count, or one older than the last, changes nothing", () => {
  const live = applyCount(countStarts(noLiveCount, 3, T), { live: 1, at: T });
  expect(applyCount(live, { live: 9, at: T })).toBe(live);
  expect(applyCount(live, undefined)).toBe(live);
});

test("the estimate is never negative", () => {
  expect(estimateLive(applyCount(noLiveCount, { live: -4, at: T }))).toBe(0);
});

test("marks are stored at most once a second and dropped after half a minute", () => {
  let live = noLiveCount;
  for (let n = 0; n < 600; n++) live = countStarts(live, 1, T + n * 100);
  expect(live.marks.length).toBeLessThanOrEqual(31);
  expect(live.total).toBe(600);
});

test("a count is valid for two minutes and is requested at most every five seconds", () => {
  const live = applyCount(noLiveCount, { live: 1, at: T });
  expect([T + SECOND_MS, T + 120 * SECOND_MS].map((now) => isCountValid(live, now))).toEqual([true, false]);
  const untold = countStarts(noLiveCount, 1, T);
  expect([isCountValid(noLiveCount, T), isCountValid(untold, T), isCountValid(untold, T + 120 * SECOND_MS)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isCountDue(noLiveCount, 0, 10, T)).toBe(true);
  expect(isCountDue(live, 4, 10, T)).toBe(false);
  expect(isCountDue(live, 5, 10, T)).toBe(true);
  expect(isCountDue({ ...live, askedAt: T - SECOND_MS }, 5, 10, T)).toBe(false);
  expect(isCountDue({ ...live, askedAt: T - 5 * SECOND_MS }, 5, 10, T)).toBe(true);
});
