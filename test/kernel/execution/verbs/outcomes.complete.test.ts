// An operator ends a wait.
import { describe, expect, test } from "vitest";
import type { Json } from "#schema/json.ts";
import { action, ask, drive, type Drive } from "#test/support/drive.ts";
import { act, go } from "../../programs/journey/drive-journey.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

type Given = { readonly as?: string; readonly payload?: Json };
const node = (name: string, given: Given = {}) => ({ kind: "complete", target: { node: name }, ...given }) as const;
const run = (id: string, given: Given = {}) => ({ kind: "complete", target: { run: id }, ...given }) as const;
const made = { tasks: [{ run: "1.0", id: "tsk_1", isOpen: true }] };

describe("a journey's wait", () => {
  const said = { var: "message.payload.n" };
  const several = {
    type: "wait",
    for: [
      { event: "signed", guard: false, assign: { n: said }, next: "b" },
      { when: { "===": [{ var: "execution.variables.n" }, 7] }, next: "c" },
    ],
    timeout: { after: "P1D", next: "d" },
  };
  const t = () => {
    const w = go({ nodes: { a: several, b: act(), c: act(), d: act() } });
    w.start();
    return w;
  };

  test("goes on as if its only event had come", () => {
    const w = go({
      nodes: { a: { type: "wait", for: [{ event: "signed", assign: { n: said } }], next: "b" }, b: act() },
    });
    w.start().verb(node("a", { payload: { n: 3 } }));
    expect([w.marks(), w.state.variables]).toEqual([{ a: "done", b: "waiting" }, { n: 3 }]);
    expect(w.newLines()).toEqual(expect.arrayContaining(["completed_by_operator a as signed", "edge_taken a: for/0"]));
  });

  test.each([
    ["signed", "b", { n: 3 }],
    ["for/0", "b", { n: 3 }],
    ["for/1", "c", {}],
    ["timeout", "d", {}],
  ])("by %s, whatever its guard would say", (as, to, variables) => {
    const w = t().verb(node("a", { as, payload: { n: 3 } }));
    expect([w.at, w.state.variables, w.timers()]).toEqual([to, variables, {}]);
  });

  test.each([[undefined], ["nothing"]])("by %s of several it is refused, and told which there are", (as) => {
    const message = naming("signed, for/1, timeout");
    expect(t().refused(ask.verb(node("a", as === undefined ? {} : { as })))).toEqual({
      code: "invalid_input",
      message,
      errors: [{ pointer: "/as", code: "unknown_way", message, hint: naming("as") }],
    });
  });

  test("may be ended while it is paused, and nothing goes out", () => {
    const w = t()
      .pause()
      .verb(node("a", { as: "timeout" }));
    expect([w.status, w.runs()]).toEqual(["paused", ["d scheduled"]]);
  });

  test("with what its rules cannot take is refused", () => {
    const sum = { "+": ["x", said] };
    const w = go({
      nodes: { a: { type: "wait", for: [{ event: "signed", assign: { n: sum } }], next: "b" }, b: act() },
    });
    expect(w.start().refused(ask.verb(node("a", { payload: { n: 1 } })))).toMatchObject({ code: "invalid_input" });
  });
});

describe("an answer", () => {
  const task = (more: object = {}) => ({
    type: "task",
    config: { title: "Call" },
    await: { for: ["task_completed"], timeout: "P14D" },
    assign: { said: { var: "message.payload.result" }, by: { var: "message.payload.by" } },
    next: "b",
    ...more,
  });
  const asked = (more: object = {}) => {
    const w = go({ nodes: { a: task(more), b: act(), f: act() } });
    w.start().ok("a", made);
    return w;
  };

  test.each([
    ["by its node", node("a", { as: "task_completed", payload: "yes" })],
    ["by its run", run("1.0", { as: "task_completed", payload: "yes" })],
  ])("is given %s, and its task is withdrawn", (_, verb) => {
    const w = asked();
    w.verb(verb);
    expect([w.marks(), w.state.variables]).toEqual([
      { a: "done", b: "waiting" },
      { said: "yes", by: "key:key_1" },
    ]);
    expect(w.state.tasks).toMatchObject([{ id: "tsk_1", withdrawn: { reason: "completed_by_operator" } }]);
    expect(w.refused(ask.event("task_completed", {}, "task/1.0")).code).toBe("task_closed");
  });

  test("is not waited for any longer", () => {
    expect(asked().verb(node("a", { as: "timeout" })).at).toBe("b");
    expect(asked({ onFailed: "f" }).verb(node("a", { as: "timeout" })).at).toBe("f");
  });

  test("of several kinds is one of them", () => {
    const more = { await: { for: ["signed", "task_canceled"] }, assign: { why: { var: "message.payload.reason" } } };
    expect(asked(more).verb(node("a", { as: "signed", payload: { reason: 1 } })).state.variables).toEqual({ why: 1 });
    expect(asked(more).verb(node("a", { as: "task_canceled" })).state.variables).toEqual({ why: null });
  });

  test("before the action has ended is kept", () => {
    const w = go({ nodes: { a: task(), b: act() } });
    w.start()
      .claim("a")
      .verb(run("1.0", { payload: "early" }));
    expect(w.marks()).toEqual({ a: "waiting" });
    w.settle("a", { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 });
    expect([w.marks(), w.state.variables]).toMatchObject([{ a: "done" }, { said: "early" }]);
  });

  test("of a child is its end", () => {
    const child = {
      type: "journey",
      definition: "small",
      assign: { got: { var: "message.payload" } },
      next: "b",
      onFailed: "f",
    };
    const w = () => {
      const j = go({ nodes: { a: child, b: act(), f: act() } });
      j.start().ok("a", { result: { execution: "exe_child" } });
      return j;
    };
    const got = { actionId: "a", run: "1.0", execution: "exe_child", status: "completed", variables: { x: 1 } };
    expect(w().verb(node("a", { as: "child_completed", payload: { x: 1 } })).state.variables).toEqual({ got });
    expect(w().verb(node("a", { as: "child_failed" })).at).toBe("f");
    expect(w().refused(ask.verb(node("a")))).toMatchObject({
      code: "invalid_input",
      message: naming("child_completed, child_failed, child_canceled"),
    });
    const bare = go({ nodes: { a: child, b: act(), f: act() } });
    bare
      .start()
      .ok("a")
      .verb(node("a", { as: "child_completed" }));
    expect(bare.state.variables["got"]).toMatchObject({ execution: null });
    const odd = go({ nodes: { a: child, b: act(), f: act() } });
    odd
      .start()
      .ok("a", { result: {} })
      .verb(node("a", { as: "child_completed" }));
    expect(odd.state.variables["got"]).toMatchObject({ execution: null });
  });
});

describe("what is repeated", () => {
  test("ends early, as if it were enough", () => {
    const each = { type: "each", times: 3, every: "PT1H", node: act(), until: { event: "paid" }, next: "b" };
    const w = go({ nodes: { a: each, b: act() } });
    w.start().ok("a").verb(node("a"));
    expect([w.marks(), w.timers()]).toEqual([{ a: "done", b: "waiting" }, {}]);
    const rule = go({ nodes: { a: { ...each, until: { when: false } }, b: act() } });
    expect(rule.start().verb(node("a", { as: "until" })).at).toBe("b");
    const { until: _until, ...rest } = each;
    const endless = go({ nodes: { a: rest, b: act() } });
    expect(endless.start().refused(ask.verb(node("a")))).toMatchObject({
      code: "verb_not_applicable",
      hint: naming("run-now"),
    });
  });
});

describe("a person's task", () => {
  const states = {
    a: { on: { task_completed: { target: "b", assign: { said: { var: "message.payload.result" } } }, go: "c" } },
    b: { on: { x: "a" } },
    c: { on: { x: "a" } },
  };
  const asked = (on: typeof states | object = states) =>
    drive({
      states: on as typeof states,
      actions: [action("ask", { type: "task", triggerState: "a", config: { title: "?" } })],
    })
      .start()
      .ok("ask", made);

  test("is completed for the machine that asked, with a result, and withdrawn from the list", () => {
    const t = asked().verb(run("1.0", { payload: 42 }));
    expect([t.at, t.state.variables]).toEqual(["b", { said: 42 }]);
    expect(t.newLines().slice(-5)).toEqual([
      "completed_by_operator 1.0 as task_completed",
      "task_withdrawn 1.0 ask: completed_by_operator",
      "event_received task_completed",
      "moved a > b by task_completed",
      'assigned {"said":42}',
    ]);
  });

  test("during a pause it is heard of once that is over", () => {
    const t = asked().pause().verb(run("1.0"));
    expect([t.at, t.resume().at]).toEqual(["a", "b"]);
  });

  test("of a state that comes later is kept", () => {
    const later = { a: { on: { go: "b" } }, b: { on: { task_completed: "c" } }, c: { on: { x: "a" } } };
    const stays = { type: "task", triggerState: "a", config: { title: "?" }, cancelOnExit: false } as const;
    const t = drive({ states: later, actions: [action("ask", stays)] })
      .start()
      .ok("ask", made)
      .verb(run("1.0"));
    expect([t.at, t.event("go").at]).toEqual(["a", "c"]);
  });

  test("that no state waits for is completed in the list", () => {
    const deaf = { a: { on: { go: "c" } }, c: { on: { x: "a" } } };
    expect(asked(deaf).refused(ask.verb(run("1.0")))).toEqual({
      code: "verb_not_applicable",
      message: naming("task_completed", "ask"),
      hint: naming("POST /v1/tasks/{id}/complete"),
    });
  });

  test("ends in no other way", () => {
    expect(asked().refused(ask.verb(run("1.0", { as: "go" })))).toMatchObject({
      code: "verb_not_applicable",
      message: naming("task_completed", "task_canceled"),
    });
  });

  test("that was withdrawn, or is over, is none any more", () => {
    const t = asked().verb(run("1.0")).event("x");
    expect(t.refused(ask.verb(run("1.0")))).toMatchObject({
      code: "verb_not_applicable",
      message: naming("1.0", "ok"),
    });
  });

  test("without a known id has none to give", () => {
    const t = drive({ states, actions: [action("ask", { type: "task", triggerState: "a", config: { title: "?" } })] });
    expect(t.start().claim("ask").verb(run("1.0")).at).toBe("b");
  });
});

describe("there is no wait", () => {
  const t = () =>
    drive({ states: { a: { on: { go: "b" } }, b: {} }, actions: [action("mail", { triggerState: "a" })] }).start();
  test("of a machine's but for events, and these are named", () => {
    expect(t().refused(ask.verb(node("a")))).toEqual({
      code: "verb_not_applicable",
      message: naming("nodes"),
      hint: naming("go"),
    });
    const none = drive({ states: { a: { after: { PT1H: "b" } }, b: {} } }).start();
    expect(none.refused(ask.verb(node("a"))).hint).toEqual(notNaming("PT1H"));
  });

  test("of a run without a wait", () => {
    expect(t().refused(ask.verb(run("1.0")))).toEqual({
      code: "verb_not_applicable",
      message: naming("1.0", "queued"),
      hint: naming('"result"', "go"),
    });
    expect(t().refused(ask.verb(run("9.9"))).code).toBe("not_found");
    const none = drive({
      states: { a: { after: { PT1H: "b" } }, b: {} },
      actions: [action("mail", { triggerState: "a" })],
    });
    expect(none.start().refused(ask.verb(run("1.0"))).hint).toEqual(naming('"result"'));
  });

  const nodes = {
    a: act("b"),
    b: { type: "delay", for: "PT1H", next: "c" },
    c: { type: "wait", for: [{ event: "x" }], timeout: { after: "PT1H" } },
  };
  const j = () => {
    const w = go({ nodes });
    w.start();
    return w;
  };
  test("of a node that acts, waits for a time, has not been reached, or is over", () => {
    const told = (w: Drive, name: string) => w.refused(ask.verb(node(name)));
    const code = "verb_not_applicable";
    expect(told(j(), "a")).toEqual({ code, message: naming("a"), hint: naming('"result"') });
    expect(told(j(), "c")).toEqual({ code, message: naming("c"), hint: notNaming('"result"', "run-now", "GET") });
    const on = j().ok("a");
    expect(told(on, "b")).toEqual({ code, message: naming("b"), hint: naming("run-now") });
    expect(told(on, "a")).toEqual({ code, message: naming("a", "done"), hint: naming("GET") });
  });
});
