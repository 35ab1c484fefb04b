// Schedules: an occurrence starts a run while the execution is in the action's state.
import { describe, expect, test } from "vitest";
import { limits } from "#schema/limits.ts";
import { OCCURRENCE_GRACE_MS } from "#schema/limits/kernel.ts";
import { action, day, drive, hour, success, T0 } from "#test/support/drive.ts";

describe("a schedule", () => {
  const daily = (more: Parameters<typeof action>[1] = {}) =>
    drive({
      states: { a: { on: { go: "b" } }, b: { on: { back: "a" } } },
      actions: [action("report", { triggerState: "a", schedule: "0 8 * * *", ...more })],
    }).start();

  test("starts a run at each occurrence while the execution is in its state", () => {
    const t = daily();
    expect(t.timers()).toEqual({ "a/schedule/report": 23 * hour });
    expect(t.tickAt(23 * hour).runs()).toEqual(["report queued"]);
    expect(
      t
        .ok("report")
        .tickAt(23 * hour + day)
        .runs(),
    ).toEqual(["report ok", "report queued"]);
    expect(t.event("go").timers()).toEqual({});
  });

  test("an occurrence while the last run is under way is skipped, and says so", () => {
    const t = daily()
      .tickAt(23 * hour)
      .tickAt(47 * hour);
    expect(t.runs()).toEqual(["report queued"]);
    expect(t.newLines()).toContain("run_skipped a/schedule/report report: previous_still_under_way");
  });

  test("the next occurrence is strictly after now and the last: missed ones are not made up for", () => {
    expect(
      daily()
        .tickAt(23 * hour + 3 * day)
        .timers(),
    ).toEqual({ "a/schedule/report": 23 * hour + 4 * day });
    expect(
      daily()
        .tickAt(23 * hour)
        .timers(),
    ).toEqual({ "a/schedule/report": 23 * hour + day });
  });

  test("of the missed ones the newest stands for all, as long as it is not later than it may be", () => {
    const t = daily({ maxLateness: "PT4H" });
    t.tickAt(23 * hour + 3 * day + 4 * hour);
    expect(t.run("report")).toMatchObject({ status: "queued", firstDueAt: T0 + 23 * hour + 3 * day });
    const late = daily({ maxLateness: "PT4H" }).tickAt(23 * hour + 3 * day + 4 * hour + 1);
    expect(late.run("report")).toMatchObject({ status: "skipped", reason: "late" });
    expect(late.timers()).toEqual({ "a/schedule/report": 23 * hour + 4 * day });
  });

  test("resumed at five, what was due at eight does not go out", () => {
    const resumed = (more: Parameters<typeof action>[1]) =>
      daily(more)
        .pause()
        .clock(32 * hour)
        .resume();
    expect(resumed({ maxLateness: "PT8H" }).run("report")).toMatchObject({ status: "skipped", reason: "late" });
    expect(resumed({ maxLateness: "PT9H" }).run("report").status).toBe("queued");
    const t = resumed({});
    expect(t.run("report")).toMatchObject({ status: "skipped", reason: "missed" });
    expect(t.timers()).toEqual({ "a/schedule/report": 47 * hour });
  });

  test("an alarm that is some minutes late is nothing missed", () => {
    expect(
      daily()
        .tickAt(23 * hour + OCCURRENCE_GRACE_MS)
        .runs(),
    ).toEqual(["report queued"]);
    const t = daily().tickAt(23 * hour + OCCURRENCE_GRACE_MS + 1);
    expect(t.runs()).toEqual(["report skipped"]);
    expect(t.newLines()).toContain("run_skipped 2.0 report: missed");
  });

  test("waiting for a slot is not bounded by that grace", () => {
    const t = drive({
      states: { a: { on: { go: "a" } } },
      actions: [action("long", { triggerState: "a" }), action("report", { triggerState: "a", schedule: "0 8 * * *" })],
    }).start();
    t.tickAt(23 * hour)
      .ok("long")
      .clock(26 * hour);
    expect(t.runs()).toEqual(["long ok", "report queued"]);
  });

  test("fires once when an execution is resumed after a month, however many it missed", () => {
    const t = daily({ schedule: "*/15 * * * *" }).pause();
    t.newLines();
    t.clock(30 * day).resume();
    expect(t.newLines().filter((line) => line.startsWith("timer_fired"))).toEqual(["timer_fired a/schedule/report"]);
    expect(t.timers()).toEqual({ "a/schedule/report": 30 * day + hour / 4 });
  });

  test("ends with its own state, and not with another one", () => {
    const region = (event: string) => ({ initial: "a", states: { a: { on: { [event]: "b" } }, b: {} } });
    const t = drive({
      type: "parallel",
      states: { x: region("leaveX"), y: region("leaveY") },
      actions: [action("report", { triggerState: "x.a", schedule: "0 8 * * *" })],
    }).start();
    expect(Object.keys(t.event("leaveY").timers())).toEqual(["x.a/schedule/report"]);
    expect(t.event("leaveX").timers()).toEqual({});
  });

  test("is read in the action's zone, then the definition's", () => {
    expect(daily({ timezone: "Europe/Zurich" }).timers()).toEqual({ "a/schedule/report": 22 * hour });
  });

  test("does not take back a run it started in another state's time", () => {
    const t = daily()
      .tickAt(23 * hour)
      .claim("report")
      .event("go");
    expect(t.settle("report", success()).runs()).toEqual(["report ok"]);
  });

  test("that has no further occurrence is not armed, and says so", () => {
    const t = daily({ schedule: "0 0 30 2 *" });
    expect(t.newLines().at(-1)).toBe("timer_disarmed a/schedule/report: no_further_occurrence");
  });

  test("that would make more runs than an execution may hold fails it", () => {
    const entry = Array.from({ length: limits.actionsMax }, () => "other");
    const t = drive({
      states: { a: { on: { fill: { actions: entry } } } },
      actions: [action("other"), action("report", { triggerState: "a", schedule: "0 8 * * *" })],
    }).start();
    for (let n = 0; n < 5; n++) t.event("fill");
    expect(t.tickAt(day).state.error?.message).toBe("an execution holds at most 1000 unfinished runs (runsLiveMax)");
  });
});
