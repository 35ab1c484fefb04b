// Names of calendars in a definition: where delays, schedules and windows name a calendar of the tenant.
import { holidays } from "#schema/definition/holidays.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { pointer } from "./machine/pointers.ts";

export type CalendarName = { readonly name: string; readonly where: string };

/** Objects whose fields are names that the author has chosen. */
const NAME_MAPS = new Set(["nodes", "states", "delays", "windows", "caps", "defaults"]);
/** Fields with values of the author. They never contain a delay, a schedule or a window. */
const VALUES = new Set([
  "config",
  "variables",
  "input",
  "events",
  "tests",
  "assign",
  "calendars",
  "timezone",
  "anchor",
]);

/** All names of calendars in the definition or action, each with its pointer. */
export function calendarNamesIn(part: Definition | { readonly type: string }): readonly CalendarName[] {
  return namesIn(part, "", false);
}

function namesIn(part: unknown, where: string, isNameMap: boolean): readonly CalendarName[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([field, value]: [string, unknown]): readonly CalendarName[] => {
    const at = pointer(where, field);
    if (isNameMap) return namesIn(value, at, false);
    if (VALUES.has(field)) return [];
    if (field === "except") return namesInList(value, at);
    const parsed = field === "holidays" ? holidays.safeParse(value) : null;
    if (parsed?.success === true) return [{ name: parsed.data.calendar, where: pointer(at, "calendar") }];
    return namesIn(value, at, NAME_MAPS.has(field));
  });
}

/** The names of a window's exceptions, which are one name or a list. */
function namesInList(value: unknown, at: string): readonly CalendarName[] {
  if (typeof value === "string") return [{ name: value, where: at }];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((name, n) => (typeof name === "string" ? [{ name, where: pointer(at, n) }] : []));
}
