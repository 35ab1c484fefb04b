// Common openings of several windows: open now, later, ended by the first that closes, or never.
import { describe, expect, test } from "vitest";
import { nextCommonOpening } from "#kernel/calendar/common-opening.ts";
import type { Window } from "#schema/definition/window.ts";

const at = (text: string) => Date.parse(`${text}:00Z`);
const day: Window = { from: "08:00", to: "20:00" };
const morning: Window = { from: "06:00", to: "10:00" };
const weekdays: Window = { days: "MON-FRI", from: "00:00", to: "24:00" };
const night: Window = { from: "22:00", to: "02:00" };
const mondays: Window = { days: "MON", from: "08:00", to: "09:00" };
const tuesdays: Window = { days: "TUE", from: "08:00", to: "09:00" };

describe("a common opening", () => {
  test.each<[string, readonly Window[], string, readonly [string, string, number] | null]>([
    ["is open now", [day], "2026-01-05T09:00", ["2026-01-05T09:00", "2026-01-05T20:00", 0]],
    ["of one window is its next one", [day], "2026-01-05T21:00", ["2026-01-06T08:00", "2026-01-06T20:00", 0]],
    ["ends when the first closes", [day, morning], "2026-01-05T07:00", ["2026-01-05T08:00", "2026-01-05T10:00", 0]],
    ["is decided by the last", [morning, day], "2026-01-05T11:00", ["2026-01-06T08:00", "2026-01-06T10:00", 1]],
    ["waits for the weekday too", [day, weekdays], "2026-01-03T09:00", ["2026-01-05T08:00", "2026-01-05T20:00", 0]],
    ["of no windows is always open, and never closes", [], "2026-01-05T09:00", null],
    ["does not exist for windows that never meet", [day, night], "2026-01-05T09:00", null],
    ["does not exist for other days", [mondays, tuesdays], "2026-01-05T09:00", null],
  ])("%s", (_name, windows, now, expected) => {
    const found = nextCommonOpening(
      windows.map((window) => ({ window, zone: "UTC" })),
      at(now),
    );
    if (windows.length === 0) return expect(found).toEqual({ opens: at(now), closes: Infinity, last: 0 });
    if (expected === null) return expect(found).toBeNull();
    const [opens, closes, last] = expected;
    expect(found).toEqual({ opens: at(opens), closes: at(closes), last });
  });

  test("compares windows in their own zones", () => {
    const zones = ["Asia/Tokyo", "Europe/Zurich"].map((zone) => ({ window: day, zone }));
    expect(nextCommonOpening(zones, at("2026-01-05T12:00"))).toEqual({
      opens: at("2026-01-06T07:00"),
      closes: at("2026-01-06T11:00"),
      last: 1,
    });
  });

  test("does not exist if one of the windows never opens", () => {
    expect(nextCommonOpening([{ window: {}, zone: "UTC" }], at("2026-01-05T12:00"))).toBeNull();
  });
});
