// Holidays in schedules, windows and delays: what a date of a calendar does.
import { describe, expect, test } from "vitest";
import { daysMovedTo, daysOf, dayInstead, type Holidays } from "#kernel/calendar/holidays.ts";
import { parseCron } from "#kernel/calendar/cron.ts";
import { catchUp, movedFrom, nextOf, scheduleFault } from "#kernel/calendar/occurrences.ts";
import { nextOpening, opensOn } from "#kernel/calendar/opening-hours.ts";
import { computeInstant, resolveDelay } from "#kernel/language/timing.ts";
import type { HolidayMove } from "#schema/definition/holidays.ts";
import type { NamedDelay } from "#schema/definition/timing.ts";

const calendars = { ch: ["2026-12-24", "2026-12-25", "2026-12-26", "2027-01-01"], empty: [] };
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16));
const utc = { timezone: "UTC", calendars };

function occurrences(cron: string, move: HolidayMove, from: string, count: number, place: object = utc) {
  const schedule = { cron, holidays: { calendar: "ch", move } };
  const found: (string | null)[] = [];
  for (let after = Date.parse(`${from}Z`), n = 0; n < count; n += 1) {
    const next = nextOf(schedule, place as typeof utc, after);
    found.push(next.ok ? iso(next.value) : next.code);
    after = next.ok ? Number(next.value) : after;
  }
  return found;
}

describe("a schedule", () => {
  test.each<[string, string, HolidayMove, readonly (string | null)[]]>([
    ["each day, skipped", "0 9 * * *", "skip", ["2026-12-23T09:00", "2026-12-27T09:00", "2026-12-28T09:00"]],
    [
      "each day, after: they become one",
      "0 9 * * *",
      "after",
      ["2026-12-23T09:00", "2026-12-27T09:00", "2026-12-28T09:00"],
    ],
    ["each day, before", "0 9 * * *", "before", ["2026-12-23T09:00", "2026-12-27T09:00", "2026-12-28T09:00"]],
    ["one day, after", "0 9 25 12 *", "after", ["2026-12-27T09:00", "2027-12-25T09:00"]],
    ["one day, before", "0 9 25 12 *", "before", ["2026-12-23T09:00", "2027-12-25T09:00"]],
    ["one day, skipped", "0 9 25 12 *", "skip", ["2027-12-25T09:00"]],
    ["two times of a day stay two", "0 9,17 25 12 *", "after", ["2026-12-27T09:00", "2026-12-27T17:00"]],
    ["over the end of a month, before", "0 9 1 1 *", "before", ["2026-12-31T09:00", "2028-01-01T09:00"]],
    ["a day that has one of its own", "0 9 25,27 12 *", "after", ["2026-12-27T09:00", "2027-12-25T09:00"]],
  ])("%s", (_what, cron, move, expected) => {
    expect(occurrences(cron, move, "2026-12-23T08:00", expected.length)).toEqual(expected);
  });

  test("keeps the local time of its zone, and catches up over holidays", () => {
    const zurich = { timezone: "Europe/Zurich", calendars: { ch: ["2026-03-29"] } };
    expect(occurrences("30 2 29 3 *", "before", "2026-03-01T00:00", 1, zurich)).toEqual(["2026-03-28T01:30"]);
    const schedule = { cron: "0 9 * * *", holidays: { calendar: "ch", move: "skip" as const } };
    const missed = catchUp(schedule, utc, [Date.parse("2026-12-20T09:00Z"), Date.parse("2026-12-26T12:00Z")]);
    expect(missed).toMatchObject({
      ok: true,
      value: { newest: Date.parse("2026-12-23T09:00Z"), next: Date.parse("2026-12-27T09:00Z") },
    });
  });

  test("without dates of its calendar has none, also for a name of Object", () => {
    const schedule = { cron: "0 9 25 12 *", holidays: { calendar: "constructor", move: "skip" as const } };
    expect(nextOf(schedule, utc, Date.parse("2026-12-01T00:00Z"))).toMatchObject({
      value: Date.parse("2026-12-25T09:00Z"),
    });
    expect(scheduleFault(schedule, "UTC")).toBeNull();
  });
});

describe("a day instead of a holiday", () => {
  const days = new Set(Array.from({ length: 40 }, (_, n) => n + 10));
  const on = (move: HolidayMove): Holidays => ({ days, move });
  const open = () => true;
  test.each<[number, HolidayMove, number | null]>([
    [10, "before", 9],
    [20, "before", 9],
    [40, "after", 50],
    [10, "after", null],
    [20, "skip", null],
  ])("of day %s, %s", (day, move, expected) => {
    expect(dayInstead(day, on(move), open)).toBe(expected);
  });

  test("is a day that is open, and gets only days within the limit", () => {
    expect(dayInstead(40, on("after"), (day) => day === 60)).toBe(60);
    expect([daysMovedTo(50, on("after")).length, daysMovedTo(9, on("before")).at(-1)]).toEqual([31, 40]);
    expect([daysMovedTo(50, on("skip")), daysMovedTo(20, on("after")), daysMovedTo(50, on("before"))]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("is computed once per definition", () => {
    expect(daysOf(calendars, ["ch"])).toBe(daysOf(calendars, ["ch"]));
    expect(daysOf(calendars, ["ch", "empty"]).size).toBe(4);
  });
});

describe("a window", () => {
  const window = { days: "MON-SAT", from: "09:00", to: "20:00", except: "ch" };
  const opens = (from: string, more = {}) =>
    iso(nextOpening({ ...window, ...more }, "UTC", Date.parse(`${from}Z`), undefined, calendars)?.opens ?? null);
  test.each<[string, string, object, string | null]>([
    ["on a holiday", "2026-12-24T10:00", {}, "2026-12-28T09:00"],
    ["of several calendars", "2026-12-24T10:00", { except: ["empty", "ch"] }, "2026-12-28T09:00"],
    ["without exceptions", "2026-12-24T10:00", { except: undefined }, "2026-12-24T09:00"],
    [
      "over midnight, the day of the opening counts",
      "2026-12-24T02:00",
      { days: undefined, from: "22:00", to: "06:00" },
      "2026-12-23T22:00",
    ],
    [
      "over midnight, from a holiday",
      "2026-12-27T02:00",
      { days: undefined, from: "22:00", to: "06:00" },
      "2026-12-27T22:00",
    ],
  ])("%s", (_what, from, more, expected) => {
    expect(opens(from, more)).toBe(expected);
  });

  test("opens on its days that are no holidays", () => {
    const day = (date: string) => Date.parse(date) / 86_400_000;
    expect(["2026-12-23", "2026-12-24", "2026-12-27"].map((date) => opensOn(window, day(date), calendars))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("a delay", () => {
  const over = (move: HolidayMove) => ({ holidays: { calendar: "ch", move } });
  const at = (from: string, delay: NamedDelay, more = {}) => {
    const moment = {
      now: Date.parse(`${from}Z`),
      timezone: "Europe/Zurich",
      delays: {},
      scope: {},
      calendars,
      ...more,
    };
    const found = resolveDelay(delay, moment);
    return found.ok
      ? `${iso(found.at)}${found.skip ? ` skip ${found.onHoliday === true ? "holiday" : "past"}` : ""}`
      : found.code;
  };
  test.each<[string, string, NamedDelay, string]>([
    ["that ends on another day", "2026-12-01T09:00", { offset: "P3D", ...over("after") }, "2026-12-04T09:00"],
    ["that ends on a holiday, after", "2026-12-22T09:00", { offset: "P3D", ...over("after") }, "2026-12-27T09:00"],
    ["that ends on a holiday, before", "2026-12-22T09:00", { offset: "P3D", ...over("before") }, "2026-12-23T09:00"],
    [
      "that ends on a holiday, skip",
      "2026-12-22T09:00",
      { offset: "P3D", ...over("skip") },
      "2026-12-25T09:00 skip holiday",
    ],
    ["an exact length", "2026-12-24T22:30", { offset: "PT30M", ...over("after") }, "2026-12-26T23:00"],
    ["whose local day is the holiday", "2026-12-23T22:30", { offset: "PT30M", ...over("after") }, "2026-12-26T23:00"],
    [
      "moved into the past",
      "2026-12-24T12:00",
      { offset: "PT1H", ...over("before"), ifPast: "skip" },
      "2026-12-23T13:00 skip past",
    ],
    [
      "a series, after",
      "2026-12-24T12:00",
      { anchor: "2026-11-25", offset: "P1M", from: "anchor", ...over("after") },
      "2026-12-26T23:00",
    ],
    [
      "a series between a member and its new instant",
      "2026-12-25T12:00",
      { anchor: "2026-11-25", offset: "P1M", from: "anchor", ...over("after") },
      "2026-12-26T23:00",
    ],
    [
      "a series, before",
      "2026-12-24T12:00",
      { anchor: "2026-11-25", offset: "P1M", from: "anchor", ...over("before") },
      "2027-01-24T23:00",
    ],
    [
      "a series, skip",
      "2026-12-24T12:00",
      { anchor: "2026-11-25", offset: "P1M", from: "anchor", ...over("skip") },
      "2027-01-24T23:00",
    ],
    [
      "a series at the end of the calendar",
      "2026-12-24T12:00",
      { anchor: "2026-11-25", offset: "P400Y", from: "anchor", ...over("skip") },
      "2426-11-24T23:00",
    ],
  ])("%s", (_what, from, delay, expected) => {
    expect(at(from, delay)).toBe(expected);
  });

  test("moves to a day on which the window opens", () => {
    const monday = (day: number) => (day + 3) % 7 === 0;
    expect(at("2026-12-22T09:00", { offset: "P3D", ...over("after") }, { isOpen: monday })).toBe("2026-12-28T09:00");
    expect(at("2026-12-22T09:00", { offset: "P3D", ...over("after") }, { isOpen: () => false })).toBe(
      "2026-12-25T09:00 skip holiday",
    );
  });

  test("a series of holidays only ends, and a skipped instant is none for a comparison", () => {
    const years = Array.from({ length: 474 }, (_, n) => `${2027 + n}-12-25`).filter((date) => date < "2501");
    const moment = {
      now: Date.parse("2026-12-26T00:00Z"),
      timezone: "UTC",
      delays: {},
      scope: {},
      calendars: { ch: years },
    };
    const yearly = { anchor: "2026-12-25", offset: "P1Y", from: "anchor", ...over("skip") } as const;
    expect(resolveDelay(yearly, moment)).toMatchObject({ ok: false, code: "beyond_calendar" });
    expect(computeInstant({ anchor: "2027-12-25", ...over("skip") }, moment)).toMatchObject({ ok: true, at: null });
  });
});

test.each([
  ["a date after the holiday", "2026-12-26T09:00:00", "2026-12-25"],
  ["a date at which the expression fires", "2027-01-01T09:00:00", null],
  ["a date to which no holiday of the expression moves", "2026-12-28T09:00:00", null],
])("an occurrence is moved from: %s", (_what, local, from) => {
  const parsed = parseCron("0 9 * * FRI");
  const days = daysOf({ ch: ["2026-12-25", "2026-12-27"] }, ["ch"]);
  const rule = { timezone: "UTC", gap: "shift", fold: "auto" } as const;
  const cron = parsed.ok ? parsed.cron : null;
  expect(cron && movedFrom({ ...rule, cron, holidays: { days, move: "after" } }, local)).toBe(from);
  expect(cron && movedFrom({ ...rule, cron }, local)).toBeNull();
});
