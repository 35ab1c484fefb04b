// The schedule of an action: converts it into calendar terms. Gaps and folds are handled as for everything that recurs.
import type { Schedule } from "#schema/definition/schedule.ts";
import { failureOf } from "../computing/fault.ts";
import type { Work } from "../computing/work.ts";
import { parseCron } from "./cron.ts";
import { refuse, type Fault, type Read } from "./field.ts";
import { nextOccurrence, previousOccurrence, type Rule } from "./occurrences.ts";

/** The cron expression: stored by timers and shown to users. */
export function cronOf(schedule: Schedule): string {
  return typeof schedule === "string" ? schedule : schedule.cron;
}

/** Strictly after the instant. `at` is null if no occurrence is left. */
export function nextOf(schedule: Schedule, timezone: string, after: number, work?: Work): Read<number | null> {
  return judged(schedule, timezone, (rule) => nextOccurrence(rule, after, work)?.at ?? null);
}

/**
 * `due` is an occurrence. Returns the newest occurrence up to `now`, which represents all missed ones, and the next
 * one, strictly after both.
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

/** Why a schedule is invalid; null if it is valid. */
export function scheduleFault(schedule: Schedule, timezone: string): Fault | null {
  const first = nextOf(schedule, timezone, 0);
  if (!first.ok) return first;
  if (first.value !== null) return null;
  return refuse(
    "never_due",
    `${cronOf(schedule)} has no occurrence in ${timezone}`,
    "A clock change skips this hour every time: set the schedule to shift it.",
  );
}

function judged<Value>(schedule: Schedule, timezone: string, judge: (rule: Rule) => Value): Read<Value> {
  const parsed = parseCron(cronOf(schedule));
  if (!parsed.ok) return parsed;
  const { gap = "shift", fold = "auto" } = typeof schedule === "string" ? {} : schedule;
  try {
    return { ok: true, value: judge({ cron: parsed.cron, timezone, gap, fold }) };
  } catch (thrown) {
    const unknown = { code: "time_zone_unknown", message: `the time zone ${timezone} does not exist` } as const;
    const { code, message } = failureOf(thrown, unknown);
    return refuse(code, message, "Use an IANA time zone such as Europe/Zurich.");
  }
}
