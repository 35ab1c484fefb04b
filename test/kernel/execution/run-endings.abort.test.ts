// A reconciler that shuts down or is canceled while an action is in progress.
import { describe, expect, test } from "vitest";
import { ask, action, failure, second, T0 } from "#test/support/drive.ts";
import { childrenDone } from "#test/support/outbox/messages.ts";
import { go, told } from "../programs/reconciler/drive-reconciler.ts";
import { worker } from "../programs/reconciler/worker.ts";
import { begun } from "./reconciling/calls.ts";

const down = { running: false, configValid: true };
describe("shutting down", () => {
  const stop = { shutdownRequested: true };

  test("precedes every rule, in any order, and happens once", () => {
    const t = go(worker);
    t.observe(down);
    t.desire(stop);
    t.tickAt(second);
    expect(t.stands()).toBe("Stopping: asked to stop");
    expect(t.entries.findLast(({ kind }) => kind === "decided")).toMatchObject({
      rule: "/onShutdown",
      does: "shutdown",
    });
    t.tickAt(2 * second);
    expect([t.status, t.stands()]).toEqual(["completed", "Stopping: stopped"]);
  });

  test("waits for the action under way", () => {
    const t = go(worker);
    t.tickAt(second);
    t.desire(stop);
    t.tickAt(2 * second);
    expect(t.at).toBe("TryingToStart");
    t.ok("start");
    expect(t.tickAt(3 * second).at).toBe("Stopping");
  });

  test("waits for one that a person has started, too", () => {
    const t = go({ ...worker, actions: [action("start"), action("stop"), action("other")] });
    t.clock(500).runNow({ action: "other" });
    t.desire(stop);
    t.tickAt(second);
    expect(t.at).toBe("TryingToStart");
    t.ok("other");
    expect(t.tickAt(2 * second).at).toBe("Stopping");
  });

  test("leaves what is under way alone unless the definition says otherwise", () => {
    const t = go({ ...worker, onShutdown: { target: "Stopping" } });
    t.tickAt(second);
    t.desire(stop);
    expect(t.tickAt(2 * second).at).toBe("TryingToStart");
  });

  test("calls it off where the definition says so", () => {
    const t = go({ ...worker, onShutdown: { target: "Stopping", cancelAction: true, reason: "told to" } });
    t.tickAt(second).claim("start");
    t.clock(1_100).take(told.desire({ a: 1 }));
    t.desire(stop);
    expect(t.wake).toBe(2 * second);
    t.tickAt(2 * second);
    expect(t.stands()).toBe("Stopping: told to");
    expect(t.run("start")).toMatchObject({
      status: "canceled",
      reason: "shutdown_requested",
      error: { type: "aborted", code: "attempt_canceled", effect: "unknown" },
    });
    expect(t.effects).toContainEqual({ kind: "abort", run: t.run("start").id, attempt: 1 });
  });

  test("does not wait for an observation", () => {
    const t = go({ ...worker, staleAfter: "PT1S" });
    t.desire(stop);
    expect(t.tickAt(second).at).toBe("Stopping");
  });

  test("leaves alone what is stopping, and what names no way", () => {
    const rules = [{ when: { var: "observed.b" }, target: "B" }];
    const t = go({ states: { A: { rules }, B: { stopping: true, rules: [] } }, onShutdown: "A" });
    t.observe({ b: 1 });
    t.tickAt(second);
    t.desire(stop);
    expect(t.tickAt(2 * second).at).toBe("B");
    const none = go({ states: { A: {} } });
    none.desire(stop);
    expect(none.tickAt(second).at).toBe("A");
  });
});

describe("what is canceled", () => {
  test("aborts the action in progress, whose effect is then unknown", () => {
    const t = begun();
    t.claim("call").cancel();
    const { id } = t.run("call");
    expect(t.status).toBe("canceled");
    expect(t.effects).toContainEqual({ kind: "abort", run: id, attempt: 1 });
    const error = { type: "aborted", code: "attempt_canceled", effect: "unknown", retryable: false };
    expect(t.run(id)).toMatchObject({ status: "canceled", error, attempts: [{ error }], deadLetter: false });
    expect(t.refused(ask.settle(id, 1, failure())).code).toBe("run_stale");
    expect(t.take(ask.settle(id, 1, { ok: true, result: 1, events: [], startedAt: T0, endedAt: T0 })).runs()).toEqual([
      "call ok",
    ]);
  });

  test("on a later try is in doubt for that try alone", () => {
    const t = begun();
    t.miss("call")
      .tickAt(2 * second)
      .claim("call")
      .cancel();
    const errors = t.run("call").attempts.map(({ error }) => error?.type);
    expect(errors).toEqual(["service_unavailable", "aborted"]);
    expect(t.effects).toContainEqual({ kind: "abort", run: t.run("call").id, attempt: 2 });
  });

  test("takes back what has not begun", () => {
    const t = begun();
    t.cancel();
    expect(t.run("call")).toMatchObject({ status: "canceled", error: null, reason: "execution_canceled" });
    expect(t.effects.some(({ kind }) => kind === "abort")).toBe(false);
  });
});

test("canceled while a child of it is waited for, it calls off what is under way all the same, and ends with the child", () => {
  const begin = action("begin", { type: "start_execution", config: { definition: "child", onCancel: "wait" } });
  const states = {
    A: { rules: [{ when: { "===": [{ var: "action.actionName" }, ""] }, emit: "begin" }, { emit: "start" }] },
  };
  const t = go({ states, actions: [begin, action("start")] });
  t.tickAt(second).ok("begin", { result: { execution: "exe_child" } });
  t.tickAt(2 * second).claim("start");
  t.take(ask.cancel("enough"));
  expect([t.status, t.state.ending?.as, t.run("start").error?.code]).toEqual([
    "waiting",
    "canceled",
    "attempt_canceled",
  ]);
  const result = { run: t.run("begin").id, found: "ended", execution: "exe_child", at: T0 + 3 * second } as const;
  t.clock(3 * second).take(childrenDone(result));
  expect(t.status).toBe("canceled");
});
