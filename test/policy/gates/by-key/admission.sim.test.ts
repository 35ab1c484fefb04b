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
