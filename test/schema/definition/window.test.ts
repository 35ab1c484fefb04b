import { describe, expect, test } from "vitest";
import { window } from "#schema/definition/window.ts";

const nine = { from: "09:00", to: "20:00" };

describe("a window", () => {
  test.each<[string, unknown]>([
    ["a whole one", { days: "MON-SAT", ...nine, spread: "PT15M", timezone: "Europe/Zurich" }],
    ["without days it is every day's", nine],
    ["in small letters", { days: "mon-fri,sun", ...nine }],
    ["over the end of the week", { days: "FRI-MON", ...nine }],
    ["over midnight", { from: "22:00", to: "06:00" }],
    ["the whole day", { from: "00:00", to: "24:00" }],
    ["a zone by rule", { ...nine, timezone: { var: "execution.variables.timezone" } }],
    ["several ranges", { hours: [{ days: "MON", ...nine }, nine], spread: 60_000 }],
  ])("may say: %s", (_, one) => {
    expect(window.safeParse(one)).toMatchObject({ success: true });
  });

  test.each<[string, unknown, string]>([
    ["a day that is none", { days: "MO", ...nine }, "days of the week such as MON-FRI, or SAT,SUN"],
    ["a day of a month", { days: "FRI#2", ...nine }, "days of the week such as MON-FRI, or SAT,SUN"],
    ["nothing but days", { days: "MON" }, "either from and to, or hours"],
    ["no end", { from: "09:00" }, "either from and to, or hours"],
    [
      "ranges and times",
      { hours: [nine], from: "09:00" },
      "hours has the days and times: leave out days, from and to beside it",
    ],
    [
      "ranges and days",
      { hours: [nine], days: "MON" },
      "hours has the days and times: leave out days, from and to beside it",
    ],
    ["times that are none", { from: "9:00", to: "20:00" }, "a time of day such as 09:00"],
    ["an opening at the end of the day", { from: "24:00", to: "20:00" }, "a time of day such as 09:00"],
    ["seconds", { from: "09:00", to: "20:00:30" }, "a time of day such as 20:00, or 24:00"],
    ["no length", { from: "09:00", to: "09:00" }, "it opens when it closes: the whole day is 00:00 to 24:00"],
    [
      "a range of no length",
      { hours: [{ from: "09:00", to: "09:00" }] },
      "it opens when it closes: the whole day is 00:00 to 24:00",
    ],
    ["a spread of nothing", { ...nine, spread: 0 }, "a length of time above nothing and up to a day, such as PT15M"],
    ["a spread of days", { ...nine, spread: "P2D" }, "a length of time above nothing and up to a day, such as PT15M"],
  ])("may not say: %s", (_, one, message) => {
    expect(window.safeParse(one).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test.each<[string, unknown]>([
    ["a zone that is none", { ...nine, timezone: "Mars/Base" }],
    ["no ranges", { hours: [] }],
    ["more ranges than two a day", { hours: Array.from({ length: 15 }, () => nine) }],
    ["quiet hours", { ...nine, quiet: true }],
  ])("may not say either: %s", (_, one) => {
    expect(window.safeParse(one).success).toBe(false);
  });
});
