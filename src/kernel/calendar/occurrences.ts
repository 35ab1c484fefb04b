// Occurrences of a schedule in a zone. First finds the wall-clock readings (wall-times.ts), then converts them to
// instants (zone.ts). Does not read the current time. `docs/concepts/time.md` describes the rule for clock changes.
import type { Calendars } from "#schema/definition/holidays.ts";
import type { Fold, Gap, Schedule } from "#schema/definition/schedule.ts";
import { INSTANT_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { failureOf } from "../computing/fault.ts";
import { charge, workOf, type Work } from "../computing/work.ts";
import { type Cron, parseCron } from "./cron.ts";
import { holidaysOf, type Holidays } from "./holidays.ts";
import { refuse, type Fault, type Read } from "./cron-field.ts";
import { dayMovedFrom, firstWall, lastWall } from "./wall-times.ts";
import { offsetAt, offsetText, OFFSETS_SPAN_MS, stretchesBetween, type Stretch, type ClockChange } from "./zone.ts";

export type Rule = {
  readonly cron: Cron;
  readonly timezone: string;
  readonly gap: Gap;
  /**
   * What a schedule does in an hour that the clock repeats. `auto`: an interval runs in both passes, a fixed time only
   * in the first one.
   */
  readonly fold: Fold;
  /** The holidays on which no occurrence is due. Absent if there are none. */
  readonly holidays?: Holidays;
};

export type Occurrence = {
  readonly at: number;
  /** What the wall clock shows, as ISO 8601 without an offset: 2026-03-29T03:30:00. */
  readonly local: string;
  readonly utcOffset: string;
  readonly dst: ClockChange;
};

/**
 * The length of time that one search covers. A clock change can shift readings into it from before or after. Even with
 * these readings a search meets at most one clock change.
 */
const SEARCH_SPAN_MS = 2 * OFFSETS_SPAN_MS + 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** The number of searches without an occurrence after which an expression is treated as never due. */
const SEARCHES_MAX = 40;

/**
 * The first occurrence strictly after the instant; null if there is none up to the year 2500. Throws if the zone does
 * not exist.
 */
export function nextOccurrence(rule: Rule, after: number, work?: Work): Occurrence | null {
  let from = Math.max(after, 0);
  for (let look = 0; look < SEARCHES_MAX && from < INSTANT_MS_MAX; look += 1) {
    const to = from + SEARCH_SPAN_MS;
    const found = firstOf(rule, stretchesAround(rule, from, to, work), from, to);
    if (found !== null) return found.at <= INSTANT_MS_MAX ? found : null;
    const offset = offsetAt(rule.timezone, to);
    const earliest = to + offset - OFFSETS_SPAN_MS;
    const wall = firstWall(rule.cron, earliest, INSTANT_MS_MAX + OFFSETS_SPAN_MS, rule.holidays);
    if (wall === null) return null;
    // A search has found no occurrence. The next listed reading cannot be earlier than this instant, whatever the
    // zone's offset is, so the search continues here.
    from = Math.max(to, wall - offset - OFFSETS_SPAN_MS - 1);
  }
  return null;
}

/** The last occurrence strictly before the instant; null if there is none since 1970. */
export function previousOccurrence(rule: Rule, before: number, work?: Work): Occurrence | null {
  let to = Math.min(before, INSTANT_MS_MAX + 1);
  for (let look = 0; look < SEARCHES_MAX && to > 0; look += 1) {
    const from = to - SEARCH_SPAN_MS;
    const found = lastOf(rule, stretchesAround(rule, from, to, work), from, to);
    if (found !== null) return found.at >= 0 ? found : null;
    const offset = offsetAt(rule.timezone, from);
    const wall = lastWall(rule.cron, -OFFSETS_SPAN_MS, from + offset + OFFSETS_SPAN_MS, rule.holidays);
    if (wall === null) return null;
    to = Math.min(from, wall - offset + OFFSETS_SPAN_MS + 1);
  }
  return null;
}

/**
 * The first `max` occurrences from `from` (inclusive) to `to` (exclusive). `more`: true if there are further
 * occurrences before `to`.
 */
export function occurrencesBetween(
  rule: Rule,
  from: number,
  to: number,
  max: number,
): { readonly occurrences: readonly Occurrence[]; readonly more: boolean } {
  const occurrences: Occurrence[] = [];
  for (let after = from - 1; ;) {
    const next = nextOccurrence(rule, after);
    if (next === null || next.at >= to) return { occurrences, more: false };
    if (occurrences.length >= max) return { occurrences, more: true };
    occurrences.push(next);
    after = next.at;
  }
}

function stretchesAround(
  { cron, timezone, gap, fold }: Rule,
  from: number,
  to: number,
  work?: Work,
): readonly Stretch[] {
  const auto = cron.isPattern ? "both" : "first";
  const span = [from - OFFSETS_SPAN_MS, to + OFFSETS_SPAN_MS] as const;
  const stretches = stretchesBetween(timezone, span, gap, fold === "auto" ? auto : fold);
  if (work !== undefined) charge(work, stretches.length > 1 ? workOf.clockChange : workOf.calendarLook);
  return stretches;
}

/** The date from which an occurrence at this local time is moved over holidays; null if it is not moved. */
export function movedFrom({ cron, holidays }: Rule, local: string): string | null {
  const from = holidays === undefined ? null : dayMovedFrom(cron, Date.parse(local.slice(0, 10)) / DAY_MS, holidays);
  return from === null ? null : new Date(from * DAY_MS).toISOString().slice(0, 10);
}

/** The first occurrence after `after` (exclusive) up to `to` (inclusive). */
function firstOf(
  { cron, holidays }: Rule,
  stretches: readonly Stretch[],
  after: number,
  to: number,
): Occurrence | null {
  let first: Occurrence | null = null;
  for (const stretch of stretches) {
    const { from, before, offset } = stretch;
    const wall = firstWall(cron, Math.max(from, after + 1 + offset), Math.min(before, to + 1 + offset), holidays);
    if (wall !== null && (first === null || wall - offset < first.at)) first = occurrence(wall, stretch);
  }
  return first;
}

/** The last occurrence from `from` (inclusive) to `to` (exclusive). */
function lastOf({ cron, holidays }: Rule, stretches: readonly Stretch[], from: number, to: number): Occurrence | null {
  let last: Occurrence | null = null;
  for (const stretch of stretches) {
    const { from: start, before, offset } = stretch;
    const wall = lastWall(cron, Math.max(start, from + offset), Math.min(before, to + offset), holidays);
    if (wall !== null && (last === null || wall - offset > last.at)) last = occurrence(wall, stretch);
  }
  return last;
}

function occurrence(wall: number, { offset, shown, dst }: Stretch): Occurrence {
  const at = wall - offset;
  return { at, local: new Date(at + shown).toISOString().slice(0, 19), utcOffset: offsetText(shown), dst };
}

/** The cron expression of a schedule. Timers store this text, and users see it. */
export function cronOf(schedule: Schedule): string {
  return typeof schedule === "string" ? schedule : schedule.cron;
}

/** The next occurrence strictly after the instant; null if there is none. */
export function nextOf(schedule: Schedule, place: ZoneOrPlace, after: number, work?: Work): Read<number | null> {
  return withParsedRule(schedule, place, (rule) => nextOccurrence(rule, after, work)?.at ?? null);
}

/**
 * Finds what to run after occurrences were missed. `due`: the instant of the oldest missed one. Returns the newest
 * occurrence up to `now`, whose run replaces all missed ones. Also returns the next occurrence, which is after both
 * `due` and `now`.
 */
export function catchUp(
  schedule: Schedule,
  place: ZoneOrPlace,
  [due, now]: readonly [number, number],
  work?: Work,
): Read<{ readonly newest: number; readonly next: number | null }> {
  return withParsedRule(schedule, place, (rule) => {
    const newest = previousOccurrence(rule, now + 1, work)?.at ?? due;
    const next = nextOccurrence(rule, Math.max(due, now), work)?.at ?? null;
    return { newest: Math.max(due, newest), next };
  });
}

/** The reason why a schedule is invalid; null if the schedule is valid. */
export function scheduleFault(schedule: Schedule, timezone: string): Fault | null {
  const first = nextOf(schedule, timezone, 0);
  if (!first.ok) return first;
  if (first.value !== null) return null;
  return refuse(
    "never_due",
    `the cron expression ${cronOf(schedule)} never fires in the time zone ${timezone}`,
    'This local time is always skipped when clocks go forward. Set "gap" of the schedule to "shift".',
  );
}

/** The zone of a schedule, with the dates of the calendars that the schedule may name. */
export type ZoneOrPlace = string | { readonly timezone: string; readonly calendars: Calendars };

function withParsedRule<Value>(schedule: Schedule, place: ZoneOrPlace, judge: (rule: Rule) => Value): Read<Value> {
  const parsed = parseCron(cronOf(schedule));
  if (!parsed.ok) return parsed;
  const { timezone, calendars } = typeof place === "string" ? { timezone: place, calendars: {} } : place;
  const { gap = "shift", fold = "auto", holidays } = typeof schedule === "string" ? {} : schedule;
  const rule = { cron: parsed.cron, timezone, gap, fold };
  try {
    const over = holidays === undefined ? rule : { ...rule, holidays: holidaysOf(calendars, holidays) };
    return { ok: true, value: judge(over) };
  } catch (thrown) {
    const unknown = { code: "time_zone_unknown", message: `the time zone ${timezone} does not exist` } as const;
    const { code, message } = failureOf(thrown, unknown);
    return refuse(code, message, "Use an IANA time zone such as Europe/Zurich.");
  }
}
