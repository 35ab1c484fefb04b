// Calendar changes for recurring actions: sends the new dates of a calendar to the recurring actions that name it. A
// calendar stays open until all of them have its dates, so the sweep repeats what a request could not send.
import { closeCalendar, openCalendars, staleFollowers, type Follower } from "#catalog/calendars/followed-calendars.ts";
import type { StoredCalendar } from "#catalog/calendars/stored-calendars.ts";
import { FOLLOWERS_AT_ONCE, FOLLOWERS_SENT_MAX } from "#schema/limits/definition-sizes.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { sendDates } from "../recurring/recurring-dates.ts";
import { followedOf } from "./pin-calendars.ts";

export type CalendarMaintenance = { readonly datesSent: number };

/** Sends the dates to at most `limit` recurring actions. Closes the calendar if all have them. Returns how many got them. */
export async function followCalendar(deps: Deps, row: StoredCalendar, limit: number): Promise<number> {
  const { tenant, name, updatedAt } = row;
  const caller: TenantCaller = { actor: { kind: "engine", id: row.id }, tenant, scopes: [] };
  const dates = { [name]: followedOf(row) };
  const stale = await staleFollowers(deps.db, { tenant, name }, updatedAt, limit);
  let sent = 0;
  for (let index = 0; index < stale.length; index += FOLLOWERS_AT_ONCE) {
    const chunk = stale.slice(index, index + FOLLOWERS_AT_ONCE);
    const answers = await Promise.all(chunk.map(({ id }) => trySend(deps, caller, id, dates)));
    sent += answers.filter(Boolean).length;
  }
  await closeCalendar(deps.db, row);
  return sent;
}

/** A recurring action that cannot be reached must not stop the others. */
async function trySend(deps: Deps, caller: TenantCaller, id: Follower["id"], dates: Parameters<typeof sendDates>[3]) {
  try {
    return await sendDates(deps, caller, id, dates);
  } catch (cause) {
    const about = { tenant: caller.tenant, recurring: id, message: String(cause) };
    deps.log({ level: "error", event: "recurring.dates_not_sent", ...about });
    return false;
  }
}

/** Sends the dates of all open calendars. Each calendar gets an equal share of the sweep. */
export async function maintainCalendars(deps: Deps): Promise<CalendarMaintenance> {
  const open = await openCalendars(deps.db, FOLLOWERS_SENT_MAX);
  let datesSent = 0;
  for (const row of open) datesSent += await followCalendar(deps, row, Math.ceil(FOLLOWERS_SENT_MAX / open.length));
  return { datesSent };
}
