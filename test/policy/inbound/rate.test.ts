// Tests a token bucket: which items it admits, and how long it refuses.
import { expect, test } from "vitest";
import { takeRate } from "#policy/inbound/rate.ts";

const rate = { perMinute: 60, burst: 3 };

test("a burst is admitted, then one at a time", () => {
  let fullAt = 0;
  const waits = [0, 0, 0, 0, 999, 1_000, 1_001].map((now) => {
    const taken = takeRate(fullAt, rate, 1, now + 10_000);
    fullAt = taken.fullAt;
    return taken.retryAfterS;
  });
  expect(waits).toEqual([null, null, null, 1, 1, null, 1]);
});

test("a list is admitted completely, and the next one waits accordingly", () => {
  const { fullAt, retryAfterS } = takeRate(0, rate, 100, 10_000);
  expect(retryAfterS).toBe(null);
  expect(takeRate(fullAt, rate, 1, 10_000).retryAfterS).toBe(98);
});
