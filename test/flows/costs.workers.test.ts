// Retry rules, the budget of time and prices, through the real Worker: what a person sees of a run afterwards.
import { afterEach, expect, test, vi } from "vitest";
import { engine, hook, provider } from "./engine.ts";

afterEach(() => vi.unstubAllGlobals());

const calls = (retryPolicy: object) => ({
  kind: "machine",
  name: "calls",
  initial: "calling",
  states: {
    calling: { on: { "action.call.ok": "done", "action.call.failed": "lost" } },
    done: { type: "final" },
    lost: { type: "final", outcome: "failed" },
  },
  actions: [hook("call", { triggerState: "calling", retryPolicy })],
});

test("an attempt costs what the tenant says, and its run the sum", async () => {
  provider(({ attempt }) => new Response(null, { status: attempt === 1 ? 503 : 200 }));
  const policy = { maxAttempts: 1, rules: [{ errors: ["service_unavailable"], maxAttempts: 3, baseDelay: 1 }] };
  const here = await engine(calls(policy));
  await here.must(200, "PUT", "/v1/prices", { body: { currency: "EUR", prices: { webhook: 0.25 } } });
  const execution = await here.start("calls");
  await here.reaches(execution, "completed");
  const [run] = await here.runs(execution);
  expect(run).toMatchObject({ attempt: 2, costEstimate: 0.5 });
  expect(run.attempts.map(({ costEstimate }: { costEstimate: number }) => costEstimate)).toEqual([0.25, 0.25]);
});

test("a run whose time is spent fails, and says so", async () => {
  provider(() => new Response(null, { status: 503 }));
  const policy = { maxAttempts: 10, backoffStrategy: "custom", delays: [1, 60_000], totalTimeMs: 30_000 };
  const here = await engine(calls(policy));
  const execution = await here.start("calls");
  await here.reaches(execution, "failed");
  expect((await here.runs(execution))[0]).toMatchObject({
    status: "failed",
    attempt: 2,
    reason: "time_budget_spent",
    costEstimate: null,
  });
});
