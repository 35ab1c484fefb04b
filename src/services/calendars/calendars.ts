// Calendars: creates, finds, lists, replaces and deletes them. A change applies to definitions that are stored later.
import { calendarRows, type StoredCalendar } from "#catalog/calendars/stored-calendars.ts";
import { readIcalendar } from "#policy/calendar/read-icalendar.ts";
import {
  calendar,
  type CalendarDate,
  type CalendarSettings,
  type WrittenCalendar,
} from "#schema/configuration/calendar.ts";
import type { JsonObject } from "#schema/json.ts";
import { FOLLOWERS_SENT_AT_ONCE_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { changeNamed } from "../named/change-named.ts";
import { createNamed } from "../named/create-named.ts";
import { deleteNamed, type DeleteNamed } from "../named/delete-named.ts";
import { findByRef, listOf, type NamedNoun, type NamedView } from "../named/named-noun.ts";
import { putNamed, tagOf, type NamedBodies, type PutNamed, type WriteOutcome } from "../named/put-named.ts";

import { inUse, usersOf, type CalendarUser } from "./calendar-users.ts";
import { followCalendar } from "./follow-calendars.ts";

export type CalendarView = NamedView<StoredCalendar>;

export const calendarNoun: NamedNoun<StoredCalendar> = {
  word: "calendar",
  one: "a calendar",
  verb: "calendar",
  idPrefix: "cal",
  rows: calendarRows,
  find: findByRef(calendarRows, "cal"),
  quota: "calendars",
  evict: () => undefined, // No isolate caches calendars.
};

type NewCalendar = { readonly body: CalendarBody; readonly dryRun: boolean };

async function createCalendar(deps: Deps, caller: TenantCaller, input: NewCalendar): Promise<Result<CalendarView>> {
  const settings = settingsOf(input.body);
  const complete = (row: Omit<StoredCalendar, "settings" | "followedAt">): StoredCalendar => ({
    ...row,
    settings,
    followedAt: null,
  });
  return createNamed(deps, caller, calendarNoun, { name: input.body.name, complete, dryRun: input.dryRun });
}

async function replaceCalendar(
  deps: Deps,
  caller: TenantCaller,
  row: StoredCalendar,
  { body, reason, dryRun }: NewCalendar & { readonly reason: string | null },
): Promise<Result<CalendarView>> {
  const change = { name: body.name, settings: settingsOf(body) };
  const changed = await changeNamed(deps, caller, calendarNoun, { row, change, reason, dryRun });
  if (changed.ok && !dryRun) {
    const { updatedAt } = changed.value;
    await followCalendar(deps, { ...row, ...change, updatedAt }, FOLLOWERS_SENT_AT_ONCE_MAX);
  }
  return changed;
}

/** The body with its dates in order, each once. The dates of an iCalendar text are read, and the text is not stored. */
const calendarBody = calendar.transform(({ ics, dates = [], ...body }, context): CalendarBody => {
  const read = ics === undefined ? null : readIcalendar(ics);
  if (read === null) return { ...body, dates: inOrder(dates) };
  if (read.ok) return { ...body, dates: inOrder(read.dates.map(dateAsWritten)) };
  context.addIssue({ code: "custom", path: ["ics"], message: `line ${read.line}: ${read.message}` });
  return { ...body, dates: [] };
});
type WrittenDate = NonNullable<WrittenCalendar["dates"]>[number];
type CalendarBody = Pick<WrittenCalendar, "name" | "description"> & { readonly dates: readonly WrittenDate[] };

function inOrder(dates: readonly WrittenDate[]): readonly WrittenDate[] {
  const byDate = new Map(dates.map((each) => [dateOf(each).date, dateAsWritten(dateOf(each))]));
  return [...byDate].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function dateOf(written: WrittenDate): CalendarDate {
  return typeof written === "string"
    ? { date: written, name: null }
    : { date: written.date, name: written.name ?? null };
}

/** A date without a name is a text. */
function dateAsWritten({ date, name }: CalendarDate): WrittenDate {
  return name === null ? date : { date, name };
}

function settingsOf({ description = "", dates }: CalendarBody): CalendarSettings {
  return { description: description === "" ? null : description, dates: dates.map(dateOf) };
}

/** The dates of a body that is not stored yet. */
export function pendingDates(body: JsonObject): readonly string[] {
  const parsed = calendarBody.safeParse(body);
  return parsed.success ? settingsOf(parsed.data).dates.map(({ date }) => date) : [];
}

function calendarAsWritten({ name, settings: { description, dates } }: CalendarView): JsonObject {
  const written = { name, ...(description === null ? {} : { description }), dates: dates.map(dateAsWritten) };
  return written as JsonObject; // The stored settings are parsed JSON.
}

export const calendarBodies: NamedBodies<StoredCalendar, CalendarBody> = {
  noun: calendarNoun,
  schema: calendarBody,
  asWritten: calendarAsWritten,
  create: createCalendar,
  replace: replaceCalendar,
};

/** A changed calendar with its users. Definitions keep the earlier dates until they are published again. */
export type ChangedCalendar = CalendarView & { readonly usedBy?: readonly CalendarUser[] };

export async function putCalendar(
  deps: Deps,
  caller: TenantCaller,
  input: PutNamed,
): Promise<Result<WriteOutcome<ChangedCalendar>>> {
  const put = await putNamed(deps, caller, calendarBodies, input);
  if (!put.ok) return put;
  const { result, view, tag } = put.value;
  if (result !== "changed") return accept({ result, tag, view: { ...view, usedBy: [] } });
  const usedBy = await usersOf(deps, { tenant: caller.tenant, name: view.name }, view.updatedAt);
  return accept({ result, tag, view: { ...view, usedBy } });
}

/** Deletes a calendar that is not used. Its users would otherwise be refused at their next change. */
export async function deleteCalendar(
  deps: Deps,
  caller: TenantCaller,
  input: DeleteNamed,
): Promise<Result<ChangedCalendar>> {
  const row = await calendarNoun.find(deps.db, caller.tenant, input.ref);
  const users = row === null ? [] : await usersOf(deps, row, row.updatedAt);
  const [first] = users;
  if (first === undefined) return deleteNamed(deps, caller, calendarNoun, input);
  return refuse(inUse(row?.name ?? input.ref, users));
}

export const listCalendars = listOf(calendarRows);

export function calendarTag(view: CalendarView): Promise<string> {
  return tagOf(calendarAsWritten(view));
}
