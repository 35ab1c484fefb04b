// Tests what fits into a batch, at its limits.
import { describe, expect, test } from "vitest";
import { fitsBatch, mayStartMessages, settleRetryMs } from "#policy/gates/batch-time.ts";
import { BATCH_BEGINS_MS, BATCH_MS_MAX, CELL_CALL_MS_MAX } from "#schema/limits/queues/consumers.ts";
import { SETTLE_GRACE_MS, SLOW_ABOVE_MS, TIMEOUT_MS_MAX } from "#schema/limits/run-attempts.ts";

const T0 = 1_000_000;
const PLATFORM_MS = 15 * 60_000;

test("an attempt with the longest timeout fits if claimed at the last moment after a failed call", () => {
  expect(fitsBatch(T0, T0 + BATCH_BEGINS_MS + CELL_CALL_MS_MAX, TIMEOUT_MS_MAX)).toBe(true);
  expect(BATCH_MS_MAX).toBeLessThan(PLATFORM_MS);
});

test.each([
  // Columns: timeout, and the latest instant at which it fits.
  [TIMEOUT_MS_MAX, BATCH_MS_MAX - SETTLE_GRACE_MS - TIMEOUT_MS_MAX],
  [60_000, BATCH_MS_MAX - SETTLE_GRACE_MS - 60_000],
  [undefined, BATCH_MS_MAX - SETTLE_GRACE_MS - SLOW_ABOVE_MS],
])("an attempt of %s ms fits until %s ms into the batch", (timeoutMs, latest) => {
  expect([fitsBatch(T0, T0 + latest, timeoutMs), fitsBatch(T0, T0 + latest + 1, timeoutMs)]).toEqual([true, false]);
});

test("a batch starts messages until its rest must be requeued", () => {
  expect([
    mayStartMessages(T0, T0),
    mayStartMessages(T0, T0 + BATCH_BEGINS_MS - 1),
    mayStartMessages(T0, T0 + BATCH_BEGINS_MS),
  ]).toEqual([true, true, false]);
});

describe("an unanswered settlement", () => {
  test.each([
    // Columns: tries so far, milliseconds until the deadline, milliseconds until the next try.
    [1, 30_000, 100],
    [2, 30_000, 200],
    [5, 30_000, 1_600],
    [20, 30_000, 10_000],
    [20, 0, SETTLE_GRACE_MS],
    [1, -SETTLE_GRACE_MS + 40, 40],
    [1, -SETTLE_GRACE_MS, null],
    [1, -60_000, null],
  ])("after %s tries and %s ms before its deadline is repeated after %s ms", (tries, leftMs, after) => {
    expect(settleRetryMs(tries, T0, T0 + leftMs)).toBe(after);
  });
});
