// Occurrences around clock changes, case by case. occurrences.oracle.test.ts compares all zones with an oracle.
import { describe, expect, test } from "vitest";
import { nextOccurrence, occurrencesBetween, previousOccurrence } from "#kernel/calendar/occurrences.ts";
import { openWork, workOf, type Work } from "#kernel/computing/work.ts";
import { lineOf, linesOf, nextAt, ruleOf, type Choice } from "./rules.ts";

const zurich = "Europe/Zurich"; // in 2026: 02:00 to 03:00 is missing on March 29, and happens twice on October 25
const spring = ["2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z"] as const;
const autumn = ["2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"] as const;

describe("1: 02:30 every day over both changes of the clocks", () => {
  test.each<[string, Choice, readonly [string, string], readonly string[]]>([
    [
      "comes an hour later by the wall on the day without it",
      {},
      spring,
      ["2026-03-29T01:30:00Z 03:30:00+02:00 gap", "2026-03-30T00:30:00Z 02:30:00+02:00 none"],
    ],
    ["is left out there, if so wanted", { gap: "skip" }, spring, ["2026-03-30T00:30:00Z 02:30:00+02:00 none"]],
    [
      "comes once, in the first pass, on the day that has it twice",
      {},
      autumn,
      ["2026-10-25T00:30:00Z 02:30:00+02:00 fold_first", "2026-10-26T01:30:00Z 02:30:00+01:00 none"],
    ],
    [
      "first is what fixed times have anyway",
      { fold: "first" },
      autumn,
      ["2026-10-25T00:30:00Z 02:30:00+02:00 fold_first", "2026-10-26T01:30:00Z 02:30:00+01:00 none"],
    ],
    [
      "in the second, if so wanted",
      { fold: "last" },
      autumn,
      ["2026-10-25T01:30:00Z 02:30:00+01:00 fold_second", "2026-10-26T01:30:00Z 02:30:00+01:00 none"],
    ],
    [
      "in both, if so wanted",
      { fold: "both" },
      autumn,
      [
        "2026-10-25T00:30:00Z 02:30:00+02:00 fold_first",
        "2026-10-25T01:30:00Z 02:30:00+01:00 fold_second",
        "2026-10-26T01:30:00Z 02:30:00+01:00 none",
      ],
    ],
  ])("%s", (_what, choice, [from, to], lines) => {
    expect(linesOf(ruleOf("30 2 * * *", zurich, choice), from, to)).toEqual(lines);
  });
});

describe("2: */15 in an hour that comes twice", () => {
  const quarters = (choice: Choice): readonly string[] =>
    linesOf(ruleOf("*/15 * * * *", zurich, choice), "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z").map((line) =>
      line.slice(11, 16),
    );
  const first = ["00:00", "00:15", "00:30", "00:45"];
  const second = ["01:00", "01:15", "01:30", "01:45"];

  test("goes on every quarter of an hour through both passes", () => {
    expect(quarters({})).toEqual([...first, ...second]);
    expect(quarters({ fold: "both" })).toEqual([...first, ...second]);
  });

  test("keeps to one pass, if so wanted", () => {
    expect(quarters({ fold: "first" })).toEqual(first);
    expect(quarters({ fold: "last" })).toEqual(second);
  });

  test("either of minute and hour makes a pattern", () => {
    expect(linesOf(ruleOf("*/30 2 * * *", zurich), "2026-10-25T00:00:00Z", "2026-10-25T12:00:00Z")).toHaveLength(4);
    expect(linesOf(ruleOf("30 */2 * * *", zurich), "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z")).toHaveLength(2);
  });

  test("a second that starts with * makes no pattern", () => {
    expect(linesOf(ruleOf("*/30 30 2 * * *", zurich), ...autumn)).toHaveLength(4);
  });
});

describe("3: 30 2,14 is two fixed times, and no interval", () => {
  test("shifted where the clocks jump over one of them", () => {
    expect(linesOf(ruleOf("30 2,14 * * *", zurich), "2026-03-28T12:00:00Z", "2026-03-29T22:00:00Z")).toEqual([
      "2026-03-28T13:30:00Z 14:30:00+01:00 none",
      "2026-03-29T01:30:00Z 03:30:00+02:00 gap",
      "2026-03-29T12:30:00Z 14:30:00+02:00 none",
    ]);
  });

  test("once where one of them comes twice", () => {
    expect(linesOf(ruleOf("30 2,14 * * *", zurich), "2026-10-24T22:00:00Z", "2026-10-25T22:00:00Z")).toEqual([
      "2026-10-25T00:30:00Z 02:30:00+02:00 fold_first",
      "2026-10-25T13:30:00Z 14:30:00+01:00 none",
    ]);
  });
});

test("what is shifted to the instant of another one is that one, ahead and back", () => {
  const rule = ruleOf("30 2,3 * * *", zurich);
  const once = "2026-03-29T01:30:00Z 03:30:00+02:00 none";
  expect(linesOf(rule, "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z")).toEqual([once]);
  expect(lineOf(previousOccurrence(rule, Date.parse("2026-03-29T02:00:00Z")))).toBe(once);
});

describe("4: Lord Howe moves its clocks by thirty minutes", () => {
  const howe = "Australia/Lord_Howe";
  test("a time that was jumped over comes half an hour later", () => {
    expect(linesOf(ruleOf("15 2 * * *", howe), "2026-10-03T12:00:00Z", "2026-10-04T00:00:00Z")).toEqual([
      "2026-10-03T15:45:00Z 02:45:00+11:00 gap",
    ]);
  });

  test("the half hour that comes twice", () => {
    const day = ["2026-04-04T12:00:00Z", "2026-04-05T00:00:00Z"] as const;
    expect(linesOf(ruleOf("45 1 * * *", howe), ...day)).toEqual(["2026-04-04T14:45:00Z 01:45:00+11:00 fold_first"]);
    expect(linesOf(ruleOf("45 1 * * *", howe, { fold: "last" }), ...day)).toEqual([
      "2026-04-04T15:15:00Z 01:45:00+10:30 fold_second",
    ]);
    expect(linesOf(ruleOf("15 1 * * *", howe), ...day)).toEqual(["2026-04-04T14:15:00Z 01:15:00+11:00 none"]);
  });
});

describe("5: where midnight is jumped over", () => {
  test("a daily job at midnight comes at one", () => {
    expect(linesOf(ruleOf("@daily", "Africa/Cairo"), "2026-04-23T12:00:00Z", "2026-04-25T12:00:00Z")).toEqual([
      "2026-04-23T22:00:00Z 01:00:00+03:00 gap",
      "2026-04-24T21:00:00Z 00:00:00+03:00 none",
    ]);
  });

  test("a day that never was gives its occurrence to the next", () => {
    // Apia went from 29 to 31 December 2011: noon of the 30th and noon of the 31st are one instant.
    expect(linesOf(ruleOf("0 12 * * *", "Pacific/Apia"), "2011-12-29T12:00:00Z", "2012-01-01T00:00:00Z")).toEqual([
      "2011-12-29T22:00:00Z 12:00:00-10:00 none",
      "2011-12-30T22:00:00Z 12:00:00+14:00 none",
      "2011-12-31T22:00:00Z 12:00:00+14:00 none",
    ]);
  });
});

describe("6: from inside an hour that comes twice the next occurrence is never past", () => {
  const minutes = Array.from({ length: 240 }, (_, minute) => Date.parse("2026-10-24T23:00:00Z") + minute * 60_000);
  test.each(["30 2 * * *", "*/15 * * * *", "*/7 2 * * *", "59 2,3 * * *"])("%s", (expression) => {
    for (const fold of ["auto", "first", "last", "both"] as const) {
      const rule = ruleOf(expression, zurich, { fold });
      for (const now of minutes) {
        expect(nextOccurrence(rule, now)?.at).toBeGreaterThan(now);
        expect(previousOccurrence(rule, now)?.at).toBeLessThan(now);
      }
    }
  });

  test("nor is it, in the second pass, the first pass's", () => {
    expect(nextAt(ruleOf("30 2 * * *", zurich), "2026-10-25T01:10:00Z")).toBe("2026-10-26T01:30:00.000Z");
  });
});

/** In workerd the host's zone is always UTC and cannot be changed. */
const isNode = navigator.userAgent !== "Cloudflare-Workers";

test.runIf(isNode)("7: the host's own zone changes nothing", () => {
  const lines = (): readonly string[] => [
    ...linesOf(ruleOf("30 2 * * *", zurich), ...spring),
    ...linesOf(ruleOf("30 2 * * *", "America/New_York"), "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z"),
  ];
  const own = process.env["TZ"];
  const hosts = ["UTC", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", zurich];
  const found = hosts.map((host) => {
    process.env["TZ"] = host;
    return { offset: new Date(0).getTimezoneOffset(), lines: lines() };
  });
  if (own === undefined) delete process.env["TZ"];
  else process.env["TZ"] = own;
  expect(new Set(found.map(({ offset }) => offset)).size).toBeGreaterThan(3);
  for (const each of found) expect(each.lines).toEqual(found[0]?.lines);
  expect(found[0]?.lines).toHaveLength(4);
});

describe("8: days of the month beside days of the week", () => {
  const days = (expression: string): string =>
    occurrencesBetween(ruleOf(expression), Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 15), 31)
      .occurrences.map(({ local }) => Number(local.slice(8, 10)))
      .join(" ");
  // 1 November 2026 is a Sunday.
  test.each([
    ["all dates, or Mondays", "0 0 1-31 * MON", "1 2 3 4 5 6 7 8 9 10 11 12 13 14"],
    ["every other date, or Mondays", "0 0 */2 * MON", "1 2 3 5 7 9 11 13"],
    ["Mondays on every other date", "0 0 */2 * +MON", "9"],
    ["a star leaves it to the weekdays", "0 0 * * MON", "2 9"],
    ["and a question mark too", "0 0 ? * MON", "2 9"],
    ["the other way round", "0 0 5 * *", "5"],
    ["and with a question mark", "0 0 5 * ?", "5"],
    ["both open", "0 0 ? * ?", "1 2 3 4 5 6 7 8 9 10 11 12 13 14"],
    ["every weekday listed, or the fifth", "0 0 5 * 0-6", "1 2 3 4 5 6 7 8 9 10 11 12 13 14"],
    ["a plus beside a star is as good as none", "0 0 * * +MON", "2 9"],
  ])("%s: %s", (_what, expression, due) => {
    expect(days(expression)).toBe(due);
  });
});

describe("the first and the last of all", () => {
  test("nothing before 1970", () => {
    expect(lineOf(previousOccurrence(ruleOf("* * * * *"), 1))).toBe("1970-01-01T00:00:00Z 00:00:00+00:00 none");
    expect(previousOccurrence(ruleOf("* * * * *"), 0)).toBeNull();
    expect(previousOccurrence(ruleOf("0 0 1 1 *", zurich), 1)).toBeNull();
    expect(nextAt(ruleOf("0 0 1 1 *"), "1960-05-01T00:00:00Z")).toBe("1971-01-01T00:00:00.000Z");
  });

  test("nothing after 2500", () => {
    const end = Date.UTC(2501, 0, 1);
    expect(nextAt(ruleOf("0 0 * * *"), "2500-12-30T12:00:00Z")).toBe("2500-12-31T00:00:00.000Z");
    expect(nextOccurrence(ruleOf("0 0 * * *"), Date.UTC(2500, 11, 31))).toBeNull();
    expect(nextOccurrence(ruleOf("* * * * *"), end)).toBeNull();
    expect(lineOf(previousOccurrence(ruleOf("0 0 * * *"), 8e15))).toBe("2500-12-31T00:00:00Z 00:00:00+00:00 none");
  });
});

describe("what is rare, far or never costs little", () => {
  const lastSundayOfMarch = ruleOf("30 2 * 3 0L", zurich, { gap: "skip" });
  const at = (text: string): number => Date.parse(`${text}T00:00:00Z`);
  const year = (text: string): number => at(`${text}-06-01`);

  test("what always falls where it is skipped ends", () => {
    expect(nextOccurrence(lastSundayOfMarch, year("2026"))).toBeNull();
    expect(lineOf(previousOccurrence(lastSundayOfMarch, year("2010")))).toMatch(/^1980-03-30T01:30:00Z/);
    expect(previousOccurrence(lastSundayOfMarch, year("2080"))).toBeNull();
    expect(lineOf(nextOccurrence(ruleOf("30 2 * 3 0L", zurich), year("2026")))).toMatch(
      /^2027-03-28T01:30:00Z .* gap$/,
    );
  });

  test("looking is paid for out of the step's budget", () => {
    const paid = (ask: (work: Work) => unknown): number => {
      const work = openWork();
      ask(work);
      return work.used / workOf.calendarLook;
    };
    const leapMonday = ruleOf("0 0 29 2 +MON", zurich);
    expect(paid((work) => nextOccurrence(ruleOf("* * * * *"), year("2026"), work))).toBe(1);
    expect(paid((work) => nextOccurrence(leapMonday, year("2026"), work))).toBe(2);
    expect(paid((work) => previousOccurrence(leapMonday, year("2026"), work))).toBe(2);
    expect(paid((work) => nextOccurrence(ruleOf("30 2 29 3 *", zurich), at("2026-03-28"), work))).toBe(6);
    expect(paid((work) => nextOccurrence(lastSundayOfMarch, year("2026"), work))).toBe(1 + 39 * 6);
    const spent = { ...openWork(), left: 10 };
    expect(() => nextOccurrence(leapMonday, year("2026"), spent)).toThrow("STEP_WORK_MAX");
  });
});

describe("between two instants", () => {
  const daily = ruleOf("0 9 * * *");
  const day = (date: number): number => Date.UTC(2026, 10, date, 9);

  test("the first counts, the last does not", () => {
    const { occurrences, more } = occurrencesBetween(daily, day(1), day(3), 10);
    expect([occurrences.map(({ at }) => at), more]).toEqual([[day(1), day(2)], false]);
  });

  test("no more than asked for, and that there are others", () => {
    expect(occurrencesBetween(daily, day(1), day(5), 2)).toMatchObject({ more: true, occurrences: [{}, {}] });
    expect(occurrencesBetween(daily, day(1), day(3), 2).more).toBe(false);
    expect(occurrencesBetween(daily, day(1), day(3), 0)).toEqual({ occurrences: [], more: true });
    expect(occurrencesBetween(ruleOf("0 0 9 1 1 * 2027"), day(1), Infinity, 5).occurrences).toHaveLength(1);
  });
});

describe("back from an instant", () => {
  test.each([
    ["0 9 * * *", "2026-11-18T09:00:00Z", "2026-11-17T09:00:00Z 09:00:00+00:00 none"],
    ["0 9 * * *", "2026-11-18T09:00:00.001Z", "2026-11-18T09:00:00Z 09:00:00+00:00 none"],
    ["0 9 * * *", "2026-11-18T08:00:00Z", "2026-11-17T09:00:00Z 09:00:00+00:00 none"],
    ["*/10 * * * * *", "2026-11-18T00:00:00Z", "2026-11-17T23:59:50Z 23:59:50+00:00 none"],
    ["30 0 9 * * *", "2026-11-18T09:00:30Z", "2026-11-17T09:00:30Z 09:00:30+00:00 none"],
    ["0 9 1 * *", "2027-11-01T08:00:00Z", "2027-10-01T09:00:00Z 09:00:00+00:00 none"],
    ["30,45 9,10 * * *", "2026-11-18T10:30:00Z", "2026-11-18T09:45:00Z 09:45:00+00:00 none"],
    ["0 9 29 2 *", "2027-11-01T00:00:00Z", "2024-02-29T09:00:00Z 09:00:00+00:00 none"],
    ["0 0 9 1 1 * 2050", "2027-11-01T00:00:00Z", "none"],
  ])("%s before %s", (expression, before, line) => {
    expect(lineOf(previousOccurrence(ruleOf(expression), Date.parse(before)))).toBe(line);
  });
});

test("offsets are shown as they were, to the second", () => {
  expect(linesOf(ruleOf("0 12 * * *", "Africa/Monrovia"), "1971-06-01T00:00:00Z", "1971-06-02T00:00:00Z")).toEqual([
    "1971-06-01T12:44:30Z 12:00:00-00:44:30 none",
  ]);
  expect(linesOf(ruleOf("0 12 * * *", "Asia/Kathmandu"), "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")).toEqual([
    "2026-06-01T06:15:00Z 12:00:00+05:45 none",
  ]);
});

test("a zone that does not exist is thrown back", () => {
  expect(() => nextOccurrence(ruleOf("0 9 * * *", "Mars/Base"), 0)).toThrow(/mars\/base/i);
});
