// Calendars: a tenant's named lists of dates, such as public holidays.
import { z } from "zod";
import { presentCalendar } from "#wire/calendars/present.ts";
import * as shape from "#wire/calendars/shape.ts";
import * as query from "#wire/query.ts";
import {
  calendarNoun,
  calendarTag,
  deleteCalendar,
  listCalendars,
  putCalendar,
  type ChangedCalendar,
} from "#services/calendars/calendars.ts";
import { findNamed } from "#services/named/find-named.ts";
import { crudRoutes } from "./http/crud.ts";

const view = { answer: shape.calendarView, present: presentCalendar };

export const calendars = crudRoutes({
  tag: "Calendars",
  path: "/v1/calendars/{ref}",
  params: z.object({ ref: shape.calendarRefText }),
  list: { id: "listCalendars", summary: "List calendars", query: query.pageQuery, run: listCalendars, ...view },
  get: {
    id: "getCalendar",
    summary: "Get a calendar",
    run: (deps, caller, { ref }) => findNamed(deps, caller, calendarNoun, ref),
    tag: calendarTag,
    ...view,
  },
  put: {
    id: "putCalendar",
    summary: "Create or replace a calendar",
    description:
      "The body is JSON, or an iCalendar text (`text/calendar`). Recurring actions get the new dates. Definitions keep the earlier dates until they are published again. `usedBy` lists both.",
    body: shape.putCalendarBody,
    run: putCalendar,
    answer: shape.putCalendarView,
    present: (changed: ChangedCalendar) => ({
      ...presentCalendar(changed),
      usedBy: (changed.usedBy ?? []).map((use) => ({ ...use })),
    }),
  },
  remove: {
    id: "deleteCalendar",
    summary: "Delete a calendar",
    description: "Refused (`in_use`) while a published definition or a recurring action names the calendar.",
    run: deleteCalendar,
    ...view,
  },
});
