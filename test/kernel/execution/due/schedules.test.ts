// Holidays in executions: timers, runs and schedules that a date of a pinned calendar moves or skips.
import { describe, expect, test } from "vitest";
import { action, day, drive, hour, T0 } from "#test/support/drive.ts";
import { variable, windowed } from "./windows.ts";

/** T0 is Monday, 5 January 2026, 09:00 UTC. */
const calendars = { ch: ["2026-01-06", "2026-01-07"] };
const over = (move: "before" | "after" | "skip") => ({ holidays: { calendar: "ch", move } });
const states = { a: { after: { due: "b" }, on: { x: {} } }, b: { on: { x: {} } } };

describe("a timer that would fire on a holiday", () => {
  test.each([
    ["after", { "a/after/due": 3 * day }],
    ["before", { "a/after/due": 0 }],
    ["skip", {}],
  ] as const)("%s", (move, expected) => {
    const t = drive({ calendars, delays: { due: { offset: "P1D", ...over(move) } }, states }).start();
    expect(t.timers()).toEqual(expected);
    if (move === "skip") expect(t.newLines()).toContain("timer_disarmed a/after/due: holiday");
  });

  test("is armed when its date is moved to another day, and skipped again", () => {
    const due = { anchor: variable("date"), ...over("skip") };
    const t = drive({ calendars, delays: { due }, states }).start({ date: T0 + day });
    expect([t.timers(), t.patch({ date: T0 + 4 * day }).timers()]).toEqual([{}, { "a/after/due": 4 * day }]);
    t.newLines();
    expect([t.patch({ date: T0 + 2 * day }).timers(), t.newLines()]).toEqual([
      {},
      expect.arrayContaining(["timer_disarmed a/after/due: holiday"]),
    ]);
  });
});

describe("a run that would start on a holiday", () => {
  const mail = (delay: object) => ({
    calendars,
    actions: [action("mail", { triggerState: "a", delay })],
    states: { a: { on: { x: {} } } },
  });

  test("is skipped with the reason, and comes back when its date moves", () => {
    const t = drive(mail({ anchor: variable("date"), ...over("skip") })).start({ date: T0 + day });
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "holiday" });
    expect(t.patch({ date: T0 + 3 * day }).run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + 3 * day });
  });

  test("moves to a day on which its window opens", () => {
    const window = { days: "FRI", from: "08:00", to: "20:00" };
    const t = windowed(window, mail({ offset: "P1D", ...over("after") })).start();
    expect(t.run("mail").dueAt).toBe(T0 + 4 * day);
  });
});

test("a schedule moves over holidays, and its window does not open on them", () => {
  const schedule = { cron: "0 9 * * TUE", ...over("after") };
  const t = drive({
    calendars,
    actions: [action("mail", { triggerState: "a", schedule })],
    states: { a: { on: { x: {} } } },
  });
  expect(t.start().timers()).toEqual({ "a/schedule/mail": 3 * day });
  expect(t.tickAt(3 * day).timers()).toEqual({ "a/schedule/mail": 8 * day });
  const part = { calendars, actions: [action("mail", { triggerState: "a" })], states: { a: { on: { x: {} } } } };
  const held = windowed({ from: "08:00", to: "20:00", except: "ch" }, part).clock(day).start();
  expect(held.run("mail").dueAt).toBe(T0 + 3 * day - hour);
});
