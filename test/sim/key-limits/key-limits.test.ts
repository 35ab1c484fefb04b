// Worlds of runs that share limits by key: a preview foretells the order, and no fault breaks a limit or loses a run.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { action, machine, second } from "#test/support/drive.ts";
import { keyedRuns } from "./keyed-runs.ts";
import { chanceOf } from "../kit/chance.ts";
import { digestAtOnce, playLimits, type Faults } from "./limits-world.ts";

const limit = "per-customer";
beforeAll(() => void vi.spyOn(crypto.subtle, "digest").mockImplementation(digestAtOnce));
afterAll(() => vi.restoreAllMocks());

it("ten runs over three keys start in the foretold order, each within the time of its wake-ups", async () => {
  const { definition, runs, tookMs } = keyedRuns;
  const queueMs = 20;
  const played = await playLimits({
    ...{ seed: "calm", definition, runs, limit, slots: 1 },
    ...{ tookMs: [tookMs, tookMs], queueMs: [queueMs, queueMs] },
  });
  expect(played.wrongs).toEqual([]);
  const foretold = runs.toSorted((a, b) => a.callMs - b.callMs);
  expect(played.calls.map(({ execution }) => execution)).toEqual(foretold.map(({ id }) => id));
  for (const [n, { atMs }] of played.calls.entries()) {
    const lateMs = atMs - (foretold[n]?.callMs ?? 0);
    // Each start before it on the key adds the time of a queue message and of an alarm.
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThanOrEqual(5 * (queueMs + 2));
  }
});

it("the world notices a key above its limit", async () => {
  const { definition, runs, tookMs } = keyedRuns;
  const world = { seed: "strict", definition, runs, limit, slots: 0 } as const;
  const { wrongs } = await playLimits({ ...world, tookMs: [tookMs, tookMs], queueMs: [20, 20] });
  expect(wrongs).toHaveLength(runs.length);
});

it("the world notices runs that never end", async () => {
  const { definition, runs } = keyedRuns;
  const world = { seed: "stuck", definition, runs, limit, slots: 1 } as const;
  const { wrongs } = await playLimits({ ...world, tookMs: [1_000_000_000, 1_000_000_000], queueMs: [20, 20] });
  expect(wrongs.length).toBeGreaterThan(0);
});

const rough: Faults = { fails: 0.4, crashes: 0.05, lostReleases: 0.1, lostWakes: 0.2, cancels: 0.1, pauses: 0.1 };

describe.each([
  ["one slot", { concurrency: 1 }, 1],
  ["two slots", { concurrency: 2 }, 2],
  ["one run at a time", { singleton: "skip" }, 1],
] as const)("a rough world with %s", (name, terms, slots) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("exceeds no limit, starves no run and leaks no place (seed %i)", async (seed) => {
    const chance = chanceOf(`${name} ${seed}`);
    const definition = machine({
      name: "rough",
      states: {
        a: { on: { "action.call.ok": "done", "action.call.failed": "done", "action.call.skipped": "done" } },
        done: { type: "final" },
      },
      actions: [
        action("call", {
          triggerState: "a",
          lane: "queue",
          timeout: 30 * second,
          retryPolicy: { maxAttempts: 3, baseDelay: 1_000, jitter: "none" },
          limit: [{ name: limit, key: { var: "execution.variables.customer" }, ...terms }],
        }),
      ],
    });
    const runs = Array.from({ length: 60 }, (_, n) => ({
      id: `exe_${n}_p1`,
      customer: `customer-${chance.between(1, 3)}`,
      startMs: chance.between(0, 20 * second),
    }));
    const world = { seed: `${name} ${seed}`, definition, runs, limit, slots, faults: rough } as const;
    const { wrongs, states } = await playLimits({ ...world, tookMs: [50, 2_000], queueMs: [1, 300] });
    expect(wrongs).toEqual([]);
    expect(states).toHaveLength(runs.length);
  });
});
