// How many live, told from starts and now and then a count.
import { expect, test } from "vitest";
import { isCountValid, countIn, liveOf, nothingLive, countStarts, wantsCount } from "#policy/gates/live-count.ts";

const T = 1_000_000_000;
const SECOND_MS = 1_000;

test("starts add up, and a count takes the place of all that it knows of", () => {
  let live = countStarts(nothingLive, 3, T);
  live = countStarts(live, 4, T + 20 * SECOND_MS);
  expect(liveOf(live)).toBe(7);
  // Of the three nobody lives any more; of the four, told later than the count's instant, one has ended.
  live = countIn(live, { live: -1, at: T + 10 * SECOND_MS });
  expect(liveOf(live)).toBe(4 - 1 + 3);
  live = countIn(countStarts(live, 0, T + 25 * SECOND_MS), { live: 2, at: T + 25 * SECOND_MS });
  expect(liveOf(live)).toBe(2);
});

test("a count that comes late, or after a newer one, changes nothing", () => {
  const live = countIn(countStarts(nothingLive, 3, T), { live: 1, at: T });
  expect(countIn(live, { live: 9, at: T })).toBe(live);
  expect(countIn(live, undefined)).toBe(live);
});

test("nobody lives less than not at all", () => {
  expect(liveOf(countIn(nothingLive, { live: -4, at: T }))).toBe(0);
});

test("marks are one a second, and go after half a minute", () => {
  let live = nothingLive;
  for (let n = 0; n < 600; n++) live = countStarts(live, 1, T + n * 100);
  expect(live.marks.length).toBeLessThanOrEqual(31);
  expect(live.total).toBe(600);
});

test("it is believed for two minutes, the first tally as well, and asked for at most every five seconds", () => {
  const live = countIn(nothingLive, { live: 1, at: T });
  expect([T + SECOND_MS, T + 120 * SECOND_MS].map((now) => isCountValid(live, now))).toEqual([true, false]);
  const untold = countStarts(nothingLive, 1, T);
  expect([isCountValid(nothingLive, T), isCountValid(untold, T), isCountValid(untold, T + 120 * SECOND_MS)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(wantsCount(nothingLive, 0, 10, T)).toBe(true);
  expect(wantsCount(live, 4, 10, T)).toBe(false);
  expect(wantsCount(live, 5, 10, T)).toBe(true);
  expect(wantsCount({ ...live, askedAt: T - SECOND_MS }, 5, 10, T)).toBe(false);
  expect(wantsCount({ ...live, askedAt: T - 5 * SECOND_MS }, 5, 10, T)).toBe(true);
});
