// Readings of a wall clock, and clock changes.
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { clocks, exactLocalTime } from "#kernel/virtual/local-time.ts";

const at = (text: string, zone: string) => clocks(Date.parse(text), zone);

describe("local time", () => {
  test("is the reading, its offset, and whether the clocks are moved around it", () => {
    const zone = "Europe/Zurich";
    const told = ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"].map((each) => at(each, zone));
    expect(told).toEqual([
      { local: "2026-03-29T01:59:59", utcOffset: "+01:00", dst: "none" },
      { local: "2026-03-29T03:00:00", utcOffset: "+02:00", dst: "gap" },
      { local: "2026-03-29T04:00:00", utcOffset: "+02:00", dst: "none" },
    ]);
    const twice = ["2026-10-24T23:59:59Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z"];
    expect(twice.map((each) => at(each, zone)).map(({ local, dst }) => `${local} ${dst}`)).toEqual([
      "2026-10-25T01:59:59 none",
      "2026-10-25T02:30:00 fold_first",
      "2026-10-25T02:30:00 fold_second",
      "2026-10-25T03:00:00 none",
    ]);
    expect(at("2026-06-01T00:00:00Z", "America/New_York")).toMatchObject({ utcOffset: "-04:00", dst: "none" });
  });

  test("equals Temporal's, in every zone with unusual clock changes, also when it is cached", () => {
    for (const zone of [
      "Australia/Lord_Howe",
      "Pacific/Apia",
      "Africa/Casablanca",
      "America/St_Johns",
      "Asia/Kathmandu",
    ]) {
      for (let n = 0; n < 1_500; n += 1) {
        const instant = Date.UTC(2011, 0, 1) + n * 11 * 3_600_000 + n * 61_000;
        const wanted = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
        const { local, utcOffset } = clocks(instant, zone);
        expect(`${local}${utcOffset}`).toBe(
          `${wanted.toPlainDateTime().toString({ smallestUnit: "second" })}${wanted.offset}`,
        );
        expect(clocks(instant, zone)).toEqual(exactLocalTime(instant, zone));
      }
    }
  });
});
