// An operator reschedules a run or a timer.
import { describe, expect, test } from "vitest";
import { INSTANT_MS_MAX } from "#schema/limits/definition-sizes.ts";
import { action, ask, day, drive, hour, minute, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const delays = { due: { anchor: { var: "execution.variables.date" } } };
const states = { a: { on: { go: "b", "action.mail.ok": "b" }, after: { due: "b", PT6H: "b" } }, b: { on: { x: "a" } } };
type More = Parameters<typeof action>[1];
const begun = (more: More = {}, variables = { date: T0 + hour }) =>
  drive({ states, delays, actions: [action("mail", { triggerState: "a", ...more })] }).start(variables);
const run = (ms: number) => ({ kind: "reschedule", target: { run: "1.0" }, at: T0 + ms }) as const;
const timer = (ms: number, id = "a/after/due") => ({ kind: "reschedule", target: { timer: id }, at: T0 + ms }) as const;

describe("reschedule", () => {
  test("moves a timer, and says from where to where", () => {
    const t = begun({ delay: "P1D" }).verb(timer(3 * hour));
    expect(t.moves).toEqual([{ timer: "a/after/due", from: T0 + hour, to: T0 + 3 * hour }]);
    expect(t.newLines().slice(-1)).toEqual(["rescheduled a/after/due"]);
    expect([t.tickAt(hour).at, t.tickAt(3 * hour).at]).toEqual(["a", "b"]);
  });

  test("a change of variables moves neither any more, and says so", () => {
    const t = begun({ delay: "due" })
      .verb(timer(3 * hour))
      .verb(run(4 * hour))
      .patch({ date: T0 + 2 * hour });
    expect([t.moves, t.beside.notMoved]).toEqual([
      [],
      [
        { kind: "timer", id: "a/after/due", action: null, reason: "rescheduled" },
        { kind: "run", id: "1.0", action: "mail", reason: "rescheduled" },
      ],
    ]);
    expect(t.timers()).toEqual({ "a/after/due": 3 * hour, "a/after/PT6H": 6 * hour });
  });

  test("moves a run that waits; what is planned after it, and lateness, count from there", () => {
    const t = begun({ delay: "PT30M", maxLateness: "PT1H" })
      .verb(timer(5 * day))
      .verb(run(5 * hour));
    expect(t.run("mail")).toMatchObject({ dueAt: T0 + 5 * hour, firstDueAt: T0 + 5 * hour, planned: T0 + 5 * hour });
    expect(t.tickAt(5.5 * hour).runs()).toEqual(["mail queued"]);
  });

  test("moves one that hangs on a variable, one in backoff, and one that is held", () => {
    expect(
      begun({ delay: "due" }, {} as never)
        .verb(run(minute))
        .run("mail").dueAt,
    ).toBe(T0 + minute);
    const retried = begun()
      .miss("mail")
      .verb(run(40 * minute));
    expect([retried.run("mail").status, retried.wake]).toEqual(["retry", 40 * minute]);
    const held = begun()
      .verb({ kind: "hold", run: "1.0" })
      .verb(run(2 * minute));
    expect([held.run("mail").dueAt, held.run("mail").heldByHand?.dueAt]).toEqual([null, T0 + 2 * minute]);
    expect(held.moves).toEqual([{ timer: "1.0", from: T0, to: T0 + 2 * minute }]);
  });

  test("moves the next occurrence of a schedule, and those after it stay", () => {
    const daily = begun({ schedule: "0 8 * * *" }, { date: T0 + 30 * day }).verb({
      kind: "reschedule",
      target: { timer: "a/after/PT6H" },
      at: T0 + 40 * day,
    });
    const t = daily.verb(timer(hour, "a/schedule/mail"));
    expect(t.tickAt(hour).runs()).toEqual(["mail queued"]);
    expect(t.timers()["a/schedule/mail"]).toBe(23 * hour);
  });

  test("may be asked for while it is paused", () => {
    expect(
      begun()
        .pause()
        .verb(timer(2 * hour))
        .timers()["a/after/due"],
    ).toBe(2 * hour);
  });

  test("a timer that was planned earlier counts from where it is now", () => {
    const t = begun();
    t.become({ ...t.state, timers: t.state.timers.map((each) => ({ ...each, planned: T0 - day })) });
    expect(t.verb(timer(2 * hour)).timer("a/after/due")).not.toHaveProperty("planned");
  });
});

describe("refused is", () => {
  const at = (ms: number) => begun().refused(ask.verb(timer(ms)));
  test("an instant that is not ahead, with what to do for now", () => {
    expect(at(0)).toEqual({
      code: "invalid_input",
      message: naming("2026-01-05T09:00:00.000Z"),
      errors: [
        { pointer: "/at", code: "out_of_range", message: naming("2026-01-05T09:00:00.000Z"), hint: naming("run-now") },
      ],
    });
  });

  test("one that is further ahead than the calendar goes", () => {
    const hint = naming(new Date(INSTANT_MS_MAX).toISOString());
    expect(at(INSTANT_MS_MAX - T0 + 1)).toMatchObject({
      code: "invalid_input",
      errors: [{ pointer: "/at", code: "out_of_range", hint }],
    });
    expect(
      begun()
        .verb(timer(INSTANT_MS_MAX - T0))
        .timer("a/after/due").at,
    ).toBe(INSTANT_MS_MAX);
  });

  test("one at which the run is not wanted any more", () => {
    const until = new Date(T0 + day).toISOString();
    const t = begun({ delay: "PT30M", validUntil: until });
    expect(t.refused(ask.verb(run(day + 1)))).toMatchObject({
      code: "invalid_input",
      message: naming(until),
      errors: [{ pointer: "/at", code: "out_of_range" }],
    });
    expect(t.verb(run(day)).run("mail").dueAt).toBe(T0 + day);
  });

  test.each([
    ["a timer that is not armed", timer(1, "a/after/PT2H"), "not_found", "a/after/PT2H"],
    ["a run that is not there", { ...run(1), target: { run: "9.9" } }, "not_found", "9.9"],
    ["a run on its way", run(1), "verb_not_applicable", "1.0"],
  ])("%s", (_, verb, code, named) => {
    expect(begun().refused(ask.verb(verb))).toMatchObject({ code, message: naming(named) });
  });

  test("a run in flight, and one that is over", () => {
    expect(
      begun()
        .claim("mail")
        .refused(ask.verb(run(1))).code,
    ).toBe("verb_not_applicable");
    expect(
      begun()
        .ok("mail")
        .refused(ask.verb(run(1))),
    ).toMatchObject({ code: "verb_not_applicable", message: naming("1.0", "ok") });
  });
});
