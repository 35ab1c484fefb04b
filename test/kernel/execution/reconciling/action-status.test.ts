// The status of a reconciler's last action. The texts of `errorMessage` are asserted, because rules and templates
// compare them (docs/reconcilers/format.md).
import { describe, expect, test } from "vitest";
import { durationText } from "#kernel/execution/reconciling/action-status.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, failure, minute, second, T0 } from "#test/support/drive.ts";
import { go } from "../../programs/reconciler/drive-reconciler.ts";
import { begun, calls } from "./calls.ts";

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

  describe("is also read as observed.actionStatus", () => {
    const failed = (observed: JsonObject | null) => {
      const rules = [{ when: { var: "observed.actionStatus.failed" }, target: "B" }, { emit: "call" }];
      const t = go({ states: { A: { rules }, B: {} }, actions: [action("call", { retryPolicy: { maxAttempts: 1 } })] });
      if (observed !== null) t.observe(observed);
      t.tickAt(second);
      t.miss("call", { message: "gone" });
      t.tickAt(2 * second);
      return t.state.position;
    };

    test.each([[null], [{ lit: true }]])("with the observation %j", (observed) => {
      expect(failed(observed)).toMatchObject({ state: "B" });
    });

    test("but a field of the observation with this name wins", () => {
      expect(failed({ actionStatus: { failed: false } })).toMatchObject({ state: "A" });
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

  test("names a permanent error as non-retriable", () => {
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

  test("of hours is written in hours", () => {
    expect(durationText(3_600_000 + 61_000)).toBe("1h1m1s");
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

  test("says that it is over where the whole execution fails", () => {
    const t = begun();
    t.take({ kind: "fail", error: { type: "not_storable", message: "no row holds it", retryable: false } });
    expect(t.action()).toMatchObject({ inProgress: false, errorMessage: "canceled: execution_failed" });
    expect(t.reconciling()).toMatchObject({ tickAt: null, watches: false });
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
