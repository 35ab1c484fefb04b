// Nodes that wait for an answer after their action: a task that a person must complete, a child that must end.
import { describe, expect, test } from "vitest";
import { ask, day, success } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const task = (more: object = {}) => ({
  type: "task",
  config: { title: "Call them" },
  await: { for: ["task_completed"], timeout: "P14D" },
  next: "b",
  ...more,
});
const done = (run: string, more: object = {}) => ({ run, actionId: "a", ...more });

describe("await", () => {
  test("a node is done when the person is, and not when the task is made", () => {
    const t = go({ nodes: { a: task(), b: act() } });
    t.start().ok("a");
    expect([t.status, t.marks(), t.timers()]).toEqual(["waiting", { a: "waiting" }, { "a/timeout": 14 * day }]);
    t.event("task_completed", done(t.run("a").id));
    expect([t.marks(), t.timers()]).toEqual([{ a: "done", b: "waiting" }, {}]);
  });

  test("what is said of another run is not taken", () => {
    const t = go({ initial: ["a", "other"], nodes: { a: task(), b: act(), other: task({ next: undefined }) } });
    t.start().ok("a").ok("other");
    t.event("task_completed", { run: t.run("other").id, actionId: "other" });
    expect(t.marks()).toEqual({ a: "waiting", other: "done" });
    expect(t.refused(ask.event("task_completed", { run: "9.9", actionId: "a" })).code).toBe("event_not_accepted");
  });

  test("an event that names no run is taken at its type", () => {
    const t = go({ nodes: { a: task({ await: { for: ["signed", "task_completed"] } }), b: act() } });
    t.start().ok("a").event("signed", { by: "Ada" });
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("one that names the node and no run, too", () => {
    const t = go({ nodes: { a: task(), b: act() } });
    t.start().ok("a");
    expect(t.refused(ask.event("task_completed", { actionId: "b" })).code).toBe("event_not_accepted");
    t.event("task_completed", { actionId: "a" });
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("the person may be faster than the word that the task is made", () => {
    const t = go({ nodes: { a: task(), b: act() } });
    t.start().claim("a");
    const { id } = t.run("a");
    t.event("task_completed", done(id));
    expect(t.marks()).toEqual({ a: "waiting" });
    t.settle("a", success());
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("nor is one accepted that names no run, while the action has not ended", () => {
    const t = go({ nodes: { a: task(), b: act() } });
    t.start().claim("a").event("task_completed", { actionId: "a" });
    expect(t.marks()).toEqual({ a: "waiting" });
    t.settle("a", success());
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("the time to answer counts from when it was asked, however late that was", () => {
    const t = go({ nodes: { a: task({ delay: "P1D" }), b: act() } });
    t.start()
      .tickAt(day)
      .clock(20 * day)
      .ok("a");
    expect([t.marks(), t.timers()]).toEqual([{ a: "waiting" }, { "a/timeout": 34 * day }]);
  });

  test("of a time that is over already nothing is waited for", () => {
    const timeout = { anchor: "2026-01-01T00:00:00Z", ifPast: "skip" };
    const t = go({ nodes: { a: task({ await: { for: ["task_completed"], timeout } }), b: act() } });
    t.start().ok("a");
    expect(t.marks()).toEqual({ a: "skipped await_timed_out", b: "waiting" });
  });

  test("what the answer brings can be kept", () => {
    const assign = { said: { var: "message.payload.result" } };
    const t = go({ nodes: { a: task({ assign }), b: act() } });
    t.start().ok("a");
    t.event("task_completed", done(t.run("a").id, { result: "yes" }));
    expect(t.state.variables).toEqual({ said: "yes" });
  });

  test("not done in time, it is passed over, and its task is taken back", () => {
    const t = go({ nodes: { a: task(), b: act() } });
    t.start()
      .ok("a")
      .tickAt(14 * day);
    expect(t.marks()).toEqual({ a: "skipped await_timed_out", b: "waiting" });
    expect(t.newLines().join("\n")).toContain("task_withdrawn");
  });

  test("or its onFailed is taken", () => {
    const t = go({ nodes: { a: task({ onFailed: "c" }), b: act(), c: act() } });
    t.start()
      .ok("a")
      .tickAt(14 * day);
    expect(t.marks()).toEqual({ a: "failed await_timed_out", b: "skipped not_reached", c: "waiting" });
  });

  test("a task that could not be made and is sent again is waited for as well", () => {
    const t = go({ nodes: { a: task(), b: act() } });
    t.start().miss("a", { retryable: false });
    expect(t.marks()).toEqual({ a: "failed" });
    t.retry("a").ok("a");
    expect(t.marks()).toEqual({ a: "waiting" });
    t.event("task_completed", done(t.run("a").id));
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });
});

describe("a child", () => {
  const child = (more: object = {}) => ({ type: "journey", definition: "other", variables: {}, next: "b", ...more });

  test("is started by an action that says so, and waited for", () => {
    const t = go({ nodes: { a: child(), b: act() } });
    t.start().claim("a");
    expect([t.run("a").type, t.run("a").config]).toEqual([
      "start_execution",
      { definition: "other", variables: {}, wait: true },
    ]);
    t.settle("a", success());
    expect([t.status, t.marks()]).toEqual(["waiting", { a: "waiting" }]);
    t.event("child_completed", done(t.run("a").id, { variables: { n: 1 } }));
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("that ends before it is known to have been started is heard all the same", () => {
    const t = go({ nodes: { a: child(), b: act() } });
    t.start().claim("a");
    t.event("child_completed", done(t.run("a").id)).settle("a", success());
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("that fails takes onFailed", () => {
    const t = go({ nodes: { a: child({ onFailed: "c" }), b: act(), c: act() } });
    t.start().ok("a");
    t.event("child_failed", done(t.run("a").id));
    expect(t.marks()).toEqual({ a: "failed child_failed", b: "skipped not_reached", c: "waiting" });
    expect(t.ok("c").status).toBe("completed");
  });

  test("that fails with nothing to follow it fails the journey, once all else is through", () => {
    const t = go({ initial: ["a", "c"], nodes: { a: child(), b: act(), c: act() } });
    t.start().ok("a");
    t.event("child_canceled", done(t.run("a").id));
    expect([t.status, t.marks()["a"]]).toEqual(["active", "failed child_canceled"]);
    t.ok("c");
    expect([t.status, t.state.error?.type, t.state.error?.message]).toEqual([
      "failed",
      "journey_failed",
      naming("a", "onFailed"),
    ]);
  });
});
