// Simulates limits by key with many runs, of which one key has very many. No key ever exceeds its limit, no key delays
// another one, every run starts, and runs start in the order in which they first asked.
import { describe, expect, test } from "vitest";
import type { KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { play } from "./world.ts";

const second = 1_000;
const worlds: { readonly [name: string]: KeyLimitTerms } = {
  "two at a time": { concurrency: 2 },
  "ten a second": { throttle: { calls: 10, perMs: second, burst: 3 } },
  "two at a time and five a second": { concurrency: 2, throttle: { calls: 5, perMs: second, burst: 1 } },
  "one at a time": { singleton: "skip" },
};
const usual = { runs: 10_000, keys: 100, greedy: 0.2, withinMs: 60 * second, tookMs: [50, 150] } as const;

describe.each(Object.entries(worlds))("10,000 runs over 100 keys, %s:", (name, terms) => {
  const punctual = play({ ...usual, terms, lateMs: 0, seed: `punctual ${name}` });
  const late = play({ ...usual, terms, lateMs: second, seed: `late ${name}` });

  test("no key exceeds its limit at any instant", () => {
    expect([...punctual.wrongs, ...late.wrongs]).toEqual([]);
  });

  test("every run starts or is skipped", () => {
    for (const played of [punctual, late]) expect(played.started + played.skipped).toBe(usual.runs);
    if (terms.singleton === undefined) expect(punctual.skipped + late.skipped).toBe(0);
  });

  test("the greedy key delays no other key", () => {
    const alone = play({ ...usual, terms, lateMs: 0, seed: `punctual ${name}`, greedyIsAbsent: true });
    expect(punctual.modestWaitsMs).toEqual(alone.modestWaitsMs);
    expect(punctual.modestWaitsMs.length).toBeGreaterThan(1_000);
  });

  test("runs start in the order in which they first asked, if they return on time", () => {
    expect(punctual.overtakings / usual.runs).toBeLessThan(0.005);
  });

  test("a run asks only a few times", () => {
    expect(Math.max(punctual.asks, late.asks) / usual.runs).toBeLessThan(14);
  });

  test("the slots and turns of the greedy key are used", () => {
    expect(punctual.lastMs).toBeLessThan(2 * idealMs(terms, punctual.greedyMs, punctual.greedyStarts));
    expect(late.lastMs).toBeLessThan(4 * idealMs(terms, late.greedyMs, late.greedyStarts));
  });
});

function idealMs(
  { concurrency = Infinity, throttle, singleton }: KeyLimitTerms,
  busyMs: number,
  starts: number,
): number {
  const turnsMs = throttle === undefined ? 0 : (starts * throttle.perMs) / throttle.calls;
  return Math.max(usual.withinMs, turnsMs, singleton === undefined ? busyMs / concurrency : 0);
}

describe.each(Object.entries(worlds))("10,000 runs over 100 keys that are woken, %s:", (name, terms) => {
  const woken = play({ ...usual, terms, lateMs: 0, wakeMs: 10, seed: `woken ${name}` });
  const disturbed = { ...usual, terms, lateMs: second, wakeMs: 300, lostWakes: 0.2, canceled: 0.1 } as const;
  const hard = play({ ...disturbed, seed: `disturbed ${name}` });

  test("no key exceeds its limit at any instant, and no run is lost", () => {
    expect([...woken.wrongs, ...hard.wrongs]).toEqual([]);
    for (const played of [woken, hard]) expect(played.started + played.skipped + played.canceled).toBe(usual.runs);
    expect(woken.canceled).toBe(0);
  });

  test("the slots and turns of the greedy key are used", () => {
    expect(woken.lastMs).toBeLessThan(1.15 * idealMs(terms, woken.greedyMs, woken.greedyStarts));
  });

  test("runs start in the order in which they first asked", () => {
    expect(woken.overtakings / usual.runs).toBeLessThan(0.005);
  });

  test("a run asks only a few times, and one release wakes at most as many runs as there are slots", () => {
    expect(Math.max(woken.asks, hard.asks) / usual.runs).toBeLessThan(8);
    expect(Math.max(woken.wakes, hard.wakes)).toBeLessThan(1.5 * usual.runs);
  });
});

test("800 calls of 100 ms, two at a time, take little more than 40 s if a release wakes the next run", () => {
  const calls = { runs: 800, keys: 2, greedy: 1, withinMs: 10 * second, tookMs: [100, 100], lateMs: 0 } as const;
  const alone = play({ ...calls, terms: { concurrency: 2 }, seed: "short calls" });
  const woken = play({ ...calls, terms: { concurrency: 2 }, seed: "short calls", wakeMs: 20 });
  expect([...alone.wrongs, ...woken.wrongs]).toEqual([]);
  expect(alone.lastMs).toBeGreaterThan(60 * second);
  expect(woken.lastMs).toBeLessThan(45 * second);
  expect(woken.asks).toBeLessThan(alone.asks);
  expect(woken.wakes).toBeLessThan(calls.runs);
});

test("a rate skips exactly the runs above it", () => {
  const rate = { max: 20, perMs: 10 * second };
  const played = play({ ...usual, terms: { rate }, lateMs: 0, seed: "rate" });
  expect(played.wrongs).toEqual([]);
  expect(played.skipped).toBeGreaterThan(1_000);
  expect(played.started + played.skipped).toBe(usual.runs);
});

test("the same seed gives the same simulation", () => {
  const world = { ...usual, runs: 500, terms: { concurrency: 1 }, lateMs: second, seed: "again" };
  expect(play(world)).toEqual(play(world));
});
