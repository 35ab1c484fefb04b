// Calendars: presenter of the API's answers.
import type { CalendarSettings } from "#schema/configuration/calendar.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiCalendar } from "./shape.ts";

type View = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly settings: CalendarSettings;
};

export function presentCalendar({ id, name, createdAt, updatedAt, settings }: View): ApiCalendar {
  const { description, dates } = settings;
  return {
    id,
    name,
    description,
    dates: dates.map((each) => ({ ...each })),
    createdAt: toInstant(createdAt),
    updatedAt: toInstant(updatedAt),
  };
}
