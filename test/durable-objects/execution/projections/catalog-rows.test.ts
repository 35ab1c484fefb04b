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
  const journey = (over: Partial<ExecutionState>): ExecutionState => {
    const position = { ...t.state.position, kind: "journey" } as never;
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

  test("has alert fields only if an alert may be sent", () => {
    const has = (state: ExecutionState) => "journey" in executionRow(state, T0);
    const paused = { status: "paused", pausedAt: T0 } as const;
    expect(has(journey({ ...paused, reason: "action_failed" }))).toBe(true);
    expect(has(journey({ ...paused, reason: "snow" }))).toBe(false);
    expect(has(journey({ status: "completed" }))).toBe(false);
    expect(has({ ...t.state, status: "failed" })).toBe(false);
  });
});
