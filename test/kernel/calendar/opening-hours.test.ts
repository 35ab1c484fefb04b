// Opening hours of windows: fixed cases, and a comparison with a minute-by-minute walk that shares no code with the
// calendar.
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { nextOpening } from "#kernel/calendar/opening-hours.ts";
import { isZone } from "#kernel/calendar/zone.ts";
import { openWork } from "#kernel/computing/work.ts";
import { chanceOf, type Chance } from "#test/sim/kit/chance.ts";
import { weekdays, window as windowSchema, type Window } from "#schema/definition/window.ts";

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const local = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never", smallestUnit: "minute" });

const polite: Window = { days: "MON-SAT", from: "09:00", to: "20:00" };
const night: Window = { days: "FRI", from: "22:00", to: "06:00" };
const twice: Window = {
  hours: [
    { days: "MON-FRI", from: "08:00", to: "12:00" },
    { days: "MON-FRI", from: "13:30", to: "17:00" },
  ],
};
const always: Window = { from: "00:00", to: "24:00" };
const early: Window = { from: "02:30", to: "04:00" };
const zurich = "Europe/Zurich"; // in 2026: 02:00 to 03:00 is missing on March 29, and shown twice on October 25

describe("a window", () => {
  test.each<[string, Window, string, string, string, string]>([
    // what                          window   zone      now                      opens                closes
    ["before it opens", polite, zurich, "2026-11-19T06:00:00Z", "2026-11-19T09:00+01:00", "2026-11-19T20:00+01:00"],
    [
      "while it is open",
      polite,
      zurich,
      "2026-11-19T18:59:59.999Z",
      "2026-11-19T09:00+01:00",
      "2026-11-19T20:00+01:00",
    ],
    [
      "at the instant it opens",
      polite,
      zurich,
      "2026-11-19T08:00:00Z",
      "2026-11-19T09:00+01:00",
      "2026-11-19T20:00+01:00",
    ],
    [
      "at the instant it closes",
      polite,
      zurich,
      "2026-11-19T19:00:00Z",
      "2026-11-20T09:00+01:00",
      "2026-11-20T20:00+01:00",
    ],
    ["on Saturday night", polite, zurich, "2026-11-21T20:00:00Z", "2026-11-23T09:00+01:00", "2026-11-23T20:00+01:00"],
    [
      "elsewhere it is another day",
      polite,
      "Pacific/Auckland",
      "2026-11-21T20:00:00Z",
      "2026-11-23T09:00+13:00",
      "2026-11-23T20:00+13:00",
    ],
    [
      "over midnight it is the evening that counts",
      night,
      zurich,
      "2026-11-21T02:00:00Z",
      "2026-11-20T22:00+01:00",
      "2026-11-21T06:00+01:00",
    ],
    ["and not the morning", night, zurich, "2026-11-20T02:00:00Z", "2026-11-20T22:00+01:00", "2026-11-21T06:00+01:00"],
    ["between two ranges", twice, zurich, "2026-11-19T11:30:00Z", "2026-11-19T13:30+01:00", "2026-11-19T17:00+01:00"],
    [
      "over the weekend",
      { ...polite, days: "FRI-MON" },
      zurich,
      "2026-11-17T08:00:00Z",
      "2026-11-20T09:00+01:00",
      "2026-11-20T20:00+01:00",
    ],
    [
      "two days apart",
      { ...polite, days: "sun,wed" },
      zurich,
      "2026-11-19T08:00:00Z",
      "2026-11-22T09:00+01:00",
      "2026-11-22T20:00+01:00",
    ],
    ["the whole day", always, zurich, "2026-11-19T08:00:00Z", "2026-11-19T00:00+01:00", "2026-11-20T00:00+01:00"],
    [
      "the whole of a day of 23 hours",
      always,
      zurich,
      "2026-03-29T08:00:00Z",
      "2026-03-29T00:00+01:00",
      "2026-03-30T00:00+02:00",
    ],
    [
      "of two that open together the longer one",
      { hours: [polite, { from: "09:00", to: "21:00" }] } as Window,
      zurich,
      "2026-11-19T06:00:00Z",
      "2026-11-19T09:00+01:00",
      "2026-11-19T21:00+01:00",
    ],
    [
      "what the clocks jump over comes later by as much",
      early,
      zurich,
      "2026-03-29T00:00:00Z",
      "2026-03-29T03:30+02:00",
      "2026-03-29T04:00+02:00",
    ],
    [
      "what they show twice is the first",
      early,
      zurich,
      "2026-10-25T00:00:00Z",
      "2026-10-25T02:30+02:00",
      "2026-10-25T04:00+01:00",
    ],
    [
      "what closes in the hour shown twice closes the first time",
      { from: "01:00", to: "02:30" },
      zurich,
      "2026-10-25T00:30:00Z",
      "2026-10-26T01:00+01:00",
      "2026-10-26T02:30+01:00",
    ],
    [
      "what closes before it has opened, by the clocks, is not open that day",
      { from: "02:30", to: "03:15" },
      zurich,
      "2026-03-28T23:00:00Z",
      "2026-03-30T02:30+02:00",
      "2026-03-30T03:15+02:00",
    ],
    [
      "a Friday that never was is the Saturday",
      {
        hours: [
          { days: "FRI", from: "09:00", to: "12:00" },
          { days: "SAT", from: "07:00", to: "08:00" },
        ],
      },
      "Pacific/Apia",
      "2011-12-29T20:00:00Z",
      "2011-12-31T07:00+14:00",
      "2011-12-31T08:00+14:00",
    ],
    ["before 1970", polite, zurich, "1960-01-01T12:00:00Z", "1960-01-01T09:00+01:00", "1960-01-01T20:00+01:00"],
  ])("%s", (_, window, zone, now, opens, closes) => {
    const opening = nextOpening(window, zone, at(now));
    expect(opening && [local(opening.opens, zone), local(opening.closes, zone)]).toEqual([opens, closes]);
  });

  test("without hours opens never", () => {
    expect(nextOpening({}, zurich, 0)).toBeNull();
    expect(nextOpening({ from: "09:00" }, zurich, 0)).toBeNull();
  });

  test("costs the units of its calendar searches", () => {
    const work = openWork();
    nextOpening(polite, zurich, at("2026-11-19T06:00:00Z"), work);
    const plain = work.used;
    nextOpening(polite, zurich, at("2026-03-28T23:00:00Z"), work);
    expect([plain > 0, work.used > 2 * plain]).toEqual([true, true]);
  });

  test("of an unknown zone throws", () => {
    expect(() => nextOpening(polite, "Mars/Base", 0)).toThrow();
  });
});

test.each([
  ["Europe/Zurich", true],
  ["UTC", true],
  ["Mars/Base", false],
  ["", false],
])("%j is a zone: %s", (name, is) => {
  expect(isZone(name)).toBe(is);
});

describe("against a walk from minute to minute", () => {
  const zones: readonly [string, string][] = [
    [zurich, "2026-03-29"],
    [zurich, "2026-10-25"],
    ["America/New_York", "2026-11-01"],
    ["Australia/Lord_Howe", "2026-04-05"],
    ["Australia/Lord_Howe", "2026-10-04"],
    ["Africa/Cairo", "2026-04-24"],
    ["America/Santiago", "2026-09-06"],
    ["Pacific/Apia", "2011-12-30"],
    ["Asia/Kolkata", "2026-06-15"],
    ["UTC", "2026-02-28"],
  ];

  test.each(zones)("%s around %s", (zone, date) => {
    const walk = walkAround(zone, date);
    const chance = chanceOf(`${zone} ${date}`);
    for (let trial = 0; trial < 40; trial += 1) {
      const window = windowSchema.parse(anyWindow(chance));
      const isOpen = walk.openMinutes(window);
      for (let look = 0; look < 25; look += 1) {
        const from = walk.middle + chance.between(-2_880, 2_880);
        const walked = isOpen.indexOf(true, from);
        const opening = nextOpening(window, zone, walk.instantOf(from));
        const found = opening === null || opening.opens >= walk.end ? -1 : Math.max(from, walk.minuteOf(opening.opens));
        expect([JSON.stringify(window), from, found]).toEqual([JSON.stringify(window), from, walked]);
        if (opening === null || found < 0) continue;
        // The window is open in every minute from its opening to its end.
        const end = Math.min(walk.minuteOf(opening.closes), isOpen.length);
        expect(isOpen.slice(Math.max(0, walk.minuteOf(opening.opens)), end).every(Boolean)).toBe(true);
      }
    }
  });
});

const MINUTES = 12 * 1_440;

/** Twelve days, minute by minute, each with the reading of the wall clock. */
function walkAround(zone: string, date: string) {
  const middle = Temporal.PlainDate.from(date).toZonedDateTime("UTC").epochMilliseconds;
  const begin = middle - (MINUTES / 2) * 60_000;
  const shown = Array.from({ length: MINUTES }, (_, minute) =>
    Temporal.Instant.fromEpochMilliseconds(begin + minute * 60_000)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString({ smallestUnit: "minute" }),
  );
  const first = new Map<string, number>();
  shown.forEach((reading, minute) => first.has(reading) || first.set(reading, minute));
  /**
   * The first minute that shows the reading. For a skipped reading: as many minutes after the gap as the reading is
   * after the last shown one.
   */
  const minuteShowing = (reading: string): number => {
    const exact = first.get(reading);
    if (exact !== undefined) return exact;
    const before = shown.findLastIndex((each) => each < reading);
    if (before < 0 || before === MINUTES - 1) return before < 0 ? -1 : MINUTES;
    const since = Temporal.PlainDateTime.from(String(shown[before])).until(reading, { largestUnit: "minute" }).minutes;
    return before + since;
  };
  const dates = [...new Set(shown.map((reading) => reading.slice(0, 10)))];
  // A date that the zone skipped counts as a date.
  const all = [...new Set([...dates, date])].toSorted();
  return {
    middle: MINUTES / 2,
    end: begin + MINUTES * 60_000,
    instantOf: (minute: number) => begin + minute * 60_000,
    minuteOf: (ms: number) => (ms - begin) / 60_000,
    openMinutes: (window: Window): boolean[] => {
      const open = Array.from({ length: MINUTES }, () => false);
      const ranges = window.hours ?? [{ days: window.days, from: String(window.from), to: String(window.to) }];
      for (const { days, from, to } of ranges) {
        for (const day of all) {
          const opensOn = Temporal.PlainDate.from(day);
          if (!namedDays(days).includes(opensOn.dayOfWeek)) continue;
          const closesOn = to <= from || to === "24:00" ? opensOn.add({ days: 1 }) : opensOn;
          const start = minuteShowing(`${day}T${from}`);
          const end = minuteShowing(`${closesOn}T${to === "24:00" ? "00:00" : to}`);
          for (let minute = Math.max(0, start); minute < end; minute += 1) open[minute] = true;
        }
      }
      return open;
    },
  };
}

function namedDays(days: string | undefined): readonly number[] {
  if (days === undefined) return [1, 2, 3, 4, 5, 6, 7];
  return days.split(",").flatMap((item) => {
    const [first = "", last = first] = item.split("-");
    const start = weekdays.indexOf(first as (typeof weekdays)[number]);
    const end = weekdays.indexOf(last as (typeof weekdays)[number]);
    return Array.from({ length: ((end - start + 7) % 7) + 1 }, (_, index) => ((start + index) % 7) + 1);
  });
}

function anyWindow({ yes, between, pick }: Chance): object {
  const hour = (): number => (yes(0.5) ? between(0, 4) : between(0, 23));
  const time = (): string => `${String(hour()).padStart(2, "0")}:${pick(["00", "15", "30", "45"])}`;
  const range = (): object => {
    const from = time();
    const to = yes(0.1) ? "24:00" : time();
    const days = yes(0.5) ? {} : { days: yes(0.5) ? pick(weekdays) : `${pick(weekdays)}-${pick(weekdays)}` };
    return from === to ? range() : { ...days, from, to };
  };
  return yes(0.3) ? { hours: [range(), range()] } : range();
}
