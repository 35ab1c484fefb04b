// Computes the timetable of a retry policy: when each attempt would start if every attempt failed immediately.
import { Temporal } from "temporal-polyfill";
import type { ResolvedRetryPolicy } from "#schema/definition/retry.ts";
import { isBeyondBudget, retryTimetable } from "#kernel/execution/retries/retry.ts";

export type TimetableEntry = {
  /** The number of the attempt. Attempt 1 has no delay. */
  readonly attempt: number;
  readonly waitMinMs: number;
  readonly waitMaxMs: number;
  /** The earliest and the latest start (epoch ms), which are the sums of the shortest and longest delays so far. */
  readonly earliestAt: number;
  readonly latestAt: number;
};

/**
 * Computes the timetable from the start of the first attempt. Attempts that would start after the policy's total time
 * are left out.
 */
export function attemptTimetable(policy: ResolvedRetryPolicy, startAt: number): readonly TimetableEntry[] {
  const rungs: TimetableEntry[] = [{ attempt: 1, waitMinMs: 0, waitMaxMs: 0, earliestAt: startAt, latestAt: startAt }];
  let { earliestAt, latestAt } = { earliestAt: startAt, latestAt: startAt };
  for (const { attempt, minMs, maxMs } of retryTimetable(policy)) {
    earliestAt += minMs;
    latestAt += maxMs;
    if (isBeyondBudget(policy, startAt, earliestAt)) break;
    const endsAt = policy.totalTimeMs === null ? latestAt : Math.min(latestAt, startAt + policy.totalTimeMs);
    rungs.push({ attempt: attempt + 1, waitMinMs: minMs, waitMaxMs: maxMs, earliestAt, latestAt: endsAt });
  }
  return rungs;
}

/** Formats an instant as a local time with its offset; null if the instant is outside the range of the calendar. */
export function localTimeOf(at: number, timezone: string): string | null {
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
    return local.toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
  } catch {
    return null;
  }
}
