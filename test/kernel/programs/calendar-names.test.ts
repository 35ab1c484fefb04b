// The names of calendars in definitions, with their pointers.
import { expect, test } from "vitest";
import { calendarNamesIn } from "#kernel/programs/calendar-names.ts";
import type { Definition } from "#schema/definition/definition.ts";

const over = (calendar: string) => ({ calendar, move: "after" });
const found = (part: object) => calendarNamesIn(part as Definition).map(({ name, where }) => `${name} ${where}`);

test.each<[string, object, readonly string[]]>([
  ["a named delay", { delays: { due: { holidays: over("ch") } } }, ["ch /delays/due/holidays/calendar"]],
  ["a delay named holidays", { delays: { holidays: { offset: "P1D" } } }, []],
  [
    "an action's delay and schedule",
    { actions: [{ delay: { holidays: over("ch") }, schedule: { cron: "@daily", holidays: over("de") } }] },
    ["ch /actions/0/delay/holidays/calendar", "de /actions/0/schedule/holidays/calendar"],
  ],
  ["a window", { windows: { office: { except: "ch" } } }, ["ch /windows/office/except"]],
  [
    "a window with several",
    { nodes: { n: { window: { except: ["ch", "de"] } } } },
    ["ch /nodes/n/window/except/0", "de /nodes/n/window/except/1"],
  ],
  [
    "a node named config",
    { nodes: { config: { until: { holidays: over("ch") } } } },
    ["ch /nodes/config/until/holidays/calendar"],
  ],
  [
    "what is not understood",
    { delays: { due: { holidays: "ch" } }, windows: { a: { except: 7 }, b: { except: [7] } } },
    [],
  ],
  [
    "values of the author",
    { actions: [{ config: { holidays: over("ch"), except: "ch" } }], variables: { except: "ch" } },
    [],
  ],
])("%s", (_what, part, expected) => {
  expect(found(part)).toEqual(expected);
});
