// Retries by rule, within a time budget, and the cost of each attempt.
import { describe, expect, test } from "vitest";
import { action, ask, drive, failure, minute, second, T0 } from "#test/support/drive.ts";

type Policy = Extract<NonNullable<Parameters<typeof action>[1]>["retryPolicy"], object>;

const hears = { a: { on: { "action.mail.ok": "sent", "action.mail.failed": "lost" } }, sent: {}, lost: {} };
const one = (retryPolicy: Policy) =>
  drive({
    states: { ...hears, sent: { on: { x: "a" } }, lost: { on: { x: "a" } } },
    actions: [action("mail", { triggerState: "a", retryPolicy })],
  }).start();

describe("a rule for a type of error", () => {
  const policy: Policy = {
    maxAttempts: 5,
    baseDelay: second,
    rules: [
      { errors: ["rate_limit"], backoffStrategy: "fixed", baseDelay: 10 * minute },
      { errors: ["timeout"], retry: false },
    ],
  };
  test.each<[string, string, number | null]>([
    ["rate_limit", "retry", 10 * minute],
    ["service_unavailable", "retry", second],
    ["timeout", "failed", null],
  ])("%s: %s", (type, status, dueIn) => {
    const run = one(policy).miss("mail", { type }).run("mail");
    expect([run.status, run.dueAt]).toEqual([status, dueIn === null ? null : run.createdAt + dueIn]);
  });
});

describe("a budget of time", () => {
  const policy: Policy = { maxAttempts: 9, backoffStrategy: "fixed", baseDelay: minute, totalTimeMs: 2 * minute };

  test("allows retries that are due within it, counted from the first attempt's start", () => {
    const t = one(policy)
      .clock(minute)
      .miss("mail")
      .tickAt(2 * minute)
      .miss("mail");
    expect(t.run("mail")).toMatchObject({ status: "retry", reason: null });
  });

  test("counts from the first time that it went out, though its object went down and it was sent again", () => {
    const t = one(policy)
      .claim("mail")
      .clock(2 * minute)
      .take(ask.orphaned("1.0"))
      .claim("mail");
    expect(t.run("mail").attempts).toMatchObject([{ startedAt: T0 + 2 * minute, firstStartedAt: T0 }]);
    t.take(ask.orphaned("1.0"))
      .clock(3 * minute)
      .claim("mail");
    expect(t.run("mail").attempts).toMatchObject([{ startedAt: T0 + 3 * minute, firstStartedAt: T0 }]);
    expect(t.settle("mail", failure()).run("mail")).toMatchObject({ deadLetter: true, reason: "time_budget_spent" });
  });

  test("ends the run when the next would be due beyond it, and says so", () => {
    const t = one(policy)
      .miss("mail")
      .tickAt(minute)
      .miss("mail")
      .tickAt(2 * minute)
      .miss("mail", { type: "timeout" });
    expect(t.run("mail")).toMatchObject({
      status: "failed",
      reason: "time_budget_spent",
      deadLetter: true,
      error: { type: "timeout" },
      attempt: 3,
    });
    expect(t.entries.findLast(({ kind }) => kind === "run_failed")).toMatchObject({ reason: "time_budget_spent" });
    expect(t.at).toBe("lost");
  });

  test("a provider's longer wait counts too", () => {
    const t = one(policy)
      .claim("mail")
      .settle("mail", failure({}, { retryAfterMs: 3 * minute }));
    expect(t.run("mail")).toMatchObject({ status: "failed", reason: "time_budget_spent", attempt: 1 });
  });

  test("before the first attempt, it has not begun either", () => {
    const t = one({ ...policy, totalTimeMs: minute })
      .clock(9 * minute)
      .take(ask.undeliverable("1.0", 1));
    expect(t.run("mail").status).toBe("retry");
  });

  test("attempts that are used up are not the budget's doing", () => {
    const t = one({ ...policy, maxAttempts: 1 }).miss("mail");
    expect(t.run("mail")).toMatchObject({ status: "failed", reason: null });
    expect(t.entries.findLast(({ kind }) => kind === "run_failed")).not.toHaveProperty("reason");
  });
});

describe("costs", () => {
  test("are kept with each try and add up with the run", () => {
    const t = one({ backoffStrategy: "fixed", baseDelay: second })
      .claim("mail")
      .settle("mail", failure({}, { costEstimate: 0.25 }))
      .tickAt(second)
      .miss("mail")
      .tickAt(2 * second)
      .ok("mail", { costEstimate: 0.5 });
    expect(t.run("mail").costEstimate).toBe(0.75);
    expect(t.run("mail").attempts.map(({ costEstimate }) => costEstimate)).toEqual([0.25, undefined, 0.5]);
  });
});
