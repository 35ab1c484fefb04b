// Calendar pinning: stores the dates of the calendars that a definition names in the definition. So an execution reads no
// catalog, and a definition keeps its dates until it is published again.
import {
  calendarRows,
  findCalendars,
  recordCalendarUses,
  type StoredCalendar,
} from "#catalog/calendars/stored-calendars.ts";
import { listNamed } from "#catalog/named.ts";
import { calendarNamesIn, type CalendarName } from "#kernel/programs/calendar-names.ts";
import { warning } from "#kernel/verify/finding.ts";
import { datesAhead, datesOf } from "#policy/calendar/follow.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Calendars } from "#schema/definition/holidays.ts";
import type { WrittenAction } from "#schema/definition/standalone.ts";
import type { FollowedCalendar, FollowedCalendars } from "#schema/recurring/spec.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/api-requests.ts";
import { CALENDAR_WARNED_MS, CALENDARS_NAMED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding, Warning } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Deps } from "../deps.ts";

export type PinnedCalendars<Defined> = { readonly definition: Defined; readonly findings: readonly Finding[] };

/** Calendars by name that are not stored yet, and count as stored. */
export type PendingCalendars = ReadonlyMap<string, readonly string[]>;

/** Returns the definition with the dates of its calendars. A definition that names none needs no catalog read. */
export async function pinCalendars<Defined extends Definition>(
  deps: Pick<Deps, "db">,
  tenant: string,
  definition: Defined,
  pending: PendingCalendars = new Map(),
): Promise<PinnedCalendars<Defined>> {
  const { calendars: _sent, ...written } = definition;
  const bare = written as unknown as Defined; // Only the optional field `calendars` is removed.
  const uses = calendarNamesIn(definition);
  if (uses.length === 0) return { definition: bare, findings: [] };
  const { calendars, findings } = await readCalendars(deps, tenant, uses, pending);
  if (calendars === null) return { definition: bare, findings };
  const dates = Object.entries(calendars).map(([name, followed]) => [name, [...followed.dates]]);
  return { definition: { ...bare, calendars: Object.fromEntries(dates) }, findings };
}

/** The dates of calendars, each with the time of its latest change. null if too many are named. */
export type ReadCalendars = { readonly calendars: FollowedCalendars | null; readonly findings: readonly Finding[] };

/** Reads the named calendars. An unknown calendar has no dates, and a finding. */
export async function readCalendars(
  deps: Pick<Deps, "db">,
  tenant: string,
  uses: readonly CalendarName[],
  pending: PendingCalendars = new Map(),
): Promise<ReadCalendars> {
  const names = [...new Set(uses.map(({ name }) => name))].toSorted();
  if (names.length > CALENDARS_NAMED_MAX) return { calendars: null, findings: [tooMany(names.length)] };
  const rows = await findCalendars(deps.db, tenant, names);
  const added = [...pending].map(([name, dates]) => [name, { since: 0, dates }] as const);
  const found = new Map([...rows.map((row) => [row.name, followedOf(row)] as const), ...added]);
  const unknown = uses.filter(({ name }) => !found.has(name));
  const calendars = names.map((name) => [name, found.get(name) ?? { since: 0, dates: [] }] as const);
  return {
    calendars: Object.fromEntries(calendars),
    findings: unknown.length === 0 ? [] : await unknownCalendars(deps, tenant, unknown),
  };
}

export function followedOf({ settings, updatedAt }: Pick<StoredCalendar, "settings" | "updatedAt">): FollowedCalendar {
  return { since: updatedAt, dates: settings.dates.map(({ date }) => date) };
}

function tooMany(count: number): Finding {
  const message = `${count} calendars are named; the limit is ${CALENDARS_NAMED_MAX}`;
  return { pointer: "", code: "limit_exceeded", message, hint: "Put the dates into fewer calendars." };
}

async function unknownCalendars(
  { db }: Pick<Deps, "db">,
  tenant: string,
  uses: readonly CalendarName[],
): Promise<readonly Finding[]> {
  const page = await listNamed(db, calendarRows, tenant, null, NAMES_COMPARED_MAX);
  const known = page.ok ? page.value.data.map(({ name }) => name) : [];
  return uses.map(({ name, where }) => {
    const near = didYouMean(name, known);
    const hint = near === null ? `Create the calendar first: PUT /v1/calendars/${name}.` : `Did you mean "${near}"?`;
    return { pointer: where, code: "unknown_calendar", message: `there is no calendar "${name}"`, hint };
  });
}

/**
 * Returns the dates for a standalone action, as the part of its start; empty if the action names no calendar. Past dates
 * are left out. `known`: the dates that the caller has. Without them, the catalog is read.
 */
export async function datesOfAction(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  action: WrittenAction,
  known: Calendars | undefined,
): Promise<{ readonly part: { readonly calendars?: Calendars }; readonly findings: readonly Finding[] }> {
  const uses = calendarNamesIn(action);
  if (uses.length === 0) return { part: {}, findings: [] };
  const names = uses.map(({ name }) => name);
  if (known !== undefined) return { part: { calendars: datesAhead(known, names, deps.now()) }, findings: [] };
  const { calendars, findings } = await readCalendars(deps, tenant, uses);
  return { part: { calendars: datesAhead(datesOf(calendars ?? {}), names, deps.now()) }, findings };
}

/** Warns about calendars whose last date is past or near, because they probably lack the dates of the next year. */
export async function calendarWarnings(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  definition: Definition,
): Promise<readonly Warning[]> {
  const uses = calendarNamesIn(definition);
  if (uses.length === 0) return [];
  const { definition: pinned } = await pinCalendars(deps, tenant, definition);
  return uses.flatMap(({ name, where }) => {
    const last = pinned.calendars?.[name]?.at(-1);
    if (last === undefined || Date.parse(last) > deps.now() + CALENDAR_WARNED_MS) return [];
    const message = `the last date of the calendar "${name}" is ${last}`;
    const fix = `Add later dates: PUT /v1/calendars/${name}. Then publish the definition again.`;
    return [warning(where, "calendar_ends", message, { fix })];
  });
}

/** The statement that records the calendars of a version. Empty if the version names none. */
export function calendarUsesOf(
  { db }: Pick<Deps, "db">,
  {
    tenant,
    name,
    version,
    body,
  }: { readonly tenant: string; readonly name: string; readonly version: number; readonly body: string },
) {
  const { calendars = {} } = JSON.parse(body) as Definition; // The stored body passed the checks of a definition.
  const names = Object.keys(calendars);
  return names.length === 0 ? [] : [recordCalendarUses(db, tenant, names, { definition: name, version })];
}
