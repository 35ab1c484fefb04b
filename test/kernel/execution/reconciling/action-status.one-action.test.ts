// One action at a time, as the action executor pattern requires, and the effect of a failed action.
import { describe, expect, test } from "vitest";
import { ask, action, failure, second, T0 } from "#test/support/drive.ts";
import { go } from "../../programs/reconciler/drive-reconciler.ts";
import { begun, calls } from "./calls.ts";

describe("TestOneActionAtATime", () => {
  test("a second action is refused in the executor's words, for every caller", () => {
    const t = begun();
    // The message is asserted, because it is a contract: docs/reconcilers/format.md.
    const sentence = { code: "action_queue_full", message: "action queue full, worker blocked by: call" };
    expect(t.refused(ask.runNow({ action: "other" }))).toMatchObject(sentence);
    expect(t.claim("call").refused(ask.runNow({ action: "call" }))).toMatchObject(sentence);
  });

  test("a dead letter is not sent again beside another", () => {
    const t = begun();
    t.miss("call", { retryable: false });
    const { id } = t.run("call");
    t.observe({ go: 0 });
    t.tickAt(2 * second).runNow({ action: "other" });
    expect(t.refused(ask.retry(id))).toMatchObject({ code: "action_queue_full" });
    t.ok("other").retry(id);
    expect(t.run(id).status).toBe("queued");
  });

  test("a tick that is due starts none beside what a person has started", () => {
    const t = calls();
    t.observe({ go: 1 });
    t.clock(500).runNow({ action: "other" });
    t.tickAt(second);
    expect(t.runs()).toEqual(["other queued"]);
    t.ok("other");
    expect(t.tickAt(2 * second).runs()).toEqual(["other ok", "call queued"]);
  });

  test("a person starts one where none is under way, and rules see how it goes", () => {
    const t = calls();
    t.runNow({ action: "other" });
    expect(t.action()).toMatchObject({ inProgress: true, actionName: "other" });
    t.ok("other");
    expect(t.action()).toMatchObject({ inProgress: false, actionName: "other", succeeded: true });
  });
});

describe("TestWorkerBlockedDuringAction", () => {
  test("rules are not evaluated while an action is in progress; observations arrive, and are used after it", () => {
    const t = begun();
    t.claim("call");
    expect(t.reconciling().tickAt).toBeNull();
    t.clock(2_500);
    t.observe({ go: 0, n: 1 });
    expect(t.reconciling().tickAt).toBeNull();
    t.tickAt(10 * second);
    expect(t.reconciling().observed?.revision).toBe(2);
    t.clock(10_500).settle("call", failure({ retryable: false }));
    expect(t.wake).toBe(11 * second);
    expect(t.tickAt(11 * second).runs()).toEqual(["call failed"]);
  });

  test("nor between its tries", () => {
    const t = begun();
    t.miss("call");
    expect(t.runs()).toEqual(["call retry"]);
    expect(t.action()).toMatchObject({ inProgress: true, retries: 0, errorMessage: null });
    expect(t.wake).toBe(2 * second);
  });
});

describe("a failure", () => {
  test("that a rule has taken waits for no person; of an action that goes out again one is kept", () => {
    const t = begun();
    t.miss("call", { retryable: false }).tickAt(2 * second);
    expect(t.runs()).toEqual(["call failed", "call queued"]);
    expect(t.state.runs[0]).toMatchObject({ deadLetter: false, reason: "superseded" });
    t.miss("call", { retryable: false });
    expect(t.state.runs.filter(({ deadLetter }) => deadLetter)).toHaveLength(1);
  });

  test("that led elsewhere is handled", () => {
    const rules = [{ when: { var: "action.failed" }, target: "B" }, { emit: "call" }];
    const t = go({ states: { A: { rules }, B: {} }, actions: [action("call")] });
    t.tickAt(second).miss("call", { retryable: false });
    expect(t.run("call")).toMatchObject({ deadLetter: true });
    expect(t.run("call").handledAt ?? null).toBeNull();
    t.tickAt(2 * second);
    expect(t.at).toBe("B");
    expect(t.run("call")).toMatchObject({ deadLetter: true, handledAt: T0 + 2 * second });
  });

  test("that no rule takes waits for a person", () => {
    const t = begun();
    t.miss("call", { retryable: false });
    t.observe({ go: 0 });
    t.tickAt(2 * second);
    expect(t.run("call")).toMatchObject({ deadLetter: true });
    expect(t.run("call").handledAt ?? null).toBeNull();
  });

  test("pauses it where the action asks for that", () => {
    const t = begun({}, { onExhausted: "pause" });
    t.miss("call", { retryable: false });
    expect(t.status).toBe("paused");
  });
});

test("it accepts no events, except the engine's events about its tasks and children", () => {
  const t = calls();
  expect(t.refused(ask.event("go")).code).toBe("event_unknown");
  expect(t.event("task_completed", { taskId: "tsk_1" }).at).toBe("A");
  expect(t.program.eventTiming({ ...t.position(), done: true }, "task_completed")).toBe("late");
  expect(t.program.awaits(t.position(), "action.call.ok", null)).toBe(false);
});
