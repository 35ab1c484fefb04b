// Tests calendars of recurring actions: which they name, how their occurrences move, and how new dates apply.
import { describe, expect, test } from "vitest";
import { datesAhead, datesOf, followedNames, hasSameHolidays, namedCalendars } from "#policy/calendar/follow.ts";
import { comingOccurrences } from "#policy/calendar/preview.ts";
import { runsAt } from "#policy/calendar/occurrence-action.ts";
import { dispatchCall } from "#policy/calendar/dispatch-call.ts";
import type { HolidayMove } from "#schema/definition/holidays.ts";
import type { FollowedCalendars, RecurringSpec } from "#schema/recurring/spec.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-12-22T12:00:00Z";
const christmas = { since: 1, dates: ["2026-12-24", "2026-12-25"] };
const calendars: FollowedCalendars = { ch: christmas };

function weekly(move: HolidayMove, over: Partial<RecurringSpec> = {}) {
  // Friday, 25 December 2026, is a holiday.
  return specOf({ calendars, ...over, rule: { cron: "0 9 * * FRI", holidays: { calendar: "ch", move } } });
}
const officeAction = { type: "webhook", config: { url: "https://example.com" } };

function inWindow(except: string | string[]) {
  const window = { from: "09:00", to: "17:00", except };
  const work = { ...specOf().work, settings: { window }, action: { ...officeAction, window } };
  return specOf({ calendars, work: work as RecurringSpec["work"], rule: { cron: "0 10 * * *" } });
}

describe("occurrences over a holiday", () => {
  test.each<[HolidayMove, string, string | null]>([
    ["before", "2026-12-23T09:00:00.000Z", "2026-12-25"],
    ["after", "2026-12-26T09:00:00.000Z", "2026-12-25"],
    ["skip", "2027-01-01T09:00:00.000Z", null],
  ])("%s", (move, next, movedFrom) => {
    const trace = new Trace(begun, weekly(move));
    expect(trace.next).toBe(next);
    const [first, second] = comingOccurrences(trace.state, trace.now, 2);
    expect([first?.at, first?.movedFrom]).toEqual([at(next), movedFrom]);
    expect(second?.movedFrom).toBeNull();
    trace.until(next);
    expect(trace.outcomes).toEqual([`${next.slice(0, 16)} dispatched`]);
  });

  test("two that move to one instant are one", () => {
    const rule = { cron: "0 9 * * *", holidays: { calendar: "ch", move: "after" } } as const;
    const { state, now } = new Trace(begun, specOf({ calendars, rule }));
    const coming = comingOccurrences(state, now, 3);
    expect(coming.map(({ local, movedFrom }) => [local.slice(0, 10), movedFrom])).toEqual([
      ["2026-12-23", null],
      ["2026-12-26", null],
      ["2026-12-27", null],
    ]);
  });

  test("the local date counts", () => {
    const rule = { cron: "30 0 25 12 *", timezone: "Asia/Tokyo", holidays: { calendar: "ch", move: "after" } } as const;
    const { state, now } = new Trace(begun, specOf({ calendars, rule }));
    expect(comingOccurrences(state, now, 1)).toMatchObject([{ local: "2026-12-26T00:30:00", movedFrom: "2026-12-25" }]);
  });
});

describe("new dates", () => {
  const follow = (since: number, dates: string[]) => ({ verb: "follow", calendars: { ch: { since, dates } } }) as const;

  test("move the next occurrence", () => {
    const trace = new Trace(begun, weekly("after"));
    const { updatedAt } = trace.state;
    trace.ask(follow(2, []));
    expect(trace.next).toBe("2026-12-25T09:00:00.000Z");
    expect(trace.state.updatedAt).toBeGreaterThan(updatedAt);
    trace.ask(follow(3, ["2026-12-25", "2026-12-26"]));
    expect(trace.next).toBe("2026-12-27T09:00:00.000Z");
  });

  test("that are not newer, or of another calendar, change nothing", () => {
    const trace = new Trace(begun, weekly("after"));
    const before = trace.state.spec;
    trace.ask(follow(1, []));
    trace.ask({ verb: "follow", calendars: { other: { since: 9, dates: [] } } });
    expect(trace.state.spec).toBe(before);
    const plain = new Trace(begun, specOf());
    plain.ask(follow(9, []));
    expect(plain.state.spec.calendars).toBeUndefined();
  });

  test("of the window only move no occurrence", () => {
    const trace = new Trace(begun, inWindow("ch"));
    const { next, doneUntil } = trace.state;
    trace.ask(follow(2, []));
    expect(trace.state).toMatchObject({ next, doneUntil });
    expect(datesOf(trace.state.spec.calendars)).toEqual({ ch: [] });
  });

  test("do not bring back an occurrence of the past", () => {
    const trace = new Trace("2026-12-24T12:00:00Z", weekly("skip"));
    trace.until("2026-12-25T12:00:00Z").ask(follow(2, []));
    expect(trace.next).toBe("2027-01-01T09:00:00.000Z");
    expect(trace.outcomes).toEqual([]);
  });

  test("that leave no occurrence end it, and further ones begin it again", () => {
    const rule = { cron: "0 0 9 25 12 * 2026", holidays: { calendar: "ch", move: "skip" } } as const;
    const spec = specOf({ calendars: { ch: { since: 1, dates: [] } }, rule });
    const trace = new Trace(begun, spec);
    trace.ask(follow(2, ["2026-12-25"]));
    expect(trace.state).toMatchObject({ status: "completed", statusReason: "no_next_occurrence" });
    trace.ask(follow(3, []));
    expect([trace.state.status, trace.next]).toEqual(["active", "2026-12-25T09:00:00.000Z"]);
  });

  test("during a pause apply from then on", () => {
    const trace = new Trace("2026-12-17T12:00:00Z", weekly("skip"));
    trace.ask({ verb: "pause" });
    trace.until("2026-12-19T12:00:00Z").ask(follow(2, []));
    expect(trace.outcomes).toEqual(["2026-12-18T09:00 paused paused_by_request"]);
    trace.until("2026-12-26T12:00:00Z").ask({ verb: "resume", catchUp: "none" });
    expect(trace.outcomes).toEqual([
      "2026-12-18T09:00 paused paused_by_request",
      "2026-12-25T09:00 paused paused_by_request",
    ]);
  });
});

describe("an update", () => {
  test("that adds, changes or removes holidays arms the next occurrence", () => {
    const trace = new Trace(begun, weekly("after"));
    trace.put({ rule: weekly("skip").rule });
    expect(trace.next).toBe("2027-01-01T09:00:00.000Z");
    trace.put({ rule: specOf({ rule: { cron: "0 9 * * FRI" } }).rule });
    expect([trace.next, trace.state.spec.calendars]).toEqual(["2026-12-25T09:00:00.000Z", undefined]);
    trace.put({ rule: weekly("before").rule, calendars });
    expect(trace.next).toBe("2026-12-23T09:00:00.000Z");
  });

  test("of the dates alone arms it, too", () => {
    const trace = new Trace(begun, weekly("after"));
    trace.put({ calendars: { ch: { since: 2, dates: [] } } });
    expect(trace.next).toBe("2026-12-25T09:00:00.000Z");
  });
});

describe("a window that excludes dates", () => {
  test.each([["ch"], [["ch", "other"]]])("%j: the action runs at the next opening", (except) => {
    const spec = inWindow(except);
    const due = at("2026-12-24T10:00:00Z");
    expect(runsAt({ id: "rec_1", spec }, due, due)).toBe(at("2026-12-26T09:00:00Z"));
  });

  test("the dates are sent with each dispatch", () => {
    const trace = new Trace(begun, inWindow("ch"));
    expect(dispatchCall(trace.state, []).terms.calendars).toEqual({ ch: christmas.dates });
    expect(dispatchCall(new Trace(begun, specOf()).state, []).terms).not.toHaveProperty("calendars");
  });
});

test("names are those of the rule and of the window, with their pointers", () => {
  expect(followedNames(weekly("skip"))).toEqual([{ name: "ch", where: "/holidays/calendar" }]);
  expect(followedNames(inWindow(["ch", "other"]))).toEqual([
    { name: "ch", where: "/window/except/0" },
    { name: "other", where: "/window/except/1" },
  ]);
  const work = { kind: "definition", definition: "d", variables: {} } as const;
  expect(followedNames({ ...weekly("skip"), work })).toHaveLength(1);
  expect(followedNames(specOf())).toEqual([]);
  expect(namedCalendars({ ...weekly("skip"), calendars: { ...calendars, other: christmas } })).toEqual(calendars);
  const { calendars: _none, ...without } = weekly("skip");
  expect([namedCalendars(without), hasSameHolidays(without, weekly("skip"))]).toEqual([undefined, false]);
});

test("dates ahead are those of the named calendars from two days before now on", () => {
  const dates = { ch: ["2026-12-19", "2026-12-20", "2026-12-25"], other: ["2026-12-25"] };
  expect(datesAhead(dates, ["ch", "none"], at(begun))).toEqual({ ch: ["2026-12-20", "2026-12-25"], none: [] });
});
