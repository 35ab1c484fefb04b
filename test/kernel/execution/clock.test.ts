// The passing of time, and when an execution must be woken next.
import { describe, expect, test } from "vitest";
import { MACROSTEPS_MAX, PROJECT_BUSY_AFTER_MS } from "#schema/limits/executions.ts";
import { action, ask, day, drive, failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });

describe("a timer", () => {
  test("fires at its instant, and says how late it was", () => {
    const t = drive({ states: { a: { after: { PT1H: "b" } }, b: { on: { x: "a" } } } }).start();
    expect([t.status, t.wake]).toEqual(["waiting", hour]);
    expect(t.tickAt(hour - 1).at).toBe("a");
    expect(t.tickAt(hour + 5).at).toBe("b");
    expect(t.entries.find(({ kind }) => kind === "timer_fired")).toMatchObject({ timer: "a/after/PT1H", lateMs: 5 });
  });

  test("is disarmed when its state is left, and armed anew when it is entered again", () => {
    const t = drive({
      states: { a: { after: { PT1H: "late" }, on: { go: "b" } }, b: { on: { back: "a" } }, late: { on: { x: "a" } } },
    }).start();
    expect(t.event("go").timers()).toEqual({});
    expect(t.clock(minute).event("back").timers()).toEqual({ "a/after/PT1H": hour + minute });
  });

  test("of the root lasts as long as the execution", () => {
    const t = drive({
      after: { P1D: ".late" },
      states: { a: { on: { go: "b" } }, b: { on: { x: "a" } }, late: { type: "final" } },
    }).start();
    expect(t.event("go").timers()).toEqual({ "(root)/after/P1D": day });
    expect(t.tickAt(day).status).toBe("completed");
  });

  test("several that are due fire by instant, then in the order of their arming; a race has one winner", () => {
    const t = drive({
      type: "parallel",
      states: {
        y: { initial: "a", states: { a: { after: { 2000: "b" } }, b: { after: { 500: "c" } }, c: { type: "final" } } },
        x: { initial: "a", states: { a: { after: { 2000: "b", 3000: "never" } }, b: { type: "final" }, never: {} } },
        z: { initial: "a", states: { a: { after: { 2000: "b" } }, b: { type: "final" } } },
      },
    }).start();
    t.newLines();
    expect(
      t
        .tickAt(minute)
        .newLines()
        .filter((line) => line.startsWith("timer_fired")),
    ).toEqual(["timer_fired y.a/after/2000", "timer_fired x.a/after/2000", "timer_fired z.a/after/2000"]);
    expect(t.timers()).toEqual({ "y.b/after/500": minute + 500 });
  });

  test("that its guard refuses has fired all the same, and says so", () => {
    const t = drive({
      states: { a: { after: { PT1H: { guard: false, target: "b" } }, on: { go: "b" } }, b: { on: { x: "a" } } },
    }).start();
    expect(t.tickAt(hour).newLines().slice(-2)).toEqual(["timer_fired a/after/PT1H", "event_ignored a/after/PT1H"]);
  });

  test("that hangs on a variable waits for it, without a wake", () => {
    const t = drive({
      delays: { due: { anchor: variable("date") } },
      states: { a: { after: { due: "b" } }, b: { type: "final" } },
    }).start();
    expect([t.status, t.wake, t.timers()]).toEqual(["waiting", null, { "a/after/due": null }]);
    expect(t.patch({ date: T0 + hour }).wake).toBe(hour);
  });

  test("that has passed is not armed where it says so", () => {
    const delays = { due: { anchor: variable("date"), ifPast: "skip" } } as const;
    const t = drive({ delays, states: { a: { after: { due: "b" }, on: { x: "b" } }, b: { type: "final" } } }).start({
      date: T0 - 1,
    });
    expect(t.newLines().at(-1)).toBe("timer_disarmed a/after/due: already_past");
  });

  test.each([
    ["no older than that fires at once", 2 * day, "b"],
    ["older than that is not armed", 2 * day + 1, "a"],
  ])("that has passed and runs within two days: one that is %s", (_, age, at) => {
    const delays = { due: { anchor: variable("date"), ifPast: { runWithin: "P2D" } } };
    const states = { a: { after: { due: "b" }, on: { x: "b" } }, b: { type: "final" } } as const;
    expect(
      drive({ delays, states })
        .start({ date: T0 - age })
        .tickAt(0).at,
    ).toBe(at);
  });

  test("that cannot be resolved refuses the input that needs it, and fails an execution that reaches it automatically", () => {
    const delays = { due: { anchor: variable("date") } };
    const states = { a: { after: { due: "b" } }, b: {}, z: { on: { go: "a" }, after: { PT1H: "a" } } };
    expect(drive({ delays, states }).refused(ask.start({ date: "soon" }))).toMatchObject({ code: "invalid_input" });
    const t = drive({ delays, states, initial: "z" }).start({ date: "soon" });
    expect(t.refused(ask.event("go"))).toMatchObject({ code: "event_not_accepted", message: naming("go", "soon") });
    expect(t.tickAt(hour).state).toMatchObject({ status: "failed", error: { type: "invalid_configuration" } });
  });

  test("local times are read in the definition's zone", () => {
    const delays = { due: { anchor: variable("date"), at: "09:00" } };
    const t = drive({
      timezone: "Europe/Zurich",
      delays,
      states: { a: { after: { due: "b" } }, b: { type: "final" } },
    });
    expect(t.start({ date: "2026-01-06" }).wake).toBe(day - hour);
  });

  test("loops without end fail the execution, and never hang: timers of no length", () => {
    const t = drive({ states: { a: { after: { 0: "b" } }, b: { after: { 0: "a" } } } })
      .start()
      .tickAt(0);
    expect(t.state.error).toMatchObject({
      type: "invalid_configuration",
      message: naming(MACROSTEPS_MAX, "MACROSTEPS_MAX"),
    });
  });

  test("loops without end fail the execution, and never hang: runs that are skipped", () => {
    const t = drive({
      states: { a: { on: { "action.mail.skipped": { target: "a", reenter: true } } } },
      actions: [action("mail", { triggerState: "a", condition: false })],
    }).start();
    expect(t.state.error?.message).toEqual(naming(1000, "MACROSTEPS_MAX"));
  });

  test("as many as may follow one input do follow it", () => {
    const n = variable("n");
    const last = MACROSTEPS_MAX - 1;
    const again = { target: "a", reenter: true, guard: { "<": [n, last] }, assign: { n: { "+": [n, 1] } } };
    const t = drive({
      variables: { n: 0 },
      states: { a: { on: { "action.mail.skipped": again, x: "a" } } },
      actions: [action("mail", { triggerState: "a", condition: false })],
    }).start();
    expect([t.state.error, t.state.variables]).toEqual([null, { n: last }]);
  });

  test("after a fault nothing more fires", () => {
    const t = drive({
      type: "parallel",
      states: {
        x: { initial: "a", states: { a: { after: { 1: { guard: { "+": ["x"] }, target: "b" } } }, b: {} } },
        y: { initial: "a", states: { a: { after: { 2: "b" } }, b: {} } },
      },
    })
      .start()
      .tickAt(minute);
    expect(t.newLines().filter((line) => line.startsWith("timer_fired"))).toEqual(["timer_fired x.a/after/1"]);
    expect(t.status).toBe("failed");
  });
});

describe("when it wakes", () => {
  const states = { a: { on: { go: "b" }, after: { P1D: "b" } }, b: { on: { x: "a" } } };
  const t = () =>
    drive({
      states,
      actions: [action("mail", { triggerState: "a" }), action("next", { triggerState: "a", delay: "PT10M" })],
    }).start();

  const slotTaken = () => {
    const next = action("next", { triggerState: "a", delay: "PT1S" });
    return drive({ states, actions: [action("mail", { triggerState: "a" }), next] })
      .start()
      .claim("mail")
      .tickAt(second)
      .tickAt(2 * second);
  };

  test.each([
    ["active: to project", () => t(), PROJECT_BUSY_AFTER_MS],
    ["active and told: to send again", () => t().tickAt(2_000), 1 * minute],
    ["in flight: for the deadline", () => t().tickAt(2_000).claim("mail").tickAt(4_000), 2_000 + 35 * second],
    ["in backoff: for the retry", () => t().miss("mail"), 1 * second],
    ["waiting: for the next run", () => t().ok("mail"), 10 * minute],
    [
      "waiting: for the timer",
      () =>
        t()
          .ok("mail")
          .tickAt(10 * minute)
          .ok("next"),
      1 * day,
    ],
    ["a run that is due and waits for its slot: not for it", () => slotTaken(), 35 * second],
    ["paused: not at all", () => t().pause(), null],
    ["paused in flight: for the deadline", () => t().claim("mail").pause(), 35 * second],
    ["ended: when its history may go", () => t().cancel(), 7 * day],
    [
      "ended in flight: for the deadline",
      () =>
        t()
          .claim("mail")
          .cancel()
          .tickAt(2 * second),
      35 * second,
    ],
    ["ended in flight, and lists have not heard: for them", () => t().claim("mail").cancel(), 2 * second],
  ] as const)("%s", (_when, trace, expected) => {
    expect(trace().wake).toBe(expected);
  });

  test("a tick with nothing due changes nothing", () => {
    const { seq } = t().state;
    expect(t().tickAt(1).state.seq).toBe(seq);
  });
});

describe("projections", () => {
  const t = () =>
    drive({
      states: { a: { on: { go: "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    });
  const tells = (of: ReturnType<typeof t>) => of.effects.some(({ kind }) => kind === "project");

  test("nothing while it is busy, and everything as soon as it rests", () => {
    const busy = t().start();
    expect([tells(busy), busy.state.unprojectedSince]).toEqual([false, T0]);
    expect([tells(busy.clock(10).claim("mail")), busy.state.unprojectedSince]).toEqual([false, T0]);
    expect([tells(busy.settle("mail", success())), busy.state.unprojectedSince]).toEqual([true, null]);
  });

  test("a busy one now and then", () => {
    const busy = t()
      .start()
      .tickAt(PROJECT_BUSY_AFTER_MS - 1);
    expect(tells(busy)).toBe(false);
    expect(tells(busy.tickAt(PROJECT_BUSY_AFTER_MS))).toBe(true);
    expect(tells(busy.tickAt(PROJECT_BUSY_AFTER_MS + 1))).toBe(false);
  });

  test("nothing of what is tried again within a moment, and at once of what waits for longer", () => {
    const failing = (baseDelay: number) =>
      drive({
        states: { a: { on: { x: "a" } } },
        actions: [
          action("mail", {
            triggerState: "a",
            retryPolicy: { maxAttempts: 9, backoffStrategy: "fixed", baseDelay, jitter: "none" },
          }),
        ],
      })
        .start()
        .claim("mail")
        .settle("mail", failure());
    const soon = failing(100);
    expect([soon.state.status, tells(soon), soon.state.unprojectedSince]).toEqual(["waiting", false, T0]);
    expect([tells(soon.tickAt(100)), soon.state.unprojectedSince]).toEqual([false, T0]);
    expect(tells(soon.tickAt(PROJECT_BUSY_AFTER_MS))).toBe(true);
    const later = failing(PROJECT_BUSY_AFTER_MS);
    expect([later.state.status, tells(later), later.state.unprojectedSince]).toEqual(["waiting", true, null]);
  });

  test("of a pause and an end, at once", () => {
    expect(tells(t().start().pause())).toBe(true);
    expect(tells(t().start().cancel())).toBe(true);
  });
});

describe("retention", () => {
  const ended = (part: { retention?: "PT1H" }, pooled = false) =>
    drive({ states: { a: { type: "final" } }, ...part }).take(ask.start({}, { pooled }));

  test.each([
    ["the definition's", { retention: "PT1H" }, false, hour],
    ["a week of its own", {}, false, 7 * day],
    ["a day in a pool", {}, true, day],
  ] as const)("%s", (_what, part, pooled, expected) => {
    const t = ended(part, pooled);
    expect(t.wake).toBe(expected);
    expect(t.tickAt(expected - 1).effects).toEqual([]);
    expect(t.tickAt(expected).effects).toContainEqual({ kind: "purge" });
  });

  test("does not end while a run is in flight", () => {
    const actions = [action("mail", { triggerState: "a", timeout: 60_000 })];
    const t = drive({ retention: "PT1S", states: { a: { on: { x: "a" } } }, actions })
      .start()
      .claim("mail")
      .cancel()
      .tickAt(minute);
    expect([t.effects, t.wake]).toEqual([[{ kind: "project" }], minute + 5 * second]);
    expect(t.settle("mail", success()).tickAt(minute + second).effects).toContainEqual({ kind: "purge" });
  });

  test("has not begun for an execution that lives", () => {
    expect(
      drive({ states: { a: { on: { x: "a" } } } })
        .start()
        .tickAt(365 * day).effects,
    ).toEqual([]);
  });
});
