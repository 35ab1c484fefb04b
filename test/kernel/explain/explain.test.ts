// Explanations in unusual cases: failing or long rules, more items than the limits, states removed by another version,
// quarantined executions.
import { describe, expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { explainUnreadable } from "#kernel/explain/unreadable.ts";
import type { Explanation } from "#schema/engine/explanation.ts";
import { EXPLAINED_ITEMS_MAX, PREDICTED_RUNS_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import { action, drive, minute, T0, type Drive } from "#test/support/drive.ts";
import type { Rule } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { ASSUMED_INPUT_ID } from "#kernel/explain/predict-next.ts";

const done = { type: "final" } as const;
const quarantined = { kind: "broken", reason: "a step breaks", since: T0, looks: 2, lookAt: T0 + minute } as const;

function of(t: Drive, more: Partial<Parameters<typeof explain>[0]> = {}): Explanation {
  const { program, state, entries: recent } = t;
  return explain({ program, state, now: T0, suspended: false, recent, quarantined: null, ...more });
}

function guarded(guard: Rule, variables = {}) {
  const t = drive({ states: { open: { on: { paid: { guard, target: "done" } } }, done } }).start(variables);
  const [wait] = of(t).waits;
  return wait?.for === "event" ? { would: wait.would, ...wait.guards[0] } : null;
}

describe("a rule that is asked", () => {
  test("may be broken: then it says with what, and the event would be refused", () => {
    const rule = { "+": [{ var: "execution.variables.word" }, 1] };
    expect(guarded({ ">": [rule, 3] }, { word: "x" })).toMatchObject({
      would: "refused",
      result: null,
      fault: expect.any(String),
    });
  });

  test("depends on the event wherever a path reads it: outside, in a loop, or by a computed path", () => {
    const rules: Rule[] = [
      { var: "message.type" },
      { some: [{ var: "execution.variables.list" }, { "==": [{ var: "" }, { var: "../../message.payload" }] }] },
      { var: [{ cat: ["mess", "age"] }] },
      { and: [true, { var: { cat: ["a"] } }] },
    ];
    expect(rules.map((rule) => guarded(rule)?.would)).toEqual(["depends", "depends", "depends", "depends"]);
    expect(guarded({ in: ["messages", { var: "execution.variables.list" }] })?.would).toBe("refused");
    expect(guarded(true)?.would).toBe("accepted");
  });

  test("and its values are replaced by their size if they are long", () => {
    const long = "x".repeat(2_000);
    const told = guarded({ "==": [{ var: "execution.variables.text" }, long] }, { text: `${long}y` });
    expect(told).toMatchObject({
      result: false,
      rule: naming(2046),
      values: { "execution.variables.text": naming(2003) },
    });
  });

  test("may stand as a text that holds it; one that holds none is broken", () => {
    const asked = ['{"var":"execution.variables.wanted"}', "no rule"].map((condition) => {
      const mail = action("mail", { triggerState: "open", delay: "PT1H" });
      // A definition with the second action is refused today; this one is from before that check.
      const t = drive({ states: { open: { on: { go: "done" } }, done }, actions: [{ ...mail, condition }] }).start();
      const [wait] = of(t).waits;
      return wait?.for === "run" ? wait.conditions[0] : null;
    });
    expect(asked).toMatchObject([
      { result: false, values: { "execution.variables.wanted": null } },
      { result: null, fault: expect.any(String), values: {} },
    ]);
  });

  test("has the values of its evaluation, unless they were large", () => {
    const skipped = (text: string) => {
      const condition = { "===": [{ var: "execution.variables.a" }, { var: "execution.variables.b" }] };
      const five = { and: [condition, ...["c", "d", "e"].map((name) => ({ var: `execution.variables.${name}` }))] };
      const t = drive({
        states: { a: { on: { end: "done" } }, done },
        actions: [action("x", { triggerState: "a", condition: five })],
      });
      return t.start({ a: 1, b: text, c: text, d: text, e: text }).patch({ b: 1 });
    };
    expect(of(skipped("now")).notDone).toMatchObject([
      { conditions: [{ values: { "execution.variables.b": "now" } }] },
    ]);
    expect(of(skipped("x".repeat(900))).notDone).toMatchObject([
      { conditions: [{ values: { "execution.variables.b": 1 } }] },
    ]);
  });

  test("does not see the event that a run was started by, once that is forgotten", () => {
    const condition = { var: "message.payload.wanted" };
    const states = { open: { on: { go: "sent" } }, sent: { on: { end: "done" } }, done };
    const t = drive({ states, actions: [action("mail", { triggerState: "sent", condition })] })
      .start()
      .event("go");
    expect(of(t).notDone).toMatchObject([
      { conditions: [{ result: false, values: { "message.payload.wanted": null } }] },
    ]);
    expect(of(t, { recent: [] }).notDone).toMatchObject([{ conditions: [{ result: null, values: {} }] }]);
  });
});

describe("an answer is bounded", () => {
  test("in each of its lists, and counts what it leaves out", () => {
    const many = EXPLAINED_ITEMS_MAX + 10;
    const on = Object.fromEntries(Array.from({ length: many }, (_, n) => [`e${n}`, "done"]));
    const after = Object.fromEntries(Array.from({ length: many }, (_, n) => [`l${n}`, "done"]));
    const t = drive({ states: { open: { on }, later: { on: after }, done } }).start();
    expect(of(t)).toMatchObject({ leftOut: { waits: 10, notNow: many - EXPLAINED_ITEMS_MAX, notDone: 0 } });
    expect(of(t).waits.length).toBe(EXPLAINED_ITEMS_MAX);
  });

  test("in the runs that are thought through", () => {
    const actions = Array.from({ length: 9 }, (_, n) => action(`a${n}`, { triggerState: "open" }));
    const t = drive({ concurrency: 9, states: { open: { on: { go: "done" } }, done }, actions }).start();
    const { next, or } = of(t);
    expect([next, ...or].filter(({ by }) => by === "runner").length).toBe(PREDICTED_RUNS_MAX);
  });

  test("in the lines of a prediction", () => {
    const actions = Array.from({ length: 30 }, (_, n) => action(`a${n}`, { triggerState: "late" }));
    const states = { open: { after: { PT1H: "late" } }, late: { on: { go: "done" } }, done };
    const { next } = of(drive({ states, actions }).start());
    expect([next.with.length, next.more]).toEqual([20, 12]); // moved, thirty created, one sent
  });

  test("and in what all the steps that are made for it may cost", () => {
    const list = Array.from({ length: 20_000 }, (_, n) => n);
    const looks = { none: [{ var: "execution.variables.list" }, { "<": [{ var: "" }, 0] }] };
    const guard = { and: [looks, looks, looks, looks] };
    const after = { PT1H: { guard, target: "done" } };
    const actions = ["a", "b", "c", "d", "e"].map((id) => action(id, { triggerState: "open" }));
    const loud = { guard: { "!": guard }, target: "done" };
    const on = Object.fromEntries(actions.map(({ actionId }) => [`action.${actionId}.ok`, [loud, loud]]));
    const t = drive({ concurrency: 5, states: { open: { after, on }, done }, actions }).start({ list });
    for (const { actionId } of actions) t.claim(actionId);
    expect([of(t).next, ...of(t).or].filter(({ by }) => by === "runner").length).toBeLessThan(10);
  });

  test("and in what its rules may cost: those for which nothing is left say so", () => {
    const list = Array.from({ length: 20_000 }, (_, n) => n);
    const looks = { none: [{ var: "execution.variables.list" }, { "<": [{ var: "" }, 0] }] };
    const guard = { and: [looks, looks, looks, looks] };
    const on = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`e${n}`, { guard, target: "done" }]));
    const t = drive({ states: { open: { on }, done } }).start({ list });
    const asked = of(t).waits.flatMap((wait) => (wait.for === "event" ? wait.guards : []));
    expect(asked[0]).toMatchObject({ result: true, values: { "execution.variables.list": expect.any(String) } });
    expect(asked.at(-1)).toMatchObject({ result: null, fault: expect.stringContaining("STEP_WORK_MAX"), values: {} });
  });
});

describe("what other code has left", () => {
  test("a run of a removed action, and a timer without a known anchor", () => {
    const t = drive({
      states: { open: { after: { P1D: "done" } }, done },
      actions: [action("mail", { triggerState: "open" })],
    });
    const { runs, timers } = t.start().state;
    const gone = runs.map((run) => ({ ...run, action: "gone" }));
    const bare = runs.map((run) => ({ ...run, status: "scheduled" as const, dueAt: null }));
    const lost = timers.map((timer) => ({ ...timer, at: null, expression: "nobodysDelay" }));
    t.become({ ...t.state, runs: gone, timers: lost });
    expect(of(t).waits).toMatchObject([
      { for: "run", action: "gone", attemptsMax: 1, expiresAt: null, conditions: [] },
      { for: "anchor", timer: "open/after/P1D", anchor: null, values: {} },
    ]);
    const hold = { reason: "window", until: T0 + minute, connection: null } as const;
    const closed = gone.map((run) => ({ ...run, status: "scheduled" as const, dueAt: T0 + minute, held: hold }));
    t.become({ ...t.state, runs: closed, timers: [] });
    expect(of(t).waits).toMatchObject([{ for: "window", window: null, until: T0 + minute }]);
    t.become({ ...t.state, runs: closed.map((run) => ({ ...run, held: { ...hold, reason: "cap" as const } })) });
    expect(of(t).waits).toMatchObject([{ for: "cap", cap: null, subject: null, max: null }]);
    t.become({ ...t.state, runs: bare, timers: [] });
    expect(of(t).waits).toMatchObject([{ for: "anchor", run: "1.0", delay: 0, anchor: null }]);
  });

  test("a simulated step that throws predicts nothing", () => {
    const t = drive({ states: { open: { after: { P1D: "done" } }, done } }).start();
    t.become({ ...t.state, timers: t.state.timers.map((timer) => ({ ...timer, action: "gone" })) });
    expect(of(t).next).toMatchObject({ kind: null, by: "none" });
  });

  test("a receipt that blocks the assumed input predicts no resumption", () => {
    const t = drive({ states: { open: { on: { go: "done" } }, done } })
      .start()
      .pause();
    expect(of(t).next).toMatchObject({ kind: "resumed", by: "person" });
    const receipt = { inputId: ASSUMED_INPUT_ID, fingerprint: "x", seq: 1 };
    t.become({ ...t.state, receipts: [receipt] });
    expect(of(t).next).toMatchObject({ kind: "event_buffered", by: "event", events: ["go"] });
  });

  test("a history that cannot be deleted, although its retention is over, predicts nothing", () => {
    const t = drive({ states: { open: { on: { go: "done" } }, done } })
      .start()
      .event("go");
    const child = { run: "1.0", action: "begin", onCancel: "cancel", execution: null, startBy: T0 } as const;
    t.become({ ...t.state, children: [child] });
    expect(of(t).next).toMatchObject({ kind: null, by: "none" });
  });

  test("a child that its run may still start, after the end, is not requested yet", () => {
    const begin = { type: "start_execution", triggerState: "open", config: { definition: "child", wait: true } };
    const t = drive({ states: { open: { on: { go: "done" } }, done }, actions: [action("begin", begin)] })
      .start()
      .claim("begin")
      .cancel();
    expect(of(t).waits).toContainEqual(expect.objectContaining({ for: "children", run: "1.0", until: null }));
  });

  test("an ended execution whose key the directory has to remove", () => {
    const correlation = { key: { var: "execution.variables.order" } };
    const t = drive({ correlation, states: { open: { on: { go: "done" } }, done } }).start({ order: "o-1" });
    expect(of(t.event("go")).waits).toMatchObject([{ for: "directory", key: null }]);
  });

  test("an execution that no input can move", () => {
    const t = drive({ states: { open: { on: { go: "done" } }, done } })
      .start()
      .event("go");
    t.become({ ...t.state, retainUntil: null });
    expect(of(t).next).toMatchObject({ kind: null, by: "none", at: null });
  });
});

describe("a quarantined execution", () => {
  test("is not stepped: nothing happens before it is rechecked", () => {
    const t = drive({ states: { open: { after: { P1D: "done" } }, done } }).start();
    const told = of(t, { quarantined });
    expect(told.next).toMatchObject({ kind: null, by: "time", earliest: T0 + minute });
    expect(told.waits[0]).toEqual({
      for: "engine",
      kind: "broken",
      reason: "a step breaks",
      since: T0,
      until: T0 + minute,
    });
  });

  test("and unreadable shows its definition, if that is known", () => {
    const known = { id: "def_1", name: "sample", version: 2 };
    const { tenant, namespace, placement, correlationId, seq, createdAt } = drive({ states: { done } }).start().state;
    const identity = { tenant, namespace, placement, correlationId, seq, createdAt, definition: known };
    expect(explainUnreadable("exe_1", identity, quarantined, T0)).toMatchObject({ status: null, definition: known });
    expect(explainUnreadable("exe_1", null, quarantined, T0)).toMatchObject({ definition: { name: "unknown" } });
  });
});
