// Recent durations of attempts, as an isolate records them.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LONG_ATTEMPT_MS } from "#schema/limits/run-attempts.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { recordAttemptDuration, wasSlowLately } from "#services/actions/recent-durations.ts";

const deps = { now: () => Date.now() };
const done: Outcome = { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 };
const error = { type: "rate_limit", message: "", retryable: true };
const held: Outcome = { ...done, ok: false, error, held: { reason: "quota", until: 0, connection: null } };
let tenants = 0;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each test has an action of its own. */
function attempts() {
  tenants += 1;
  const of = { tenant: `durations-${tenants}`, action: "crawl" };
  const ticket = of as Ticket; // all that is read of it
  const take = async (ms: number, outcome: Outcome | Error = done): Promise<void> => {
    const run = async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const noted = recordAttemptDuration(deps, ticket, run).catch(() => {});
    await vi.advanceTimersByTimeAsync(ms);
    await noted;
  };
  return { of, ticket, take, wasSlow: () => wasSlowLately(deps, of) };
}

test("an attempt counts as slow while it still runs", async () => {
  const { ticket, wasSlow } = attempts();
  void recordAttemptDuration(deps, ticket, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(LONG_ATTEMPT_MS - 1);
  expect(wasSlow()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(wasSlow()).toBe(true);
});

test("a slow attempt counts once, and only for its tenant's action", async () => {
  const { of, take, wasSlow } = attempts();
  for (let n = 0; n < 3; n++) await take(10);
  await take(LONG_ATTEMPT_MS + 1);
  expect(wasSlow()).toBe(false);
  await take(LONG_ATTEMPT_MS + 1);
  await take(LONG_ATTEMPT_MS + 1, new Error("broken"));
  expect(wasSlow()).toBe(true);
  expect(wasSlowLately(deps, { ...of, action: "greet" })).toBe(false);
  expect(wasSlowLately(deps, { ...of, tenant: "another" })).toBe(false);
});

test("a held attempt does not count", async () => {
  const { take, wasSlow } = attempts();
  await take(LONG_ATTEMPT_MS + 1);
  for (let n = 0; n < 5; n++) await take(1, held);
  expect(wasSlow()).toBe(true);
  for (let n = 0; n < 3; n++) await take(1);
  expect(wasSlow()).toBe(false);
});
