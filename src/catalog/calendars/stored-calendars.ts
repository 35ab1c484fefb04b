// Reads calendars by name, and records which definitions name them. `named.ts` stores, finds and deletes calendars.
import { and, inArray, sql } from "drizzle-orm";
import type { Db } from "../db.ts";
import { live, type Named } from "../named.ts";
import { resolvedVersion } from "../publications/name-resolution.ts";
import { calendars, calendarUses } from "../tables/calendars.ts";

export type StoredCalendar = typeof calendars.$inferSelect;
export const calendarRows: Named<StoredCalendar> = calendars;
/** The current version of a definition, which has dates of the calendar. */
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

/** Lists the definitions whose current version names the calendar, by name. */
export async function listCalendarUses(
  db: Db,
  tenant: string,
  calendar: string,
  limit: number,
): Promise<readonly CalendarUse[]> {
  return db.all<CalendarUse>(sql`
    SELECT d.name AS definition, d.version AS version FROM ${calendarUses} u
      JOIN definitions d ON d.tenant = u.tenant AND d.name = u.definition
        AND d.version = ${resolvedVersion(sql`u.tenant`, sql`u.definition`)}
    WHERE u.tenant = ${tenant} AND u.calendar = ${calendar} AND d.body -> ${`$.calendars."${calendar}"`} IS NOT NULL
    ORDER BY u.definition LIMIT ${limit}`);
}
