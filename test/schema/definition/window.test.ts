import { describe, expect, test } from "vitest";
import { window } from "#schema/definition/window.ts";
import { naming } from "#test/support/matchers/naming.ts";

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

  test.each<[string, unknown, path: string, values: readonly string[]]>([
    ["a day that is none", { days: "MO", ...nine }, "days", ["MON-FRI", "SAT,SUN"]],
    ["a day of a month", { days: "FRI#2", ...nine }, "days", ["MON-FRI", "SAT,SUN"]],
    ["nothing but days", { days: "MON" }, "", ["from", "to", "hours"]],
    ["no end", { from: "09:00" }, "", ["from", "to", "hours"]],
    ["ranges and times", { hours: [nine], from: "09:00" }, "hours", ["days", "from", "to"]],
    ["ranges and days", { hours: [nine], days: "MON" }, "hours", ["days", "from", "to"]],
    ["times that are none", { from: "9:00", to: "20:00" }, "from", ["09:00"]],
    ["an opening at the end of the day", { from: "24:00", to: "20:00" }, "from", ["09:00"]],
    ["seconds", { from: "09:00", to: "20:00:30" }, "to", ["20:00", "24:00"]],
    ["no length", { from: "09:00", to: "09:00" }, "to", ["00:00", "24:00"]],
    ["a range of no length", { hours: [{ from: "09:00", to: "09:00" }] }, "hours.0.to", ["00:00", "24:00"]],
    ["a spread of nothing", { ...nine, spread: 0 }, "spread", ["PT15M"]],
    ["a spread of days", { ...nine, spread: "P2D" }, "spread", ["PT15M"]],
  ])("may not say: %s", (_, one, path, values) => {
    const issues = window.safeParse(one).error?.issues.map((issue) => [issue.path.join("."), issue.message]);
    expect(issues).toEqual([[path, naming(...values)]]);
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
