// iCalendar texts: whole days, spans, folded lines and yearly rules; anything else is refused with its line.
import { describe, expect, test } from "vitest";
import { readIcalendar } from "#policy/calendar/read-icalendar.ts";

const calendarOf = (...lines: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
const read = (...lines: readonly string[]) => {
  const found = readIcalendar(calendarOf(...lines));
  return found.ok ? found.dates.map(({ date, name }) => `${date} ${name ?? "-"}`) : found.line;
};

describe("the dates of an event", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["of a day", ["DTSTART;VALUE=DATE:20261225", "SUMMARY:Christmas"], ["2026-12-25 Christmas"]],
    ["without VALUE", ["DTSTART:20261225"], ["2026-12-25 -"]],
    ["of two days", ["DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261227"], ["2026-12-25 -", "2026-12-26 -"]],
    [
      "a folded name",
      ["DTSTART;VALUE=DATE:20260801", "SUMMARY:Bundesfei", " er\\, Zürich"],
      ["2026-08-01 Bundesfeier, Zürich"],
    ],
    [
      "yearly with a count",
      ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;COUNT=2"],
      ["2026-12-25 -", "2027-12-25 -"],
    ],
    [
      "yearly until a day",
      ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;UNTIL=20271231"],
      ["2026-12-25 -", "2027-12-25 -"],
    ],
    [
      "yearly until a day before the last year's occurrence",
      ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;UNTIL=20280101T000000Z"],
      ["2026-12-25 -", "2027-12-25 -"],
    ],
    ["canceled", ["DTSTART;VALUE=DATE:20261225", "STATUS:CANCELLED"], []],
    [
      "every second year",
      ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=2"],
      ["2026-12-25 -", "2028-12-25 -"],
    ],
    ["leap days", ["DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY;COUNT=5"], ["2024-02-29 -", "2028-02-29 -"]],
    ["ended before it began", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;UNTIL=20200101"], []],
    [
      "beyond the calendar",
      ["DTSTART;VALUE=DATE:24991225", "RRULE:FREQ=YEARLY;INTERVAL=1;COUNT=9;UNTIL=29991231"],
      ["2499-12-25 -", "2500-12-25 -"],
    ],
  ])("%s", (_what, lines, expected) => {
    expect(read(...lines)).toEqual(expected);
  });

  test("a yearly rule without an end gives eighty years, and a date counts once", () => {
    expect(read("DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY")).toHaveLength(81);
    const twice = calendarOf(
      "DTSTART:20261226",
      "SUMMARY:A",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "DTSTART:20261226",
      "SUMMARY:B",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "DTSTART:20261225",
    );
    const found = readIcalendar(twice);
    expect(found.ok && found.dates).toEqual([
      { date: "2026-12-25", name: null },
      { date: "2026-12-26", name: "A" },
    ]);
  });
});

describe("refused with the line", () => {
  test.each<[string, readonly string[], number]>([
    ["no start", ["SUMMARY:Christmas"], 3],
    ["a time", ["DTSTART:20261225T090000Z"], 4],
    ["a date-time by its parameter", ["DTSTART;VALUE=DATE-TIME:20261225"], 4],
    ["no date", ["DTSTART;VALUE=DATE:20260230"], 4],
    ["no month", ["DTSTART;VALUE=DATE:20261330"], 4],
    ["an end that is no date", ["DTSTART;VALUE=DATE:20261225", "DTEND:tomorrow"], 5],
    ["an end before its start", ["DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261225"], 5],
    ["a monthly rule", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=MONTHLY"], 5],
    ["a weekday of a year", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;BYDAY=1MO"], 5],
    ["a rule without a value", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ"], 5],
    ["a count of zero", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;COUNT=0"], 5],
    ["a rule until a year", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;UNTIL=2028"], 5],
    ["a fraction of a year", ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;INTERVAL=1.5"], 5],
    ["exceptions", ["DTSTART;VALUE=DATE:20261225", "EXDATE:20271225"], 5],
    ["a line without a name", ["DTSTART;VALUE=DATE:20261225", "Christmas"], 5],
    ["more dates than a calendar has", ["DTSTART;VALUE=DATE:20000101", "DTEND;VALUE=DATE:24000101"], 1],
  ])("%s", (_what, lines, line) => {
    expect(read(...lines)).toBe(line);
  });

  const eventsOf = (count: number, day: (n: number) => string) =>
    readIcalendar(
      [
        "BEGIN:VCALENDAR",
        ...Array.from({ length: count }, (_, n) => [
          "BEGIN:VEVENT",
          `DTSTART:${day(n)}`,
          "RRULE:FREQ=YEARLY",
          "END:VEVENT",
        ]).flat(),
        "END:VCALENDAR",
      ].join("\n"),
    );

  test("many events with too many dates together, also if they repeat the same dates", () => {
    expect(eventsOf(28, (n) => `202601${`${n + 1}`.padStart(2, "0")}`)).toMatchObject({ ok: false, line: 1 });
    expect(eventsOf(123, () => "20260101")).toMatchObject({ ok: true });
    expect(eventsOf(2_000, () => "20260101")).toMatchObject({ ok: false, line: 2 + 123 * 4 });
  });

  test("another format, and an event without an end", () => {
    expect(readIcalendar("hello")).toMatchObject({ ok: false, line: 1 });
    expect(readIcalendar("BEGIN:VEVENT")).toMatchObject({ ok: false, line: 1 });
    expect(readIcalendar("")).toMatchObject({ ok: false, line: 1 });
    expect(readIcalendar("BEGIN:VCALENDAR\n\nBEGIN:VEVENT\nDTSTART:20261225")).toMatchObject({ ok: false, line: 3 });
  });
});
