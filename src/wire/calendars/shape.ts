// Calendars: API shapes.
import { z } from "zod";
import { calendarName, plainDate } from "#schema/definition/holidays.ts";
import { anyObject, instant } from "#schema/values.ts";
import { putAnswer } from "../configuration/shape.ts";

const example = { dates: [{ date: "2026-12-25", name: "Christmas" }, "2026-12-26"] };

export const putCalendarBody = anyObject.meta({
  id: "PutCalendar",
  description: "`dates`, or instead `ics` (an iCalendar text with events of whole days), and a `description`.",
  examples: [example],
});

export const calendarView = z
  .object({
    id: z.string(),
    name: calendarName,
    description: z.string().nullable(),
    dates: z.array(z.object({ date: plainDate, name: z.string().nullable() })),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Calendar" });
export type ApiCalendar = z.infer<typeof calendarView>;

const calendarUser = z
  .union([
    z.object({
      definition: z.string(),
      version: z.number().int(),
      dates: z.literal("pinned").meta({ description: "The earlier dates, until the definition is published again." }),
    }),
    z.object({
      recurring: z.string().meta({ description: "The id of a recurring action." }),
      name: z.string().nullable(),
      dates: z
        .enum(["followed", "pending"])
        .meta({ description: "followed: the new dates. pending: the new dates follow within minutes." }),
    }),
  ])
  .meta({ id: "CalendarUser" });

export const putCalendarView = putAnswer(
  calendarView.extend({
    usedBy: z
      .array(calendarUser)
      .meta({
        description: "If the calendar was changed: its users, at most 100 definitions and 100 recurring actions.",
      }),
  }),
  "PutCalendarAnswer",
);
export type ApiPutCalendar = z.infer<typeof putCalendarView>;

export const calendarRefText = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "A calendar's name or id.", examples: ["ch"] });
