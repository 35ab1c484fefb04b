// Schedules of definitions: a cron expression, or an object with settings for gaps and folds.
import { describe, expect, test } from "vitest";
import { catchUp, cronOf, nextOf, scheduleFault } from "#kernel/calendar/occurrences.ts";
import { openWork } from "#kernel/computing/work.ts";
import type { Schedule } from "#schema/definition/schedule.ts";
import { naming } from "#test/support/matchers/naming.ts";
import type { CalendarCode } from "#kernel/calendar/cron-field.ts";

const zurich = "Europe/Zurich"; // in 2026: 02:00 to 03:00 is missing on March 29, and happens twice on October 25
const at = (text: string): number => Date.parse(text);
const iso = (read: ReturnType<typeof nextOf>): string | null => {
  if (!read.ok) throw new Error(read.message);
  return read.value === null ? null : new Date(read.value).toISOString();
};

describe("the next occurrence", () => {
  test.each<[Schedule, string, string, string | null]>([
    // schedule           zone    strictly after                    next
    ["0 9 * * *", "UTC", "2026-03-28T08:59:59.500Z", "2026-03-28T09:00:00.000Z"],
    ["0 9 * * *", "UTC", "2026-03-28T09:00:00.000Z", "2026-03-29T09:00:00.000Z"],
    ["0 9 * * *", "UTC", "2026-03-28T09:00:00.500Z", "2026-03-29T09:00:00.000Z"],
    ["0 9 * * *", zurich, "2026-03-28T08:00:00.000Z", "2026-03-29T07:00:00.000Z"],
    ["30 2 * * *", zurich, "2026-03-28T12:00:00.000Z", "2026-03-29T01:30:00.000Z"],
    [{ cron: "30 2 * * *" }, zurich, "2026-03-28T12:00:00.000Z", "2026-03-29T01:30:00.000Z"],
    [{ cron: "30 2 * * *", gap: "shift" }, zurich, "2026-03-28T12:00:00.000Z", "2026-03-29T01:30:00.000Z"],
    [{ cron: "30 2 * * *", gap: "skip" }, zurich, "2026-03-28T12:00:00.000Z", "2026-03-30T00:30:00.000Z"],
    ["30 2 * * *", zurich, "2026-10-24T12:00:00.000Z", "2026-10-25T00:30:00.000Z"],
    ["30 2 * * *", zurich, "2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
    [{ cron: "30 2 * * *", fold: "last" }, zurich, "2026-10-24T12:00:00.000Z", "2026-10-25T01:30:00.000Z"],
    [{ cron: "30 2 * * *", fold: "both" }, zurich, "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"],
    [{ cron: "*/15 * * * *", fold: "first" }, zurich, "2026-10-25T00:45:00.000Z", "2026-10-25T02:00:00.000Z"],
    ["0 0 0 1 1 * 2020", "UTC", "2026-03-28T10:00:00.000Z", null],
  ])("%j in %s after %s", (schedule, timezone, after, next) => {
    expect(iso(nextOf(schedule, timezone, at(after)))).toBe(next);
  });
});

describe("what has come due since one was armed: the newest, and the next", () => {
  test.each<[Schedule, string, string, string, string | null]>([
    ["0 8 * * *", "2026-01-05T08:00", "2026-01-05T08:00", "2026-01-05T08:00", "2026-01-06T08:00"],
    ["0 8 * * *", "2026-01-05T08:00", "2026-01-06T07:59", "2026-01-05T08:00", "2026-01-06T08:00"],
    ["0 8 * * *", "2026-01-05T08:00", "2026-01-06T08:00", "2026-01-06T08:00", "2026-01-07T08:00"],
    ["0 8 * * *", "2026-01-05T08:00", "2026-01-09T23:00", "2026-01-09T08:00", "2026-01-10T08:00"],
    ["*/2 * * * *", "2026-01-05T08:00", "2027-01-05T08:01", "2027-01-05T08:00", "2027-01-05T08:02"],
    ["0 0 29 2 *", "2024-02-29T00:00", "2027-12-31T00:00", "2024-02-29T00:00", "2028-02-29T00:00"],
    ["0 0 0 1 1 * 2027", "2027-01-01T00:00", "2027-05-01T00:00", "2027-01-01T00:00", null],
    // Timers armed under rules for the zone, or for gaps, that have changed since.
    ["0 8 * * *", "2026-01-05T09:00", "2026-01-05T09:00", "2026-01-05T09:00", "2026-01-06T08:00"],
    ["0 8 * * *", "2026-01-06T09:00", "2026-01-05T09:00", "2026-01-06T09:00", "2026-01-07T08:00"],
    ["0 0 0 1 1 * 1971", "1970-06-01T00:00", "1970-06-02T00:00", "1970-06-01T00:00", "1971-01-01T00:00"],
  ])("%j: armed for %s, at %s", (schedule, due, now, newest, next) => {
    const read = catchUp(schedule, "UTC", [at(`${due}Z`), at(`${now}Z`)]);
    expect(read).toEqual({
      ok: true,
      value: { newest: at(`${newest}Z`), next: next === null ? null : at(`${next}Z`) },
    });
  });

  test("a year of minutes is not walked through", () => {
    const work = openWork();
    catchUp("* * * * *", zurich, [at("2026-01-05T08:00:00Z"), at("2027-01-05T08:00:30Z")], work);
    expect(work.used).toBeLessThanOrEqual(400);
  });
});

describe("a sound schedule has no fault, another one says what it is", () => {
  test.each<[Schedule, string, CalendarCode | null, ...string[]]>([
    ["0 9 * * MON-FRI", "UTC", null],
    ["*/10 * * * * *", zurich, null],
    [{ cron: "0 0 9 * * * 2026-2030", gap: "skip" }, zurich, null],
    ["0 0 30 2 *", "UTC", "never_due", "0 0 30 2 *"],
    [{ cron: "61 * * * *" }, "UTC", "out_of_range", "minute", "61"],
    ["0 9 * * *", "Mars/Base", "time_zone_unknown", "Mars/Base"],
    [{ cron: "0 30 2 29 3 * 2026", gap: "skip" }, zurich, "never_due", "0 30 2 29 3 * 2026", zurich],
  ])("%j in %s", (schedule, timezone, code, ...named) => {
    const fault = scheduleFault(schedule, timezone);
    if (code === null) expect(fault).toBeNull();
    else expect(fault).toMatchObject({ code, message: naming(...named) });
  });

  test("what is wrong with it is said by all who ask", () => {
    expect(nextOf("5/15 * * * *", "UTC", 0)).toMatchObject({ ok: false, code: "step_open", hint: naming("5-59/15") });
    expect(catchUp("0 9 * * *", "Mars/Base", [0, 1])).toMatchObject({ ok: false, code: "time_zone_unknown" });
  });
});

test("the expression alone is what people read", () => {
  expect([cronOf("0 9 * * *"), cronOf({ cron: "0 9 * * *", gap: "skip" })]).toEqual(["0 9 * * *", "0 9 * * *"]);
});

test("where a step has nothing left to spend, it says so", () => {
  const work = { ...openWork(), left: 10 };
  expect(nextOf("0 9 * * *", "UTC", 0, work)).toMatchObject({
    ok: false,
    code: "work_exceeded",
    message: naming("STEP_WORK_MAX"),
  });
});
