// Cron expressions: their meaning and the refused forms. Occurrences are listed in UTC, which has no clock changes.
import { describe, expect, test } from "vitest";
import { parseCron } from "#kernel/calendar/cron.ts";
import { nextOccurrence } from "#kernel/calendar/occurrences.ts";
import { nextAt, ruleOf } from "./rules.ts";
import { naming } from "#test/support/matchers/naming.ts";
import type { CalendarCode } from "#kernel/calendar/cron-field.ts";

function firstOf(expression: string, count: number, from = "2026-11-18T10:00:00Z"): readonly string[] {
  const rule = ruleOf(expression);
  const found: string[] = [];
  for (let at = Date.parse(from); found.length < count;) {
    const next = nextOccurrence(rule, at);
    if (next === null) return [...found, "none"];
    found.push(next.local);
    at = next.at;
  }
  return found;
}

describe("fields", () => {
  test.each<[string, readonly string[]]>([
    ["7 * * * *", ["2026-11-18T10:07:00", "2026-11-18T11:07:00"]],
    ["*/25 * * * *", ["2026-11-18T10:25:00", "2026-11-18T10:50:00", "2026-11-18T11:00:00"]],
    ["5-20/10 * * * *", ["2026-11-18T10:05:00", "2026-11-18T10:15:00", "2026-11-18T11:05:00"]],
    ["5-5 * * * *", ["2026-11-18T10:05:00", "2026-11-18T11:05:00"]],
    ["10,5,5-6 * * * *", ["2026-11-18T10:05:00", "2026-11-18T10:06:00", "2026-11-18T10:10:00", "2026-11-18T11:05:00"]],
    ["0 0 1 */5 *", ["2027-01-01T00:00:00", "2027-06-01T00:00:00", "2027-11-01T00:00:00", "2028-01-01T00:00:00"]],
    ["0 9 * * mon-fri", ["2026-11-19T09:00:00", "2026-11-20T09:00:00", "2026-11-23T09:00:00"]],
    ["0 9 * FEB,Dec Tue", ["2026-12-01T09:00:00", "2026-12-08T09:00:00"]],
    ["0 0 * * 7", ["2026-11-22T00:00:00", "2026-11-29T00:00:00"]],
    ["0 0 * * 0", ["2026-11-22T00:00:00", "2026-11-29T00:00:00"]],
    ["0 0 * * SAT-SUN", ["2026-11-21T00:00:00", "2026-11-22T00:00:00", "2026-11-28T00:00:00"]],
    ["0 0 * * SUN-TUE", ["2026-11-22T00:00:00", "2026-11-23T00:00:00", "2026-11-24T00:00:00", "2026-11-29T00:00:00"]],
    ["0 0 * * 5-7", ["2026-11-20T00:00:00", "2026-11-21T00:00:00", "2026-11-22T00:00:00", "2026-11-27T00:00:00"]],
    ["0 0 * * */3", ["2026-11-21T00:00:00", "2026-11-22T00:00:00", "2026-11-25T00:00:00"]],
    ["*/20 * * * * *", ["2026-11-18T10:00:20", "2026-11-18T10:00:40", "2026-11-18T10:01:00"]],
    ["30 0 9 * * *", ["2026-11-19T09:00:30"]],
    ["0 0 9 1 1 * 2028,2030", ["2028-01-01T09:00:00", "2030-01-01T09:00:00", "none"]],
    ["0 0 9 1 1 * 2020-2027/7", ["2027-01-01T09:00:00", "none"]],
    ["0 0 0 29 2 * */4", ["2028-02-29T00:00:00", "2032-02-29T00:00:00"]],
    ["0 0 0 1 1 * ?", ["2027-01-01T00:00:00"]],
    ["  0   9 * * *  ", ["2026-11-19T09:00:00"]],
    ["?/15 * * * *", ["2026-11-18T10:15:00", "2026-11-18T10:30:00"]],
    ["? ? * * *", ["2026-11-18T10:01:00"]],
  ])("%s", (expression, due) => {
    expect(firstOf(expression, due.length)).toEqual(due);
  });

  test.each([
    ["@yearly", "2027-01-01T00:00:00"],
    ["@annually", "2027-01-01T00:00:00"],
    ["@monthly", "2026-12-01T00:00:00"],
    ["@weekly", "2026-11-22T00:00:00"],
    ["@daily", "2026-11-19T00:00:00"],
    ["@Midnight", "2026-11-19T00:00:00"],
    [" @hourly", "2026-11-18T11:00:00"],
  ])("%s", (expression, due) => {
    expect(firstOf(expression, 1)).toEqual([due]);
    expect(ruleOf(expression).cron.expression).toBe(expression);
  });
});

describe("days that hang on the month", () => {
  const dates = (expression: string, from: string, count: number): string =>
    firstOf(expression, count, from)
      .map((each) => each.slice(0, 10))
      .join(" ");
  test.each([
    ["the last day", "0 0 L * *", "2027-01-15", "2027-01-31 2027-02-28 2027-03-31 2027-04-30"],
    ["two days before it", "0 0 L-2 * *", "2028-01-30", "2028-02-27 2028-03-29 2028-04-28"],
    ["the first or the last", "0 0 1,L * *", "2027-01-15", "2027-01-31 2027-02-01 2027-02-28 2027-03-01"],
    ["thirty days before the last", "0 0 L-30 * *", "2027-01-15", "2027-03-01 2027-05-01 2027-07-01"],
    ["the last working day", "0 0 LW * *", "2026-11-18", "2026-11-30 2026-12-31 2027-01-29 2027-02-26"],
    ["the last working day before a Sunday", "0 0 LW 2,10 *", "2027-01-01", "2027-02-26 2027-10-29"],
    ["the working day nearest to the 15th", "0 0 15W * *", "2026-11-01", "2026-11-16 2026-12-15 2027-01-15"],
    ["Saturday goes back", "0 0 14W * *", "2026-11-01", "2026-11-13 2026-12-14"],
    ["not into the month before", "0 0 1W * *", "2027-04-15", "2027-05-03 2027-06-01"],
    ["not into the month behind", "0 0 31W * *", "2027-01-01", "2027-01-29 2027-03-31"],
    ["nor is a Sunday's", "0 0 31W * *", "2027-10-01", "2027-10-29 2027-12-31"],
    ["a month without the day has none", "0 0 30W 2,3 *", "2027-01-01", "2027-03-30 2028-03-30"],
    ["the second Tuesday", "0 0 * * TUE#2", "2026-11-01", "2026-11-10 2026-12-08 2027-01-12"],
    ["first and third", "0 0 * * TUE#1,TUE#3", "2026-11-01", "2026-11-03 2026-11-17 2026-12-01"],
    ["the fifth, where there is one", "0 0 * * TUE#5", "2026-11-01", "2026-12-29 2027-03-30"],
    ["the last Friday", "0 0 * * 5L", "2026-11-01", "2026-11-27 2026-12-25 2027-01-29"],
    ["written otherwise", "0 0 * * FRI#L", "2026-11-01", "2026-11-27 2026-12-25 2027-01-29"],
    ["the first of each working day", "0 0 * * MON-FRI#1", "2026-11-01", "2026-11-02 2026-11-03 2026-11-04"],
    ["Friday the 13th", "0 0 13 * +FRI", "2026-11-01", "2026-11-13 2027-08-13 2028-10-13"],
    ["a leap day", "0 0 29 2 *", "2026-11-01", "2028-02-29 2032-02-29"],
    ["a leap day that is a Monday", "0 0 29 2 +MON", "2026-11-01", "2044-02-29 2072-02-29"],
    ["the 31st", "0 0 31 * *", "2027-01-15", "2027-01-31 2027-03-31 2027-05-31"],
    ["1 March after a February that lacks a listed day", "0 9 */5 * *", "2027-02-26T09", "2027-03-01 2027-03-06"],
    ["and after one that lacks two", "0 0 1,30 * *", "2027-02-01T01", "2027-03-01 2027-03-30"],
  ])("%s: %s", (_what, expression, from, due) => {
    const start = from.length > 10 ? `${from}:00:00Z` : `${from}T00:00:00Z`;
    expect(dates(expression, start, due.split(" ").length)).toBe(due);
  });
});

describe("refused, with the reason and what to write", () => {
  type Named = readonly (string | number)[];
  test.each<[string, CalendarCode, Named, Named]>([
    ["", "field_count", [0], []],
    ["* * * *", "field_count", [4], []],
    ["* * * * * * * *", "field_count", [8], []],
    ["2026-01-01T00:00:00", "not_an_expression", [], ['"30 9 * * *"']],
    ["@reboot", "nickname_unknown", ["@reboot"], ["@yearly"]],
    ["@every 5m", "nickname_unknown", ["@every 5m"], ["@yearly"]],
    ["60 * * * *", "out_of_range", ["minute", 60], ["minute", 0, 59]],
    ["* 24 * * *", "out_of_range", ["hour", 24], ["hour", 0, 23]],
    ["* * 0 * *", "out_of_range", [0], [1, 31]],
    ["* * 32 * *", "out_of_range", [32], [1, 31]],
    ["* * * 13 *", "out_of_range", ["month", 13], ["month", 1, 12]],
    ["* * * * 8", "out_of_range", [8], [0, 7]],
    ["* * * * * * 1969", "out_of_range", ["year", 1969], ["year", 1970, 2500]],
    ["* * * * * * 2501", "out_of_range", ["year", 2501], ["year", 1970, 2500]],
    ["60 * * * * *", "out_of_range", ["second", 60], ["second", 0, 59]],
    ["5/15 * * * *", "step_open", ["minute", "5/15"], ["5-59/15"]],
    ["5/15 * * * *", "step_open", ["minute", "5/15"], ["*/15"]],
    ["/15 * * * *", "start_missing", ["minute", "/15"], ["*/15"]],
    ["*/0 * * * *", "step_invalid", ["minute", "*/0"], [1, 60]],
    ["*/90 * * * *", "step_invalid", ["minute", "*/90"], [1, 60]],
    ["*/x * * * *", "step_invalid", ["minute", "*/X"], [1, 60]],
    ["*/5/5 * * * *", "step_repeated", ["minute", "*/5/5"], ["*/15"]],
    ["1-2-3 * * * *", "range_invalid", ["minute", "1-2-3"], ["1-5"]],
    ["1- * * * *", "number_missing", ["minute", "1-"], ["minute", 0, 59]],
    ["1-99 * * * *", "out_of_range", ["minute", 99], ["minute", 0, 59]],
    ["1,,2 * * * *", "number_missing", ["minute"], ["minute", 0, 59]],
    ["* 22-2 * * *", "range_backwards", ["hour", "22-2"], ["22-23,0-2"]],
    ["* * * * FRI-MON", "range_backwards", ["FRI-MON"], ["5-7,0-1"]],
    ["* * * * monday", "not_understood", ["MONDAY"], ["MON"]],
    ["* * * * MNO", "not_understood", ["MNO"], ["MON"]],
    ["* * * sept *", "not_understood", ["month", "SEPT"], ["SEP"]],
    ["* * * xyzzy *", "not_understood", ["month", "XYZZY"], ["month", 1, 12]],
    ["H * * * *", "not_understood", ["minute", "H"], ["minute", 0, 59]],
    ["MON * * * *", "not_understood", ["minute", "MON"], ["minute", 0, 59]],
    ["* * W * *", "not_understood", ["W"], ["15W"]],
    ["* * 1-5W * *", "not_understood", ["1-5W"], ["15W"]],
    ["* * 15L * *", "not_understood", ["15L"], ["L", "L-2", "LW"]],
    ["* * 32W * *", "out_of_range", [32], [1, 31]],
    ["* * L-31 * *", "beyond_month", ["L-31"], ["L-30"]],
    ["* * * * L", "weekday_missing", ["L"], ["5L"]],
    ["* * * * MON#6", "weekday_invalid", ["MON#6"], ["FRI#1", "FRI#5"]],
    ["* * * * MON#1#2", "weekday_invalid", ["MON#1#2"], ["FRI#1", "FRI#5"]],
    ["* * * * XL", "not_understood", ["X"], [0, 7]],
    ["* L * * *", "not_understood", ["hour", "L"], ["hour", 0, 23]],
    ["0 0 30 2 *", "never_due", ["0 0 30 2 *"], [29, 30]],
    ["0 0 31 4,6,9,11 *", "never_due", ["0 0 31 4,6,9,11 *"], [29, 30]],
    ["0 0 0 29 2 * 2027", "never_due", ["0 0 0 29 2 * 2027"], [29, 30]],
    ["0 0 5 * +MON#2", "never_due", ["0 0 5 * +MON#2"], ["L"]],
  ])("%s: %s", (expression, code, named, shown) => {
    const refused = { ok: false, code, message: naming(...named), hint: naming(...shown) };
    expect(parseCron(expression)).toEqual(refused);
  });
});

test("what was named is taken over as written", () => {
  expect(nextAt(ruleOf("0 9 * * Mon-fri"), "2026-11-20T10:00:00Z")).toBe("2026-11-23T09:00:00.000Z");
});
