// Schedules: an occurrence starts a run while the execution is in the action's state.
import { describe, expect, test } from "vitest";
import { FINISHED_RUNS_KEPT, OPEN_DEAD_LETTERS_MAX } from "#schema/limits/run-attempts.ts";
import { STATE_BYTES_MAX } from "#schema/limits/executions.ts";
import { compile } from "#kernel/programs/compile.ts";
import { step } from "#kernel/execution/step.ts";
import { DEFINITION_ACTIONS_MAX, OCCURRENCE_GRACE_MS } from "#schema/limits/definition-sizes.ts";
import { action, day, drive, hour, success, T0, ask, failure, second } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

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
    expect(t.newLines()).toContain("run_skipped a/schedule/report report: previous_in_progress");
  });

  test("the next occurrence is strictly after now and the last: missed ones are not caught up", () => {
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

  test("the newest missed occurrence represents all, if its lateness is allowed", () => {
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
    const t = daily({ schedule: "0 0 9 1 1 * 2020" });
    expect(t.newLines().at(-1)).toBe("timer_disarmed a/schedule/report: no_further_occurrence");
  });

  test("in an hour that the clocks jump over comes later by the gap, as a timer there does", () => {
    const over = (more: Parameters<typeof action>[1]) =>
      drive({
        timezone: "Europe/Zurich",
        states: { a: {} },
        actions: [
          action("report", { triggerState: "a", schedule: "30 2 29 3 *", ...more }),
          action("timer", { triggerState: "a", delay: { anchor: "2026-03-29T02:30:00" } }),
        ],
      }).start();
    const t = over({});
    expect(t.timers()["a/schedule/report"]).toBe(Date.parse("2026-03-29T01:30:00Z") - T0);
    expect(t.run("timer").dueAt).toBe(Date.parse("2026-03-29T01:30:00Z"));
    const skipped = over({ schedule: { cron: "30 2 29 3 *", gap: "skip" } });
    expect(skipped.timers()["a/schedule/report"]).toBe(Date.parse("2027-03-29T00:30:00Z") - T0);
  });

  test("keeps what it says of an hour that comes twice when it is armed again", () => {
    const t = drive({
      timezone: "Europe/Zurich",
      states: { a: {} },
      actions: [action("report", { triggerState: "a", schedule: { cron: "30 2 25 10 *", fold: "both" } })],
    }).start();
    const passes = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((each) => Date.parse(each) - T0);
    expect(t.timers()["a/schedule/report"]).toBe(passes[0]);
    expect(t.tickAt(Number(passes[0])).timers()["a/schedule/report"]).toBe(passes[1]);
    t.ok("report").tickAt(Number(passes[1]));
    expect(t.runs()).toEqual(["report ok", "report queued"]);
    expect(t.timers()["a/schedule/report"]).toBe(Date.parse("2027-10-25T00:30:00Z") - T0);
  });

  test("that is invalid fails the execution, with the reason", () => {
    const t = daily();
    const gone = compile({ ...t.definition, timezone: "Mars/Base" });
    const ticked = step(gone, t.state, { kind: "tick", now: T0 + 23 * hour, room: 0 });
    expect(ticked).toMatchObject({ ok: true, state: { status: "failed" } });
    const message = naming("Mars/Base");
    expect(ticked.ok && ticked.state.error).toMatchObject({ type: "invalid_configuration", message });
    expect(() => daily({ schedule: "5/15 * * * *" })).toThrow("5/15");
  });

  test("that would make more runs than an execution may hold fails it", () => {
    const entry = Array.from({ length: DEFINITION_ACTIONS_MAX }, () => "other");
    const t = drive({
      states: { a: { on: { fill: { actions: entry } } } },
      actions: [action("other"), action("report", { triggerState: "a", schedule: "0 8 * * *" })],
    }).start();
    for (let n = 0; n < 5; n++) t.event("fill");
    expect(t.tickAt(day).state.error?.message).toEqual(naming(1000, "UNFINISHED_RUNS_MAX"));
  });
});

describe("an execution's stored runs", () => {
  test("keep the newest finished runs, and delete unused triggers", () => {
    const t = drive({
      states: { a: { on: { again: { target: "a", reenter: true } } } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    for (let n = 0; n < FINISHED_RUNS_KEPT + 5; n++) t.event("again");
    expect(t.state.runs.length, "lists have not heard of them yet").toBe(FINISHED_RUNS_KEPT + 6);
    t.tickAt(3 * second).event("again");
    expect(t.state.runs.length).toBe(FINISHED_RUNS_KEPT + 1);
    expect(t.state.runs.at(0)?.id).toBe("7.0");
    expect(t.state.triggers.length).toBe(1);
  });

  test("pause the execution at the maximum of open dead letters", () => {
    const retryPolicy = { maxAttempts: 1 };
    const t = drive({
      states: { a: { on: { "action.mail.failed": { target: "a", reenter: true } } } },
      actions: [action("mail", { triggerState: "a", retryPolicy })],
    }).start();
    for (let n = 0; n < OPEN_DEAD_LETTERS_MAX; n++) {
      expect(t.status).toBe("active");
      const run = t.state.runs.at(-1)?.id ?? "";
      t.take(ask.claim(run, 1)).take(ask.settle(run, 1, failure()));
    }
    expect(t.state).toMatchObject({ status: "paused", reason: "action_failed" });
    expect(t.resume().status).toBe("active");
  });

  test("refuse an event that would exceed the size of the state", () => {
    const t = drive({ states: { a: { on: { go: "b" } }, b: { on: { later: "a" } } } }).start();
    const payload = "x".repeat(STATE_BYTES_MAX / 10);
    for (let n = 0; n < 9; n++) t.event("later", payload);
    const message = naming(STATE_BYTES_MAX, "STATE_BYTES_MAX");
    expect(t.refused(ask.event("later", payload))).toMatchObject({ code: "limit_exceeded", message });
    expect(t.event("go").status).toBe("waiting");
  });

  test("keep a dead letter with its trigger, however many runs follow", () => {
    const t = drive({
      states: { a: { on: { again: { target: "a", reenter: true } } } },
      actions: [action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 1 } })],
    })
      .start()
      .miss("mail");
    for (let n = 0; n < FINISHED_RUNS_KEPT + 5; n++) t.event("again");
    expect(t.state.runs[0]).toMatchObject({ deadLetter: true, trigger: t.state.triggers[0]?.seq });
  });
});
