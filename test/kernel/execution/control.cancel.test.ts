// Cancellation of live executions that cannot be stepped, and erasure of ended executions.
import { describe, expect, test } from "vitest";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { step } from "#kernel/execution/step.ts";
import { compile } from "#kernel/programs/compile.ts";
import { placeholderProgram } from "#kernel/programs/placeholder.ts";
import { STATE_ROW_BYTES_MAX } from "#schema/limits/executions.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";
import { action, ask, drive, driveProgram, failure, hour, machine, minute, success, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const waits = { a: { on: { go: "b" }, after: { PT1H: "b" } }, b: { on: { back: "a" } } };
const mail = action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 1 } });
const next = action("next", { triggerState: "a" });
const daily = action("daily", { triggerState: "a", schedule: "0 8 * * *" });

/** One run in flight, one that waits for its slot, two timers, a dead letter, and a waiting event. */
const busy = () => {
  const t = drive({
    states: { ...waits, b: { on: { back: "a", later: "a" } } },
    actions: [mail, next, daily],
    variables: { n: 1 },
  });
  return t.start().miss("mail").event("later").claim("next");
};
const { program } = busy();

describe("what is due", () => {
  test("comes first, and the execution is canceled where that led it", () => {
    const ending = (outcome: "failed" | "completed") =>
      drive({ states: { a: { after: { PT1H: "end" } }, end: { type: "final", outcome } } })
        .start()
        .clock(2 * hour)
        .cancel();
    expect([ending("completed").status, ending("failed").status]).toEqual(["canceled", "canceled"]);
    const moved = drive({ states: waits })
      .start()
      .clock(2 * hour)
      .cancel();
    expect([moved.status, moved.at]).toEqual(["canceled", "b"]);
  });

  test("is left undone where it would fail it: by a deadline, by a rule", () => {
    const overdue = drive({ states: waits, actions: [{ ...mail, onExhausted: "fail" }] });
    expect(
      overdue
        .start()
        .claim("mail")
        .clock(50 * minute)
        .cancel().state,
    ).toMatchObject({ status: "canceled", error: null });
    const broken = drive({ states: { a: { after: { PT1H: { target: "b", guard: { "+": ["x"] } } } }, b: {} } });
    expect(
      broken
        .start()
        .clock(2 * hour)
        .cancel().state,
    ).toMatchObject({ status: "canceled", error: null });
  });

  test("is left undone where a bug of ours breaks it, and the journal says so", () => {
    const bug = () => {
      const sound = compile(machine({ states: waits, actions: [mail] }));
      const react = () => {
        throw new Error("the rule engine broke");
      };
      return { ...sound, react };
    };
    const t = driveProgram([bug(), bug()])
      .start()
      .claim("mail")
      .clock(2 * hour);
    expect(() => t.take(ask.tick())).toThrow("the rule engine broke");
    const unfinished = { ...t.run("mail"), id: "0.9", action: "other", status: "ok" as const, finishedAt: null };
    t.become({ ...t.state, runs: [unfinished, ...t.state.runs] });
    t.take(ask.cancel("stuck"));
    expect(t.state).toMatchObject({ status: "canceled", reason: "stuck", timers: [] });
    expect(t.state.runs.find(({ id }) => id === "0.9")?.finishedAt).toBe(T0 + 2 * hour);
    expect(t.entries.find(({ kind }) => kind === "canceled")).toMatchObject({ fault: "Error: the rule engine broke" });
    expect(t.run("mail")).toMatchObject({ status: "canceled", reason: "execution_canceled" });
    expect(t.take(ask.settle("1.0", 1, success())).run("mail").status).toBe("ok");
  });

  test("is left undone if the state would exceed a row", () => {
    const t = drive({ states: waits }).start();
    t.become({ ...t.state, variables: { large: "x".repeat(STATE_ROW_BYTES_MAX) } });
    expect(t.clock(2 * hour).cancel().state).toMatchObject({ status: "canceled", error: null });
  });
});

describe("states that no step can read", () => {
  const withRun = (action: string, part: Partial<Run>) => (state: ExecutionState) => ({
    ...state,
    runs: state.runs.map((run) => (run.action === action ? { ...run, ...part } : run)),
  });
  const withTimer = (part: Partial<Timer>) => (state: ExecutionState) => ({
    ...state,
    timers: state.timers.map((timer) => ({ ...timer, ...part })),
  });
  test.each<[string, (state: ExecutionState) => ExecutionState]>([
    ["a run in flight that has no deadline", withRun("next", { deadlineAt: null })],
    ["a message without its time of sending", withRun("next", { status: "queued", sentAt: null })],
    ["a run of an action that is not in the definition", withRun("next", { action: "gone", deadlineAt: T0 })],
    [
      "a run whose trigger is gone",
      (state) => ({ ...withRun("next", { status: "scheduled", dueAt: T0 })(state), triggers: [] }),
    ],
    ["a timer of an action that is not in the definition", withTimer({ action: "gone", at: T0 })],
    ["an unreadable schedule", withTimer({ action: "daily", expression: "soon", at: T0 })],
    ["a timer at the end of time", withTimer({ at: 1e300 })],
    [
      "a position that is in no state",
      (state) => ({ ...withTimer({ at: T0 })(state), position: { ...state.position, value: "gone" } }),
    ],
  ])("%s: it is canceled all the same", (_what, spoil) => {
    const t = busy();
    const state = spoil(t.state);
    const stepped = step(program, state, { ...ask.cancel(), now: T0 + 2 * hour, room: 0 });
    if (!stepped.ok) throw new Error(stepped.refusal.message);
    expect(stepped.state).toMatchObject({ status: "canceled", finishedAt: T0 + 2 * hour, timers: [], buffer: [] });
    expect(stepped.state.runs.find(({ deadLetter }) => deadLetter)).toEqual(
      state.runs.find(({ deadLetter }) => deadLetter),
    );
  });

  test("whichever field of a run, a timer, a trigger or the position is anything else", () => {
    const { state } = busy();
    const absurd = [null, undefined, "x", -1, 1e300, [], {}];
    let tried = 0;
    const lists = ["runs", "timers", "triggers", "position"] as const;
    for (const list of lists) {
      const items: readonly object[] = list === "position" ? [state.position] : state[list];
      items.forEach((item, at) => {
        for (const field of Object.keys(item)) {
          for (const value of absurd) {
            const spoiled = { ...item, [field]: value };
            const all = list === "position" ? spoiled : items.map((each, n) => (n === at ? spoiled : each));
            const input = { ...ask.cancel(), now: T0 + 2 * hour, room: 0 } as const;
            const stepped = step(program, { ...state, [list]: all } as ExecutionState, input);
            const where = `${list} ${at} ${field} ${JSON.stringify(value)}`;
            expect(stepped.ok && stepped.state.status, where).toBe("canceled");
            const wake = stepped.ok ? nextWake(stepped.state, input.now) : NaN;
            expect(wake === null || Number.isFinite(wake), where).toBe(true);
            tried += 1;
          }
        }
      });
    }
    expect(tried).toBeGreaterThan(500);
  });
});

test("a dead letter of an unreadable definition cannot be retried, and is archived", () => {
  const t = busy().cancel();
  const stamp = { now: T0 + hour, room: 0 };
  const retried = step(placeholderProgram(), t.state, { ...ask.retry("1.0"), ...stamp });
  expect(retried).toMatchObject({ ok: false, refusal: { code: "run_not_startable" } });
  expect(step(placeholderProgram(), t.state, { ...ask.archive("1.0"), ...stamp }).ok).toBe(true);
});

test("one that has ended is refused as ever", () => {
  expect(busy().cancel().refused(ask.cancel()).code).toBe("execution_final");
});

test("a later failure has no effect", () => {
  expect(busy().cancel().settle("next", failure()).run("next")).toMatchObject({
    status: "canceled",
    deadLetter: false,
  });
});

const ending = machine({ states: { a: { type: "final" } } });

const shop = (more: Parameters<typeof action>[1] = {}) =>
  drive({
    states: { open: { on: { pay: "paid" } }, paid: { on: { "action.ship.ok": "done" } }, done: { type: "final" } },
    actions: [action("ship", { triggerState: "paid", ...more })],
  }).start();

describe("erase", () => {
  test("erases an ended execution at once, and records who and why", () => {
    const t = shop().event("pay").ok("ship").take(ask.erase("asked by Ada"));
    expect(t.newLines().at(-1)).toBe("erased");
    expect(t.effects.map(({ kind }) => kind)).toContain("purge");
  });

  test("takes its dead letters with it", () => {
    const t = shop({ retryPolicy: { maxAttempts: 1 } })
      .event("pay")
      .miss("ship")
      .cancel()
      .take(ask.erase());
    expect(t.run("ship").deadLetter).toBe(true);
    expect(t.effects.map(({ kind }) => kind)).toContain("purge");
  });

  test.each([
    ["that waits", shop(), "waiting"],
    ["that is paused", shop().pause(), "paused"],
  ])("refuses one %s", (_what, t, status) => {
    expect(t.refused(ask.erase())).toMatchObject({ code: "execution_live", message: naming(status) });
  });

  test("refuses one whose attempt is under way, and says until when at the latest", () => {
    const t = shop().event("pay").claim("ship").cancel();
    expect(t.refused(ask.erase())).toMatchObject({
      code: "execution_live",
      message: naming("2.0"),
      hint: naming("2026-01-05T09:00:30.000Z"),
    });
  });

  test("refuses one of which a dead letter has been sent again, until that has ended", () => {
    const t = shop({ retryPolicy: { maxAttempts: 1 } })
      .event("pay")
      .miss("ship")
      .cancel()
      .retry("ship");
    expect(t.refused(ask.erase())).toMatchObject({ code: "execution_live", message: naming("2.0") });
    expect(t.ok("ship").take(ask.erase()).newLines().at(-1)).toBe("erased");
  });

  test("refuses a child whose parent has not heard of its end, and then does not", () => {
    const parent = { execution: "exe_parent", run: "1.0", action: "child", incarnation: 0 };
    const [one, same] = [compile(ending), compile(ending)];
    const t = driveProgram([one, same], 0, { parent }).start();
    expect(t.refused(ask.erase())).toMatchObject({ code: "execution_live", message: naming("exe_parent") });
    expect(t.take(ask.parentNotified()).take(ask.erase()).newLines().at(-1)).toBe("erased");
  });
});
