// The retry timetable of a policy: when each attempt would be made if every one before it failed at once.
import { Temporal } from "temporal-polyfill";
import type { ResolvedRetryPolicy } from "#schema/definition/retry.ts";
import { isBeyondBudget, retryTimetable } from "#kernel/execution/retries/retry.ts";

export type Rung = {
  /** The attempt; 1 is the first one, which has no delay. */
  readonly attempt: number;
  readonly waitMinMs: number;
  readonly waitMaxMs: number;
  /** Delays add up, and so does their jitter. */
  readonly earliestAt: number;
  readonly latestAt: number;
};

/** Attempts beyond the policy's total time are left out; one that may exceed it ends with it. */
export function timetableFrom(policy: ResolvedRetryPolicy, startAt: number): readonly Rung[] {
  const rungs: Rung[] = [{ attempt: 1, waitMinMs: 0, waitMaxMs: 0, earliestAt: startAt, latestAt: startAt }];
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

/** The local time there, with its offset; null beyond the calendar's end. */
export function clockTime(at: number, timezone: string): string | null {
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
    return local.toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
  } catch {
    return null;
  }
}
