// Reads calendars by name, and records which definitions name them. `named.ts` stores, finds and deletes calendars.
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Db } from "../db.ts";
import { live, type Named } from "../named.ts";
import { calendars, calendarUses } from "../tables/calendars.ts";

export type StoredCalendar = typeof calendars.$inferSelect;
export const calendarRows: Named<StoredCalendar> = calendars;
export type CalendarUse = { readonly definition: string; readonly version: number };

export async function findCalendars(
  db: Db,
  tenant: string,
  names: readonly string[],
): Promise<readonly StoredCalendar[]> {
  return db
    .select()
    .from(calendars)
    .where(and(live(calendars, tenant), inArray(calendars.name, [...names])));
}

/** Builds the statement that records the version of a definition that has the dates of the calendars. */
export function recordCalendarUses(
  db: Db,
  tenant: string,
  names: readonly string[],
  { definition, version }: CalendarUse,
) {
  return db
    .insert(calendarUses)
    .values(names.map((calendar) => ({ tenant, calendar, definition, version })))
    .onConflictDoUpdate({
      target: [calendarUses.tenant, calendarUses.calendar, calendarUses.definition],
      set: { version },
    });
}

/** Lists definitions that name a calendar, by name. */
export async function listCalendarUses(
  db: Db,
  tenant: string,
  calendar: string,
  limit: number,
): Promise<readonly CalendarUse[]> {
  return db
    .select({ definition: calendarUses.definition, version: calendarUses.version })
    .from(calendarUses)
    .where(and(eq(calendarUses.tenant, tenant), eq(calendarUses.calendar, calendar)))
    .orderBy(asc(calendarUses.definition))
    .limit(limit);
}
