import { describe, expect, test } from "vitest";
import { strftime } from "#kernel/language/strftime.ts";

const zurich = "Europe/Zurich";
const noon = Date.parse("2026-03-08T11:04:05.067Z"); // a Sunday
const night = Date.parse("2026-11-21T23:30:00.000Z"); // a Saturday, and in Zurich already Sunday the 22nd

describe("one letter", () => {
  test.each([
    ["%a %A %b %B %h", "Sun Sunday Mar March Mar", "Sun Sunday Nov November Nov"],
    ["%C %y %Y", "20 26 2026", "20 26 2026"],
    ["%d|%e|%j|%m|%q", "08| 8|067|03|th", "22|22|326|11|nd"],
    ["%H|%I|%k|%l|%p|%P", "12|12|12|12|PM|pm", "00|12| 0|12|AM|am"],
    ["%M|%S|%L|%N", "04|05|067|067000000", "30|00|000|000000000"],
    ["%s", "1772967845", "1795303800"],
    ["%u %w %U %W", "7 0 10 09", "7 0 47 46"],
    ["%z %:z %Z", "+0100 +01:00 Europe/Zurich", "+0100 +01:00 Europe/Zurich"],
    ["%c", "Sun Mar  8 12:04:05 2026", "Sun Nov 22 00:30:00 2026"],
    ["%D %F %x", "03/08/26 2026-03-08 03/08/26", "11/22/26 2026-11-22 11/22/26"],
    ["%r %R %T %X", "12:04:05 PM 12:04 12:04:05 12:04:05", "12:30:00 AM 00:30 00:30:00 00:30:00"],
    ["%n%t%%", "\n\t%", "\n\t%"],
    ["%E %", "%E %", "%E %"],
  ])("%s", (format, atNoon, atNight) => {
    expect(strftime(noon, format, zurich)).toBe(atNoon);
    expect(strftime(night, format, zurich)).toBe(atNight);
  });
});

test.each([
  ["%-d", "8"],
  ["%_d", " 8"],
  ["%0e", "08"],
  ["%^a", "SUN"],
  ["%#a", "SUN"],
  ["%#p", "pm"],
  ["%5d", "00008"],
  ["%10A", "    Sunday"],
])("the flags of %s give %s", (format, text) => {
  expect(strftime(noon, format, zurich)).toBe(text);
});

test.each([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map((day) => [day] as const))("the ordinal of day %i", (day) => {
  const suffix =
    new Map([
      [1, "st"],
      [2, "nd"],
      [3, "rd"],
      [21, "st"],
      [22, "nd"],
      [23, "rd"],
      [31, "st"],
    ]).get(day) ?? "th";
  expect(strftime(Date.UTC(2026, 0, day), "%q", "UTC")).toBe(suffix);
});

test("an offset is a zone too", () => {
  expect(strftime(noon, "%F %T %z", "-05:30")).toBe("2026-03-08 05:34:05 -0530");
});

test("a zone or a moment that does not exist gives nothing", () => {
  expect([strftime(noon, "%F", "Mars/Base"), strftime(9e15, "%F", "UTC")]).toEqual([undefined, undefined]);
});
