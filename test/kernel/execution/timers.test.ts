// Timers and waiting runs that depend on a variable. Each change of the variable reschedules them. Also the order of two
// timers that are due at one instant.
import { describe, expect, test } from "vitest";
import { step } from "#kernel/execution/step.ts";
import { action, ask, day, drive, hour, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });
const due = { anchor: variable("date") };
const date = "2026-01-15";
const onDate = 9 * day + 15 * hour; // midnight of the date, from T0

describe("what an assignment changes moves what hangs on it", () => {
  const set = { assign: { date: { var: "message.payload" } } };
  const waiting = {
    delays: { due },
    states: { a: { on: { set }, after: { due: "b" } }, b: { type: "final" } },
  } as const;

  test("a timer that hung on a variable that was not there is armed", () => {
    const t = drive(waiting).start();
    expect([t.timers(), t.wake]).toEqual([{ "a/after/due": null }, null]);
    t.newLines();
    t.event("set", date);
    expect([t.timers(), t.wake]).toEqual([{ "a/after/due": onDate }, onDate]);
    expect(t.entries.at(-1)).toMatchObject({
      kind: "assigned",
      moves: [{ timer: "a/after/due", from: null, to: T0 + onDate }],
    });
    expect(t.tickAt(onDate).at).toBe("b");
  });

  test("a timer that has its instant finds another, unless it keeps it", () => {
    expect(drive(waiting).start({ date }).event("set", "2026-01-16").timers()).toEqual({ "a/after/due": onDate + day });
    const kept = { ...waiting, delays: { due: { ...due, onMove: "keep" as const } } };
    expect(drive(kept).start({ date }).event("set", "2026-01-16").timers()).toEqual({ "a/after/due": onDate });
  });

  test("a timer whose time has passed by then fires at once, or not at all", () => {
    expect(drive(waiting).start().event("set", "2026-01-01").wake).toBe(0);
    const skipping = { ...waiting, delays: { due: { ...due, ifPast: "skip" as const } } };
    const t = drive(skipping).start().event("set", "2026-01-01");
    expect([t.timers(), t.newLines()]).toEqual([
      {},
      expect.arrayContaining(["timer_disarmed a/after/due: already_past"]),
    ]);
  });

  test("a waiting run finds its instant", () => {
    const actions = [action("mail", { triggerState: "a", delay: due })];
    const t = drive({ actions, states: { a: { on: { set } } } })
      .start()
      .event("set", date);
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + onDate, firstDueAt: T0 + onDate });
  });

  test("a date that is none is refused where it comes from outside, and fails the execution where it does not", () => {
    expect(drive(waiting).start().refused(ask.event("set", "soon")).message).toEqual(naming("set", '"soon"'));
    const on = { "action.look.ok": { assign: { date: "soon" } } };
    const states = { ...waiting.states, a: { ...waiting.states.a, on } };
    const t = drive({ ...waiting, actions: [action("look", { triggerState: "a" })], states })
      .start()
      .ok("look");
    expect([t.status, t.state.error?.message]).toEqual(["failed", naming('"soon"')]);
  });

  test("timers of a state that is left by the same transition are not rescheduled", () => {
    const go = { target: "b", assign: { date: "soon" } };
    const actions = [action("mail", { triggerState: "a", delay: due })];
    const t = drive({
      delays: { due },
      actions,
      states: { a: { on: { go }, after: { due: "b" } }, b: { on: { x: "a" } } },
    });
    t.start().event("go");
    expect([t.at, t.status, t.timers(), t.runs()]).toEqual(["b", "waiting", {}, ["mail canceled"]]);
  });
});

test("a variable that came unseen is found by the next patch, the same value over again", () => {
  const t = drive({ delays: { due }, states: { a: { after: { due: "a" } } } }).start({ date: null });
  expect(t.patch({ date }).timers()).toEqual({ "a/after/due": onDate });
  const unseen = drive({ delays: { due }, states: { a: { after: { due: "a" } } } }).start({ other: 1 });
  expect(unseen.patch({ other: 1 }).timers()).toEqual({ "a/after/due": null });
});

describe("a patch leaves alone what has begun", () => {
  const actions = [action("mail", { triggerState: "a", delay: due })];
  const started = () => drive({ actions, states: { a: {} } }).start({ date: "2026-01-05T09:00:00Z" });
  const far = { date: "2026-02-04" };

  test("a run that its connection held after its claim", () => {
    const held = { ok: false, held: { by: "rate", until: T0 + hour, connection: "crm" } } as never;
    const t = started().claim("mail").settle("mail", held).patch(far);
    expect([t.moves, t.run("mail").dueAt]).toEqual([[], T0 + hour]);
  });

  test("a run that was tried once and waits since a pause", () => {
    const t = started().miss("mail").tickAt(day).pause().patch(far);
    expect([t.moves, t.run("mail").attempt]).toEqual([[], 1]);
  });

  test("a run that a person brought forward and that waits for a slot", () => {
    const two = [action("first", { triggerState: "a" }), ...actions];
    const t = drive({ actions: two, states: { a: {} } })
      .start({ date })
      .runNow({ run: "1.1" })
      .patch(far);
    expect([t.moves, t.run("mail").dueAt]).toEqual([[], T0]);
  });
});

describe("timers due at one instant", () => {
  test("fire in the order in which they were armed, whatever their names", () => {
    const regions = {
      z: { initial: "wait", states: { wait: { after: { PT1H: "done" } }, done: {} } },
      a: { initial: "wait", states: { wait: { after: { PT60M: "done" } }, done: {} } },
    };
    const t = drive({ type: "parallel", states: regions }).start().tickAt(hour);
    expect(t.newLines().filter((line) => line.startsWith("timer_fired"))).toEqual([
      "timer_fired z.wait/after/PT1H",
      "timer_fired a.wait/after/PT60M",
    ]);
  });

  test("a timer that is moved keeps its place among them", () => {
    const delays = { due, other: { anchor: variable("other") } };
    const t = drive({ delays, states: { a: { after: { due: "b", other: "c" } }, b: {}, c: {} } });
    t.start({ date, other: "2026-01-16" }).patch({ date: "2026-01-16" });
    expect(t.tickAt(onDate + day).at).toBe("b");
  });
});

describe("a series counted from its first arming", () => {
  const delays = { monthly: { offset: "P1M", from: "first" as const } };

  test("goes on over re-entries on the same day of the month", () => {
    const t = drive({
      delays,
      states: { a: { after: { monthly: { target: "a", reenter: true } }, on: { go: "b" } }, b: { on: { back: "a" } } },
    });
    const end = Date.UTC(2026, 0, 31, 9) - T0;
    t.clock(end).start();
    const days: (string | undefined)[] = [];
    for (let month = 0; month < 3; month += 1) {
      const at = Number(t.timers()["a/after/monthly"]);
      days.push(new Date(T0 + at).toISOString().slice(0, 10));
      t.tickAt(at);
    }
    expect(days).toEqual(["2026-02-28", "2026-03-31", "2026-04-30"]);
    expect(t.state.firsts).toEqual({ "a/after/monthly": T0 + end });
    t.event("go").event("back");
    expect(new Date(T0 + Number(t.timers()["a/after/monthly"])).toISOString().slice(0, 10)).toBe("2026-05-31");
  });
});

describe("an instant the engine does not count to", () => {
  const states = { a: { after: { due: "b" } }, b: {} };

  test("is refused in a patch, and nothing has changed", () => {
    const t = drive({ delays: { due }, states }).start();
    expect(t.refused(ask.patch({ date: "9999-12-31" }))).toMatchObject({
      code: "invalid_input",
      errors: [{ pointer: "/variables", code: "invalid_anchor" }],
    });
    expect(t.patch({ date: "2500-12-31T23:00:00Z" }).timers()["a/after/due"]).toBe(Date.UTC(2500, 11, 31, 23) - T0);
  });

  test("fails what begins with it, and says so", () => {
    const t = drive({ states: { a: { after: { PT1H: "b" } }, b: { after: { P900Y: "a" } } } })
      .start()
      .tickAt(hour);
    expect([t.status, t.state.error?.message]).toEqual(["failed", naming('"P900Y"', 2500)]);
  });
});

test("a definition that was stored before lengths were bounded fails, and can be canceled before that", () => {
  const far = "99999999999999999999";
  const t = drive({ states: { a: { after: { PT1H: "b" } }, b: { after: { [far]: "a" } } } }).start();
  expect(t.tickAt(hour).status).toBe("failed");
  const waiting = drive({ actions: [action("mail", { triggerState: "a", delay: far })], states: { a: {} } }).start();
  expect(waiting.runs()).toEqual(["mail failed"]);
  expect(waiting.cancel().status).toBe("canceled");
});

test("validUntil reads a local time that exists twice as its action says", () => {
  const validUntil = "2026-10-25T02:30";
  const at = Date.UTC(2026, 9, 25, 1) - T0; // between the two occurrences of 02:00
  const wait = (part: object) => {
    const actions = [action("mail", { triggerState: "b", validUntil, timezone: "Europe/Zurich", ...part })];
    return drive({ actions, states: { a: { on: { go: "b" } }, b: {} } })
      .start()
      .clock(at)
      .event("go")
      .runs();
  };
  expect([wait({}), wait({ disambiguation: "later" })]).toEqual([["mail skipped"], ["mail queued"]]);
});

test("timers that are due together fire in the order of their instants, whichever was armed first", () => {
  const after = (ms: number) => ({ initial: "a", states: { a: { after: { [ms]: "b" } }, b: {} } });
  const t = drive({ type: "parallel", states: { x: after(2_000), y: after(1_000) } })
    .start()
    .tickAt(hour);
  expect(t.newLines().filter((line) => line.startsWith("timer_fired"))).toEqual([
    "timer_fired y.a/after/1000",
    "timer_fired x.a/after/2000",
  ]);
});

test("what an older version left without an instant finds one with any patch, be it of the same value", () => {
  const t = drive({ delays: { due }, states: { a: { after: { due: "b" } }, b: { on: { x: "a" } } } }).start({ date });
  const left = { ...t.state, timers: t.state.timers.map((timer) => ({ ...timer, at: null })) };
  const patched = step(t.program, left, { ...ask.patch({ date }), now: T0, room: 0 });
  expect(patched).toMatchObject({ ok: true, state: { timers: [{ id: "a/after/due", at: T0 + onDate }] } });
});

test("a timer that another one brings forward to now fires in the same step", () => {
  const sets = { target: "b", assign: { date: "2026-01-05" } };
  const t = drive({
    type: "parallel",
    delays: { due },
    states: {
      x: { initial: "a", states: { a: { after: { PT1H: sets } }, b: {} } },
      y: { initial: "a", states: { a: { after: { due: "b" } }, b: {} } },
    },
  });
  expect(t.start({ date }).tickAt(hour).at).toBe("x.b, y.b");
});
