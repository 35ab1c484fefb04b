import { describe, expect, test } from "vitest";
import { localTimeOf, attemptTimetable } from "#policy/advice/retry-timetable.ts";
import { resolveRetry } from "#kernel/execution/retries/retry.ts";
import type { RetryPolicy } from "#schema/definition/retry.ts";

const START = Date.UTC(2026, 2, 29, 0, 30);

describe("the timetable with instants", () => {
  test.each<[string, RetryPolicy, (readonly [number, number, number, number, number])[]]>([
    // Columns: attempt, shortest delay, longest delay, earliest and latest start in milliseconds.
    ["one attempt", { maxAttempts: 1 }, [[1, 0, 0, 0, 0]]],
    [
      "delays add up",
      { maxAttempts: 3 },
      [
        [1, 0, 0, 0, 0],
        [2, 1_000, 1_000, 1_000, 1_000],
        [3, 2_000, 2_000, 3_000, 3_000],
      ],
    ],
    [
      "delays with jitter add up to a range",
      { maxAttempts: 3, jitter: true },
      [
        [1, 0, 0, 0, 0],
        [2, 500, 1_000, 500, 1_000],
        [3, 1_000, 2_000, 1_500, 3_000],
      ],
    ],
    [
      "the total time cuts a possible attempt and leaves out an impossible one",
      { maxAttempts: 4, jitter: true, totalTimeMs: 2_000 },
      [
        [1, 0, 0, 0, 0],
        [2, 500, 1_000, 500, 1_000],
        [3, 1_000, 2_000, 1_500, 2_000],
      ],
    ],
  ])("%s", (_what, policy, rungs) => {
    expect(attemptTimetable(resolveRetry(policy, "default"), START)).toEqual(
      rungs.map(([attempt, waitMinMs, waitMaxMs, earliest, latest]) => ({
        attempt,
        waitMinMs,
        waitMaxMs,
        earliestAt: START + earliest,
        latestAt: START + latest,
      })),
    );
  });
});

describe("the local time", () => {
  test.each<[number, string, string | null]>([
    [START, "UTC", "2026-03-29T00:30:00.000+00:00"],
    [START, "Europe/Zurich", "2026-03-29T01:30:00.000+01:00"],
    [START + 3_600_000, "Europe/Zurich", "2026-03-29T03:30:00.000+02:00"],
    [8.64e15 + 1, "UTC", null],
  ])("%i in %s is %s", (at, timezone, text) => {
    expect(localTimeOf(at, timezone)).toBe(text);
  });
});
