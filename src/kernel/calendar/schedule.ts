// The schedule of an action in the words of the calendar. What it says of gaps and folds is the same for all that recurs.
import type { Schedule } from "#schema/definition/schedule.ts";
import { failureOf } from "../computing/fault.ts";
import type { Work } from "../computing/work.ts";
import { parseCron } from "./cron.ts";
import { refuse, type Fault, type Read } from "./field.ts";
import { nextOccurrence, previousOccurrence, type Rule } from "./occurrences.ts";

/** The expression alone: what timers keep and people read. */
export function cronOf(schedule: Schedule): string {
  return typeof schedule === "string" ? schedule : schedule.cron;
}

/** `at` null: there is none any more. Strictly after the instant. */
export function nextOf(schedule: Schedule, timezone: string, after: number, work?: Work): Read<number | null> {
  return judged(schedule, timezone, (rule) => nextOccurrence(rule, after, work)?.at ?? null);
}

/**
 * What has come due since `due`, which is an occurrence: the newest one up to `now` stands for all that were missed, and the
 * next one is strictly after both.
 */
export function caughtUp(
  schedule: Schedule,
  timezone: string,
  [due, now]: readonly [number, number],
  work?: Work,
): Read<{ readonly newest: number; readonly next: number | null }> {
  return judged(schedule, timezone, (rule) => {
    const newest = previousOccurrence(rule, now + 1, work)?.at ?? due;
    const next = nextOccurrence(rule, Math.max(due, now), work)?.at ?? null;
    return { newest: Math.max(due, newest), next };
  });
}

/** What is wrong with a schedule; null when it is sound. */
export function scheduleFault(schedule: Schedule, timezone: string): Fault | null {
  const first = nextOf(schedule, timezone, 0);
  if (!first.ok) return first;
  if (first.value !== null) return null;
  return refuse(
    "never_due",
    `${cronOf(schedule)} never comes due in ${timezone}`,
    "Its hour is skipped whenever it comes: let it shift.",
  );
}

function judged<Value>(schedule: Schedule, timezone: string, judge: (rule: Rule) => Value): Read<Value> {
  const parsed = parseCron(cronOf(schedule));
  if (!parsed.ok) return parsed;
  const { gap = "shift", fold = "auto" } = typeof schedule === "string" ? {} : schedule;
  try {
    return { ok: true, value: judge({ cron: parsed.cron, timezone, gap, fold }) };
  } catch (thrown) {
    const unknown = { code: "time_zone_unknown", message: `there is no time zone ${timezone}` } as const;
    const { code, message } = failureOf(thrown, unknown);
    return refuse(code, message, "An IANA time zone such as Europe/Zurich.");
  }
}
