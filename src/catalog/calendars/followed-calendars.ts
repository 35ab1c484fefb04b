// Followed calendars: which recurring actions name a calendar, and which of them have earlier dates. A calendar is open
// until all recurring actions that name it have its latest dates.
import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { RecurringRow } from "#schema/recurring/row.ts";
import type { Db } from "../db.ts";
import { calendars } from "../tables/calendars.ts";
import { recurring } from "../tables/recurring.ts";
import type { StoredCalendar } from "./stored-calendars.ts";

type CalendarRef = Pick<StoredCalendar, "tenant" | "name">;
/** A recurring action that names a calendar. `since`: the time of the dates that it has. `name`: null if it has none. */
export type Follower = { readonly id: string; readonly name: string | null; readonly since: number };

/** Lists the recurring actions that name the calendar, by id. */
export async function listFollowers(db: Db, ref: CalendarRef, limit: number): Promise<Follower[]> {
  return db.all<Follower>(sql`SELECT id, spec ->> '$.name' AS name, ${sinceOf(ref.name)} AS since FROM ${recurring}
    WHERE ${follows(ref)} ORDER BY id LIMIT ${limit}`);
}

/** Lists recurring actions whose dates of the calendar are older than `at`, by id. */
export async function staleFollowers(db: Db, ref: CalendarRef, at: number, limit: number): Promise<Follower[]> {
  return db.all<Follower>(sql`SELECT id, spec ->> '$.name' AS name, ${sinceOf(ref.name)} AS since FROM ${recurring}
    WHERE ${follows(ref)} AND ${sinceOf(ref.name)} < ${at} ORDER BY id LIMIT ${limit}`);
}

/** Lists open calendars of all tenants, the earliest change first. */
export async function openCalendars(db: Db, limit: number): Promise<readonly StoredCalendar[]> {
  return db
    .select()
    .from(calendars)
    .where(sql`followed_at IS NOT updated_at AND deleted_at IS NULL`)
    .orderBy(asc(calendars.updatedAt))
    .limit(limit);
}

/** Closes the calendar, unless it was changed since or a recurring action has earlier dates. */
export async function closeCalendar(db: Db, row: StoredCalendar): Promise<void> {
  const stale = sql`EXISTS (SELECT 1 FROM ${recurring} WHERE ${follows(row)} AND ${sinceOf(row.name)} < ${row.updatedAt})`;
  await db
    .update(calendars)
    .set({ followedAt: row.updatedAt })
    .where(
      and(
        eq(calendars.tenant, row.tenant),
        eq(calendars.id, row.id),
        eq(calendars.updatedAt, row.updatedAt),
        sql`NOT ${stale}`,
      ),
    );
}

/** Encodes the calendars that the rows name, for `reopenCalendars`; null if they name none. */
export function calendarUsesOfRecurring(rows: readonly RecurringRow[]): string | null {
  const uses = rows.flatMap(({ tenant, calendars: named }) =>
    Object.entries(named ?? {}).map(([name, since]) => ({ tenant, name, since })),
  );
  return uses.length === 0 ? null : JSON.stringify(uses);
}

/**
 * Opens closed calendars that are newer than the dates which a row has. The row may have been stored after the calendar
 * was closed.
 */
export const REOPEN_CALENDARS = `UPDATE calendars SET followed_at = NULL WHERE (tenant, id) IN (${closedEarly("?1")})`;

/** The same as `REOPEN_CALENDARS`, for a batch of drizzle. */
export function reopenCalendars(db: Db, uses: string) {
  const [before = "", after = ""] = closedEarly("?1").split("?1");
  const isClosed = sql`(tenant, id) IN (${sql.raw(before)}${uses}${sql.raw(after)})`;
  return db.update(calendars).set({ followedAt: null }).where(isClosed);
}

function closedEarly(uses: string): string {
  return `SELECT c.tenant, c.id FROM json_each(${uses}) j
    JOIN calendars c ON c.tenant = j.value ->> 'tenant' AND c.name = j.value ->> 'name' AND c.deleted_at IS NULL
    WHERE c.updated_at > j.value ->> 'since' AND c.followed_at IS c.updated_at`;
}

/** The partial index `recurring_calendars` has these conditions. */
function follows({ tenant, name }: CalendarRef): SQL {
  return sql`recurring.tenant = ${tenant} AND recurring.calendars IS NOT NULL AND recurring.deleted_at IS NULL
    AND ${sinceOf(name)} IS NOT NULL`;
}

function sinceOf(name: string): SQL {
  return sql`(recurring.calendars ->> ${`$."${name}"`})`;
}
