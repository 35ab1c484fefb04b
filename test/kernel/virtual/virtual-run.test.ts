// Virtual runs of machines.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { supplyOutcome, nextInstant, playSuppliedOutcomes } from "#kernel/virtual/play.ts";
import { nextAttempt } from "#kernel/virtual/start-turns.ts";
import {
  playNextAttempt,
  openPlayBudget,
  openVirtualRun,
  runVirtually,
  virtualRunOf,
} from "#kernel/virtual/virtual-run.ts";
import { action, day, hour, machine, minute, success, T0 } from "#test/support/drive.ts";
import { askOf, line, playMachine } from "./played.ts";

/** Sent at the start, reminded after three days, and done when paid or after a week. */
const reminder = {
  states: {
    asked: { on: { paid: "done" }, after: { P3D: "reminded" } },
    reminded: { on: { paid: "done" }, after: { P7D: "done" } },
    done: { type: "final" as const },
  },
  actions: [
    action("ask", { triggerState: "asked" }),
    action("remind", { triggerState: "reminded" }),
    action("thank", { triggerState: "done" }),
  ],
};

const sending = { states: { a: {} }, actions: [action("mail", { triggerState: "a" })] };

describe("a virtual run", () => {
  test("lists every action, in order, with its instant and its end", () => {
    const run = playMachine(reminder);
    expect(run.actions.map(line)).toEqual(["ask ok at 0d 00:00", "remind ok at 3d 00:00", "thank ok at 10d 00:00"]);
    expect([run.status, run.states, run.cut, run.finishedAt]).toEqual(["completed", ["done"], null, T0 + 10 * day]);
  });

  test("says what each hangs on, the nearest last", () => {
    const [ask, remind, thank] = playMachine(reminder).actions;
    expect(ask?.assumes).toEqual([]);
    expect(remind?.assumes).toEqual([{ kind: "silence", of: "asked" }]);
    expect(thank?.assumes).toEqual([
      { kind: "silence", of: "asked" },
      { kind: "silence", of: "reminded" },
    ]);
  });

  test("takes events at instants, after durations, and after a state was reached", () => {
    const at = new Date(T0 + day).toISOString();
    const ends = ([{ at }, { at: "P2D" }, { at: 2 * day }] as const).map((given) =>
      playMachine(reminder, { given: [{ ...given, event: "paid" }] }).actions.map(line),
    );
    expect(ends).toEqual([
      ["ask ok at 0d 00:00", "thank ok at 1d 00:00"],
      ["ask ok at 0d 00:00", "thank ok at 2d 00:00"],
      ["ask ok at 0d 00:00", "thank ok at 2d 00:00"],
    ]);
    const later = playMachine(reminder, { given: [{ at: { reached: "reminded", after: "P1D" }, event: "paid" }] });
    expect(later.actions.map(line).at(-1)).toBe("thank ok at 4d 00:00");
    expect(later.actions.at(-1)?.assumes).toEqual([
      { kind: "silence", of: "asked" },
      { kind: "event", of: "paid" },
    ]);
    const atOnce = playMachine(reminder, { given: [{ at: { reached: "reminded" }, event: "paid" }] });
    expect(atOnce.actions.map(line).at(-1)).toBe("thank ok at 3d 00:00");
  });

  test("finds what is due done before what comes with it, and takes what is past at its start", () => {
    const same = playMachine(reminder, { given: [{ at: "P3D", event: "paid" }] });
    expect(same.actions.map(line)).toEqual(["ask ok at 0d 00:00", "remind ok at 3d 00:00", "thank ok at 3d 00:00"]);
    const past = playMachine(reminder, { given: [{ at: "-P1D", event: "paid" }] });
    expect(past.actions.map(line)).toEqual(["ask ok at 0d 00:00", "thank ok at 0d 00:00"]);
  });

  test("lists given inputs that were refused, with the reason", () => {
    const { notTaken } = playMachine(reminder, {
      given: [
        { at: 0, event: "unknown" },
        { at: 0, retry: "ask" },
        { at: "P20D", event: "paid" },
        { at: "P20D", resume: true },
      ],
    });
    expect(notTaken.map(({ at, what, given, code }) => [at - T0, what, given, code])).toEqual([
      [0, "unknown", 0, "event_unknown"],
      [0, "retry", 1, "not_found"],
      [20 * day, "paid", 2, "execution_final"],
      [20 * day, "resume", 3, "execution_final"],
    ]);
  });

  test("pauses, resumes, patches and cancels as given", () => {
    const paused = playMachine(reminder, {
      given: [
        { at: "P1D", pause: true },
        { at: "P5D", resume: true },
      ],
    });
    expect(paused.actions.map(line).slice(1)).toEqual(["remind ok at 5d 00:00", "thank ok at 12d 00:00"]);
    const canceled = playMachine(reminder, { given: [{ at: "P1D", cancel: true }] });
    expect([canceled.status, canceled.actions.map(line)]).toEqual(["canceled", ["ask ok at 0d 00:00"]]);
  });

  test("lists actions with an unknown date without an instant, and reschedules them once it is set", () => {
    const dated = {
      states: { a: { on: { go: "a" } } },
      actions: [
        action("wait", { triggerState: "a", delay: { anchor: { var: "execution.variables.never" } } }),
        action("mail", {
          triggerState: "a",
          delay: { anchor: { var: "execution.variables.date" }, offset: "-P2D", timezone: "Asia/Tokyo" },
        }),
      ],
    };
    const open = playMachine(dated);
    expect(open.actions.map(line)).toEqual(["wait scheduled at no date", "mail scheduled at no date"]);
    expect([open.waitsFor, open.cut, open.actions[1]?.timezone]).toEqual([["go"], null, "Asia/Tokyo"]);
    const known = playMachine(dated, { given: [{ at: "P1D", patch: { date: "2026-01-20T09:00:00Z" } }] });
    expect(known.actions.map(line)).toEqual(["mail ok at 13d 00:00", "wait scheduled at no date"]);
    expect(known.actions[0]?.assumes).toEqual([{ kind: "patched", of: "date" }]);
    const far = playMachine(dated, { variables: { date: "2040-01-20T09:00:00Z" } });
    expect([far.cut, far.actions.map(({ status, at }) => [status, new Date(at ?? 0).toISOString()])]).toEqual([
      "until",
      [
        ["scheduled", "2040-01-18T09:00:00.000Z"],
        ["scheduled", "1970-01-01T00:00:00.000Z"],
      ],
    ]);
  });

  test("leaves out what is taken back before it goes out, and keeps what is skipped, with its reason", () => {
    const run = playMachine({
      states: { a: { after: { P1D: "b" } }, b: {} },
      actions: [
        action("never", { triggerState: "a", delay: "P2D" }),
        action("off", { triggerState: "a", enabled: false }),
        action("unwanted", { triggerState: "b", condition: { "==": [1, 2] } }),
      ],
    });
    expect(run.actions.map(line)).toEqual([
      "off skipped at 0d 00:00 (disabled)",
      "unwanted skipped at 1d 00:00 (condition_false)",
    ]);
  });

  test("says where one waited for another's slot, or for its connection", () => {
    const two = {
      states: { a: {} },
      actions: [action("first", { triggerState: "a" }), action("second", { triggerState: "a" })],
    };
    const slow = playMachine(two, { assume: { actions: { first: { takes: "PT10S" } } } });
    expect(
      slow.actions.map(({ action, at, plannedAt, heldBy }) => [action, Number(at) - T0, plannedAt, heldBy]),
    ).toEqual([
      ["first", 0, T0, null],
      ["second", 10_000, T0, "slot"],
    ]);
    const opensAt = T0 + hour;
    const held = playMachine(two, {
      limits: ({ run, at }) =>
        run.action === "first" && at < opensAt ? { reason: "rate_limited", until: opensAt, connection: "mail" } : null,
    });
    expect(
      held.actions.map(({ action, at, plannedAt, heldBy }) => [action, Number(at) - T0, plannedAt, heldBy]),
    ).toEqual([
      ["second", 0, T0, null],
      ["first", hour, T0, "rate_limited"],
    ]);
  });

  test("accepts supplied outcomes, for callers that run attempts themselves", () => {
    const opened = computeAtOnce(openVirtualRun(askOf(machine(reminder), { until: T0 + day })));
    if (!opened.ok) throw new Error("it starts");
    const asked = computeAtOnce(nextAttempt(opened.value));
    if (asked === null) throw new Error("it asks for the first action");
    supplyOutcome(opened.value, asked, success({ endedAt: T0 + 10_000 }));
    computeAtOnce(playSuppliedOutcomes(opened.value));
    expect([opened.value.now, opened.value.state.runs[0]?.status]).toEqual([T0 + 10_000, "ok"]);
  });

  test("goes to the next attempt before it waits for the answer to one that timed out", () => {
    const opened = computeAtOnce(openVirtualRun(askOf(machine(sending))));
    if (!opened.ok) throw new Error("it starts");
    const asked = computeAtOnce(nextAttempt(opened.value));
    if (asked === null) throw new Error("it asks for the first attempt");
    supplyOutcome(opened.value, asked, success({ endedAt: T0 + hour }));
    computeAtOnce(playSuppliedOutcomes(opened.value));
    expect([opened.value.state.runs[0]?.status, computeAtOnce(nextAttempt(opened.value))?.attempt]).toEqual([
      "queued",
      2,
    ]);
  });

  test("begins with the given trigger", () => {
    const ask = askOf(machine(reminder));
    const trigger = { message: null, previousState: "cart", currentState: "asked" };
    const run = computeAtOnce(runVirtually({ ...ask, start: { ...ask.start, trigger } }));
    expect(run.ok && run.value.actions[0]?.assumes).toEqual([]);
  });

  test("is the same every time, and refused where it could not be started", () => {
    expect(playMachine(reminder)).toEqual(playMachine(reminder));
    const declared = machine({ ...reminder, input: { type: "object", required: ["email"] } });
    expect(computeAtOnce(runVirtually(askOf(declared)))).toMatchObject({
      ok: false,
      refusal: { code: "variables_invalid" },
    });
  });

  test("ends where it would go on for ever: by its end, its steps, its actions and what all may cost", () => {
    const minutely = { states: { a: {} }, actions: [action("ping", { triggerState: "a", schedule: "* * * * *" })] };
    const until = playMachine(minutely, { until: T0 + 10 * minute });
    expect([until.cut, until.actions.length]).toEqual(["until", 10]);
    expect(playMachine(minutely, { stepsMax: 30 }).cut).toBe("steps");
    expect(playMachine(minutely, { actionsMax: 5 }).cut).toBe("actions");
    expect(playMachine(minutely, { budget: { ...openPlayBudget(), steps: 3 } }).cut).toBe("steps");
    expect(playMachine(minutely, { budget: { ...openPlayBudget(), work: 1 } }).cut).toBe("work");
  });

  test("has no row for an occurrence that finds the one before still under way", () => {
    const slow = action("sync", { triggerState: "a", schedule: "* * * * *", timeout: 600_000 });
    const run = playMachine(
      { states: { a: {} }, actions: [slow] },
      { assume: { actions: { sync: { takes: "PT90S" } } }, until: T0 + 6 * minute },
    );
    expect(run.actions.map(({ at }) => (Number(at) - T0) / minute)).toEqual([1, 3, 5]);
  });

  test("has the zone that its delay names, wherever that is written", () => {
    const delays = { soon: { offset: "P1D", timezone: "Asia/Tokyo" }, late: { offset: "P2D" } };
    const mails = ["soon", "late"].map((delay) => action(delay, { triggerState: "a", delay }));
    const own = action("own", { triggerState: "a", timezone: "America/Lima" });
    const run = playMachine({ timezone: "Europe/Zurich", delays, states: { a: {} }, actions: [...mails, own] });
    expect(run.actions.map(({ timezone }) => timezone)).toEqual(["America/Lima", "Asia/Tokyo", "Europe/Zurich"]);
  });

  test("is played side by side with others by the instant at which each goes on", () => {
    const ask = askOf(machine(reminder));
    const opened = computeAtOnce(openVirtualRun(ask));
    if (!opened.ok) throw new Error("it starts");
    const play = opened.value;
    const instants = [];
    do instants.push(nextInstant(play));
    while (computeAtOnce(playNextAttempt(ask, play)));
    expect(instants).toEqual([T0, T0, T0 + 3 * day, T0 + 10 * day]);
    expect(nextInstant(play)).toBe(null);
    expect(virtualRunOf(play)).toEqual(playMachine(reminder));
  });
});

test("a child is parted from as the definition says", () => {
  const begins = (onCancel: string) => ({
    states: { a: { after: { PT1H: "broken" } }, broken: { type: "final" as const, outcome: "failed" as const } },
    actions: [
      action("begin", {
        type: "start_execution",
        triggerState: "a",
        config: { definition: "child", wait: true, onCancel },
      }),
    ],
  });
  const assume = { actions: { begin: { result: { execution: "exe_child" } } } };
  const ends = (["cancel", "wait", "leave"] as const).map((onCancel) => {
    const { status, cut, finishedAt } = playMachine(begins(onCancel), { assume });
    return [status, cut, finishedAt];
  });
  expect(ends).toEqual([
    ["failed", null, T0 + hour],
    ["failed", null, T0 + hour],
    ["failed", null, T0 + hour],
  ]);
});
