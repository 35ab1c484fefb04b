// Tests the catalog rows of a run's last attempt and of a failed journey.
import { describe, expect, test } from "vitest";
import { executionRow, runRow } from "#objects/execution/projections/catalog-rows.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { failure, success, T0 } from "#test/support/drive.ts";
import { one } from "#test/support/one-mail.ts";

const stays = { a: { on: { x: "a" } } };

test("the duration of a run is that of its last attempt, after its end", () => {
  const t = one({ retryPolicy: { maxAttempts: 1 } }, stays);
  const took = () => runRow(t.state, t.run("mail")).tookMs;
  expect(took()).toBeNull();
  expect((t.claim("mail"), took())).toBeNull();
  expect((t.clock(70).settle("mail", failure()), took())).toBe(70);
  expect((t.retry("mail").claim("mail").clock(75).settle("mail", success()), took())).toBe(5);
});

describe("a journey", () => {
  const t = one({}, stays);
  const journey = (over: Partial<ExecutionState>, failed = 0): ExecutionState => {
    const position = { ...t.state.position, kind: "journey", counts: { done: 0, skipped: 0, failed, of: 3 } } as never;
    return { ...t.state, position, status: "failed", variables: {}, ...over };
  };
  const client = (over: Partial<ExecutionState>) => executionRow(journey(over), T0).journey?.client;
  const subject = { key: "couple-7" };

  test.each([
    ["a client's name", { variables: { clientName: "Ada", name: "Eve" }, subject }, "Ada"],
    ["a name", { variables: { clientName: "", name: "Eve" }, subject }, "Eve"],
    ["its subject", { variables: { name: 7 }, subject }, "couple-7"],
    ["nobody", {}, null],
    ["a very long name", { variables: { name: "x".repeat(500) } }, "x".repeat(100)],
  ])("that has failed is told with %s", (_what, over, name) => expect(client(over)).toBe(name));

  test("keeps the number of its failures: of runs, or of nodes if more have failed", () => {
    const dead = one({ retryPolicy: { maxAttempts: 1 } }, stays).miss("mail");
    const last = dead.state.errors?.last ?? "";
    expect(executionRow(dead.state, T0).errors).toEqual({ count: 1, last });
    expect(executionRow(dead.retry("mail").ok("mail").state, T0).errors).toEqual({ count: 1, last });
    expect(executionRow(journey({}, 2), T0).errors).toEqual({ count: 2, last: null });
    expect("errors" in executionRow(journey({}), T0)).toBe(false);
  });

  test("marks its dead letters, because their alert is more severe", () => {
    const dead = one({ retryPolicy: { maxAttempts: 1 } }, stays).miss("mail");
    const isMarked = (state: ExecutionState) => runRow(state, dead.run("mail")).journey;
    expect([isMarked(journey({})), isMarked(dead.state)]).toEqual([true, undefined]);
    expect(runRow(journey({}), t.run("mail")).journey).toBe(undefined);
  });

  test("has alert fields only if an alert may be sent", () => {
    const has = (state: ExecutionState) => "journey" in executionRow(state, T0);
    const paused = { status: "paused", pausedAt: T0 } as const;
    expect(has(journey({ ...paused, reason: "action_failed" }))).toBe(true);
    expect(has(journey({ ...paused, reason: "snow" }))).toBe(false);
    expect(has(journey({ status: "completed" }))).toBe(false);
    expect(has({ ...t.state, status: "failed" })).toBe(false);
  });
});

describe("the last failed run, for an alert", () => {
  const last = (state: ExecutionState) => executionRow(state, T0).lastFailure;
  const failed = one({ retryPolicy: { maxAttempts: 1 } }, stays);
  failed.claim("mail").settle("mail", failure());
  const { run } = { run: failed.run("mail") };

  test("is there if the execution failed or the engine paused it", () => {
    const expected = { run: run.id, action: "mail", state: "a", attempts: 1, errorType: run.error?.type };
    expect(last({ ...failed.state, status: "failed" })).toMatchObject(expected);
    expect(last({ ...failed.state, status: "paused", reason: "compensation_stuck" })).toMatchObject(expected);
    expect(last({ ...failed.state, status: "paused", reason: "holiday" })).toBeUndefined();
    expect(last(failed.state)).toBeUndefined();
  });

  test("is the latest of several, and its state is that of its trigger if it is bound to none", () => {
    const older = { ...run, id: "9.0", finishedAt: Number(run.finishedAt) - 1 };
    const unbound = { ...run, boundTo: null };
    expect(last({ ...failed.state, status: "failed", runs: [unbound, older] })).toMatchObject({
      run: run.id,
      state: "a",
    });
    const lost = { ...failed.state, status: "failed" as const, runs: [unbound], triggers: [] };
    expect(last(lost)?.state).toBe("mail");
  });

  test("is null if no run failed", () => expect(last({ ...failed.state, status: "failed", runs: [] })).toBeNull());
});
