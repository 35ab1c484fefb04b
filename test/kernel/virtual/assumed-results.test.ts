// Assumptions of a virtual run about actions, people, children and the engine.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { supplyOutcome } from "#kernel/virtual/play.ts";
import { nextAttempt } from "#kernel/virtual/start-turns.ts";
import { openVirtualRun, virtualRunOf } from "#kernel/virtual/virtual-run.ts";
import { action, day, machine, minute, success, T0 } from "#test/support/drive.ts";
import { askOf, line, playMachine } from "./played.ts";

const retryPolicy = { maxAttempts: 3, baseDelay: 60_000, multiplier: 2, jitter: "none" } as const;
const sends = {
  states: {
    sending: { on: { "action.mail.ok": "sent", "action.mail.failed": "lost" } },
    sent: { type: "final" as const },
    lost: { on: { "action.mail.ok": "sent", "action.mail.archived": "given_up" } },
    given_up: { type: "final" as const, outcome: "failed" as const },
  },
  actions: [
    action("mail", { triggerState: "sending", retryPolicy }),
    action("thank", { triggerState: "sent" }),
    action("call", { triggerState: "lost" }),
  ],
};

describe("an assumed outcome", () => {
  test("is a success at once, and what follows hangs on it", () => {
    const run = playMachine(sends);
    expect(run.actions.map(line)).toEqual(["mail ok at 0d 00:00", "thank ok at 0d 00:00"]);
    expect(run.actions[1]?.assumes).toEqual([{ kind: "succeeds", of: "mail" }]);
  });

  test("may fail, attempt by attempt, and is tried again as its policy says", () => {
    const once = playMachine(sends, { assume: { actions: { mail: [{ outcome: "failed" }, {}] } } });
    expect([once.actions[0]?.attempts, once.actions.map(line)]).toEqual([
      2,
      ["mail ok at 0d 00:00", "thank ok at 0d 00:01"],
    ]);
    const always = playMachine(sends, { assume: { actions: { mail: { error: { type: "timeout" } } } } });
    expect(always.actions.map(line)).toEqual(["mail failed at 0d 00:00", "call ok at 0d 00:03"]);
    expect(always.actions[1]?.assumes).toEqual([{ kind: "fails", of: "mail" }]);
    expect(always.actions[0]?.error).toMatchObject({ type: "timeout", retryable: true });
  });

  test("is final if its type is, or if the assumption says so", () => {
    const error = { type: "not_found", message: "gone", code: "http_410" };
    const run = playMachine(sends, { assume: { actions: { "*": { error } } } });
    expect([run.actions[0]?.attempts, run.actions[0]?.error]).toEqual([1, { ...error, retryable: false }]);
    const said = { type: "not_found", retryable: true, retryAfter: "PT10M" };
    const again = playMachine(sends, { assume: { actions: { mail: [{ error: said }, {}] } } });
    expect(again.actions.map(line)[1]).toBe("thank ok at 0d 00:10");
  });

  test("takes as long as it is said to take, results in what is said, and says what its runner says", () => {
    const machine = {
      states: {
        a: { on: { webhook_called: { target: "b", assign: { seen: { var: "message.payload" } } } } },
        b: { on: { "action.hook.ok": { target: "c", assign: { got: { var: "message.payload.result" } } } } },
        c: { type: "final" as const },
      },
      actions: [action("hook", { triggerState: "a", cancelOnExit: false })],
    };
    const takes = { takes: "PT5S", result: { id: 7 }, events: [{ type: "webhook_called", payload: { status: 200 } }] };
    const run = playMachine(machine, { assume: { actions: { hook: takes } } });
    expect([run.status, run.variables, run.finishedAt]).toEqual([
      "completed",
      { seen: { status: 200 }, got: { id: 7 } },
      T0 + 5_000,
    ]);
    expect(playMachine(machine).variables).toEqual({ seen: null, got: null });
    const silent = playMachine(machine, { assume: { actions: { hook: { events: [{ type: "other" }] } } } });
    expect([silent.status, silent.states]).toEqual(["waiting", ["a"]]);
  });

  test("that takes longer than the action may is a timeout, as the kernel says", () => {
    const run = playMachine(sends, { assume: { actions: { mail: [{ takes: "PT1H" }, {}] } } });
    expect(run.actions[0]).toMatchObject({ status: "ok", attempts: 2 });
  });

  test("of a type without result events is no event", () => {
    const run = playMachine({ states: { a: {} }, actions: [action("odd", { type: "unheard_of", triggerState: "a" })] });
    expect(run.actions.map(line)).toEqual(["odd ok at 0d 00:00"]);
  });
});

describe("a person", () => {
  const approval = {
    states: {
      asked: { on: { task_completed: "approved", task_canceled: "dropped" }, after: { P14D: "escalated" } },
      approved: { type: "final" as const },
      dropped: { type: "final" as const },
      escalated: { type: "final" as const },
    },
    actions: [
      action("approve", { type: "task", triggerState: "asked", config: { title: "Approve" } }),
      action("book", { triggerState: "approved" }),
    ],
  };

  test("does nothing without an assumption", () => {
    const run = playMachine(approval);
    expect([run.states, run.finishedAt]).toEqual([["escalated"], T0 + 14 * day]);
  });

  test("does the task after so long, or sends it back", () => {
    const done = playMachine(approval, { assume: { actions: { approve: { end: { after: "P2D", result: "fine" } } } } });
    expect([done.states, done.finishedAt]).toEqual([["approved"], T0 + 2 * day]);
    expect(done.actions.at(-1)?.assumes).toEqual([{ kind: "task", of: "approve", as: "completed" }]);
    const back = playMachine(approval, { assume: { actions: { approve: { end: { after: "P3D", as: "canceled" } } } } });
    expect([back.states, back.finishedAt]).toEqual([["dropped"], T0 + 3 * day]);
  });

  test("comes too late for what is over: that is said", () => {
    const { notTaken } = playMachine(approval, { assume: { actions: { approve: { end: { after: "P20D" } } } } });
    expect(notTaken).toMatchObject([{ what: "task_completed", given: null, code: "execution_final" }]);
  });

  test("is reminded of what stays open, and the machine hears of it", () => {
    const reminded = machine({
      states: { asked: { on: { task_reminder: "reminded", task_escalated: "up" } }, reminded: {}, up: {} },
      actions: [action("approve", { type: "task", triggerState: "asked", config: { title: "Approve" } })],
    });
    const watches = [
      { remind: { at: T0 + day, everyMs: null, given: 0, left: 1 }, escalateAt: null },
      { remind: null, escalateAt: T0 + day },
    ];
    const states = watches.map((watch) => {
      const opened = computeAtOnce(openVirtualRun(askOf(reminded)));
      if (!opened.ok) throw new Error("it starts");
      const asked = computeAtOnce(nextAttempt(opened.value));
      if (asked === null) throw new Error("it asks for the task");
      const tasks = [{ run: asked.run.id, id: "tsk_1", isOpen: true, watch }];
      supplyOutcome(opened.value, asked, success({ tasks }));
      expect(computeAtOnce(nextAttempt(opened.value))).toBe(null);
      return virtualRunOf(opened.value).states;
    });
    expect(states).toEqual([["reminded"], ["up"]]);
  });

  test("changes and withdraws tasks without being asked for another", () => {
    const run = playMachine({
      states: { a: {} },
      actions: [action("drop", { type: "task", triggerState: "a", config: { operation: "withdraw", task: "other" } })],
    });
    expect(run.actions.map(line)).toEqual(["drop ok at 0d 00:00"]);
  });
});

describe("a child", () => {
  const parent = (wait: boolean) => ({
    states: {
      a: { on: { child_completed: "b", child_failed: "c" } },
      b: { type: "final" as const },
      c: { type: "final" as const },
    },
    actions: [
      action("start", { type: "start_execution", triggerState: "a", config: { definition: "x", wait } }),
      action("after", { triggerState: "b" }),
    ],
  });

  test("is completed at once, or ends as assumed, if its parent waits", () => {
    const run = playMachine(parent(true));
    expect([run.states, run.actions.at(-1)?.assumes]).toEqual([
      ["b"],
      [{ kind: "child", of: "start", as: "completed" }],
    ]);
    const end = { after: "P1D", as: "failed", result: { a: 1 } } as const;
    const failed = playMachine(parent(true), { assume: { actions: { start: { end } } } });
    expect([failed.states, failed.finishedAt]).toEqual([["c"], T0 + day]);
    expect(playMachine(parent(false)).states).toEqual(["a"]);
    const list = { end: { after: "P1D", as: "canceled", result: [1] } } as const;
    expect(playMachine(parent(true), { assume: { actions: { start: list } } }).notTaken).toMatchObject([
      { what: "child_canceled", code: "event_unknown" },
    ]);
  });

  test("has a parent that hears of its end", () => {
    const ask = askOf(machine({ states: { a: { after: { P1D: "b" } }, b: { type: "final" } } }));
    const opening = openVirtualRun({
      ...ask,
      start: { ...ask.start, parent: { execution: "exe_2", run: "1.0", action: "x", incarnation: 0 } },
    });
    const opened = computeAtOnce(opening);
    if (!opened.ok) throw new Error("it starts");
    expect(computeAtOnce(nextAttempt(opened.value))).toBe(null);
    expect([opened.value.state.outbox, virtualRunOf(opened.value).status]).toEqual([[], "completed"]);
  });
});

describe("given inputs of a virtual run", () => {
  test("retries a dead letter, or archives it", () => {
    const assume = {
      actions: {
        mail: [{ outcome: "failed" as const }, { outcome: "failed" as const }, { outcome: "failed" as const }, {}],
      },
    };
    const again = playMachine(sends, { assume, given: [{ at: "P1D", retry: "mail" }] });
    expect([again.status, again.actions.map(line)]).toEqual([
      "completed",
      ["mail ok at 0d 00:00", "call ok at 0d 00:03", "thank ok at 1d 00:00"],
    ]);
    const lies = playMachine(sends, { assume, given: [{ at: "P1D", archive: "mail" }] });
    expect([lies.status, lies.states]).toEqual(["failed", ["given_up"]]);
  });

  test("reaches each region separately, and a compound state with its nested states", () => {
    const run = playMachine(
      {
        type: "parallel",
        states: {
          left: { initial: "a", states: { a: { on: { go: "b" } }, b: {} } },
          right: { initial: "c", states: { c: { on: { "action.ping.ok": "d" } }, d: { after: { PT1M: "e" } }, e: {} } },
        },
        actions: [
          action("ping", { triggerState: "right.c" }),
          action("whole", { triggerState: "right", delay: "PT2M" }),
          action("mail", { triggerState: "left.b" }),
          action("late", { triggerState: "right.e" }),
        ],
      },
      { given: [{ at: { reached: "left" }, event: "go", payload: 1 }] },
    );
    expect(run.actions.map(({ action, at, assumes }) => [action, (Number(at) - T0) / minute, assumes])).toEqual([
      ["ping", 0, []],
      ["mail", 0, [{ kind: "event", of: "go" }]],
      ["late", 1, [{ kind: "succeeds", of: "ping" }]],
      ["whole", 2, []],
    ]);
  });

  test("starts actions by transitions that stay where they are, and cannot render what is not there", () => {
    const run = playMachine(
      {
        states: { a: { on: { go: { actions: ["mail"] }, "action.mail.failed": "b" } }, b: { on: { x: "a" } } },
        actions: [
          action("mail", { config: { url: "https://{{ execution.variables.missing }}" } }),
          action("next", { triggerState: "b" }),
        ],
      },
      { given: [{ at: "P1D", event: "go" }] },
    );
    expect(run.actions.map(({ action, status, attempts, assumes }) => [action, status, attempts, assumes])).toEqual([
      ["mail", "failed", 0, [{ kind: "event", of: "go" }]],
      ["next", "ok", 1, [{ kind: "event", of: "go" }]],
    ]);
  });

  test("hangs on nothing but silence where the machine as a whole is timed", () => {
    const run = playMachine({
      initial: "a",
      on: { stop: "b" },
      after: { P1D: "b" },
      states: { a: { entry: ["hello"] }, b: { type: "final" } },
      actions: [action("hello"), action("mail", { triggerState: "b" })],
    });
    expect(run.actions.map(({ assumes }) => assumes)).toEqual([[], [{ kind: "silence", of: "" }]]);
    const only = playMachine({
      states: { a: { after: { P1D: "b", P2D: "b" } }, b: {} },
      actions: [action("x", { triggerState: "b" })],
    });
    expect(only.actions.map(({ assumes }) => assumes)).toEqual([[]]);
  });

  test("registers its correlation key, which is confirmed", () => {
    const run = playMachine(
      {
        correlation: { key: { var: "execution.variables.order" } },
        states: { a: { after: { P1D: "b" } }, b: { type: "final" } },
      },
      { variables: { order: "o-1" } },
    );
    expect([run.status, run.finishedAt]).toEqual(["completed", T0 + day]);
  });

  test("rechecks waits after a patch", () => {
    const run = playMachine(
      {
        states: { a: { always: { target: "b", guard: { var: "execution.variables.ready" } } }, b: { type: "final" } },
        actions: [action("mail", { triggerState: "b" })],
      },
      { given: [{ at: "P1D", patch: { ready: true } }] },
    );
    expect([run.actions.map(line), run.actions[0]?.assumes]).toEqual([
      ["mail ok at 1d 00:00"],
      [{ kind: "patched", of: "ready" }],
    ]);
  });
});
