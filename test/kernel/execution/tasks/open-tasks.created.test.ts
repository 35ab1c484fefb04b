// The tasks that an execution has created: listed from the claim on, ended by people, withdrawn when no longer needed.
import { describe, expect, test } from "vitest";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { TASKS_OPEN_MAX } from "#schema/limits/executions.ts";
import type { TouchedTask } from "#schema/engine/outcome.ts";
import { action, ask, drive, driveProgram, hour, success, type Drive } from "#test/support/drive.ts";
import { sendsOf, tasksUpdated } from "#test/support/outbox/messages.ts";

type Config = Parameters<typeof action>[1];
const task = (id = "ask", part: Config = {}) =>
  action(id, { type: "task", triggerState: "a", config: { title: "Approve" }, ...part });
const states = {
  a: { on: { go: "b", task_completed: "done", task_canceled: "done", again: { target: "a", reenter: true } } },
  b: { on: { back: "a", end: "done", task_completed: "done" } },
  done: { type: "final" as const },
};
const asking = (part: Config = {}) => drive({ states, actions: [task("ask", part)] }).start();
const made = (run = "1.0", part: Partial<TouchedTask> = {}): TouchedTask => ({
  run,
  id: `tsk_1.${run}`,
  isOpen: true,
  ...part,
});
const asked = (part: Config = {}) => asking(part).ok("ask", { tasks: [made()] });
const ended = (run: string, type = "task_completed") => ask.event(type, { run }, `task/${run}`);
const sent = (t: Drive) => sendsOf(t, "task_update");
const kept = (t: Drive) => (t.state.tasks ?? []).map(({ run, withdrawn }) => [run, withdrawn?.reason ?? "open"]);

describe("a task is known", () => {
  test("from the claim on, before it is known whether the task exists", () => {
    const t = asking();
    expect(t.state).not.toHaveProperty("tasks");
    t.claim("ask");
    expect(t.state.tasks).toEqual([{ run: "1.0", action: "ask", boundTo: "a", id: null }]);
    expect(t.settle("ask", success({ tasks: [made()] })).state.tasks).toMatchObject([{ id: "tsk_1.1.0" }]);
  });

  test("once, however often its run is tried", () => {
    const t = asking().miss("ask");
    t.tickAt(Number(t.wake)).ok("ask", { tasks: [made()] });
    expect(kept(t)).toEqual([["1.0", "open"]]);
  });

  test("also if an older object does not report it", () => {
    expect(kept(asking().ok("ask"))).toEqual([["1.0", "open"]]);
  });

  test("not of other types, nor of what changes tasks of others", () => {
    expect(asking({ type: "webhook", config: {} }).ok("ask").state).not.toHaveProperty("tasks");
    const changes = asking({ config: { operation: "withdraw", task: "ask" } }).ok("ask", { tasks: [made("7.0")] });
    expect(kept(changes)).toEqual([]);
    expect(kept(asking({ config: { operation: "create", title: "x" } }).claim("ask"))).toEqual([["1.0", "open"]]);
  });

  test("up to a limit, and its run fails with that", () => {
    const t = asking();
    const list = Array.from({ length: TASKS_OPEN_MAX }, (_, n) => ({
      run: `0.${n}`,
      action: "ask",
      boundTo: null,
      id: null,
    }));
    t.become({ ...t.state, tasks: list });
    expect(t.claim("ask").run("ask")).toMatchObject({ status: "failed", error: { code: "tasks_full" } });
  });
});

describe("a person's end of a task", () => {
  test.each(["task_completed", "task_canceled"])("%s takes it off, and leaves nothing to do", (type) => {
    const t = asked().take(ended("1.0", type));
    expect([t.status, kept(t), sent(t)]).toEqual(["completed", [], 0]);
  });

  test("that comes during a pause is kept, and so is no task withdrawn by what comes then", () => {
    const t = asked().pause().take(ended("1.0"));
    expect(kept(t)).toEqual([]);
    expect(sent(t.cancel())).toBe(0);
  });

  test("that the machine does not take leaves it as it was", () => {
    const t = asked({ cancelOnExit: false });
    const deaf = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };
    const other = drive({ states: deaf, actions: [task()] })
      .start()
      .ok("ask", { tasks: [made()] });
    expect(other.refused(ended("1.0")).code).toBe("event_unknown");
    expect([kept(other), kept(t)]).toEqual([[["1.0", "open"]], [["1.0", "open"]]]);
  });

  test("is refused once it is withdrawn, though another state listens for such an event", () => {
    const t = asked().event("go");
    expect(t.refused(ended("1.0"))).toMatchObject({
      code: "task_closed",
      message: expect.stringMatching(/\b1\.0\b.*\bstate.left\b/),
    });
    t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "open" }));
    expect(t.refused(ended("1.0"))).toMatchObject({
      code: "task_closed",
      message: expect.not.stringMatching(/\bstate.left\b/),
    });
  });

  test("is accepted if the run that created it is no longer stored", () => {
    expect(asked().take(ended("0.7")).status).toBe("completed");
  });

  test("is one by its id: an event of such a type that has another one ends no task", () => {
    const t = asked({ cancelOnExit: false }).event("task_completed");
    expect(kept(t)).toEqual([["1.0", "execution_completed"]]);
  });
});

describe("a task is withdrawn", () => {
  test.each<[string, (t: Drive) => Drive, string]>([
    ["its state is left", (t) => t.event("go"), "state_left"],
    ["its state is left and entered again", (t) => t.event("again"), "state_left"],
    ["its execution completes", (t) => t.event("go").event("end"), "state_left"],
    ["its execution is canceled", (t) => t.cancel(), "execution_canceled"],
    ["its execution is canceled while paused", (t) => t.pause().cancel(), "execution_canceled"],
  ])("when %s", (_when, leave, reason) => {
    const t = leave(asked());
    expect(kept(t).find(([run]) => run === "1.0")).toEqual(["1.0", reason]);
    expect(t.entries.filter(({ kind }) => kind === "task_withdrawn")).toMatchObject([
      { run: "1.0", action: "ask", reason },
    ]);
  });

  test("when its execution fails", () => {
    const t = drive({ states, actions: [task(), action("mail", { triggerState: "a", onExhausted: "fail" })] }).start();
    t.ok("ask", { tasks: [made()] }).miss("mail", { retryable: false });
    expect([t.status, kept(t), sent(t)]).toEqual(["failed", [["1.0", "execution_failed"]], 1]);
  });

  test("and goes out at once", () => {
    expect(sent(asked().event("go"))).toBe(1);
  });

  test("with the state around it, and not with one beside it", () => {
    const around = {
      a: { initial: "x", on: { go: "b" }, states: { x: { on: { next: "a.y" } }, y: {} } },
      b: { on: { back: "a" } },
    };
    const outer = drive({ states: around, actions: [task()] })
      .start()
      .ok("ask", { tasks: [made()] });
    expect(kept(outer.event("next"))).toEqual([["1.0", "open"]]);
    expect(kept(outer.event("go"))).toEqual([["1.0", "state_left"]]);
  });

  test("only with its execution where its action outlives the state, or a transition started it", () => {
    const t = asked({ cancelOnExit: false }).event("go");
    expect([kept(t), sent(t)]).toEqual([[["1.0", "open"]], 0]);
    expect(kept(t.event("end"))).toEqual([["1.0", "execution_completed"]]);
    const moved = drive({
      states: { a: { on: { go: { target: "b", actions: ["ask"] } } }, b: { on: { back: "a" } } },
      actions: [task("ask", { triggerState: undefined })],
    });
    moved
      .start()
      .event("go")
      .ok("ask", { tasks: [made("2.0")] })
      .event("back");
    expect(kept(moved)).toEqual([["2.0", "open"]]);
  });

  test("when its run has ended, where that is in flight as its state is left", () => {
    const t = asking().claim("ask").event("go");
    expect([kept(t), sent(t)]).toEqual([[["1.0", "state_left"]], 0]);
    t.settle("ask", success({ tasks: [made()] }));
    expect([kept(t), sent(t)]).toEqual([[["1.0", "state_left"]], 1]);
  });

  test("by its execution's end, where its run is in flight then", () => {
    const t = asking().claim("ask").cancel();
    expect([sent(t), sent(t.settle("ask", success({ tasks: [made()] })))]).toEqual([0, 1]);
  });

  test("again where its run turns out to have made it after all", () => {
    const t = asking().claim("ask").event("go");
    t.tickAt(hour);
    expect([t.runs(), sent(t)]).toEqual([["ask canceled"], 1]);
    for (let look = 0; look < 3; look++) t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "none" }));
    expect(kept(t)).toEqual([]);
    t.take(ask.settle("1.0", 1, success({ tasks: [made()] })));
    expect([kept(t), sent(t)]).toEqual([[["1.0", "state_left"]], 1]);
  });

  test("also where its state has been entered anew by then: that asks for a task of its own", () => {
    const t = asking().claim("ask").event("go");
    t.tickAt(hour);
    for (let look = 0; look < 3; look++) t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "none" }));
    t.event("back").take(ask.settle("1.0", 1, success({ tasks: [made()] })));
    expect([kept(t), sent(t)]).toEqual([[["1.0", "state_left"]], 1]);
  });

  test("at once where a person sends its run again after the end", () => {
    const t = drive({ states, actions: [task()] }).start();
    t.miss("ask", { retryable: false }).cancel();
    t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "none" }));
    t.clock(1)
      .retry("ask")
      .ok("ask", { tasks: [made()] });
    expect([kept(t), sent(t)]).toEqual([[["1.0", "execution_canceled"]], 1]);
  });
});

describe("what a run says of tasks", () => {
  test("closed ones are known no more", () => {
    expect(kept(asking().ok("ask", { tasks: [made("1.0", { isOpen: false })] }))).toEqual([]);
    expect(kept(asking().ok("ask", { tasks: [made("0.3", { isOpen: false })] }))).toEqual([["1.0", "open"]]);
  });

  test("of another run's is taken where that one is still known", () => {
    const t = drive({ states, actions: [task(), task("move", { config: { operation: "update", task: "ask" } })] });
    t.start().ok("ask", { tasks: [made()] });
    const watch = { remind: null, escalateAt: 5 };
    t.claim("move").settle("move", success({ tasks: [made("1.0", { watch }), made("0.3")] }));
    expect(t.state.tasks).toMatchObject([{ run: "1.0", watch }]);
  });

  test("arms nothing for one that was withdrawn", () => {
    const watch = { remind: null, escalateAt: 5 };
    const t = asking()
      .claim("ask")
      .event("go")
      .settle("ask", success({ tasks: [made("1.0", { watch })] }));
    expect(t.state.tasks?.[0]).not.toHaveProperty("watch");
  });
});

describe("the task of an action alone", () => {
  const standalone = { action: action("ask", { type: "task", config: { title: "Call Ada" } }), dedup: null };
  const dispatched = () =>
    driveProgram([oneActionProgram(standalone), oneActionProgram(standalone)], 0, { standalone });

  test("outlives its standalone action; its end has no effect", () => {
    const t = dispatched()
      .start()
      .ok("ask", { tasks: [made()] });
    expect([t.status, kept(t), sent(t)]).toEqual(["completed", [], 0]);
    const { seq } = t.state;
    expect(t.take(ended("1.0")).state.seq).toBe(seq);
    expect(t.refused(ask.event("anything")).code).toBe("execution_final");
  });

  test("goes with it where that is canceled", () => {
    const t = dispatched()
      .start()
      .claim("ask")
      .cancel()
      .settle("ask", success({ tasks: [made()] }));
    expect([kept(t), sent(t)]).toEqual([[["1.0", "execution_canceled"]], 1]);
    expect(t.refused(ended("1.0")).code).toBe("execution_final");
  });
});
