// Instants computed without Temporal equal Temporal's, over many years and in zones with unusual clock changes.
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { INSTANT_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { DURATIONS_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { shiftWithoutClockChange, steadyMidnight, steadyOffset } from "#kernel/calendar/zone.ts";
import { instant } from "#kernel/language/instant.ts";
import { computeInstant } from "#kernel/language/timing.ts";

const HOUR = 3_600_000;
const zones = ["UTC", "Europe/Zurich", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns", "Africa/Casablanca"];
const offsets = [0, 90_000, "P1D", "-P42D", "P6W", "-P1M", "P1M", "P1Y2M3W4DT5H6M7.5S", "-P1Y", "PT36H", "P100Y"];
const times = [undefined, "09:00", "02:30", "00:00:30"];

function byTemporal(anchor: number, offset: number | string, at: string | undefined, zone: string): number {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor).toZonedDateTimeISO(zone);
  const length = Temporal.Duration.from(typeof offset === "number" ? { milliseconds: offset } : offset);
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds } = length;
  const hasDays = years !== 0 || months !== 0 || weeks !== 0 || days !== 0;
  const dated = hasDays ? start.toPlainDateTime().add({ years, months, weeks, days }).toZonedDateTime(zone) : start;
  const moved = dated.add({ hours, minutes, seconds, milliseconds });
  return at === undefined
    ? moved.epochMilliseconds
    : moved.toPlainDateTime().withPlainTime(at).toZonedDateTime(zone).epochMilliseconds;
}

describe("an instant moved by calendar and clock", () => {
  test.each(zones)("is what Temporal says, or is left to it: %s", (zone) => {
    let steady = 0;
    let all = 0;
    for (let n = 0; n < 700; n += 1) {
      const anchor = Date.UTC(2011, 0, 1) + n * 191 * HOUR + n * 61_007;
      const [offset, at] = [offsets[n % offsets.length] ?? 0, times[n % times.length]];
      const got = shiftWithoutClockChange(anchor, offset, at, zone);
      all += 1;
      if (got === null) continue;
      steady += 1;
      expect([anchor, offset, at, got]).toEqual([anchor, offset, at, byTemporal(anchor, offset, at, zone)]);
    }
    // Near a clock change the fast path returns null, which is rare.
    expect(steady / all).toBeGreaterThan(zone === "UTC" ? 0.99 : 0.8);
  });

  test("is left to Temporal where that is not sure", () => {
    const noon = Date.UTC(2026, 5, 1, 12);
    expect(shiftWithoutClockChange(-1, "P1D", undefined, "UTC")).toBeNull();
    expect(shiftWithoutClockChange(noon + 0.5, 0, undefined, "UTC")).toBeNull();
    expect(shiftWithoutClockChange(noon, "P99999Y", "09:00", "UTC")).toBeNull();
    expect(shiftWithoutClockChange(noon, 1.5, undefined, "UTC")).toBeNull();
    expect(shiftWithoutClockChange(noon, 0, "noon", "UTC")).toBeNull();
    expect(shiftWithoutClockChange(Date.UTC(2026, 2, 29), "P1D", undefined, "Europe/Zurich")).toBeNull();
    expect(() => shiftWithoutClockChange(noon, 0, "09:00", "Mars/Olympus")).toThrow(RangeError);
    expect(steadyOffset("UTC", INSTANT_MS_MAX + 1)).toBeNull();
  });

  test("has a date at midnight of its zone, and no date that the calendar has not", () => {
    expect(steadyMidnight("2026-06-01", "Europe/Zurich")).toBe(Date.UTC(2026, 4, 31, 22));
    expect(steadyMidnight("2024-02-29", "UTC")).toBe(Date.UTC(2024, 1, 29));
    for (const none of ["2026-02-30", "2026-13-01", "2026-6-1", "20260601", "2026-03-29T00:00"])
      expect(steadyMidnight(none, "UTC")).toBeNull();
    expect(steadyMidnight("2026-03-29", "Europe/Zurich")).toBeNull();
    expect(instant("2026-03-29", "Europe/Zurich")).toBe(Date.UTC(2026, 2, 28, 23));
    expect(instant("2026-06-01", "Mars/Olympus")).toBeNull();
    // An invalid disambiguation is refused as without the fast path.
    expect(instant("2026-06-01", "UTC", "sometimes" as never)).toBeNull();
  });

  test("of a delay is none where its zone is none", () => {
    const moment = { now: 0, timezone: "Mars/Olympus", delays: {}, scope: {} };
    expect(computeInstant({ offset: "P1D" }, moment)).toMatchObject({ ok: false });
  });

  test("is right whatever lengths were asked for before", () => {
    const anchor = Date.UTC(2026, 5, 1);
    for (let n = 0; n < DURATIONS_CACHED_MAX + 20; n += 1)
      expect(shiftWithoutClockChange(anchor, `PT${n}S`, undefined, "UTC")).toBe(anchor + n * 1_000);
  });

  test("is right however many zones and years were asked for before", () => {
    for (let n = 0; n < 60_000; n += 1) steadyOffset("UTC", n * 330_000_000);
    expect(steadyOffset("Europe/Zurich", Date.UTC(2026, 5, 1))).toBe(2 * HOUR);
  });
});
