// Calendars: a tenant's named lists of dates, such as public holidays.
import { z } from "zod";
import { presentCalendar } from "#wire/calendars/present.ts";
import * as shape from "#wire/calendars/shape.ts";
import * as query from "#wire/query.ts";
import { calendarNoun, calendarTag, listCalendars, putCalendar } from "#services/calendars/calendars.ts";
import { deleteNamed } from "#services/named/delete-named.ts";
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
      "The new dates apply to definitions that are published later. `usedBy` lists the definitions that keep the earlier dates.",
    body: shape.putCalendarBody,
    run: putCalendar,
    answer: shape.putCalendarView,
    present: (changed) => ({ ...presentCalendar(changed), usedBy: (changed.usedBy ?? []).map((use) => ({ ...use })) }),
  },
  remove: {
    id: "deleteCalendar",
    summary: "Delete a calendar",
    description: "Stored definitions keep its dates. A definition that names it cannot be published again.",
    run: (deps, caller, input) => deleteNamed(deps, caller, calendarNoun, input),
    ...view,
  },
});
