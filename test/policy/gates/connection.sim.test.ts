// Simulates gates with many callers. The limit is never exceeded, every call is admitted in the end, return times are
// kept and no lease is lost. Each seed is one simulation; `play` checks each event and names the first violation.
import { describe, expect, test } from "vitest";
import { acquire, viewGate } from "#policy/gates/connection.ts";
import type { BreakerLimits, ConnectionLimits } from "#schema/gate.ts";
import { SLOT_LEASE_GRACE_MS, SLOT_WAIT_MS_MAX } from "#schema/limits/outgoing/connection-limits.ts";
import { play, type World } from "./world.ts";

const minute = 60_000;
const hour = 60 * minute;
const terms = (more: Partial<ConnectionLimits>): ConnectionLimits => ({
  rate: null,
  concurrency: null,
  breaker: null,
  ...more,
});
const breaker: BreakerLimits = {
  failureRatio: 0.5,
  windowMs: 10_000,
  minimumCalls: 4,
  openMs: 5_000,
  halfOpenProbes: 1,
};
const rate = { calls: 10, perMs: 1_000, burst: 2 };
const usual = { timeoutMs: 30_000, tookMs: [100, 300], lateMs: 1_000 } as const;

const worlds: { readonly [name: string]: Omit<World, "seed"> } = {
  "a crowd before one slot": { ...usual, terms: terms({ concurrency: 1 }), callers: 200, withinMs: 10 },
  "a crowd before five": { ...usual, terms: terms({ concurrency: 5 }), callers: 1_000, withinMs: 1_000 },
  "slots nine tenths used": { ...usual, terms: terms({ concurrency: 5 }), callers: 2_000, withinMs: 89_000 },
  "slow ones among the quick": {
    ...usual,
    terms: terms({ concurrency: 2 }),
    callers: 200,
    withinMs: 30_000,
    slow: 0.1,
  },
  "some that die": {
    ...usual,
    terms: terms({ concurrency: 2 }),
    callers: 200,
    withinMs: 30_000,
    dying: 0.05,
    slow: 0.02,
  },
  "attempts delivered twice": {
    ...usual,
    terms: terms({ concurrency: 1 }),
    callers: 100,
    withinMs: 30_000,
    doubled: 0.3,
  },
  "a line longer than the longest wait": {
    ...usual,
    tookMs: [5_000, 15_000],
    terms: terms({ concurrency: 2 }),
    callers: 300,
    withinMs: 1,
  },
  "a rate besides": { ...usual, terms: terms({ concurrency: 3, rate }), callers: 500, withinMs: 10_000 },
  "those that are minutes late": {
    ...usual,
    lateMs: 2 * minute,
    terms: terms({ concurrency: 2 }),
    callers: 100,
    withinMs: 10_000,
  },
  "a clock that jumps": {
    ...usual,
    terms: terms({ concurrency: 2 }),
    callers: 1_000,
    withinMs: 5 * minute,
    dying: 0.004,
    jumps: [
      [3_000, hour],
      [9_000, -hour],
      [15_000, -2 * hour],
      [21_000, 90],
      [24_000, -90],
    ],
  },
  "a clock that jumps before a rate": {
    ...usual,
    terms: terms({ concurrency: 2, rate, breaker }),
    callers: 1_000,
    withinMs: 5 * minute,
    jumps: [
      [3_000, hour],
      [9_000, -hour],
      [15_000, -2 * hour],
    ],
  },
  "an outage, and then nothing but refusals": {
    ...usual,
    terms: terms({ concurrency: 5, breaker }),
    callers: 300,
    withinMs: 60_000,
    outage: [10_000, 30_000],
    refused: 1,
  },
};
const seeds = Array.from({ length: 12 }, (_, n) => `gates-${n}`);

describe.each(Object.entries(worlds))("%s:", (_name, world) => {
  const plays = seeds.map((seed) => play({ ...world, seed }));

  test("never exceeds the limit, keeps every promised return time and loses no lease", () => {
    expect(plays.flatMap(({ wrongs }) => wrongs)).toEqual([]);
  });

  test("admits every call in the end", () => {
    const backMs = (world.jumps ?? []).reduce((sum, [, byMs]) => sum + Math.max(0, -byMs), 0);
    for (const { through, deliveries, endedAt, busyMs } of plays) {
      expect(through).toBe(deliveries);
      const idealMs = Math.max(
        busyMs / (world.terms.concurrency ?? Infinity),
        world.terms.rate === null ? 0 : deliveries * 100,
        world.withinMs,
      );
      expect(endedAt).toBeLessThan(4 * idealMs + 2 * world.lateMs + backMs + minute);
    }
  });

  test.runIf(world.jumps)("a clock that was put back keeps nobody waiting for it", () => {
    expect(Math.max(...plays.map(({ lastWaitMs }) => lastWaitMs))).toBeLessThan(hour / 2);
  });

  test("spreads the return times of calls", () => {
    expect(Math.max(...plays.map(({ crowd }) => crowd))).toBeLessThan(12);
  });

  test("after the load a new call is admitted at once", () => {
    for (const { state, now } of plays) {
      const after = now + world.timeoutMs + SLOT_LEASE_GRACE_MS + SLOT_WAIT_MS_MAX + minute;
      expect(viewGate(state, world.terms, after)).toMatchObject({ inUse: 0, waiting: 0 });
      const { answers } = acquire(state, world.terms, [{ key: "new", expiresAt: after + 1, promisedAt: null }], after);
      expect(answers).toEqual([{ ok: true, lease: "new" }]);
    }
  });
});

test.each(seeds)(
  "at 90 % load half of the calls wait less than ten seconds, and none waits two minutes: %s",
  (seed) => {
    const world = { ...usual, terms: terms({ concurrency: 5 }), callers: 4_000, withinMs: 178_000, seed };
    const waits = play(world).waitsMs.toSorted((a, b) => a - b);
    expect(waits[waits.length / 2]).toBeLessThan(10_000);
    expect(waits.at(-1)).toBeLessThan(2 * minute);
  },
);

test("the same seed gives the same simulation", () => {
  const world = {
    ...usual,
    terms: terms({ concurrency: 2 }),
    callers: 100,
    withinMs: 5_000,
    dying: 0.1,
    seed: "again",
  };
  expect(play(world)).toEqual(play(world));
});
