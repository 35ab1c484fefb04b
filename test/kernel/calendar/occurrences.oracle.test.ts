// The calendar agrees with a brute-force oracle over the clock changes of every zone. `npm run calendars` is the larger
// run: more years, each zone separately, more expressions.
import { expect, test } from "vitest";
import { changesOf, zones, type Change } from "./clock-changes.ts";
import { compareCalendars } from "./compare-calendars.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Zones whose clocks change at the same instant by the same amount are one case. */
function distinct(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((each) => [`${each.at} ${each.old} ${each.anew}`, each])).values()];
}

test("around every change of clocks of every zone, 2025 to 2029", () => {
  const changes = distinct(zones.flatMap((zone) => changesOf(zone, 2025, 2029)));
  let occurrences = 0;
  for (const [index, { zone, at }] of changes.entries()) {
    for (let n = 0; n < 3; n += 1) {
      occurrences += compareCalendars(index * 3 + n, zone, [at - 5 * HOUR, at + 5 * HOUR]);
    }
  }
  expect(changes.length).toBeGreaterThan(80);
  expect(occurrences).toBeGreaterThan(5_000);
});

test.each([
  ["half an hour, both ways", "Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
  ["half an hour, both ways", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["45 minutes from the hour", "Pacific/Chatham", "2026-04-04T14:00:00Z"],
  ["45 minutes from the hour", "Pacific/Chatham", "2026-09-26T14:00:00Z"],
  ["no change, but 5:45", "Asia/Kathmandu", "2026-04-04T14:00:00Z"],
  ["midnight is missing", "Africa/Cairo", "2026-04-23T22:00:00Z"],
  ["midnight comes twice", "Africa/Cairo", "2026-10-29T21:00:00Z"],
  ["midnight is missing", "America/Santiago", "2026-09-06T04:00:00Z"],
  ["30 December 2011 never was", "Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["21 August 1993 never was", "Pacific/Kwajalein", "1993-08-21T12:00:00Z"],
  ["31 December 1994 never was", "Pacific/Kiritimati", "1994-12-31T10:00:00Z"],
  ["two hours at once", "Antarctica/Troll", "2026-03-29T01:00:00Z"],
  ["winter is what is moved", "Europe/Dublin", "2026-10-25T01:00:00Z"],
  ["Ramadan", "Africa/Casablanca", "2026-02-15T02:00:00Z"],
  ["a day before the first of March", "America/Asuncion", "2024-03-24T03:00:00Z"],
])("%s: %s", (_what, zone, at) => {
  let occurrences = 0;
  for (let seed = 0; seed < 25; seed += 1) {
    occurrences += compareCalendars(seed, zone, [Date.parse(at) - 36 * HOUR, Date.parse(at) + 36 * HOUR]);
  }
  expect(occurrences).toBeGreaterThan(100);
});

test("over years, leap days and ends of months", () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const start = Date.UTC(2026 + (seed % 4), seed % 12, 1 + (seed % 28), seed % 24);
    compareCalendars(1_000_000 + seed, zones[(seed * 7) % zones.length] ?? "UTC", [start, start + 70 * DAY]);
  }
});
