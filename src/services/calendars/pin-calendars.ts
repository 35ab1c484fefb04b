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
import type { Definition } from "#schema/definition/definition.ts";
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
  const names = [...new Set(uses.map(({ name }) => name))].toSorted();
  if (names.length > CALENDARS_NAMED_MAX) return { definition: bare, findings: [tooMany(names.length)] };
  const rows = await findCalendars(deps.db, tenant, names);
  const found = new Map([...rows.map((row) => [row.name, datesOf(row)] as const), ...pending]);
  const unknown = uses.filter(({ name }) => !found.has(name));
  const calendars = Object.fromEntries(names.map((name) => [name, [...(found.get(name) ?? [])]]));
  return {
    definition: { ...bare, calendars },
    findings: unknown.length === 0 ? [] : await unknownCalendars(deps, tenant, unknown),
  };
}

function datesOf({ settings }: StoredCalendar): readonly string[] {
  return settings.dates.map(({ date }) => date);
}

function tooMany(count: number): Finding {
  const message = `the definition names ${count} calendars; the limit is ${CALENDARS_NAMED_MAX}`;
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
