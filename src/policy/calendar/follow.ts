// Calendars of recurring actions: which calendars a recurring action names, and the dates that it has of them. A
// recurring action follows its calendars, because it has no versions.
import { calendarNamesIn, type CalendarName } from "#kernel/programs/calendar-names.ts";
import type { Calendars } from "#schema/definition/holidays.ts";
import { CALENDAR_PAST_MS } from "#schema/limits/definition-sizes.ts";
import type { FollowedCalendars, RecurringSpec } from "#schema/recurring/spec.ts";

const noDates: Calendars = {};
const knownDates = new WeakMap<FollowedCalendars, Calendars>();

/** The dates by calendar. The same calendars give the same object, because the kernel caches days by it. */
export function datesOf(calendars: FollowedCalendars | undefined): Calendars {
  if (calendars === undefined) return noDates;
  const known = knownDates.get(calendars);
  if (known !== undefined) return known;
  const dates = Object.fromEntries(Object.entries(calendars).map(([name, followed]) => [name, followed.dates]));
  knownDates.set(calendars, dates);
  return dates;
}

/** The dates of the named calendars from two days before `now` on. A zone is at most a day behind or ahead of UTC. */
export function datesAhead(calendars: Calendars, names: readonly string[], now: number): Calendars {
  const from = new Date(now - CALENDAR_PAST_MS).toISOString().slice(0, 10);
  const named = names.map((name) => [name, (calendars[name] ?? []).filter((date) => date >= from)]);
  return Object.fromEntries(named) as Calendars; // Each entry is a name with its dates.
}

/** The calendars that the rule and the action's settings name, each with its pointer in the request. */
export function followedNames({ rule, work }: Pick<RecurringSpec, "rule" | "work">): readonly CalendarName[] {
  const { holidays } = rule;
  const ofRule = holidays === undefined ? [] : [{ name: holidays.calendar, where: "/holidays/calendar" }];
  if (work.kind === "definition" || work.settings === undefined) return ofRule;
  return [...ofRule, ...calendarNamesIn({ type: "", ...work.settings })];
}

/** The calendars that the recurring action still names; undefined if it names none. */
export function namedCalendars(spec: RecurringSpec): FollowedCalendars | undefined {
  const names = new Set(followedNames(spec).map(({ name }) => name));
  const named = Object.entries(spec.calendars ?? {}).filter(([name]) => names.has(name));
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** The calendars with the dates that are newer than those of the recurring action; null if none are newer. */
export function newerCalendars(
  before: FollowedCalendars | undefined,
  changed: FollowedCalendars,
): FollowedCalendars | null {
  const newer = Object.entries(changed).filter(([name, { since }]) => since > (before?.[name]?.since ?? Infinity));
  return newer.length === 0 ? null : { ...before, ...Object.fromEntries(newer) };
}

/** Returns whether the dates that the rule excludes are the same. */
export function hasSameHolidays(one: RecurringSpec, other: RecurringSpec): boolean {
  const [mine, others] = [one, other].map(({ rule, calendars }) => {
    const name = rule.holidays?.calendar;
    return name === undefined ? "" : (calendars?.[name]?.dates ?? []).join(" ");
  });
  return mine === others;
}
