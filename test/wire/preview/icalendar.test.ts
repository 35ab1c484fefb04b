// A calendar as iCalendar.
import { describe, expect, test } from "vitest";
import { icsEvent, icsFoot, icsHead } from "#wire/preview/icalendar.ts";
import { row } from "./row.ts";
import { naming } from "#test/support/matchers/naming.ts";

const MADE = "2026-01-05T09:00:00.123Z";
const event = (part: Parameters<typeof row>[0] = {}) => icsEvent(row(part), "wedding", MADE);

/** As whoever reads it puts folded lines together again. */
const unfolded = (text: string) => text.replaceAll("\r\n ", "").split("\r\n");

describe("a calendar as iCalendar", () => {
  test("begins, has an event a row, and ends", () => {
    expect(icsHead("wedding").split("\r\n")).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Escapement//Preview//EN",
      "CALSCALE:GREGORIAN",
      "X-WR-CALNAME:wedding",
      "",
    ]);
    expect(unfolded(event())).toEqual([
      "BEGIN:VEVENT",
      "UID:wedding/ada/mail/1@escapement",
      "DTSTAMP:20260105T090000Z",
      "DTSTART:20260329T010000Z",
      "SUMMARY:mail: ada",
      naming("DESCRIPTION:2026-03-29T03:00:00 Europe/Zurich (gap)", "paid comes\\, mail succeeds"),
      "CATEGORIES:email",
      "STATUS:TENTATIVE",
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
      "",
    ]);
    expect(icsFoot()).toBe("END:VCALENDAR\r\n");
  });

  test("tells what is sure from what is assumed, and what is skipped, with its reason", () => {
    expect(event({ assumes: [], isSure: true, dst: "none" })).toContain("STATUS:CONFIRMED");
    const skipped = unfolded(event({ status: "skipped", reason: "already_past", assumes: [] }));
    expect(skipped).toContain("STATUS:CANCELLED");
    expect(skipped.join("")).toContain("\\nskipped: already_past");
  });

  test("leaves out what has no date", () => {
    expect(event({ at: null })).toBe("");
  });

  test("escapes what means something there, and has no control characters", () => {
    const lines = unfolded(event({ subject: "a,b;c\\d\ne\r\nf\u0007\tg" }));
    expect(lines).toContain("SUMMARY:mail: a\\,b\\;c\\\\d\\ne\\nf\tg");
    expect(lines.find((line) => line.startsWith("UID:"))).toMatch(/^UID:[\w%/.-]+@escapement$/);
  });

  test("folds lines at 75 octets, and tears no character", () => {
    const long = event({ subject: "Zoë & Jürg 💒 ".repeat(30) });
    for (const line of long.split("\r\n")) {
      expect(new TextEncoder().encode(line).byteLength).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/�/);
    }
    expect(unfolded(long)).toContain(`SUMMARY:mail: ${"Zoë & Jürg 💒 ".repeat(30)}`);
  });
});
