// One action at a time: what the executor pattern asks for, and the words in which a reconciler tells of it.
import { describe, expect, test } from "vitest";
import { lengthOf } from "#kernel/execution/reconciling/action-status.ts";
import { ask, action, failure, minute, second, T0 } from "#test/support/drive.ts";
import { go, told, type Written } from "../../programs/reconciler/go.ts";
import { worker } from "../../programs/reconciler/worker.ts";

const down = { running: false, configValid: true };
const calls = (part: Partial<Written> = {}, of = {}) =>
  go({
    states: { A: { rules: [{ when: { var: "observed.go" }, emit: "call" }] } },
    actions: [action("call", of), action("other")],
    ...part,
  });
const begun = (part: Partial<Written> = {}, of = {}) => {
  const t = calls(part, of);
  t.observe({ go: 1 });
  t.tickAt(second);
  return t;
};

describe("TestOneActionAtATime", () => {
  test("a second action is refused in the executor's words, whoever asks for it", () => {
    const t = begun();
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

  test("a person starts one where none is under way, and rules see how it goes", () => {
    const t = calls();
    t.runNow({ action: "other" });
    expect(t.action()).toMatchObject({ inProgress: true, actionName: "other" });
    t.ok("other");
    expect(t.action()).toMatchObject({ inProgress: false, actionName: "other", succeeded: true });
  });
});

describe("TestWorkerBlockedDuringAction", () => {
  test("rules are not looked at while one is under way; observations arrive, and are looked at after it", () => {
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

describe("the status of its action", () => {
  const none = { startedAt: null, succeeded: false, failed: false, errorMessage: null, retries: 0 };

  test("has seven fields, from the first moment on", () => {
    expect(calls().action()).toEqual({ ...none, inProgress: false, actionName: "" });
    const t = begun();
    expect(t.action()).toEqual({ ...none, inProgress: true, actionName: "call" });
    t.clock(1_200).claim("call");
    expect(t.action()).toEqual({ ...none, inProgress: true, actionName: "call", startedAt: T0 + 1_200 });
    t.settle("call", { ok: true, result: null, events: [], startedAt: T0, endedAt: T0 });
    expect(t.action()).toEqual({
      ...none,
      inProgress: false,
      actionName: "call",
      startedAt: T0 + 1_200,
      succeeded: true,
    });
  });

  test("counts the tries beyond the first: 1, 2 and 4 seconds apart, four in all", () => {
    const t = begun();
    const dues: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      t.miss("call", { message: "no route" });
      dues.push(Number(t.run("call").dueAt) - T0);
      if (attempt < 4) t.tickAt(Number(t.run("call").dueAt) - T0);
    }
    expect(dues.slice(0, 3)).toEqual([2 * second, 4 * second, 8 * second]);
    expect(t.action()).toMatchObject({
      failed: true,
      inProgress: false,
      retries: 3,
      errorMessage: "max retries reached: no route",
    });
  });

  test("says of what nobody should try again that it is non-retriable", () => {
    const t = begun();
    t.miss("call", { message: "invalid path", retryable: false });
    expect(t.action()).toMatchObject({ failed: true, retries: 0, errorMessage: "non-retriable: invalid path" });
    const last = begun({}, { retryPolicy: { maxAttempts: 1 } });
    last.miss("call", { message: "invalid path", retryable: false });
    expect(last.action()?.errorMessage).toBe("non-retriable: invalid path");
  });

  test.each([
    [undefined, "5m0s"],
    [90_500, "1m30.5s"],
    [30_000, "30s"],
    [250, "250ms"],
  ])("names how long it was waited for, with a timeout of %s", (timeout, length) => {
    const t = begun({}, { ...(timeout === undefined ? {} : { timeout }), retryPolicy: { maxAttempts: 1 } });
    const error = timeout === undefined ? {} : { type: "timeout" };
    t.claim("call");
    if (timeout === undefined) t.tickAt(6 * minute);
    else t.settle("call", failure({ type: "timeout", ...error }));
    expect(t.action()).toMatchObject({
      failed: true,
      errorMessage: `max retries reached: action call timed out after ${length}`,
    });
  });

  test("of hours is told in hours", () => {
    expect(lengthOf(3_600_000 + 61_000)).toBe("1h1m1s");
  });

  test("is in progress before it is due, too", () => {
    const t = begun({}, { delay: "PT1M" });
    expect(t.runs()).toEqual(["call scheduled"]);
    expect(t.action()).toMatchObject({ inProgress: true, startedAt: null });
  });

  test("of one that was skipped, or taken back, says so and neither succeeded nor failed", () => {
    const t = begun({}, { enabled: false });
    expect(t.action()).toMatchObject({ succeeded: false, failed: false, errorMessage: "skipped: disabled" });
    const back = begun();
    back.cancel();
    expect(back.action()).toMatchObject({ failed: false, errorMessage: "canceled: execution_canceled" });
  });

  test("is what templates and rules of an action see", () => {
    const t = go({
      states: { A: { rules: [{ when: { "!": [{ var: "action.succeeded" }] }, emit: "call" }] } },
      actions: [
        action("call", {
          config: { url: "https://example.com/{{ state.name }}/{{ action.actionName }}/{{ desired.n }}" },
        }),
      ],
      desired: { n: 5 },
    });
    t.tickAt(second).claim("call");
    expect(t.run("call").config).toEqual({ url: "https://example.com/A/call/5" });
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

describe("shutting down", () => {
  const stop = { shutdownRequested: true };

  test("goes before every rule, wherever it stands, and once", () => {
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
      error: { type: "aborted", code: "called_off", effect: "unknown" },
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
  test("calls off what is under way, and nobody knows how far that got", () => {
    const t = begun();
    t.claim("call").cancel();
    const { id } = t.run("call");
    expect(t.status).toBe("canceled");
    expect(t.effects).toContainEqual({ kind: "abort", run: id, attempt: 1 });
    const error = { type: "aborted", code: "called_off", effect: "unknown", retryable: false };
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

test("it takes no events, but for what the engine tells of its tasks and children", () => {
  const t = calls();
  expect(t.refused(ask.event("go")).code).toBe("event_unknown");
  expect(t.event("task_completed", { taskId: "tsk_1" }).at).toBe("A");
  expect(t.program.outlook({ ...t.position(), done: true }, "task_completed")).toBe("late");
  expect(t.program.awaits(t.position(), "action.call.ok", null)).toBe(false);
});
